"""A night erased for good by the house, with all that only it has: whoever was there may ask for that."""

from tracker.extras.erase.pages import bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={
        "all_nights.top": "erase/_done.html",
        "home.notes": "erase/_done.html",
        "night_options.below": "erase/_link.html",
        "trust.rights": "erase/_rights.html",
        "unreadable.below": "erase/_link.html",
    },
)
