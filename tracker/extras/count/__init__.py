"""Everybody counts their chips against the book: what differs, and what sets it right."""

from tracker.extras.count.pages import bp, stack_to_count
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    places={
        "ending.below": "count/_difference.html",
        "log.below": "count/_in_log.html",
        "menu.chips": "count/_link.html",
    },
    begin=lambda app: app.extensions.update(stack_to_count=stack_to_count),
)
