"""What statistics keep of a night: the figures of nights worked out by hand, and what holds for any night."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st
from support.core_nights import rummy as rummy_night
from support.of_extras import needs
from support.paths import ROOT, night_file
from support.random_nights import every_preset, random_night, random_options

from tracker.archive.summarize import summarize
from tracker.core import log
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries.summary import hand_ends
from tracker.extras._night_files.reading import night_from
from tracker.extras.statistics.details import NOBODY, FullSummary, NightRows, PotShare, full, rows_of
from tracker.extras.statistics.moments import pots_taken
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended
from tracker.formats.records import made, plain

NIGHTS = sorted((ROOT / "tests/nights").glob("*.json"))
CHANCE = st.integers(0, 2**16).map(Random)


def summary_of(preset: Preset, entries: Sequence[Entry]) -> tuple[FullSummary, log.Steps]:
    """Return the summary of a log as far as it can be played, and the steps."""
    steps, _ = log.replay_accepted(preset, entries, amended)
    return full(summarize(preset, entries, steps)), steps


def summary_in(path: Path) -> FullSummary:
    read = night_from(path.read_text("utf-8"), built_in)
    return summary_of(read.preset, read.entries)[0]


def named(summary: FullSummary, seat: int) -> str:
    return summary.seats[seat].seat


@pytest.fixture(scope="module", name="rummy")
def _rummy() -> FullSummary:
    return summary_in(ROOT / "tests/nights/rummy-four-hands.json")


def test_each_hand_has_who_dealt_it_and_who_went_out(rummy: FullSummary) -> None:
    hands = [(one.hand, named(rummy, one.dealer), named(rummy, one.winner)) for one in rows_of(rummy).hands]
    assert hands == [(1, "a", "b"), (2, "b", "c"), (3, "c", "a"), (4, "d", "c")]


def test_a_pot_taken_has_its_chips_and_the_hands_it_had_grown_for_each_who_shared_it(rummy: FullSummary) -> None:
    taken = {
        (one.hand, rummy.figures.pots[one.pot].id, named(rummy, one.seat)): one[3:] for one in rows_of(rummy).taken
    }
    assert taken[1, "king-clubs", "c"] == (5, 1, 1)
    assert taken[3, "king-queen-hearts", "d"] == (15, 3, 1)
    assert taken[4, "ten-hearts", "c"] == (15, 3, 1)  # emptied in the first hand
    assert taken[2, "poker", "b"] == taken[2, "poker", "d"] == (2, 1, 2)  # and the odd chip stays
    assert taken[3, "poker", "c"] == (6, 1, 1)


def test_a_pot_that_was_given_back_in_its_hand_has_grown_through_it() -> None:
    night = rummy_night("abc", bar__scope="whole_hand_refund").hand("a").collect("b", "king-clubs")
    night.withholds("b", "H").out("c", a=1, b=1).hand("b").collect("a", "king-clubs")
    summary, steps = summary_of(night.preset, night.entries)
    grown = [
        (one.hand, one.grown) for one in rows_of(summary).taken if summary.figures.pots[one.pot].id == "king-clubs"
    ]
    assert grown == [(2, 2)]
    ends = hand_ends(state for _, _, state in steps)
    assert [(one.hand, one.hands_grown) for one in pots_taken(ends) if one.pot == "king-clubs"] == grown


def test_rounds_and_deals_have_their_winners_and_totals() -> None:
    needs("rum")
    needs("rounds")
    snake = summary_in(night_file("snake-two-penalties"))
    assert [(one.hand, one.dealer, named(snake, one.winner)) for one in rows_of(snake).hands] == [(1, NOBODY, "w")]
    assert snake.seats[snake.place_of["w"]].score == 132
    assert {one.seat: one.penalty_cost for one in snake.seats if one.penalties} == {"x": 20, "y": 20}
    rounds = summary_in(night_file("eight-rounds-full"))
    assert len(rows_of(rounds).hands) == rounds.hand == 8


def test_rows_hold_numbers_of_any_size_and_refuse_half_a_row() -> None:
    big = PotShare(1, 2, 3, 2**40, 5, 1)
    assert made(NightRows, plain(NightRows((), (big, big))._asdict())) == NightRows((), (big, big))
    with pytest.raises(ValueError, match="shorter"):
        made(PotShare, [1, 2, 3])


@given(st.sampled_from(every_preset()), CHANCE, st.integers(2, 6))
def test_the_pots_of_any_night_fit_its_ledger(preset: Preset, chance: Random, people: int) -> None:
    preset = preset.with_options(random_options(preset, chance))
    events = random_night(preset, chance, 60, people)
    summary, steps = summary_of(preset, [Entry(number, event) for number, event in enumerate(events, start=1)])
    given_up = {state.hand for _, _, state in steps if state.is_abandoned}
    check_pots(summary, [state for _, _, state in steps if state.hand not in given_up])
    assert {one.hand for one in rows_of(summary).hands} == set(range(1, summary.hand + 1)) - given_up


def check_pots(summary: FullSummary, states: Sequence[Night]) -> None:
    """No pot ever held more than its most, nobody took more than that, and grew for no longer than was played."""
    for pot in summary.figures.pots:
        assert pot.most == max(state.ledger.holds(pot.id) for state in states)
    for (_, place), chips in _sums(summary).items():
        assert 0 < chips <= summary.figures.pots[place].most
    assert all(1 <= one.grown <= one.hand for one in rows_of(summary).taken)
    assert all(one.winner == NOBODY or 0 <= one.winner < len(summary.seats) for one in rows_of(summary).hands)


def _sums(summary: FullSummary) -> Counter[tuple[int, int]]:
    sums: Counter[tuple[int, int]] = Counter()
    for one in rows_of(summary).taken:
        sums[one.hand, one.pot] += one.chips
    return sums
