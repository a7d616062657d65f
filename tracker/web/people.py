"""Sitting down: from a typed name to a seat at the table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from flask_babel import gettext as _

from tracker.core.events import Chips, Name, SeatId, Sit
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.table import Outcome, Table
from tracker.web.names import LONGEST, BadName, clean_name, likeness

MOST_SEATS = 20


def names_here(night: Night) -> list[str]:
    """Returns the names of everybody at the table."""
    return [night.people[seat].name for seat in night.seats]


def seat_called(night: Night, name: str) -> str | None:
    """Returns the seat at the table whose name reads like this one, or None."""
    return next((seat for seat in night.seats if likeness(night.people[seat].name) == likeness(name)), None)


def sit_down(table: Table, name: str, *, key: str, by: str) -> tuple[str, Outcome]:
    """Seats a person under a clean name, with the night's starting stack; returns the seat too. Raises BadName."""
    night = table.night
    if len(night.seats) >= MOST_SEATS:
        raise BadName("full", name)
    name = clean_name(name, names_here(night))
    seat = seat_of_old(night, name) or new_seat(name, taken={*night.ring, *night.preset.board, BANK})
    chips = Chips(starting_stack(table)) if night.preset.game == "pots" else None
    return seat, table.record(Sit(SeatId(seat), Name(name), chips), id=key, by=by or seat)


def seat_of_old(night: Night, name: str) -> str | None:
    """Returns the seat of somebody of that name who had left and comes back, or None."""
    gone = [seat for seat in night.ring if not night.people[seat].is_here]
    return next((seat for seat in gone if likeness(night.people[seat].name) == likeness(name)), None)


def new_seat(name: str, taken: Collection[str]) -> str:
    """Returns a seat id that looks like the name and is nobody's."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:28] or "p"
    tried = [stem, *(f"{stem}-{number}" for number in range(2, MOST_SEATS * 5))]
    return next(seat for seat in tried if seat not in taken)


def starting_stack(table: Table) -> int:
    """Returns how many chips a person sits down with tonight."""
    return int(table.setting("stack") or table.preset.stack)


def why_refused(bad: BadName) -> str:
    """Returns a sentence about a refused name, with what to do."""
    says = {
        "empty": _("Please type a name."),
        "long": _("That name is too long: %(most)s letters at most.", most=LONGEST),
        "unseen": _("That name has signs that cannot be seen. Please type it by hand."),
        "taken": _("Somebody here is called %(name)s. Add a letter, so that nobody mixes you up.", name=bad.name),
        "full": _("The table is full."),
    }
    return str(says[bad.reason])


def name_of(table: Table, seat: str | None) -> str:
    """Returns what a seat's person is called; empty for no seat, and for one whose sitting down was taken back."""
    person = table.night.people.get(seat) if seat else None
    return person.name if person else ""
