"""Everybody counts their chips against the book: what differs, and what sets it right."""

from tracker.extras.count.pages import ask_to_count, bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    places={
        "ending.below": "count/_difference.html",
        "log.below": "count/_in_log.html",
        "menu.chips": "count/_link.html",
    },
    begin=lambda app: app.extensions["questions"].append(ask_to_count),
)
