"""Settle up over several nights: as few payments as possible for all of them, with what somebody paid for others."""

from tracker.extras.settle_up.pages import begin, bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={
        "all_nights.above": "settle_up/_all_nights.html",
        "erase.what_goes": "settle_up/_erase.html",
        "group.payments": "settle_up/_group.html",
        "result.payments": "settle_up/_payments.html",
    },
    begin=begin,
)
