"""What a night's summary says: the figures of nights worked out by hand, and what holds for any night."""

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

from tracker.archive.night_summary import (
    NOBODY,
    NightRows,
    NightSummary,
    PotShare,
    SeatSummary,
    from_json,
    from_text,
    to_json,
    to_text,
)
from tracker.archive.summarize import summarize
from tracker.core import log
from tracker.core.events import Cents, End, Paid
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.payment_list import nets, totals
from tracker.core.preset import Preset
from tracker.core.queries.best_moments import hand_ends, pots_taken
from tracker.core.queries.summary import ranking
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended
from tracker.formats.night_file import night_from

NIGHTS = sorted((ROOT / "tests/nights").glob("*.json"))
CHANCE = st.integers(0, 2**16).map(Random)


def summary_of(preset: Preset, entries: Sequence[Entry]) -> tuple[NightSummary, log.Steps]:
    """Return the summary of a log as far as it can be played, and the steps."""
    steps, _ = log.replay_accepted(preset, entries, amended)
    return summarize(preset, entries, steps), steps


def summary_in(path: Path) -> NightSummary:
    read = night_from(path.read_text("utf-8"), built_in)
    return summary_of(read.preset, read.entries)[0]


def named(summary: NightSummary, seat: int) -> str:
    return summary.seats[seat].seat


def series_of(summary: NightSummary) -> dict[str, tuple[int, ...]]:
    """Return the totals of each seat after each hand."""
    return dict(zip(summary.place_of, summary.details.series, strict=True))


@pytest.fixture(scope="module", name="rummy")
def _rummy() -> NightSummary:
    return summary_in(ROOT / "tests/nights/rummy-four-hands.json")


def test_everybody_has_a_net_and_what_it_was_after_each_hand(rummy: NightSummary) -> None:
    expected = {"a": -21, "b": -23, "c": 33, "d": 11}
    assert {one.seat: (one.net, one.hands) for one in rummy.seats} == {seat: (net, 4) for seat, net in expected.items()}
    assert series_of(rummy)["c"] == (-2, 15, 7, 24)
    assert rummy.winners == ("c",)
    assert rummy.winner_names == ["C"]


def test_each_hand_has_who_dealt_it_and_who_went_out(rummy: NightSummary) -> None:
    hands = [(one.hand, named(rummy, one.dealer), named(rummy, one.winner)) for one in rummy.rows.hands]
    assert hands == [(1, "a", "b"), (2, "b", "c"), (3, "c", "a"), (4, "d", "c")]


def test_a_pot_taken_has_its_chips_and_the_hands_it_had_grown_for_each_who_shared_it(rummy: NightSummary) -> None:
    taken = {(one.hand, rummy.details.pots[one.pot].id, named(rummy, one.seat)): one[3:] for one in rummy.rows.taken}
    assert taken[1, "king-clubs", "c"] == (5, 1, 1)
    assert taken[3, "king-queen-hearts", "d"] == (15, 3, 1)
    assert taken[4, "ten-hearts", "c"] == (15, 3, 1)  # emptied in the first hand
    assert taken[2, "poker", "b"] == taken[2, "poker", "d"] == (2, 1, 2)  # and the odd chip stays
    assert taken[3, "poker", "c"] == (6, 1, 1)


def test_a_pot_that_was_given_back_in_its_hand_has_grown_through_it() -> None:
    night = rummy_night("abc", bar__scope="whole_hand_refund").hand("a").collect("b", "king-clubs")
    night.withholds("b", "H").out("c", a=1, b=1).hand("b").collect("a", "king-clubs")
    summary, steps = summary_of(night.preset, night.entries)
    grown = [(one.hand, one.grown) for one in summary.rows.taken if summary.details.pots[one.pot].id == "king-clubs"]
    assert grown == [(2, 2)]
    ends = hand_ends(state for _, _, state in steps)
    assert [(one.hand, one.hands_grown) for one in pots_taken(ends) if one.pot == "king-clubs"] == grown


def test_a_bought_dummy_has_its_price_and_what_the_hand_won(rummy: NightSummary) -> None:
    bought = {one.seat: (one.dummies, one.dummy_cost, one.dummy_won) for one in rummy.seats}
    assert bought["d"] == (1, 4, 5 - 6)  # took a pot of 5, had 6 cards left
    assert bought["b"] == (1, 3, 15 - 2)
    assert bought["a"] == bought["c"] == (0, 0, 0)


def test_penalties_have_what_they_cost(rummy: NightSummary) -> None:
    assert {one.seat: (one.penalties, one.penalty_cost) for one in rummy.seats} == {
        "a": ({"wrong-lead": 1, "withheld-card": 1}, 3),  # 1 to each of three
        "b": ({"withheld-card": 1, "match": 1}, 10),  # the pot of the card that was withheld
        "c": ({}, 0),
        "d": ({}, 0),
    }


