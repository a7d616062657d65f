"""What ends by itself: the phones of a night two days after it is over; and with `board-tracker --keep-months`, after a
notice, the night itself.
"""

from click import IntRange, Option

from tracker.extras.retention.pages import begin, bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={
        "house.foot": "retention/_house.html",
        "night.deleted": "retention/_deleted.html",
        "night.kept": "retention/_kept_until.html",
    },
    options=[
        Option(["--keep-months"], type=IntRange(1, 1200), help="Remove nights for good so long after the last entry.")
    ],
    begin=begin,
)
