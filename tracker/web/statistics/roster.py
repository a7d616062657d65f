"""Who sat where over all nights, and how these people look on a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tracker.archive.people import LinkedSeat, People
from tracker.web.drawing.player_token import PlayerToken, initials


@dataclass(frozen=True)
class Roster:
    """The people of all nights."""

    seats: Mapping[LinkedSeat, str]
    """(code, seat) -> person, where somebody has said who sat there."""
    faces: Mapping[str, PlayerToken]
    """By person, those who are listed; a face's `seat` is the person."""

    def person_of(self, code: str, seat: str) -> str | None:
        """Return who sat in a seat; None where nobody has said it."""
        return self.seats.get(LinkedSeat(code, seat))

    @property
    def names(self) -> Mapping[str, str]:
        return {person: face.name for person, face in self.faces.items()}


def roster_of(people: People) -> Roster:
    """Return the people of a data folder; hidden ones have no face."""
    listed = [one for one in people.all() if not one.is_hidden]
    letters = initials([one.name for one in listed])
    faces = {one.id: PlayerToken(one.id, one.name, letters[at], one.colour) for at, one in enumerate(listed)}
    return Roster(people.seats(), faces)
