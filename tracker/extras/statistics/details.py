"""The figures of one night that only statistics need, kept beside its summary; seats and pots by their places."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, get_args

from tracker.core.events import Event, MatchWithheld, Penalty
from tracker.core.game import game_of
from tracker.core.log import Entry, PlayedEvent
from tracker.core.night import Night
from tracker.core.preset import Pot, Preset
from tracker.core.queries.summary import fewest_win, hand_ends
from tracker.core.settlement import equal_shares
from tracker.extras._night_summaries.night_summary import NightSummary, SeatSummary
from tracker.extras._night_summaries.summarize import MORE, finished_hands
from tracker.extras.statistics.moments import Kind, Moment, best_moments, hands_grown
from tracker.extras.statistics.playing_time import PlayingTime, playing_time
from tracker.formats.records import made, plain

NOBODY = -1
"""Stands for a seat where there is none."""
OFFENCES = ("wrong-lead", "withheld-card", "match", "false-rummy", "unused-purchase")
"""The penalties of all games; `match` is what an offender pays for a money card that somebody else holds."""
FIGURES = "figures-1"
"""What a summary calls the text; raise the number with every change of the computation."""


class PotSummary(NamedTuple):
    """A pot of the board of a night."""

    id: str
    name: str
    label: str
    most: int
    """The most that it ever held in this night: chips and IOUs."""
    times: int
    """Hands in which it was taken."""
    chips: int
    """What was taken from it altogether."""


class HandEnd(NamedTuple):
    """How a hand ended: one row for each hand, or for each of several winners of a deal that is scored."""

    hand: int
    dealer: int
    """The place of a seat in `seats`, or NOBODY in games where it is not recorded."""
    winner: int
    """Who went out, or won the round or deal: a place in `seats`; NOBODY where nobody did, and in a hand going on."""


class PotShare(NamedTuple):
    """What one seat got when a pot was taken: a pot that several shared has a row for each of them."""

    hand: int
    pot: int
    """The place of the pot in `pots`."""
    seat: int
    """The place of the seat in `seats`."""
    chips: int
    """What this seat got, in chips and IOUs."""
    grown: int
    """Over how many hands the pot had grown: 1 where it was taken in the hand after it was emptied."""
    sharers: int
    """How many seats shared it: mostly 1."""

    @property
    def riches(self) -> tuple[int, int]:
        """By what the richer one of two is known: the chips, then the hands over which they had grown."""
        return self.chips, self.grown


@dataclass(frozen=True)
class SeatFigures:
    """What one seat did in a night."""

    score: int
    """The points taken in a score game, without those to begin with; 0 in pot games."""
    wins: int
    """Hands in which it went out; in a score game, rounds or deals it won."""
    wins_in_a_row: int
    """The most hands in a row that it won."""
    pots: int
    """How often it took a pot, alone or shared."""
    richest: PotShare | None
    """The most that it got from a pot, and of equal ones the first."""
    dummies: int
    """Dummy hands bought, in hands that are over."""
    dummy_cost: int
    dummy_won: int
    """By how much its net changed from the purchases to the ends of these hands, the prices left out."""
    penalties: Mapping[str, int]
    """How many of each offence that it was punished for, in the order of OFFENCES."""
    penalty_cost: int
    """What they cost at once."""


@dataclass(frozen=True)
class NightFigures:
    """A night hand by hand, as sums."""

    seats: tuple[SeatFigures, ...]
    won: tuple[tuple[int, ...], ...]
    """In board games, hand by hand: what each hand has won (+) or lost (-) each seat, by the places of the seats. Chips
    bought, lent, paid back and corrected by hand are no part of it."""
    pots: tuple[PotSummary, ...]
    moments: tuple[Moment, ...]
    """The greatest moment of each kind that the night has, the greatest first."""
    time: PlayingTime | None
    """How long it took; None where its log does not say."""
    fewest_win: bool
    """Whether the fewest points win."""


class NightRows(NamedTuple):
    """A night hand by hand, as rows of a table: of many nights they are many."""

    hands: tuple[HandEnd, ...]
    taken: tuple[PotShare, ...]


@dataclass(frozen=True)
class FullSeat(SeatSummary, SeatFigures):
    """What a night was for one seat, with what it did."""


@dataclass(frozen=True, kw_only=True)
class FullSummary(NightSummary):
    """A night's summary with its figures."""

    seats: tuple[FullSeat, ...]
    figures: NightFigures


