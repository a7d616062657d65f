"""Compute a night's summary from its log and the replayed steps. Reads nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import get_args

from tracker.archive.night_summary import (
    NOBODY,
    OFFENCES,
    DummyBought,
    HandEnd,
    NightDetails,
    NightFacts,
    NightSummary,
    PaymentSummary,
    PenaltyPaid,
    PlayingTime,
    PotShare,
    PotSummary,
    PotTotals,
    Rows,
    SeatFacts,
    SeatSummary,
    moments_text,
)
from tracker.core import payment_list
from tracker.core.events import MatchWithheld, Penalty
from tracker.core.log import Entry, Step
from tracker.core.night import SHOWDOWN, Night
from tracker.core.preset import Pot, Preset
from tracker.core.queries.best_moments import Kind, best_moments, hand_ends, hands_grown
from tracker.core.queries.summary import leaders
from tracker.core.settlement import has_money
from tracker.formats.evening import moment_of

VERSION = 9
"""Of the computation: a summary that another version has stored is computed again. Raise it with every change."""
BREAK_SECONDS = 600
"""What lies further apart in the log is a break: no part of the play."""
LEAST_SECONDS = 10
"""A hand takes longer at a table: a log whose hands took less on average was not written while they were played."""


def summarize(preset: Preset, entries: Sequence[Entry], steps: Sequence[Step]) -> NightSummary:
    """Return the summary of a night; `steps` is the replayed log of `entries`."""
    night = steps[-1][2] if steps else Night(preset)
    is_pots, rules = night.preset.game == "pots", night.house_rules
    ends = hand_ends(state for _, _, state in steps)
    details = _details(night, ends, PotFacts(preset, steps, ends, _places(night)) if is_pots else None)
    return NightSummary(
        preset=night.preset.id,
        game_name=night.preset.name,
        game=night.preset.game,
        phase=night.phase,
        hand=night.hand,
        head=len(entries),
        began_at=(entries[0].at or "") if entries else "",
        ended_at=_ended_at(entries, steps),
        last_at=(entries[-1].at or "") if entries else "",
        time=playing_time(entries, steps),
        dealer=night.dealer or "",
        on_board=sum(night.pot(pot) for pot in night.preset.board) if is_pots else 0,
        money=(rules.money_chips, rules.money_cents) if has_money(night) else (1, 0),
        winners=tuple(leaders(night)),
        seats=tuple(_seats(night, ends)),
        payments=tuple(_payments(night)),
        facts_text=facts_of(details).to_text(),
        moments_text=moments_text(best_moments((state for _, _, state in steps), len(get_args(Kind)))),
        details_text=details.to_text(),
    )


def _details(night: Night, ends: Sequence[Night], facts: PotFacts | None) -> NightDetails:
    """Return a night hand by hand; `facts` are those of a pot game."""
    totals = [payment_list.totals(state) for state in ends]
    places = _places(night)
    return NightDetails(
        series=tuple(tuple(one.get(seat, 0) for one in totals) for seat in night.all_seats),
        won=tuple(tuple(one.deal.won.get(seat, 0) for seat in night.all_seats) for one in ends if one.deal),
        pots=facts.pot_summaries() if facts else (),
        hands=Rows.of(HandEnd, facts.hand_ends() if facts else _scored_hands(night, places)),
        taken=Rows.of(PotShare, facts.taken() if facts else ()),
        dummies=Rows.of(DummyBought, facts.dummies() if facts else ()),
        penalties=Rows.of(PenaltyPaid, facts.penalties() if facts else _faults(night, places)),
    )


def _places(night: Night) -> dict[str, int]:
    return {seat: place for place, seat in enumerate(night.all_seats)}


def _ended_at(entries: Sequence[Entry], steps: Sequence[Step]) -> str:
    """Return when the event was recorded that ended the night; empty where it goes on, or the log does not say."""
    number = next((number for number, _, after in steps if after.is_over), None)
    return (entries[number - 1].at or "") if number is not None and steps[-1][2].is_over else ""


def _seats(night: Night, ends: Sequence[Night]) -> list[SeatSummary]:
    is_scored = night.preset.game != "pots"
    finished = [state for state in ends if state.hand < night.hand or state.phase == SHOWDOWN or is_scored]
    nets, cents = payment_list.nets(night), payment_list.nets_in_cents(night)
    return [
        SeatSummary(
            seat=seat,
            name=night.name(seat),
            is_here=night.people[seat].is_here,
            net=nets[seat],
            cents=cents.get(seat, 0),
            score=night.points[seat] if seat in night.players else 0,
            hands=sum(seat in _players(state) for state in finished),
        )
        for seat in night.all_seats
    ]


def _players(state: Night) -> Sequence[str]:
    """Return who played the hand that a state is of."""
    if state.rounds:
        return state.rounds[-1].players
    if state.deals:
        return state.deals[-1].players
    return state.deal.seats if state.deal else state.seats


def _payments(night: Night) -> Iterator[PaymentSummary]:
    """Yield the payments of a night that is over and was played for money."""
    if night.is_over and has_money(night):
        for one in payment_list.payment_list(night):
            yield PaymentSummary(one.event.source, one.event.target, one.event.cents, one.is_made)


def _scored_hands(night: Night, places: dict[str, int]) -> Iterator[HandEnd]:
    for hand, won in enumerate(night.rounds, start=1):
        yield HandEnd(hand, NOBODY, places[won.winner])
    for hand, deal in enumerate(night.deals, start=1):
        for winner in deal.winners:
            yield HandEnd(hand, NOBODY, places[winner])


def _faults(night: Night, places: dict[str, int]) -> Iterator[PenaltyPaid]:
    for hand, deal in enumerate(night.deals, start=1):
        for seat, offence in deal.faults:
            yield PenaltyPaid(hand, places[seat], OFFENCES.index(offence), night.house_rules.fault_points)


def playing_time(entries: Sequence[Entry], steps: Sequence[Step]) -> PlayingTime | None:
    """Return how long a night took; `steps` is the replayed log of `entries`.

    A hand (round, deal) lasts until the next one begins. Only entries in force count, so corrections and what was taken
    back change no time; a clock that went back adds nothing. None for a night whose times are missing or can't be those
    of its play: its hands took less than LEAST_SECONDS on average, or most of them have a break.
    """
    played = _in_play(steps)
    moments = [moment_of(entries[number - 1].at) for number, _, _ in played]
    known = [one.replace(microsecond=0) for one in moments if one]
    if not played or len(known) < len(moments):
        return None
    count = played[-1][2].hand
    seconds, breaks, longest, broken = [0] * count, 0, 0, set[int]()
    for (then, now), (_, _, night) in zip(pairwise(known), played, strict=False):
        hand = min(night.hand + (not night.preset.is_pot_game), count)
        wait = max(0, int((now - then).total_seconds()))
        if wait > BREAK_SECONDS:
            breaks += wait
            broken.add(hand)
        else:
            seconds[hand - 1] += wait
            longest = max(longest, wait)
    if sum(seconds) < LEAST_SECONDS * count or 2 * len(broken) > count:
        return None
    return PlayingTime(tuple(seconds), breaks, longest)


def _in_play(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps from the beginning of the first hand to the end of the night; none before the first hand.

    In a score game the first hand begins with the step before its result.
    """
    first = next((at for at, (_, _, night) in enumerate(steps) if night.hand), len(steps))
    end = next((at for at, (_, _, night) in enumerate(steps) if night.is_over), len(steps))
    is_scored = first < len(steps) and not steps[first][2].preset.is_pot_game
    return steps[max(0, first - is_scored) : end + 1] if first < len(steps) else ()


