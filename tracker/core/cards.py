"""Cards, and what a hand of them counts in the German rum game (RULES 2.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tracker.core.errors import N_, BadEvent

SUITS: Mapping[str, str] = {"C": N_("clubs"), "D": N_("diamonds"), "H": N_("hearts"), "S": N_("spades")}
RANKS: Mapping[str, str] = {
    **{str(pips): str(pips) for pips in range(2, 11)},
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
_ORDER = {rank: place for place, rank in enumerate(RANKS, start=2)}
JOKER = "JK"
PACK = 52
"""Cards of a pack."""


def is_card(text: str) -> bool:
    """Return whether a text is a card such as `10H`, or a rank alone."""
    return text in RANKS or (text[:-1] in RANKS and text[-1:] in SUITS)


@dataclass(frozen=True)
class Card:
    """One card; the joker has neither rank nor suit."""

    rank: str
    suit: str

    @property
    def is_joker(self) -> bool:
        return self.rank == JOKER


def card(text: str) -> Card:
    """Return the card that `text` names, such as `10H` or `KC` (`JK` is a joker); BadEvent if it names none."""
    if text == JOKER:
        return Card(JOKER, "")
    if text[:-1] in RANKS and text[-1:] in SUITS:
        return Card(text[:-1], text[-1])
    raise BadEvent("{text!r} is not a card: write a rank and a suit, such as 10H or KC", text=text, field="cards")


@dataclass(frozen=True)
class Holding:
    """What somebody still holds: single cards, and the sequences among them."""

    cards: tuple[str, ...] = ()
    sequences: tuple[tuple[str, ...], ...] = ()


def points(held: Holding, *, ace_high_in_sequence: int = 1, joker: int = 0) -> int:
    """Return the points that a hand costs; an ace in a sequence counts 1, any other 15 (RULES 2.4)."""
    loose = sum(_single(card(text), joker) for text in held.cards)
    laid = sum(_sequence([card(text) for text in cards], ace_high_in_sequence, joker) for cards in held.sequences)
    return loose + laid


def _single(one: Card, joker: int) -> int:
    if one.is_joker:
        if not joker:
            raise BadEvent("this table plays without jokers", field="cards")
        return joker
    if one.rank == "A":
        return 15
    return int(one.rank) if one.rank.isdigit() else 10


def _sequence(cards: Sequence[Card], ace_high: int, joker: int) -> int:
    is_high = _check_sequence(cards)
    ace = ace_high if is_high else 1
    return sum(ace if one.rank == "A" else _single(one, joker) for one in cards)


def _check_sequence(cards: Sequence[Card]) -> bool:
    """Return whether the ace stands above the king; BadEvent when the cards are no sequence."""
    shown = [one for one in cards if not one.is_joker]  # a joker stands for whatever is missing
    if 3 <= len(cards) <= len(RANKS) and len({one.suit for one in shown}) == 1:
        for ace, is_high in ((1, False), (_ORDER["A"], True)):
            places = {ace if one.rank == "A" else _ORDER[one.rank] for one in shown}
            if len(places) == len(shown) and max(places) - min(places) < len(cards):
                return is_high
    raise BadEvent("a sequence is three or more cards of one suit in a row", field="sequences")
