"""Compute a night's summary from its log and the replayed steps. Reads nothing else."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import get_args

from tracker.archive.night_summary import (
    NOBODY,
    OFFENCES,
    HandEnd,
    NightDetails,
    NightRows,
    NightSummary,
    PaymentSummary,
    PlayingTime,
    PotShare,
    PotSummary,
    SeatSummary,
    to_json,
)
from tracker.core import payment_list
from tracker.core.events import Event, MatchWithheld, Penalty
from tracker.core.game import game_of
from tracker.core.log import Entry, PlayedEvent
from tracker.core.night import SHOWDOWN, Night
from tracker.core.preset import Pot, Preset
from tracker.core.queries.best_moments import Kind, best_moments, hand_ends, hands_grown
from tracker.core.queries.summary import fewest_win, leaders, ranking
from tracker.core.settlement import equal_shares, has_money
from tracker.formats.evening import moment_of

VERSION = 12
"""Of the computation: a summary that another version has stored is computed again. Raise it with every change."""
BREAK_SECONDS = 600
"""What lies further apart in the log is a break: no part of the play."""
LEAST_SECONDS = 10
"""A hand takes longer at a table: a log whose hands took less on average was not written while they were played."""


Transition = tuple[Event, Night, Night]
"""An event, with the state before and the state after it."""


def summarize(preset: Preset, entries: Sequence[Entry], steps: Sequence[PlayedEvent]) -> NightSummary:
    """Return the summary of a night; `steps` is the replayed log of `entries`."""
    states = [Night(preset), *(after for _, _, after in steps)]
    night, ends = states[-1], hand_ends(states)
    rules, totals = night.house_rules, [*map(payment_list.totals, ends)]
    played = {0, *(end.hand for end in ends)}  # what was won and paid in a hand that was given up does not count
    events = ((event, before, after) for (_, event, after), before in zip(steps, states, strict=False))
    changes = [one for one in events if one[2].hand in played]
    finished = [end for end in ends if end.hand < night.hand or end.phase == SHOWDOWN or not end.preset.is_pot_game]
    board = {pot.id: pot for state in states for pot in state.preset.board.values()}
    rows = NightRows(tuple(_hands(night, ends)), tuple(_taken(night, ends, changes, [*board])))
    details = NightDetails(
        series=tuple(tuple(one.get(seat, 0) for one in totals) for seat in night.all_seats),
        won=tuple(tuple(end.deal.won.get(seat, 0) for seat in night.all_seats) for end in ends if end.deal),
        pots=tuple(_pots([state for state in states if state.hand in played], rows.taken, board)),
    )
    return NightSummary(
        preset=night.preset.id,
        game_name=night.preset.name,
        game=night.preset.game,
        phase=night.phase,
        hand=night.hand,
        hands=len(finished),
        fewest_win=fewest_win(night),
        head=len(entries),
        began_at=(entries[0].at or "") if entries else "",
        last_at=(entries[-1].at or "") if entries else "",
        time=playing_time(entries, steps),
        dealer=night.dealer or "",
        money=(rules.money_chips, rules.money_cents) if has_money(night) else (1, 0),
        decimals=rules.money_decimals,
        winners=tuple(leaders(night)),
        seats=tuple(_seats(night, finished, changes, rows)),
        unpaid=tuple(_unpaid(night)),
        moments_text=to_json(best_moments(states, len(get_args(Kind)))),
        details_text=to_json(details),
        rows_text=to_json(rows),
    )


def _seats(
    night: Night, finished: Sequence[Night], changes: Sequence[Transition], rows: NightRows
) -> Iterator[SeatSummary]:
    nets, cents = payment_list.nets(night), payment_list.nets_in_cents(night)
    all_bought, all_penalties = [*_dummies(finished, changes)], [*_penalties(night, changes)]
    rank_of, hands = {one.seat: one.place for one in ranking(night)}, [*dict.fromkeys(end.hand for end in rows.hands)]
    for place, seat in enumerate(night.all_seats):
        won = [hands.index(end.hand) for end in rows.hands if end.winner == place]
        taken = [share for share in rows.taken if share.seat == place]
        bought = [(price, won) for buyer, price, won in all_bought if buyer == seat]
        penalties = [(offence, cost) for offender, offence, cost in all_penalties if offender == seat]
        times = Counter(offence for offence, _ in penalties)
        yield SeatSummary(
            seat=seat,
            name=night.name(seat),
            is_here=night.people[seat].is_here,
            place=rank_of[seat],
            net=nets[seat],
            cents=cents.get(seat, 0),
            score=_points_taken(night, seat),
            hands=sum(seat in _players(end) for end in finished),
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


def _points_taken(night: Night, seat: str) -> int:
    """Return the points of a score game that a seat took in its rounds, without those to begin with."""
    return sum(one.change.get(seat, 0) for one in night.deals)


def _longest_run(hands: Sequence[int]) -> int:
    """Return how many places of hands follow each other, at most."""
    runs = groupby(enumerate(hands), key=lambda one: one[1] - one[0])
    return max((len([*run]) for _, run in runs), default=0)


def _players(state: Night) -> Sequence[str]:
    """Return who played the hand that a state is of."""
    if state.deals:
        return state.deals[-1].players
    return state.deal.seats if state.deal else state.seats


def _unpaid(night: Night) -> Iterator[PaymentSummary]:
    for one in payment_list.payment_list(night) if night.is_over and has_money(night) else ():
        if not one.is_made:
            yield PaymentSummary(one.event.source, one.event.target, one.event.cents)


def playing_time(entries: Sequence[Entry], steps: Sequence[PlayedEvent]) -> PlayingTime | None:
    """Return how long a night took; `steps` is the replayed log of `entries`.

    A hand (round, deal) lasts until the next one begins; one that was given up counts as none. Only entries in force
    count, so corrections and what was taken back change no time; a clock that went back adds nothing. None for a night
    whose times are missing or can't be those of its play: its hands took less than LEAST_SECONDS on average, or most of
    them have a break.
    """
    played = _in_play(steps)
    moments = [moment_of(entries[number - 1].at) for number, _, _ in played]
    known = [one.replace(microsecond=0) for one in moments if one]
    if not played or len(known) < len(moments):
        return None
    count, given_up = played[-1][2].hand, {night.hand for _, _, night in played if night.is_abandoned}
    seconds, longest, broken = [0] * count, 0, set[int]()
    for (then, now), (_, _, night) in zip(pairwise(known), played, strict=False):
        hand = min(night.hand + (not night.preset.is_pot_game), count)
        wait = max(0, int((now - then).total_seconds()))
        if hand in given_up:
            continue
        if wait > BREAK_SECONDS:
            broken.add(hand)
        else:
            seconds[hand - 1] += wait
            longest = max(longest, wait)
    numbers = [hand for hand in range(1, count + 1) if hand not in given_up]
    if not numbers or sum(seconds) < LEAST_SECONDS * len(numbers) or 2 * len(broken) > len(numbers):
        return None
    return PlayingTime(tuple(seconds[hand - 1] for hand in numbers), tuple(numbers), longest)


def _in_play(steps: Sequence[PlayedEvent]) -> Sequence[PlayedEvent]:
    """Return the steps from the beginning of the first hand to the end of the night; none before the first hand.

    In a score game the first hand begins with the step before its result.
    """
    first = next((at for at, (_, _, night) in enumerate(steps) if night.hand), len(steps))
    end = next((at for at, (_, _, night) in enumerate(steps) if night.is_over), len(steps))
    is_scored = first < len(steps) and not steps[first][2].preset.is_pot_game
    return steps[max(0, first - is_scored) : end + 1] if first < len(steps) else ()


# What happened in the hands


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