# What each seat did, and what each pot paid


def facts_of(details: NightDetails) -> NightFacts:
    """Return the facts of a night."""
    seats, pots = [SeatFacts() for _ in details.series], [PotTotals() for _ in details.pots]
    _add_wins(seats, details.hands)
    for one in details.dummies:
        seat = seats[one.buyer]
        seats[one.buyer] = seat._replace(
            dummies=seat.dummies + 1, dummy_cost=seat.dummy_cost + one.price, dummy_won=seat.dummy_won + one.won
        )
    for penalty in details.penalties:
        seat = seats[penalty.seat]
        times = [*(seat.penalties or [0] * len(OFFENCES))]
        times[penalty.offence] += 1
        seats[penalty.seat] = seat._replace(penalties=tuple(times), penalty_cost=seat.penalty_cost + penalty.chips)
    _add_pots(seats, pots, details.taken)
    return NightFacts(tuple(seats), tuple(pots))


def _add_wins(seats: list[SeatFacts], hands: Iterable[HandEnd]) -> None:
    """Add how many hands each seat won, and how many in a row at most."""
    before, now, hand = dict[int, int](), dict[int, int](), 0  # the row that each winner of a hand has by then
    for end in hands:
        if end.hand != hand:
            before, now, hand = (now if end.hand == hand + 1 else {}), {}, end.hand
        if end.winner != NOBODY:
            now[end.winner] = before.get(end.winner, 0) + 1
            seat = seats[end.winner]
            longest = max(seat.wins_in_a_row, now[end.winner])
            seats[end.winner] = seat._replace(wins=seat.wins + 1, wins_in_a_row=longest)


def _add_pots(seats: list[SeatFacts], pots: list[PotTotals], taken: Iterable[PotShare]) -> None:
    """Add how often each seat took a pot and its richest one, and what each pot paid."""
    newest = dict[int, int]()  # the hand in which each pot was taken last
    for one in taken:
        seat, pot = seats[one.seat], pots[one.pot]
        is_richer = seat.richest is None or one.chips > seat.richest.chips
        seats[one.seat] = seat._replace(pots=seat.pots + 1, richest=one if is_richer else seat.richest)
        is_first = newest.get(one.pot) != one.hand  # else it is shared
        newest[one.pot] = one.hand
        pots[one.pot] = PotTotals(pot.times + is_first, pot.chips + one.chips)


