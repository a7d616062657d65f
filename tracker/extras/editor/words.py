"""What the editor calls the fields of a board that are no house rules, and cards as people write them."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tracker.core.cards import SUITS, is_card
from tracker.core.errors import N_
from tracker.web.wording.rule_words import SIGNS
from tracker.web.wording.texts import gettext as _

MOST_CARDS = 5
_LETTERS = {**{sign: letter for letter, sign in SIGNS.items()}, "♧": "C", "♢": "D", "♡": "H", "♤": "S"}
_PIPS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NAMES = {**dict(zip(map(str, range(2, 11)), _PIPS, strict=True)), "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


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


def cards_typed(text: str, key: str, wrong: dict[str, str]) -> tuple[str, ...]:
    """Return the cards that a text names, as `10♥ Q♥` or `KH, QH` or `7 8 9`; what is no card is told in `wrong`."""
    for sign, letter in _LETTERS.items():
        text = text.replace(f" {sign}", sign).replace(sign, letter)
    words = [word for word in re.split(r"[\s,;·+/&-]+", text.replace("\ufe0f", "").upper()) if word]
    bad = [word for word in words if not is_card(word)]
    if bad:
        wrong[key] = _("%(card)s is no card. Write 10♥, K♥ Q♥, or 7 8 9 for a run.", card=bad[0][:12])
    elif len(words) > MOST_CARDS:
        wrong[key] = _("At most five cards.")
    return tuple(word for word in words if word not in bad)[:MOST_CARDS]


def name_from(cards: Sequence[str]) -> str:
    """Return a name for a place from its cards, as "King and queen of hearts"."""
    if not cards:
        return ""
    ranks = [_NAMES[card.rstrip("CDHS")] for card in cards]
    suits = {card[-1] for card in cards if card[-1] in SUITS}
    named = (" and " if len(ranks) == 2 else ", ").join(ranks).capitalize()
    if len(suits) == 1:
        return f"{named} of {SUITS[suits.pop()]}"
    return f"{named} of one suit" if len(ranks) > 1 and not suits else named
