"""Seat of a night: sitting down under a typed name, the starting stack, and whether the chips go round."""

from collections.abc import Collection, Sequence

from tracker.app.open_night import OpenNight, Outcome
from tracker.app.person_names import BadName, clean_name, comparison_key
from tracker.app.settings import NightSettings
from tracker.core.events import Chips, Name, SeatId, Sit
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.formats.text import slug

MOST_SEATS = 20


def seated_names(night: Night) -> list[str]:
    return [night.people[seat].name for seat in night.seats]


def names_of_leavers(night: Night) -> list[str]:
    """Return who left a night before its end, and has no other seat at the table."""
    here = {comparison_key(name) for name in seated_names(night)}
    gone = [person.name for person in night.people.values() if not person.is_here]
    return [name for name in dict.fromkeys(gone) if comparison_key(name) not in here]


def seat_by_name(night: Night, name: str) -> str | None:
    """Return the seat at the table whose name reads like this one, or None."""
    return next((seat for seat in night.seats if comparison_key(night.people[seat].name) == comparison_key(name)), None)


def sit_down(table: OpenNight, name: str, *, key: str, by: str) -> tuple[str, Outcome]:
    """Seat a person with the night's starting stack; return the seat and the outcome. Raises BadName.

    The same key again records nothing and returns the seat of the first time.
    """
    for entry in table.entries:
        if entry.id == key and isinstance(entry.event, Sit):
            return entry.event.seat, Outcome(entry, table.night, table.night, is_fresh=False)
    night = table.night
    if len(night.seats) >= MOST_SEATS:
        raise BadName("The table is full.", reason="full", name=name)
    name = clean_name(name, seated_names(night))
    seat = left_seat_by_name(night, name) or new_seat(name, taken={*night.all_seats, *night.preset.board, BANK})
    chips = Chips(starting_stack(table)) if night.preset.is_pot_game else None
    return seat, table.record(Sit(SeatId(seat), Name(name), chips), id=key, by=by or seat)


def first_sits(names: Sequence[str], preset: Preset, stack: int) -> list[Sit]:
    """Return the events by which people sit down at a new table, clockwise, each with `stack` chips."""
    taken, sits = {*preset.board, BANK}, []
    for name in names:
        seat = new_seat(name, taken)
        taken.add(seat)
        sits.append(Sit(SeatId(seat), Name(name), Chips(stack) if preset.is_pot_game else None))
    return sits


def left_seat_by_name(night: Night, name: str) -> str | None:
    """Return the seat of somebody of that name who had left and comes back, or None."""
    gone = [seat for seat in night.all_seats if not night.people[seat].is_here]
    return next((seat for seat in gone if comparison_key(night.people[seat].name) == comparison_key(name)), None)


def new_seat(name: str, taken: Collection[str]) -> str:
    """Return a seat id that looks like the name and is nobody's."""
    stem = slug(name, 28) or "p"
    tried = [stem, *(f"{stem}-{number}" for number in range(2, MOST_SEATS * 5))]
    return next(seat for seat in tried if seat not in taken)


def let_deal_last(table: OpenNight, seat: str) -> None:
    """Have the next hand dealt by whoever would deal it without somebody who has just sat down next to the dealer."""
    night, chosen = table.night, table.settings.plan.of_hand(table.night.hand)
    if not night.preset.is_pot_game or "dealer" in chosen or night.next_dealer() != seat:
        return
    others = [one for one in night.clockwise_from(seat) if one != seat]
    if others:
        table.choose(NightSettings.plan, {"dealer": others[0]})


def starting_stack(table: OpenNight) -> int:
    return table.settings.starting_stack or table.preset.stack


def name_of(table: OpenNight, seat: str | None) -> str:
    """Return the name of a seat's person; empty for no seat, and for one whose `sit` was undone."""
    person = table.night.people.get(seat) if seat else None
    return person.name if person else ""


def sit_event_number(table: OpenNight, seat: str) -> int:
    """Return the number of the `sit` event in force by which this seat last sat down."""
    return max(
        entry.number
        for entry in table.entries
        if isinstance(entry.event, Sit) and entry.event.seat == seat and entry.number not in table.undone
    )
