"""How many nights a host of the club may have, and what a new night is given when it is opened."""

from datetime import UTC, datetime

from tracker.app.club import HOUSE
from tracker.app.open_night import OpenNight
from tracker.formats.evening import evening_at
from tracker.web.access.permissions import get_access, own_nights
from tracker.web.context import get_all_summaries, get_nights, get_summaries
from tracker.web.nights.past_nights import is_running
from tracker.web.wording.texts import gettext as _

NEWEST = 30
"""How many nights are looked at for another one of the same evening."""


def too_many(owner: str, key: str) -> str:
    """Return why a host may open no more nights, and what to do; empty if it may, or has opened this one before."""
    club, nights = get_access().club, get_nights()
    if club is None or owner == HOUSE or nights.opened_with(key):
        return ""
    now, limits, summaries = datetime.now(UTC), club.limits, get_all_summaries().only(club.is_own(owner))
    own = [*summaries.all(), *summaries.deleted()]
    if sum(is_running(one, now) for one in own) >= limits.live_tables:
        return _(
            "You have %(n)s tables that go on: no more at once. End one of them first, by “Finish the night”.",
            n=limits.live_tables,
        )
    if len(own) >= limits.nights:
        return _("You have %(n)s nights here: no more fit. Ask whoever runs the house.", n=limits.nights)
    return ""


def unlike_others(name: str) -> str:
    """Return a night's name, with a number where another night of this evening, or one that goes on, has it."""
    now = datetime.now(UTC)
    tonight = {
        one.name for one in get_summaries().newest(NEWEST) if is_running(one, now) or one.evening == evening_at(now)
    }
    stem = name.rpartition(" (")[0] if name[-1:] == ")" and name[:-1].rpartition(" (")[2].isdecimal() else name
    tries = (stem, *(f"{stem} ({number})" for number in range(2, len(tonight) + 3)))
    return next(one for one in tries if one not in tonight)


def free_room_tables() -> dict[int, bool]:
    """Return the tables of the room at which no other host's night goes on, with whether the newest is an own one."""
    club, now, is_own = get_access().club, datetime.now(UTC), own_nights()
    if club is None:
        return {}
    tables = club.room_tables()
    last = {one.code: one for one in get_all_summaries().of([table.night for table in tables.values() if table.night])}
    found = ((number, table.night, last.get(table.night)) for number, table in tables.items())
    return {
        number: summary is not None and is_own(night)
        for number, night, summary in found
        if summary is None or is_own(night) or not is_running(summary, now)
    }


def open_for_host(table: OpenNight, owner: str, room_table: int) -> None:
    """Note whose a new night is and at which table of the room it is played (0: at none), and let phones join it."""
    access = get_access()
    if access.club and room_table:
        access.club.place(table.code, room_table)
    if access.club and access.club.owner_of(table.code) != owner:
        access.club.set_owner(table.code, owner)
    if access.invites.shown(table.code) is None:
        access.invites.renew(table.code)
