"""Where people sit around the tablet: its places, who has which, and the order in which they sit."""

from collections.abc import Collection, Mapping, Sequence

from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings, SettingGroup
from tracker.web.base.context import get_nights

PLACES = ("c1", "c2", "c3", "b1", "b2", "a3", "a2", "a1", "d2", "d1")
"""Clockwise as one looks down on the tablet: `a` and `c` are its long sides, `b` and `d` the short ones."""


class FlatSettings(NightSettings):
    """The settings of a night, with where people sit around its tablet."""

    sitting = SettingGroup("flat-place.", str, str)
    """By place: the seat of who sits there."""


def settings_of(table: OpenNight) -> FlatSettings:
    return FlatSettings(get_nights().store, table.code, table.show_again)


def sitting(table: OpenNight) -> dict[str, str]:
    """Return the seats of those who sit at the tablet, by place, clockwise; each has one place."""
    kept, seats = settings_of(table).sitting.all(), table.night.seats
    found: dict[str, str] = {}
    for place in PLACES:
        seat = kept.get(place, "")
        if seat in seats and seat not in found.values():
            found[place] = seat
    return found


def at_side(places: Collection[str], place: str) -> list[str]:
    """Return which of these places are at the same side as a place."""
    return [other for other in places if other[0] == place[0]]


def sit_down(table: OpenNight, place: str, seat: str) -> None:
    """Keep that a seat sits at a place and nowhere else; with an empty place, that it sits at the tablet no more."""
    group = settings_of(table).sitting
    for other, who in group.all().items():
        if who == seat and other != place:
            group.put(other, None)
    if place:
        group.put(place, seat)


def sit_as_before(old: OpenNight, new: OpenNight) -> None:
    """Let those of a night who sit down at another one sit where they did, by their names."""
    seats = {person.name: seat for seat, person in new.night.people.items()}
    for place, seat in sitting(old).items():
        if now := seats.get(old.night.people[seat].name):
            sit_down(new, place, now)


def order_as_they_sit(seats: Sequence[str], places: Mapping[str, str]) -> tuple[str, ...]:
    """Return the seats clockwise as they sit; empty where they have that order, or somebody sits elsewhere."""
    around = list(places.values())
    if set(around) != set(seats) or len(around) < 3:
        return ()
    first = around.index(seats[0])
    turned = (*around[first:], *around[:first])
    return () if turned == tuple(seats) else turned
