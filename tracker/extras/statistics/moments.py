"""The moments of a night that people will talk about, and the measure by which the best are chosen.

Every kind of moment is measured in the same unit: the chips (in a score game the points) that hung on it. Of each kind
only the greatest counts, so that the best are of different kinds; of two that weigh the same, the kind that is listed
first in `Kind`.

* `pot`: the richest pot that was taken. What lay in it.
* `hand`: the best hand of anybody. What it brought, unless the richest pot is what it brought.
* `comeback`: who ended above zero and had been deepest below it. How deep.
* `streak`: the longest row of hands, three or more, in which the same person went out (or won the round); else who did
  so most often, if nobody else did as often. What these hands brought them altogether.
* `dummy`: the dummy hand that was sold for most. Its price, and what its buyer won or lost in that hand.
* `finish`: the first and the second are less than a tenth of the best net apart. What the second has won.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal, get_args

from tracker.core.game import game_of
from tracker.core.night import Night
from tracker.core.payment_list import nets
from tracker.core.queries.summary import hand_ends, ranking, winners

Kind = Literal["pot", "comeback", "streak", "hand", "dummy", "finish"]
BEST = 3
SHORTEST_STREAK = 3
CLOSE_PART = 10
"""A finish is close when the second is behind by less than a tenth of the best net."""


def hands_grown(ends: Iterable[Night]) -> dict[tuple[int, str], int]:
    """Return over how many hands each pot had grown that was taken, by the hand and the pot; poker pools among them.

    `ends` are the last states of the hands. A pot grows in every hand since it was last taken or empty at a hand's end,
    the hand in which it is taken included: at least 1. What is given back in the same hand was not taken.
    """
    grown: dict[tuple[int, str], int] = {}
    began: dict[str, int] = {}  # pot -> the place in `ends` of the hand in which it began to grow
    for at, night in enumerate(ends):
        taken = {*night.deal.taken} if night.deal else set()
        if night.deal and night.deal.poker is not None:
            taken |= {pool.id for pool in night.preset.won_by("poker")}
        for pot in night.preset.board:
            first = began.setdefault(pot, at)
            if pot in taken:
                grown[night.hand, pot] = at - first + 1
            if pot in taken or not night.ledger.holds(pot):
                began[pot] = at + 1
    return grown


@dataclass(frozen=True)
class Moment:
    """A moment: whose it is, in which hand, and what it weighs in chips or points."""

    kind: Kind
    seats: tuple[str, ...]
    hand: int
    """The hand in which it happened; of a streak the last one, of a comeback the deepest."""
    weight: int
    chips: int = 0
    """What was taken or won, IOUs among it; of a comeback the net at its deepest, of a finish how far the second is
    behind, of a dummy hand what its hand brought the buyer."""
    pot: str = ""
    hands_grown: int = 0
    """See the function `hands_grown`."""
    times: int = 0
    """How many hands a streak has; how often somebody won where `is_in_a_row` is False."""
    is_in_a_row: bool = False
    price: int = 0


def pots_taken(ends: Sequence[Night]) -> Iterator[Moment]:
    """Yield a moment for every pot that was taken for its card; `ends` are the last states of the hands."""
    grown = hands_grown(ends)
    for night in ends:
        for pot, taken in night.deal.taken.items() if night.deal else ():
            if chips := taken.chips:
                seats, hands = (taken.seat, *taken.others), grown[night.hand, pot]
                yield Moment("pot", seats, night.hand, chips, chips, pot=pot, hands_grown=hands)


def best_moments(states: Iterable[Night], most: int = BEST) -> list[Moment]:
    """Return the best moments of a night, greatest first; `states` are those after each event in force."""
    night_states = [*states]
    found = [*_Moments(hand_ends(night_states), night_states[-1]).every_kind()] if night_states else []
    kinds: tuple[Kind, ...] = get_args(Kind)
    return sorted(found, key=lambda moment: (-moment.weight, kinds.index(moment.kind)))[:most]


@dataclass(frozen=True)
class _Moments:
    ends: Sequence[Night]
    last: Night

    def every_kind(self) -> Iterator[Moment]:
        """Yield the greatest moment of each kind that the night has."""
        if self.ends:
            makers = (self._pot, self._hand(), self._comeback(), self._streak(), self._dummy(), self._finish())
            yield from (moment for moment in makers if moment is not None and moment.weight > 0)

    @cached_property
    def _nets(self) -> list[dict[str, int]]:
        """Everybody's net before the first hand, and after each."""
        return [dict.fromkeys(self.last.all_seats, 0), *map(nets, self.ends)]

    def _change(self, at: int, seat: str) -> int:
        """Return what the hand at that place has won a seat; in a score game what it has changed of its net."""
        if deal := self.ends[at].deal:
            return deal.won.get(seat, 0)
        return self._nets[at + 1].get(seat, 0) - self._nets[at].get(seat, 0)

    @cached_property
    def _pot(self) -> Moment | None:
        return max(pots_taken(self.ends), key=lambda taken: taken.chips, default=None)

    def _hand(self) -> Moment | None:
        if not self.last.preset.is_pot_game:
            return None
        changes = [(self._change(at, seat), at, seat) for at in range(len(self.ends)) for seat in self.last.all_seats]
        chips, at, seat = max(changes, key=lambda one: one[0], default=(0, 0, ""))
        hand, pot = self.ends[at].hand, self._pot
        if pot and (pot.hand, pot.seats) == (hand, (seat,)):
            return None
        return Moment("hand", (seat,), hand, chips, chips)

    def _comeback(self) -> Moment | None:
        if not game_of(self.last).nets_are_points:
            return None  # differences to everybody else are no sum that anybody remembers
        final, found = nets(self.last), []
        for seat in self.last.all_seats:
            low, at = min((self._nets[at + 1].get(seat, 0), at) for at in range(len(self.ends)))
            if low < 0 < final[seat]:
                found.append(Moment("comeback", (seat,), self.ends[at].hand, -low, low))
        return max(found, key=lambda moment: moment.weight, default=None)

    def _streak(self) -> Moment | None:
        winners_of = [(night.hand_winners, at) for at, night in enumerate(self.ends)]
        winner_of = [(won[0] if len(won) == 1 else "", at) for won, at in winners_of]
        rows = [(seat, [at for _, at in row]) for seat, row in groupby(winner_of, key=lambda one: one[0]) if seat]
        seat, row = max(rows, key=lambda one: len(one[1]), default=("", []))
        if len(row) >= SHORTEST_STREAK:
            return self._wins(seat, row, is_in_a_row=True)
        most = Counter(seat for seat, _ in winner_of if seat).most_common(2)
        if not most or most[0][1] <= max([1, *(times for _, times in most[1:])]):
            return None
        return self._wins(most[0][0], [at for seat, at in winner_of if seat == most[0][0]], is_in_a_row=False)

    def _wins(self, seat: str, hands: Sequence[int], *, is_in_a_row: bool) -> Moment:
        won = max(1, sum(self._change(at, seat) for at in hands))
        last = self.ends[hands[-1]].hand
        return Moment("streak", (seat,), last, won, won, times=len(hands), is_in_a_row=is_in_a_row)

    def _dummy(self) -> Moment | None:
        sold = [
            Moment("dummy", (deal.buyer,), night.hand, deal.price + abs(won), won, price=deal.price)
            for at, night in enumerate(self.ends)
            if (deal := night.deal) and deal.dummy == "sold" and deal.buyer
            for won in [self._change(at, deal.buyer)]
        ]
        return max(sold, key=lambda moment: moment.price, default=None)

    def _finish(self) -> Moment | None:
        first, final = winners(self.last), nets(self.last)
        others = [seat for _, seat in ranking(self.last) if seat in self.last.contenders and seat not in first]
        if len(first) != 1 or not others:
            return None
        second = others[0]
        margin = abs(_total(self.last, first[0]) - _total(self.last, second))
        if CLOSE_PART * margin >= abs(_total(self.last, first[0])):
            return None
        return Moment("finish", (first[0], second), self.ends[-1].hand, final[second], margin)


def _total(night: Night, seat: str) -> int:
    return night.net(seat) if night.preset.is_pot_game else night.points.get(seat, 0)
