"""Cards as people write them: read from what is typed, and made into the label and the name of a place."""

import re
from collections.abc import Sequence

from tracker.core.cards import SUITS, is_card
from tracker.core.preset import LONGEST_LABEL
from tracker.web.wording.texts import gettext as _

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
MOST_CARDS = 5
_LETTERS = {**{sign: letter for letter, sign in SIGNS.items()}, "♧": "C", "♢": "D", "♡": "H", "♤": "S"}
_COURT = frozenset("JQKA")
_PIPS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NAMES = {**dict(zip(map(str, range(2, 11)), _PIPS, strict=True)), "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


def card_words(card: str) -> str:
    """Return a card with its sign, as `10♥`; a rank alone stays as it is."""
    return card[:-1] + SIGNS[card[-1]] if card[-1:] in SIGNS else card


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


def label_from(cards: Sequence[str]) -> str:
    """Return a label for a place from its cards, as `10`, `KQ` or `7·8·9`."""
    ranks = [card[:-1] if card[-1] in SUITS else card for card in cards]
    return ("" if all(rank in _COURT for rank in ranks) else "·").join(ranks)[:LONGEST_LABEL]


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
