"""A pack that is dealt and played out, so that cards turn up as often as they do at a table."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from random import Random

from tracker.core.cards import RANKS, SUITS

DUMMY_HAND = "dummy hand"
_RANKS = tuple(RANKS)
_PACK = tuple(rank + suit for suit in SUITS for rank in _RANKS)
_PLACE = {card: place for place, card in enumerate(_PACK)}


@dataclass(frozen=True)
class CardPlay:
    """One deal: what everybody held, the card turned up, and the order in which the cards were played."""

    hands: Mapping[str, tuple[str, ...]]
    """Each player's cards as they were played, after the dummy hand was exchanged or bought."""
    turned_up: str
    plays: Sequence[tuple[str, str]]
    """(seat, card) in the order of play, until one player at most has cards left."""
    finishes: Mapping[str, int]
    """How many cards had been played when each of these seats was out of cards, earliest first."""

    @property
    def trumps(self) -> str:
        """The suit of the card turned up."""
        return self.turned_up[-1]

    def holder(self, cards: Sequence[str]) -> str | None:
        """Return who was dealt all these cards, or None."""
        return next((seat for seat, hand in self.hands.items() if set(cards) <= set(hand)), None)

    def played_at(self, cards: Sequence[str]) -> int:
        """Return how many cards had been played when the last of these was."""
        places = [place for place, (_, card) in enumerate(self.plays, start=1) if card in cards]
        return places[-1] if len(places) == len(cards) else len(_PACK)

    def left(self, seat: str, count: int) -> tuple[str, ...]:
        """Return what a player still held when `count` cards had been played."""
        played = {card for _, card in self.plays[:count]}
        return tuple(card for card in self.hands[seat] if card not in played)


@lru_cache(maxsize=64)
def play_cards(seed: str, seats: tuple[str, ...], leader: str, exchanged_by: str | None) -> CardPlay:
    """Return a deal to these seats and a dummy hand, played as a game of stops from the leader on.

    `exchanged_by` is who took the dummy hand for their own.
    """
    chance = Random(seed)
    pack = chance.sample(_PACK, len(_PACK))
    places = (*seats, DUMMY_HAND)
    hands = {seat: tuple(pack[place :: len(places)]) for place, seat in enumerate(places)}
    dummy = hands.pop(DUMMY_HAND)
    if exchanged_by in hands:
        hands[exchanged_by] = dummy
    plays = _play(hands, leader, chance)
    counts = {seat: list(accumulate(one == seat for one, _ in plays)) for seat in seats}
    ends = {seat: bisect_right(counts[seat], len(hands[seat]) - 1) + 1 for seat in seats}
    finishes = {seat: end for seat, end in sorted(ends.items(), key=lambda item: item[1]) if end <= len(plays)}
    return CardPlay(hands, pack[-1], plays, finishes)


def _play(hands: Mapping[str, Sequence[str]], leader: str, chance: Random) -> list[tuple[str, str]]:
    """Return the order of play: runs upwards in one suit, each until the next card is missing."""
    holders = {card: seat for seat, cards in hands.items() for card in cards}
    left = {seat: len(cards) for seat, cards in hands.items()}
    seats, suit, plays = list(hands), "", list[tuple[str, str]]()
    while sum(count > 0 for count in left.values()) > 1:
        while not left[leader]:
            leader = seats[(seats.index(leader) + 1) % len(seats)]
        own = [card for card, holder in holders.items() if holder == leader]
        suit = chance.choice(sorted({card[-1] for card in own} - {suit}) or [suit])
        card: str | None = min((card for card in own if card[-1] == suit), key=_PLACE.__getitem__)
        while card in holders:
            leader = holders.pop(card)
            left[leader] -= 1
            plays.append((leader, card))
            card = _next(card)
    return plays


def _next(card: str) -> str | None:
    """Return the next higher card of the suit; None after the ace."""
    place = _PLACE[card] + 1
    return _PACK[place] if place % len(_RANKS) else None


def winning_cards(cards: Sequence[str], trumps: str) -> list[tuple[str, ...]]:
    """Return the sets of cards that win a pot, each of which is enough.

    Ranks alone mean trumps; three of them or more mean a run in any one suit.
    """
    if all(card in _PLACE for card in cards):
        return [tuple(cards)]
    suits = tuple(SUITS) if len(cards) > 2 else (trumps,)
    return [tuple(rank + suit for rank in cards) for suit in suits]
