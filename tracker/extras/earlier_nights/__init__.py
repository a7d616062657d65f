"""All nights by month, found by words; each can be archived or deleted, and brought back. Of nights that can't be shown
the rows can be saved.
"""

from tracker.extras.earlier_nights.pages import begin, bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={
        "group.links": "earlier_nights/_of_group.html",
        "home.all_nights": "earlier_nights/_link.html",
        "machine.put_away": "earlier_nights/_put_away_link.html",
        "night_options.below": "earlier_nights/_put_away.html",
    },
    begin=begin,
)
