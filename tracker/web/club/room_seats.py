"""Who sits where in the room: seats that are drawn by lot, and who could move so that the tables are even."""

import time
from collections.abc import Mapping
from random import SystemRandom

from tracker.app.club import deal_out
from tracker.archive.night_summary import NightSummary, SeatSummary
from tracker.web.access.permissions import get_club
from tracker.web.club.overview import goes_on
from tracker.web.context import get_all_summaries, get_nights
from tracker.web.wording.texts import gettext as _


def nights_in_room() -> dict[int, NightSummary]:
    """Return the nights that go on at the tables of the room, by the numbers of these in order."""
    found = ((number, get_all_summaries().get(table.night)) for number, table in get_club().room_tables().items())
    return {number: night for number, night in found if night and goes_on(night)}


def people_at(night: NightSummary) -> list[SeatSummary]:
    """Return who sits at a table, clockwise."""
    return [seat for seat in night.seats if seat.is_here]


def draw() -> Mapping[str, int]:
    """Return which table is drawn for everybody who sits at one, as `FolderSettings.drawn_seats` has it."""
    nights = nights_in_room()
    seats = [f"{night.code}/{one.seat}" for night in nights.values() for one in people_at(night)]
    return deal_out(seats, [*nights], SystemRandom()) if nights else {}


def drawn_names() -> dict[int, list[str]]:
    """Return who was drawn to which table, by number in order; without people whose night was erased since."""
    names: dict[int, list[str]] = {}
    for key, number in sorted(get_nights().settings.drawn_seats.items(), key=lambda one: one[1]):
        code, _slash, seat = key.partition("/")
        night = get_all_summaries().get(code)
        if night and seat in night.place_of:
            names.setdefault(number, []).append(night.seats[night.place_of[seat]].name)
    return names


def who_could_move() -> str:
    """Return who would go from the fullest table to the emptiest, at most as long as a line to all tables.

    It is who deals next there, before the first hand who came last. Empty where no two tables differ by two or more.
    """
    nights = nights_in_room()
    sizes = {number: len(people_at(night)) for number, night in nights.items()}
    full, few = max(sizes, key=sizes.__getitem__, default=0), min(sizes, key=sizes.__getitem__, default=0)
    if sizes.get(full, 0) - sizes.get(few, 0) < 2:
        return ""
    night = nights[full]
    start = night.place_of[night.dealer] + 1 if night.dealer else -1
    mover = next(one for one in night.seats[start:] + night.seats[:start] if one.is_here)
    return _(
        "%(name)s from table %(a)s (%(m)s) to table %(b)s (%(n)s)",
        name=mover.name,
        a=full,
        m=sizes[full],
        b=few,
        n=sizes[few],
    )


def is_series_over() -> bool:
    """Return whether the clock of all tables has run out: its moment, or its hands at every table of the room."""
    series = get_nights().settings.series
    if series is None or not series.hands:
        return series is not None and time.time() >= series.ends_at
    played = [max((seat.hands for seat in night.seats), default=0) for night in nights_in_room().values()]
    return min(played, default=0) >= series.hands
