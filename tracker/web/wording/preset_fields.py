"""The settings of a board that are no house rules, in plain words: name, what it does, what it usually is, and where
it is known from.

With `house_rules.hint` for the house rules, every field of the editor has its sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tracker.core.errors import N_
from tracker.core.preset import Preset
from tracker.web.wording.texts import gettext as _
from tracker.web.wording.texts import listed

FEWEST_AT_A_GAME = 2


@dataclass(frozen=True)
class FieldWords:
    """What one field of the editor is called, what it does, what it is by default, and where it is known from."""

    label: str
    says: str
    default: str
    source: str


_RUMMY, _KITTY = N_("the sheet of Michigan Rummy"), N_("the sheet of Michigan Kitty")
_BOXED, _HOME = N_("the boards as they are sold"), N_("tables at home")
_LABELS = N_("the one complete list of a board’s labels")
_AS_MADE = N_("as in the game it was made from")

FIELDS: Mapping[str, FieldWords] = {
    "name": FieldWords(
        N_("Name of the board"), N_("What it is called in the list and on its rule card."), _AS_MADE, _HOME
    ),
    "about": FieldWords(
        N_("In a sentence"), N_("It stands below the name, so that everybody knows which board it is."), _AS_MADE, _HOME
    ),
    "stack": FieldWords(N_("Chips to start with"), N_("Everybody sits down with these."), "100", _KITTY),
    "seats.min": FieldWords(
        N_("Fewest people"), N_("With fewer people you are warned; nobody is sent away."), "3", _RUMMY
    ),
    "seats.max": FieldWords(N_("Most people"), N_("More may sit down as well; you are only warned."), "8", _RUMMY),
    "pot.cards": FieldWords(
        N_("Cards"),
        N_("Whoever plays or holds these wins the place: one card, a pair, or a run such as 7 8 9."),
        _AS_MADE,
        _LABELS,
    ),
    "pot.won_by": FieldWords(
        N_("Won by"),
        N_("What wins the place: its cards, being out first, the best poker hand, or a bet of one’s own."),
        N_("its cards"),
        _RUMMY,
    ),
    "pot.colour": FieldWords(
        N_("Colour"), N_("The place is painted like this on every screen."), N_("as the board"), _BOXED
    ),
    "pot.label": FieldWords(
        N_("Label on the board"), N_("The few letters on the little card."), N_("made from the cards"), _LABELS
    ),
    "pot.name": FieldWords(
        N_("Name"), N_("It is read aloud and written in the log."), N_("made from the cards"), _LABELS
    ),
    "pot.ante": FieldWords(
        N_("Everybody puts in"),
        N_("Chips that everybody puts here before the deal, if not as in every place."),
        N_("as in every place"),
        N_("the rules of Nain jaune"),
    ),
    "pot.dealer_ante": FieldWords(
        N_("The dealer puts in"),
        N_("Chips that the dealer puts here, if not as in every place."),
        N_("as in every place"),
        N_("the books on Pope Joan"),
    ),
    "pot.fed_by": FieldWords(
        N_("Fed by one person only"),
        N_("With 1, only the first at the dealer’s left puts chips here; with 2 the second, and so on."),
        N_("everybody"),
        N_("Kitty as played in Australia"),
    ),
    "pot.takes_fines": FieldWords(
        N_("Takes the chips of whoever is stuck"),
        N_("Whoever can’t play pays into this place."),
        N_("no"),
        N_("the sheet of boards sold as Rummoli"),
    ),
    "pot.ends_hand": FieldWords(
        N_("Turned up, its card ends the hand for the dealer"),
        N_("When the turned-up card is this one, the dealer has won before anybody plays."),
        N_("no"),
        N_("the books on Pope Joan"),
    ),
    "due.name": FieldWords(
        N_("Card"),
        N_("Whoever plays it is paid by everybody at once."),
        N_("no such card"),
        N_("the books on Spinado"),
    ),
    "due.chips": FieldWords(
        N_("Chips"), N_("Chips that everybody pays for that card."), "1", N_("the books on Spinado")
    ),
    "chip.colour": FieldWords(
        N_("Colour"),
        N_("What the chip looks like."),
        N_("white, red, blue and gold"),
        _BOXED,
    ),
    "chip.name": FieldWords(
        N_("Name"), N_("What you call a chip of that colour."), N_("white, red, blue and gold"), _BOXED
    ),
    "chip.value": FieldWords(
        N_("Counts"),
        N_("How many ones it stands for; the book counts in ones and says how to pay in colours."),
        N_("1, 5, 10 and 25"),
        N_("the rules of Royal Rummy"),
    ),
    "round.points": FieldWords(
        N_("Round %(n)s: %(goal)s"),
        N_("Points that the winner of the round gets."),
        N_("the number of the round"),
        N_("the sheet of 8 Round Rummy"),
    ),
}


def _chip_names(printed: Preset) -> str:
    return listed(_(one.name) for one in printed.chips)


PRINTED_VALUES: Mapping[str, Callable[[Preset], str]] = {
    "stack": lambda printed: str(printed.stack),
    "seats.min": lambda printed: str(printed.seats.min),
    "seats.max": lambda printed: str(printed.seats.max),
    "due.name": lambda printed: "; ".join(_(one.name) for one in printed.dues),
    "due.chips": lambda printed: listed(str(one.chips) for one in printed.dues),
    "chip.colour": _chip_names,
    "chip.name": _chip_names,
    "chip.value": lambda printed: listed(str(one.value) for one in printed.chips),
}
"""What a printed game has in a field; empty where it has nothing there."""


def kind_of(key: str) -> str:
    """Return which field a name in the form means: `pot.3.cards` is one `pot.cards`."""
    return ".".join(part for part in key.split(".") if not part.isdigit())


def field_label(key: str, **facts: object) -> str:
    return _(FIELDS[kind_of(key)].label, **facts)


def field_hint(key: str, printed: Preset | None) -> str:
    """Return what a field does, and what it is in the printed game; else what it usually is, known from where."""
    kind = kind_of(key)
    said = FIELDS[kind]
    value = PRINTED_VALUES[kind](printed) if printed and kind in PRINTED_VALUES else ""
    if printed and value:
        return _("%(says)s Usually in “%(game)s”: %(value)s.", says=_(said.says), game=_(printed.name), value=value)
    facts = {"says": _(said.says), "default": _(said.default), "source": _(said.source)}
    return _("%(says)s Usually: %(default)s. Known from %(source)s.", **facts)


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