def full(night: NightSummary) -> FullSummary:
    """Return a night's summary with the figures that were computed with it."""
    if isinstance(night, FullSummary):
        return night
    figures = _figures_in(night.more[FIGURES])
    seats = tuple(FullSeat(**vars(one), **vars(more)) for one, more in zip(night.seats, figures.seats, strict=True))
    known = {field.name: getattr(night, field.name) for field in fields(NightSummary)}
    return FullSummary(**{**known, "seats": seats}, figures=figures)


@lru_cache(maxsize=4096)
def _figures_in(text: str) -> NightFigures:
    figures: NightFigures = made(NightFigures, json.loads(text.partition("\n")[0]))
    return figures


def rows_of(night: NightSummary) -> NightRows:
    """Return how each hand ended, and who took which pot; read anew each time, as it is much."""
    rows: NightRows = made(NightRows, json.loads(night.more[FIGURES].partition("\n")[2]))
    return rows


Transition = tuple[Event, Night, Night]
"""An event, with the state before and the state after it."""


class _Log:
    """A night's log in the parts that figures and rows are computed from."""

    def __init__(self, preset: Preset, steps: Sequence[PlayedEvent]) -> None:
        self.states = [Night(preset), *(after for _, _, after in steps)]
        self.night, self.ends = self.states[-1], hand_ends(self.states)
        played = {0, *(end.hand for end in self.ends)}  # what was won and paid in a hand that was given up is left out
        events = ((event, before, after) for (_, event, after), before in zip(steps, self.states, strict=False))
        self.changes = [one for one in events if one[2].hand in played]
        self.finished = finished_hands(self.night, self.ends)
        self.board = {pot.id: pot for state in self.states for pot in state.preset.board.values()}
        self.rows = NightRows(
            tuple(_hands(self.night, self.ends)), tuple(_taken(self.night, self.ends, self.changes, [*self.board]))
        )
        self.played_states = [state for state in self.states if state.hand in played]


def _text(preset: Preset, entries: Sequence[Entry], steps: Sequence[PlayedEvent]) -> str:
    """Return the figures and the rows of a night, a line each."""
    log = _Log(preset, steps)
    figures = NightFigures(
        seats=tuple(_seats(log)),
        won=tuple(tuple(end.deal.won.get(seat, 0) for seat in log.night.all_seats) for end in log.ends if end.deal),
        pots=tuple(_pots(log.played_states, log.rows.taken, log.board)),
        moments=tuple(best_moments(log.states, len(get_args(Kind)))),
        time=playing_time(entries, steps),
        fewest_win=fewest_win(log.night),
    )
    lines = (figures, log.rows._asdict())
    return "\n".join(json.dumps(plain(one), ensure_ascii=False, separators=(",", ":")) for one in lines)


MORE[FIGURES] = _text


def _seats(log: _Log) -> Iterator[SeatFigures]:
    night, rows = log.night, log.rows
    all_bought, all_penalties = [*_dummies(log.finished, log.changes)], [*_penalties(night, log.changes)]
    hands = [*dict.fromkeys(end.hand for end in rows.hands)]
    for place, seat in enumerate(night.all_seats):
        won = [hands.index(end.hand) for end in rows.hands if end.winner == place]
        taken = [share for share in rows.taken if share.seat == place]
        bought = [(price, won) for buyer, price, won in all_bought if buyer == seat]
        penalties = [(offence, cost) for offender, offence, cost in all_penalties if offender == seat]
        times = Counter(offence for offence, _ in penalties)
        yield SeatFigures(
            score=sum(one.change.get(seat, 0) for one in night.deals),
            wins=len(won),
            wins_in_a_row=_longest_run(won),
            pots=len(taken),
            richest=max(taken, key=lambda share: share.chips, default=None),
            dummies=len(bought),
            dummy_cost=sum(price for price, _ in bought),
            dummy_won=sum(won for _, won in bought),
            penalties={offence: times[offence] for offence in OFFENCES if times[offence]},
            penalty_cost=sum(cost for _, cost in penalties),
        )


