"""Groups: nights under the name of those who play together, begun again by one tap, with a page of their own."""

from tracker.extras.groups.pages import bp, carry_on, keep_group
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={
        "group.address": "groups/_address.html",
        "home.again": "groups/_home.html",
        "night_options.fields": "groups/_choice.html",
    },
    night_form=keep_group,
    next_night=carry_on,
)
