"""What holds for statistics over any nights, however they were recorded: compared with the replayed logs."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache
from random import Random

from extras.statistics.played_nights import DAY, played
from hypothesis import given, settings, strategies as st
from support.made_up_nights import demo_nights
from support.random_nights import every_preset, legal_event, some_value

from tracker.archive.summarize import summarize
from tracker.core import log
from tracker.core.errors import TableError
from tracker.core.events import Amend, End, MatchWithheld, Name, Penalty, SeatId, Sit, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.payment_list import nets, nets_in_cents
from tracker.core.queries.best_moments import hand_ends
from tracker.extras.statistics.details import full, rows_of
from tracker.extras.statistics.totals import (
    MONEY,
    PlayedNight,
    Totals,
    people_of,
    rivals,
    totals_of,
    totals_of_all,
)
from tracker.formats.codec import amended

LONGEST = ("longest_outs", "longest_won", "longest_lost", "longest_wait")
CHANCE = st.integers(0, 2**16).map(Random)


@cache
def demo_played() -> list[PlayedNight]:
    """Return fifteen nights of the demo: pot games and score games, some for money."""
    nights = demo_nights(16, 7, DAY)
    return played([replace(summarize(one.preset, one.entries, one.steps), code=one.code) for one in nights])


def additive(totals: Totals) -> dict[str, object]:
    """Return the totals that add up over nights."""
    names = {one.name for one in fields(totals)} - {"richest", *LONGEST}
    return {name: getattr(totals, name) for name in names}


def summed(parts: Sequence[Totals]) -> dict[str, object]:
    together = additive(Totals())
    for part in parts:
        for name, value in additive(part).items():
            known = together[name]
            if isinstance(known, Counter):
                assert isinstance(value, Counter)
                known.update(value)
            else:
                assert isinstance(known, int)
                assert isinstance(value, int)
                together[name] = known + value
    return together


@given(CHANCE)
@settings(max_examples=25)
def test_totals_of_all_nights_are_the_sum_of_those_of_any_two_parts(chance: Random) -> None:
    parts: tuple[list[PlayedNight], list[PlayedNight]] = ([], [])
    for night in demo_played():
        parts[chance.random() < 0.5].append(night)
    for person in people_of(demo_played()):
        pieces = [totals_of(part, person) for part in parts]
        whole = totals_of(demo_played(), person)
        assert additive(whole) == summed(pieces)
        richest = [one.richest.taken.chips for one in pieces if one.richest]
        assert (whole.richest.taken.chips if whole.richest else 0) == max(richest, default=0)
        for name in ("longest_outs", "longest_wait"):
            assert getattr(whole, name) == max(getattr(one, name) for one in pieces)


def test_a_row_of_nights_is_no_shorter_than_before_and_since_any_night() -> None:
    for cut in range(len(demo_played())):
        for person in people_of(demo_played()):
            before, since = (totals_of(part, person) for part in (demo_played()[:cut], demo_played()[cut:]))
            whole = totals_of(demo_played(), person)
            assert max(before.longest_won, since.longest_won) <= whole.longest_won
            assert whole.longest_won <= before.longest_won + since.longest_won
            assert whole.longest_lost <= before.longest_lost + since.longest_lost


def test_results_sum_to_zero_over_the_people_of_each_night() -> None:
    assert {night.summary.game for night in demo_played()} >= {"pots", "points"}
    for night in demo_played():
        for unit in night.units:
            if unit.kind != "points":
                assert sum(totals_of([night], person).net[unit] for person in night.people) == 0


def test_what_one_wins_from_another_the_other_loses_to_the_first() -> None:
    nights = demo_played()
    people, units = people_of(nights), {unit for night in nights for unit in night.units}
    found = {
        (unit, one, rival.person): rival.sum for unit in units for one in people for rival in rivals(nights, one, unit)
    }
    assert sum(1 for chips in found.values() if chips > 0) > 10
    assert all(found[unit, other, one] == -chips for (unit, one, other), chips in found.items())
    assert all(unit.kind != "points" for unit, _, _ in found)


def test_what_everybody_did_is_the_sum_over_the_people() -> None:
    together = totals_of_all(demo_played())
    parts = [totals_of(demo_played(), person) for person in people_of(demo_played())]
    for name in ("outs", "rounds_won", "pots", "dummies", "dummy_cost", "dummy_won", "offences", "penalty_cost"):
        assert getattr(together, name) == summed(parts)[name], name
    assert together.richest
    assert together.richest.taken.chips == max(one.richest.taken.chips for one in parts if one.richest)


@given(CHANCE)
@settings(max_examples=10)
def test_the_order_in_which_nights_come_in_changes_nothing(chance: Random) -> None:
    summaries = [night.summary for night in demo_played()]
    mixed = chance.sample(summaries, len(summaries))
    assert played(mixed) == demo_played()


def naive(steps: log.Steps) -> dict[str, tuple[int, int, dict[str, int], int]]:
    """Return each seat's net, hands won, penalties and pots taken, no poker pools, from the replayed log alone.

    Penalties of a hand that was given up do not count.
    """
    night = steps[-1][2]
    ends = hand_ends(state for _, _, state in steps)
    given_up = {state.hand for _, _, state in steps if state.is_abandoned}
    played_ = [(one, state) for _, one, state in steps if state.hand not in given_up]
    given_ = [(one.seat, one.offence) for one, _ in played_ if isinstance(one, Penalty)]
    given_ += [(one.offender, "match") for one, _ in played_ if isinstance(one, MatchWithheld)]
    takers = [
        seat
        for end in ends
        for id_, pot in (end.deal.taken.items() if end.deal else ())
        for seat in (pot.seat, *pot.others)
        if pot.part(seat) and id_ not in {pool.id for pool in end.preset.won_by("poker")}
    ]
    return {
        seat: (
            nets(night)[seat],
            sum(end.deal.winner == seat for end in ends if end.deal),
            dict(Counter(offence for whose, offence in given_ if whose == seat)),
            takers.count(seat),
        )
        for seat in night.all_seats
    }


@given(st.sampled_from([one for one in every_preset() if one.game == "pots"]), CHANCE)
@settings(max_examples=30)
def test_totals_are_what_the_replayed_log_says_after_undos_and_amends(preset, chance: Random) -> None:  # type: ignore[no-untyped-def]
    night, entries, steps = Night(preset), list[Entry](), log.Steps(preset)
    for _ in range(90):
        with suppress(TableError):
            kind = chance.choice(("play", "play", "play", "undo", "amend")) if len(entries) > 6 else "play"
            event = legal_event(night, chance)
            if len(night.people) < 3:
                event = Sit(SeatId(f"s{len(entries)}"), Name("Ann"))
            elif kind != "play":
                earlier = chance.choice(entries)
                names = [one.name for one in fields(earlier.event)]
                event = Undo(earlier.number)
                if kind == "amend" and names:
                    name = chance.choice(names)
                    event = Amend(earlier.number, {name: some_value(name, night, chance)})
            entry = Entry(len(entries) + 1, event)
            night = log.record(entries, entry, amended, steps)
            entries.append(entry)
    summary = replace(summarize(preset, entries, steps), code="night", phase="ended", hands=max(night.hand, 1))
    [one] = played([summary])
    pools_of_board = {pot.id for pot in preset.pots if pot.won_by == "poker"}
    for seat, (net, outs, offences, taken) in naive(steps).items():
        found = totals_of([one], seat)
        if not summary.seats[summary.place_of[seat]].hands:
            assert found == Totals()  # who was dealt into no finished hand counts nowhere
            continue
        unit = one.units[-1]
        assert (found.net[unit], found.outs, dict(found.offences)) == (net, outs, offences)
        pools = sum(
            row.seat == summary.place_of[seat] and full(summary).figures.pots[row.pot].id in pools_of_board
            for row in rows_of(summary).taken
        )
        assert found.pots - pools == taken
        if MONEY in one.units:
            assert found.net[MONEY] == nets_in_cents(night)[seat]
    assert not isinstance(entries[-1].event, End) or summary.is_over