def _longest_run(hands: Sequence[int]) -> int:
    """Return how many places of hands follow each other, at most."""
    runs = groupby(enumerate(hands), key=lambda one: one[1] - one[0])
    return max((len([*run]) for _, run in runs), default=0)


def _hands(night: Night, ends: Sequence[Night]) -> Iterator[HandEnd]:
    """Yield a row for each hand, or for each of several winners of a deal."""
    places = {seat: place for place, seat in enumerate(night.all_seats)}
    for end in ends:
        dealer = places[end.deal.dealer] if end.deal else NOBODY
        for winner in end.hand_winners or ("",):
            yield HandEnd(end.hand, dealer, places.get(winner, NOBODY))


def _taken(
    night: Night, ends: Sequence[Night], changes: Sequence[Transition], pots: Sequence[str]
) -> Iterator[PotShare]:
    """Yield a row for each pot that was taken and each seat that got of it; `pots` are the places of the pots."""
    pools, grown = _pools(changes), hands_grown(ends)
    for end in ends:
        taken = end.deal.taken.items() if end.deal else ()
        shares = [(pot, {seat: one.part(seat) for seat in (one.seat, *one.others)}) for pot, one in taken]
        for pot, parts in (*shares, *pools.get(end.hand, {}).items()):
            for seat, chips in parts.items():
                if chips:
                    places = pots.index(pot), night.all_seats.index(seat)
                    yield PotShare(end.hand, *places, chips, grown[end.hand, pot], len(parts))


def _pools(changes: Sequence[Transition]) -> dict[int, dict[str, dict[str, int]]]:
    """Return by hand and poker pool who got how much of it; odd chips went round."""
    pools: dict[int, dict[str, dict[str, int]]] = {}
    for _, before, after in changes:
        if after.deal and after.deal.poker is None:
            pools.pop(after.hand, None)  # the pool was filled again by hand, so that it can be won anew
        elif after.deal and after.deal.poker is not None and after.hand not in pools:
            takers = [seat for seat in before.clockwise_from(before.dealer) if seat in after.deal.poker]
            given = {
                pool.id: before.ledger.holds(pool.id) - after.ledger.holds(pool.id)
                for pool in before.preset.won_by("poker")
            }
            pools[after.hand] = {pool: equal_shares(chips, takers) for pool, chips in given.items()}
    return pools


def _pots(states: Sequence[Night], taken: Sequence[PotShare], board: Mapping[str, Pot]) -> Iterator[PotSummary]:
    """Yield every pot that the board had in this night, with the most that it ever held, in chips and IOUs."""
    for place, pot in enumerate(board.values()):
        most = max(state.ledger.holds(pot.id) for state in states)
        shares = [one for one in taken if one.pot == place]
        times, chips = len({one.hand for one in shares}), sum(one.chips for one in shares)
        yield PotSummary(pot.id, str(pot.name), pot.label, most, times, chips)


def _dummies(finished: Sequence[Night], changes: Sequence[Transition]) -> Iterator[tuple[str, int, int]]:
    """Yield (buyer, price, chips) for each dummy sold in a hand that is over: what it won the buyer since then."""
    won_at_sale: dict[int, int] = {}
    for _, _, after in changes:
        if after.deal and after.deal.dummy == "sold" and after.deal.buyer:
            won_at_sale.setdefault(after.hand, after.deal.won.get(after.deal.buyer, 0))
    for end in finished:
        if end.hand in won_at_sale and end.deal and end.deal.buyer:
            yield end.deal.buyer, end.deal.price, end.deal.won.get(end.deal.buyer, 0) - won_at_sale[end.hand]


def _penalties(night: Night, changes: Sequence[Transition]) -> Iterator[tuple[str, str, int]]:
    """Yield (seat, offence, cost) for each penalty, and for each money card that an offender paid for."""
    for deal in night.deals:
        yield from ((seat, offence, game_of(night).fault_cost(night.preset)) for seat, offence in deal.faults)
    for event, before, after in changes if night.preset.is_pot_game else ():
        if isinstance(event, Penalty):
            yield event.seat, event.offence, max(before.net(event.seat) - after.net(event.seat), 0)
        elif isinstance(event, MatchWithheld):
            yield event.offender, "match", max(before.net(event.offender) - after.net(event.offender), 0)