def test_a_seat_has_its_wins_the_most_in_a_row_and_its_richest_pot(rummy: NightSummary) -> None:
    wins = {one.seat: (one.wins, one.wins_in_a_row, one.pots) for one in rummy.seats}
    assert wins == {"a": (1, 1, 2), "b": (1, 1, 3), "c": (2, 1, 7), "d": (0, 0, 7)}
    richest = rummy.seats[rummy.place_of["c"]].richest
    assert richest
    assert (richest.hand, rummy.details.pots[richest.pot].id, richest.chips) == (4, "ten-hearts", 15)


def test_payments_that_were_not_ticked_off_are_unpaid() -> None:
    base = built_in("michigan-rummy").with_options({"money.cents": 5})
    read = night_from((ROOT / "tests/nights/rummy-four-hands.json").read_text("utf-8"), built_in)
    summary, steps = summary_of(base, read.entries)
    assert {one.seat: one.cents for one in summary.seats} == {"a": -105, "b": -115, "c": 165, "d": 55}
    assert sum(one.cents for one in summary.unpaid) == 220
    first = summary.unpaid[0]
    ticked, _ = summary_of(base, [*read.entries, Entry(len(read.entries) + 1, Paid(*first[:2], Cents(first.cents)))])
    assert ticked.unpaid == summary.unpaid[1:]
    assert summary.money == (1, 5)
    before_end, _ = summary_of(base, read.entries[:-1])
    assert before_end.unpaid == ()
    assert len(steps) == summary.head


def test_rounds_and_deals_have_their_winners_and_totals() -> None:
    needs("rum")
    needs("rounds")
    snake = summary_in(night_file("snake-two-penalties"))
    assert [(one.hand, one.dealer, named(snake, one.winner)) for one in snake.rows.hands] == [(1, NOBODY, "w")]
    assert (snake.seats[snake.place_of["w"]].score, series_of(snake)["w"]) == (132, (132,))
    assert {one.seat: one.penalty_cost for one in snake.seats if one.penalties} == {"x": 20, "y": 20}
    rounds = summary_in(night_file("eight-rounds-full"))
    assert len(rounds.rows.hands) == rounds.hand == 8


def test_a_night_knows_when_it_began_and_ended() -> None:
    read = night_from((ROOT / "tests/nights/rummy-four-hands.json").read_text("utf-8"), built_in)
    entries = [Entry(one.number, one.event, at=f"2026-11-21T20:{one.number:02}:00Z") for one in read.entries]
    summary, _ = summary_of(read.preset, entries)
    assert (summary.began_at, summary.last_at) == ("2026-11-21T20:01:00Z", f"2026-11-21T20:{len(entries)}:00Z")
    going_on, _ = summary_of(read.preset, entries[:-1])
    assert (summary.is_over, going_on.is_over) == (True, False)


@pytest.mark.parametrize("path", NIGHTS, ids=lambda path: path.stem)
def test_a_summary_is_written_and_read_unchanged_also_what_is_read_only_when_it_is_used(path: Path) -> None:
    summary = summary_in(path)
    again = from_text(to_text(summary), {})
    assert again == summary
    for text, value in ("details_text", again.details), ("rows_text", again.rows), ("moments_text", again.moments):
        assert to_json(value) == getattr(summary, text)
    assert {*map(type, again.seats)} == {SeatSummary}
    assert {type(one.richest) for one in again.seats} <= {PotShare, type(None)}


def test_rows_hold_numbers_of_any_size_and_refuse_half_a_row() -> None:
    big = PotShare(1, 2, 3, 2**40, 5, 1)
    assert from_json(NightRows, to_json(NightRows((), (big, big)))) == NightRows((), (big, big))
    with pytest.raises(ValueError, match="shorter"):
        from_json(PotShare, "[1,2,3]")


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
    check_pots(summary, [state for _, _, state in steps if state.hand not in given_up])
    assert all(0 <= one.hands <= summary.hands for one in summary.seats)
    assert summary.hand - len(given_up) - 1 <= summary.hands <= summary.hand - len(given_up)
    assert {one.hand for one in summary.rows.hands} == set(range(1, summary.hand + 1)) - given_up
    assert [one.place for one in summary.seats] == [
        {rank.seat: rank.place for rank in ranking(night)}[one.seat] for one in summary.seats
    ]
    assert {one.seat for one in summary.seats if one.place == 1} >= set(summary.winners)


def check_pots(summary: NightSummary, states: Sequence[Night]) -> None:
    """No pot ever held more than its most, nobody took more than that, and grew for no longer than was played."""
    for pot in summary.details.pots:
        assert pot.most == max(state.ledger.holds(pot.id) for state in states)
    for (_, place), chips in _sums(summary).items():
        assert 0 < chips <= summary.details.pots[place].most
    assert all(1 <= one.grown <= one.hand for one in summary.rows.taken)
    assert all(one.winner == NOBODY or 0 <= one.winner < len(summary.seats) for one in summary.rows.hands)


def _sums(summary: NightSummary) -> Counter[tuple[int, int]]:
    sums: Counter[tuple[int, int]] = Counter()
    for one in summary.rows.taken:
        sums[one.hand, one.pot] += one.chips
    return sums


def test_a_night_without_events_has_a_summary() -> None:
    preset = built_in("michigan-kitty")
    assert summarize(preset, [], []).hand == 0
    assert summarize(preset, [], []).phase == Night(preset).phase
