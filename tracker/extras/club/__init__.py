"""A club: several hosts open nights on one machine, each only their own, and whoever runs the house sees the tables.

`board-tracker --club` begins it; without that option every page of it answers 404.
"""

from click import Option

from tracker.extras.club import access, house, pages, room
from tracker.extras.club.settings import WAYS_IN
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [pages.bp, house.bp, room.bp, access.bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={
        "home.links": "club/_home.html",
        "join_by_code.below": "club/_join_by_code.html",
        "new_night.choices": "club/_new_night.html",
        "screen_code.below": "club/_show_all.html",
    },
    ways_in=WAYS_IN,
    options=[Option(["--club"], is_flag=True, help="Let several hosts open tables, each with their own nights.")],
    new_night=room.read_choice,
    next_night=room.carry_on,
    begin=access.begin,
)
