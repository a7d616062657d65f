"""The settings of a board that are no house rules, in plain words."""

from collections.abc import Mapping
from typing import NamedTuple

from tracker.core.errors import N_
from tracker.core.preset import Preset
from tracker.web.wording.texts import gettext as _

FEWEST_AT_A_GAME = 2


class FieldWords(NamedTuple):
    """What one field of the editor is called, and what that leaves open."""

    label: str
    hint: str = ""


FIELDS: Mapping[str, FieldWords] = {
    "name": FieldWords(N_("Name of the board")),
    "about": FieldWords(N_("In a sentence")),
    "stack": FieldWords(N_("Chips to start with")),
    "seats.min": FieldWords(N_("Fewest people")),
    "seats.max": FieldWords(N_("Most people"), N_("With fewer or more you are warned; nobody is sent away.")),
    "pot.cards": FieldWords(N_("Cards"), N_("One card, a pair, or a run such as 7 8 9.")),
    "pot.won_by": FieldWords(N_("Won by")),
    "pot.colour": FieldWords(N_("Colour")),
    "pot.label": FieldWords(N_("Label on the board")),
    "pot.name": FieldWords(N_("Name"), N_("It is read aloud and written in the log.")),
    "pot.ante": FieldWords(N_("Everybody puts in")),
    "pot.dealer_ante": FieldWords(N_("The dealer puts in")),
    "pot.fed_by": FieldWords(
        N_("Fed by one person only"), N_("1 is the first at the dealer’s left, 2 the second; empty is everybody.")
    ),
    "pot.takes_fines": FieldWords(N_("Takes the chips of whoever is stuck")),
    "pot.ends_hand": FieldWords(N_("Turned up, its card ends the hand for the dealer")),
    "due.name": FieldWords(N_("Card")),
    "due.chips": FieldWords(N_("Chips")),
    "chip.colour": FieldWords(N_("Colour")),
    "chip.name": FieldWords(N_("Name")),
    "chip.value": FieldWords(N_("Counts"), N_("How many ones each colour stands for.")),
    "round.points": FieldWords(N_("Round %(n)s: %(goal)s")),
}


def kind_of(key: str) -> str:
    """Return which field a name in the form means: `pot.3.cards` is one `pot.cards`."""
    return ".".join(part for part in key.split(".") if not part.isdigit())


def field_label(key: str, **facts: object) -> str:
    return _(FIELDS[kind_of(key)].label, **facts)


def field_hint(key: str) -> str:
    """Return what a field's name leaves open; empty for most."""
    said = FIELDS[kind_of(key)].hint
    return _(said) if said else ""


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
