"""What a night's summary says: the figures of nights worked out by hand, and what holds for any night."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st
from support.core_nights import with_two_given_up
from support.paths import ROOT
from support.random_nights import every_preset, random_night, random_options
from support.transcripts import recorded

from tracker.core import log
from tracker.core.events import Cents, End, Paid
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.payment_list import nets, totals
from tracker.core.preset import Preset
from tracker.core.queries.summary import ranking
from tracker.extras._night_summaries.night_summary import NightSummary, from_text, to_text
from tracker.extras._night_summaries.summarize import summarize
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended

NIGHTS = sorted((ROOT / "tests/nights").glob("*.json"))
FOUR_HANDS = ROOT / "tests/nights/rummy-four-hands.json"
CHANCE = st.integers(0, 2**16).map(Random)


def summary_of(preset: Preset, entries: Sequence[Entry]) -> tuple[NightSummary, log.Steps]:
    """Return the summary of a log as far as it can be played, and the steps."""
    steps, _ = log.replay_accepted(preset, entries, amended)
    return summarize(preset, entries, steps), steps


def summary_in(path: Path) -> NightSummary:
    return summary_of(*recorded(path))[0]


def series_of(summary: NightSummary) -> dict[str, tuple[int, ...]]:
    """Return the totals of each seat after each hand."""
    return dict(zip(summary.place_of, summary.series, strict=True))


@pytest.fixture(scope="module", name="rummy")
def _rummy() -> NightSummary:
    return summary_in(FOUR_HANDS)


def test_everybody_has_a_net_and_what_it_was_after_each_hand(rummy: NightSummary) -> None:
    expected = {"a": -21, "b": -23, "c": 33, "d": 11}
    assert {one.seat: (one.net, one.hands) for one in rummy.seats} == {seat: (net, 4) for seat, net in expected.items()}
    assert series_of(rummy)["c"] == (-2, 15, 7, 24)
    assert rummy.winners == ("c",)
    assert rummy.winner_names == ["C"]


def test_payments_that_were_not_ticked_off_are_unpaid() -> None:
    base = built_in("michigan-rummy").with_options({"money.cents": 5})
    _, entries = recorded(FOUR_HANDS)
    summary, steps = summary_of(base, entries)
    assert {one.seat: one.cents for one in summary.seats} == {"a": -105, "b": -115, "c": 165, "d": 55}
    assert sum(one.cents for one in summary.unpaid) == 220
    first = summary.unpaid[0]
    ticked, _ = summary_of(base, [*entries, Entry(len(entries) + 1, Paid(*first[:2], Cents(first.cents)))])
    assert ticked.unpaid == summary.unpaid[1:]
    assert summary.money == (1, 5)
    before_end, _ = summary_of(base, entries[:-1])
    assert before_end.unpaid == ()
    assert len(steps) == summary.head


def test_a_night_knows_when_it_began_and_ended() -> None:
    preset, without_moments = recorded(FOUR_HANDS)
    entries = [Entry(one.number, one.event, at=f"2026-11-21T20:{one.number:02}:00Z") for one in without_moments]
    summary, _ = summary_of(preset, entries)
    assert (summary.began_at, summary.last_at) == ("2026-11-21T20:01:00Z", f"2026-11-21T20:{len(entries)}:00Z")
    going_on, _ = summary_of(preset, entries[:-1])
    assert (summary.is_over, going_on.is_over) == (True, False)


@pytest.mark.parametrize("path", NIGHTS, ids=lambda path: path.stem)
def test_a_summary_is_written_and_read_unchanged(path: Path) -> None:
    summary = summary_in(path)
    assert from_text(to_text(summary), {}) == summary


@given(st.sampled_from(every_preset()), CHANCE, st.integers(2, 6))
def test_the_figures_of_any_night_fit_its_ledger(preset: Preset, chance: Random, people: int) -> None:
    preset = preset.with_options(random_options(preset, chance))
    events = random_night(preset, chance, 60, people)
    summary, steps = summary_of(preset, [Entry(number, event) for number, event in enumerate(events, start=1)])
    night = steps[-1][2]
    assert {one.seat: one.net for one in summary.seats} == nets(night)
    given_up = {state.hand for _, _, state in steps if state.is_abandoned}
    if not isinstance(events[-1], End) and night.hand and night.hand not in given_up:
        assert {seat: series[-1] for seat, series in series_of(summary).items()} == totals(night)
    assert all(0 <= one.hands <= summary.hands for one in summary.seats)
    assert summary.hand - len(given_up) - 1 <= summary.hands <= summary.hand - len(given_up)
    assert [one.place for one in summary.seats] == [
        {rank.seat: rank.place for rank in ranking(night)}[one.seat] for one in summary.seats
    ]
    assert {one.seat for one in summary.seats if one.place == 1} >= set(summary.winners)


def test_a_night_without_events_has_a_summary() -> None:
    preset = built_in("michigan-kitty")
    assert summarize(preset, [], []).hand == 0
    assert summarize(preset, [], []).phase == Night(preset).phase


def test_two_of_five_hands_that_were_given_up_are_no_hands() -> None:
    night = with_two_given_up()
    one = summarize(night.preset, night.entries, night.steps)
    assert (one.hand, one.hands, [seat.hands for seat in one.seats]) == (5, 3, [3, 3, 3])
