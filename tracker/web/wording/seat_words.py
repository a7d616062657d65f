"""What is said of how many people sit at a table."""

from __future__ import annotations

from tracker.core.preset import Preset
from tracker.web.wording.texts import gettext as _

FEWEST_AT_A_GAME = 2


def seats_note(preset: Preset, people: int) -> str:
    """Return the warning for more or fewer people than the game is meant for; empty where they fit.

    Of one person alone nothing is said: the table is still filling.
    """
    seats = preset.seats
    if people < FEWEST_AT_A_GAME or seats.min <= people <= seats.max:
        return ""
    facts = {"min": seats.min, "max": seats.max, "n": people}
    return _(
        "This game is meant for %(min)s to %(max)s people, and %(n)s sit here. You can play all the same.", **facts
    )
