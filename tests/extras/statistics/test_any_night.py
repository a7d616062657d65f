"""What holds for the statistics of any night: random ones of every game, by its own rules and by random ones."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random
from typing import get_args

from extras.statistics.played_nights import played
from support.random_nights import every_preset, random_night, random_options

from tracker.core import log
from tracker.core.events import MatchWithheld, Penalty
from tracker.core.log import Entry
from tracker.core.night import ENDED, Night
from tracker.core.payment_list import nets, nets_in_cents
from tracker.core.preset import Preset
from tracker.core.queries.summary import hand_ends
from tracker.extras._night_summaries.summarize import summarize
from tracker.extras.statistics.details import NOBODY, full, rows_of
from tracker.extras.statistics.moments import BEST, Kind, best_moments, pots_taken
from tracker.extras.statistics.totals import MONEY, Totals, times_ahead, totals_of, year_moments
from tracker.formats.codec import amended

NIGHTS_OF_EACH = 3


class AnyNight:
    """A random night of a game: its states, and its summary as if it had ended."""

    def __init__(self, preset: Preset, seed: int) -> None:
        chance = Random(f"{preset.id} {seed}")
        self.preset = preset.with_options(random_options(preset, chance)) if seed % 2 else preset
        events = random_night(self.preset, chance, 80, 2 + seed)
        entries = [Entry(number, event) for number, event in enumerate(events, start=1)]
        self.steps, _ = log.replay_accepted(self.preset, entries, amended)
        self.states = [state for _, _, state in self.steps]
        self.ends = hand_ends(self.states)
        self.given_up = {state.hand for state in self.states if state.is_abandoned}
        self.summary = replace(full(summarize(self.preset, entries, self.steps)), phase=ENDED)
        self.moments = best_moments(self.states)


@cache
def nights() -> list[AnyNight]:
    return [AnyNight(preset, seed) for preset in every_preset() for seed in range(NIGHTS_OF_EACH)]


def test_best_moments_are_of_different_kinds_and_agree_with_the_balances() -> None:
    for night in nights():
        found, last = night.moments, night.states[-1]
        assert len(found) <= BEST
        assert len({moment.kind for moment in found}) == len(found)
        assert [moment.weight for moment in found] == sorted((moment.weight for moment in found), reverse=True)
        for moment in found:
            assert 1 <= moment.hand <= last.hand
            assert set(moment.seats) <= set(last.people)
            if moment.kind == "comeback":
                assert nets(last)[moment.seats[0]] > 0 > moment.chips == -moment.weight
                seat = moment.seats[0]
                assert moment.chips == min(nets(end)[seat] for end in night.ends if seat in end.people)
            if moment.kind == "pot":
                assert moment.weight == max(one.chips for one in pots_taken(night.ends))


def test_summary_year_and_result_tell_the_same_best_moments() -> None:
    """`night_result`, from which the settlement and the film tell them, asks `best_moments` of the same states."""
    kinds: set[Kind] = set()
    for night in nights():
        known = night.summary.figures.moments
        assert [*known[:BEST]] == night.moments, night.preset.id
        kinds |= {moment.kind for moment in known}
        year = played([night.summary])
        told = {moment.kind: moment for _, moment in year_moments(year)}
        assert not year or told == {moment.kind: moment for moment in known}, night.preset.id
    assert kinds == {*get_args(Kind)}


def test_a_pot_lay_on_the_board_in_every_hand_that_it_grew() -> None:
    for night in nights():
        hands = [end.hand for end in night.ends]
        for one in pots_taken(night.ends):
            at = hands.index(one.hand)
            for end in night.ends[at + 1 - one.hands_grown : at]:
                assert end.ledger.holds(one.pot) > 0
                assert end.deal is None or one.pot not in end.deal.taken


def test_no_pot_held_more_than_its_most_nobody_took_more_and_none_grew_for_longer_than_was_played() -> None:
    for night in nights():
        summary, rows = night.summary, rows_of(night.summary)
        for pot in summary.figures.pots:
            assert pot.most == max(
                state.ledger.holds(pot.id) for state in night.states if state.hand not in night.given_up
            )
        taken = Counter[tuple[int, int]]()
        for one in rows.taken:
            taken[one.hand, one.pot] += one.chips
            assert 1 <= one.grown <= one.hand
        assert all(0 < chips <= summary.figures.pots[place].most for (_, place), chips in taken.items())
        assert all(one.winner == NOBODY or 0 <= one.winner < len(summary.seats) for one in rows.hands)
        assert {one.hand for one in rows.hands} == set(range(1, summary.hand + 1)) - night.given_up


def told(night: AnyNight, seat: str) -> tuple[int, int, dict[str, int], int]:
    """Return a seat's net, hands won, penalties, and pots taken but for poker pools, by the log alone.

    What happened in a hand that was given up does not count.
    """
    counted = [event for _, event, state in night.steps if state.hand not in night.given_up]
    offences = [one.offence for one in counted if isinstance(one, Penalty) and one.seat == seat]
    offences += ["match" for one in counted if isinstance(one, MatchWithheld) and one.offender == seat]
    ends = [(end.deal, {pool.id for pool in end.preset.won_by("poker")}) for end in night.ends if end.deal]
    taken = [pot for deal, pools in ends for pot, one in deal.taken.items() if pot not in pools and one.part(seat)]
    outs = sum(deal.winner == seat for deal, _ in ends)
    return nets(night.states[-1])[seat], outs, dict(Counter(offences)), len(taken)


def test_totals_are_what_the_log_says() -> None:
    for night in nights():
        some, summary = played([night.summary]), night.summary
        if night.preset.game != "pots" or not some:
            continue
        poker_pools = {pot.id for pot in night.preset.pots if pot.won_by == "poker"}
        pools = {place for place, pot in enumerate(summary.figures.pots) if pot.id in poker_pools}
        for place, seat in enumerate(summary.seats):
            found = totals_of(some, seat.seat)
            if not seat.hands:
                assert found == Totals()  # who was dealt into no finished hand counts nowhere
                continue
            net, outs, offences, taken = told(night, seat.seat)
            assert (found.net[some[0].units[-1]], found.outs, dict(found.offences)) == (net, outs, offences)
            assert found.pots - sum(row.seat == place and row.pot in pools for row in rows_of(summary).taken) == taken
            if MONEY in some[0].units:
                assert found.net[MONEY] == nets_in_cents(night.states[-1])[seat.seat]


def test_what_a_hand_has_won_is_what_its_entries_but_for_corrections_by_hand_changed() -> None:
    for night in nights():
        won, before = dict[int, Counter[str]](), Night(night.preset)
        for _, event, after in night.steps:
            if event.kind not in ("move", "end", "paid", "rule"):
                changed = {seat: after.net(seat) - before.net(seat) for seat in before.all_seats}
                won.setdefault(after.hand, Counter()).update(changed)
            before = after
        expected = [tuple(won[end.hand][seat] for seat in before.all_seats) for end in night.ends if end.deal]
        assert [*night.summary.figures.won] == expected, night.preset.id


def test_statistics_have_the_places_of_the_summary() -> None:
    counted_games = set()
    for night in nights():
        one = night.summary
        if not (some := played([one])):
            continue
        counted_games.add(night.preset.id)
        places = {seat.seat: seat.place for seat in one.seats}
        counted = [seat.seat for seat in one.seats if one.counts_for(seat)]
        won = {seat for seat in places if totals_of(some, seat).won}
        assert won == {seat for seat in counted if places[seat] == 1}
        for mine, other in combinations(counted, 2):
            expected = (places[mine] < places[other], places[mine] > places[other], places[mine] == places[other])
            assert times_ahead(some, mine, other) == expected
    assert counted_games == {preset.id for preset in every_preset()}