# The rows of a pot game


class PotFacts:
    """The facts of a pot game's replayed log; `places` are those of the seats.

    What was won and paid in a hand that was given up does not count.
    """

    def __init__(self, preset: Preset, steps: Sequence[Step], ends: Sequence[Night], places: Mapping[str, int]) -> None:
        self._states = [Night(preset), *(after for _, _, after in steps)]
        given_up = {night.hand for night in ends if night.is_abandoned}
        self._changes = [
            (event, before, after)
            for (_, event, after), before in zip(steps, self._states, strict=False)
            if after.hand not in given_up
        ]
        self._ends = {night.hand: (night, night.deal) for night in ends if night.deal}
        """By hand: its last state before the night's end."""
        self._places = places
        self._pots: dict[str, Pot] = {}
        """By id, every pot that the board had in this night, as it was first."""
        for state in self._states:
            for pot in state.preset.board.values():
                self._pots.setdefault(pot.id, pot)
        self._grown = hands_grown(ends)

    def pot_summaries(self) -> tuple[PotSummary, ...]:
        """Return every pot that the board had in this night, with the most that it ever held, in chips and IOUs."""
        most = {pot: max(state.ledger.holds(pot) for state in self._states) for pot in self._pots}
        return tuple(
            PotSummary(pot.id, str(pot.name), pot.label, pot.won_by, most[pot.id]) for pot in self._pots.values()
        )

    def hand_ends(self) -> Iterator[HandEnd]:
        for hand, (_, deal) in self._ends.items():
            yield HandEnd(hand, self._places[deal.dealer], self._places[deal.winner] if deal.winner else NOBODY)

    def taken(self) -> Iterator[PotShare]:
        """Yield a row for each pot and each seat that got of it."""
        pools, pots = self._pools(), [*self._pots]
        for hand, (_, deal) in self._ends.items():
            shares = [
                (pot, seat, taken.part(seat), 1 + len(taken.others))
                for pot, taken in deal.taken.items()
                for seat in (taken.seat, *taken.others)
            ]
            for pot, seat, chips, sharers in (*shares, *pools.get(hand, ())):
                if chips:
                    grown = self._grown[hand, pot]
                    yield PotShare(hand, pots.index(pot), self._places[seat], chips, grown, sharers)

    def _pools(self) -> dict[int, list[tuple[str, str, int, int]]]:
        """Return by hand who got how much of the poker pools that were won in it: (pool, seat, chips, sharers)."""
        pools: dict[int, list[tuple[str, str, int, int]]] = {}
        for _, before, after in self._changes:
            if after.deal and after.deal.poker is not None and after.hand not in pools:
                pools[after.hand] = [
                    part
                    for pool in before.preset.won_by("poker")
                    for part in _pool_parts(
                        before, pool.id, after.deal.poker, before.ledger.holds(pool.id) - after.ledger.holds(pool.id)
                    )
                ]
        return pools

    def dummies(self) -> Iterator[DummyBought]:
        """Yield a row for each dummy that was sold in a hand that is over."""
        won_at_sale: dict[int, int] = {}
        for _, _, after in self._changes:
            if after.deal and after.deal.dummy == "sold" and after.deal.buyer:
                won_at_sale.setdefault(after.hand, after.deal.won.get(after.deal.buyer, 0))
        newest = max(self._ends, default=0)
        for hand, before in won_at_sale.items():
            end, deal = self._ends[hand]
            if deal.buyer and (hand < newest or end.phase == SHOWDOWN):
                won = deal.won.get(deal.buyer, 0) - before
                yield DummyBought(hand, self._places[deal.buyer], deal.price, won)

    def penalties(self) -> Iterator[PenaltyPaid]:
        """Yield a row for each penalty, and for each money card that an offender paid for."""
        for event, before, after in self._changes:
            if isinstance(event, Penalty):
                seat, offence = event.seat, event.offence
            elif isinstance(event, MatchWithheld):
                seat, offence = event.offender, "match"
            else:
                continue
            cost = max(before.net(seat) - after.net(seat), 0)
            yield PenaltyPaid(after.hand, self._places[seat], OFFENCES.index(offence), cost)


def _pool_parts(before: Night, pool: str, winners: tuple[str, ...], given: int) -> Iterator[tuple[str, str, int, int]]:
    """Yield (pool, seat, chips, sharers) of a poker pool that its winners got; odd chips went round."""
    each, odd = divmod(given, len(winners))
    for place, seat in enumerate(seat for seat in before.clockwise_from(before.dealer) if seat in winners):
        yield pool, seat, each + (place < odd), len(winners)
