"""What statistics keep of a night: figures of nights worked out by hand, times, and that no hand given up counts."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from extras._shared.score_nights import scores
from extras.statistics.played_nights import rummy, score_night
from support.core_nights import rummy as rummy_night, with_two_given_up
from support.of_extras import needs

from tracker.core import log
from tracker.core.events import (
    Abandon,
    Amend,
    Amount,
    Event,
    Hand,
    Move,
    Name,
    NoSale,
    Score as Points,
    SeatId,
    Sit,
    Text,
    Undo,
)
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.core.queries.summary import hand_ends
from tracker.extras._night_summaries.summarize import summarize
from tracker.extras.statistics.details import NOBODY, FullSummary, NightRows, PotShare, full, rows_of
from tracker.extras.statistics.moments import Moment, best_moments, pots_taken
from tracker.extras.statistics.playing_time import PlayingTime, playing_time
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended
from tracker.formats.records import made, plain

BEGAN = datetime(2026, 3, 7, 20, tzinfo=UTC)


def named(summary: FullSummary, seat: int) -> str:
    return summary.seats[seat].seat


def test_hands_and_rounds_have_who_dealt_and_won_and_pots_what_they_had_grown_to_for_each_who_shared_them() -> None:
    night = rummy()
    hands = [(one.hand, named(night, one.dealer), named(night, one.winner)) for one in rows_of(night).hands]
    assert hands == [(1, "a", "b"), (2, "b", "c"), (3, "c", "a"), (4, "d", "c")]
    pots = [pot.id for pot in night.figures.pots]
    taken = {(one.hand, pots[one.pot], named(night, one.seat)): one[3:] for one in rows_of(night).taken}
    assert taken[1, "king-clubs", "c"] == (5, 1, 1)
    assert taken[3, "king-queen-hearts", "d"] == (15, 3, 1)
    assert taken[4, "ten-hearts", "c"] == (15, 3, 1)  # emptied in the first hand
    assert taken[2, "poker", "b"] == taken[2, "poker", "d"] == (2, 1, 2)  # and the odd chip stays
    assert taken[3, "poker", "c"] == (6, 1, 1)
    needs("rum")
    snake = score_night("snake-two-penalties")
    assert [(one.hand, one.dealer, named(snake, one.winner)) for one in rows_of(snake).hands] == [(1, NOBODY, "w")]
    assert snake.seats[snake.place_of["w"]].score == 132
    assert {one.seat: one.penalty_cost for one in snake.seats if one.penalties} == {"x": 20, "y": 20}


def test_a_pot_that_was_given_back_in_its_hand_has_grown_through_it() -> None:
    night = rummy_night("abc", bar__scope="whole_hand_refund").hand("a").collect("b", "king-clubs")
    night.withholds("b", "H").out("c", a=1, b=1).hand("b").collect("a", "king-clubs")
    summary = full(summarize(night.preset, night.entries, night.steps))
    pots = [pot.id for pot in summary.figures.pots]
    grown = [(one.hand, one.grown) for one in rows_of(summary).taken if pots[one.pot] == "king-clubs"]
    assert grown == [(2, 2)]
    ends = hand_ends(state for _, _, state in night.steps)
    assert [(one.hand, one.hands_grown) for one in pots_taken(ends) if one.pot == "king-clubs"] == grown


def test_rows_hold_numbers_of_any_size_and_refuse_half_a_row() -> None:
    big = PotShare(1, 2, 3, 2**40, 5, 1)
    assert made(NightRows, plain(NightRows((), (big, big))._asdict())) == NightRows((), (big, big))
    with pytest.raises(ValueError, match="shorter"):
        made(PotShare, [1, 2, 3])


# The best moments


def moments(*hands: tuple[str, str, dict[str, str]]) -> dict[str, Moment]:
    """Return the moments of hands, each told by its dealer, who went out, and who took which pots."""
    night = rummy_night("abc", poker__when="off")
    for dealer, winner, taken in hands:
        night.hand(dealer)
        for pot, seat in taken.items():
            night.collect(seat, pot)
        night.out(winner, **dict.fromkeys({*"abc"} - {winner}, 2))
    return {moment.kind: moment for moment in best_moments((state for _, _, state in night.steps), most=6)}


def test_three_hands_won_in_a_row_are_a_streak() -> None:
    taken = {"ace-hearts": "b", "king-clubs": "b"}
    streak = moments(*((dealer, "b", taken) for dealer in "abc"), ("a", "c", {}))["streak"]
    assert (streak.seats, streak.times, streak.hand, streak.is_in_a_row) == (("b",), 3, 3, True)
    assert streak.weight == 16


def test_the_best_hand_is_left_out_where_it_is_the_richest_pot() -> None:
    hands = [("a", "b", dict[str, str]()), ("b", "c", dict[str, str]())]
    same = moments(*hands, ("c", "a", {"queen-hearts": "a"}))
    assert same["pot"].seats == ("a",)
    assert "hand" not in same
    other = moments(*hands, ("c", "b", {"queen-hearts": "a", "ace-hearts": "b", "king-clubs": "b"}))
    assert (other["pot"].seats, other["hand"].seats) == (("a",), ("b",))
    assert moments() == {}


# How long was played


def timed(recorded: Sequence[Event], seconds: Sequence[int]) -> list[Entry]:
    """Return a log whose entries were recorded so many seconds after BEGAN."""
    times = [(BEGAN + timedelta(seconds=one)).isoformat() for one in seconds]
    return [Entry(at, event, f"e{at}", time) for at, (event, time) in enumerate(zip(recorded, times, strict=True), 1)]


def time_of(preset: Preset, entries: Sequence[Entry]) -> PlayingTime | None:
    return playing_time(entries, log.replay_accepted(preset, entries, amended)[0])


def two_hands() -> tuple[Preset, list[Event]]:
    """Return a night of two hands: three sit, hand 1 has three events, hand 2 two, then the end."""
    night = rummy_night("abc")
    for dealer, winner in (("a", "b"), ("b", "a")):
        night.hand(dealer).out(winner, **{one: 1 for one in "abc" if one != winner}).record("poker", winners=["c"])
    night.record("end")
    return night.preset, [one.event for one in night.entries]


def test_a_hand_lasts_until_the_next_and_a_break_is_no_play() -> None:
    preset, recorded = two_hands()
    sits, hands = [0, 10, 20], [100, 110, 400, 420, 1021, 1030, 1330, 1350]
    found = time_of(preset, timed(recorded, [*sits, *hands, 1940]))
    assert found == PlayingTime((320, 329 + 590), (1, 2), 590)
    assert (found.played, found.longest_hand) == (1239, 2)
    late: list[Event] = [Amend(1, {"name": "Zoe"}), Move("a", "bank", Amount(1), Text("")), Undo(len(recorded) + 1)]
    corrected = [*recorded[:-1], *late, recorded[-1]]
    assert found == time_of(preset, timed(corrected, [*sits, *hands, 999_999, 1_000_000, -9000, 1940])), "however late"

    hands[2] = 60  # a clock that goes back
    given_up = [*recorded[:-1], Hand("c"), NoSale(), Abandon(), recorded[-1]]
    found = time_of(preset, timed(given_up, [*sits, *hands, 1400, 1500, 1600, 1700]))
    assert found == PlayingTime((10 + 360, 9 + 300 + 20 + 50), (1, 2), 360)


def test_a_score_game_begins_with_the_last_who_sat_down_and_a_round_lasts_until_it_is_written_down() -> None:
    preset = built_in("score-sheet")
    recorded: list[Event] = [Sit(SeatId(seat), Name(seat)) for seat in "ab"]
    recorded += [scores({"a": Points(at), "b": Points(3)}) for at in range(3)]
    found = time_of(preset, timed(recorded, [0, 500, 800, 1000, 1600]))
    assert found == PlayingTime((300, 200, 600), (1, 2, 3), 600)


def test_a_log_without_times_of_the_play_says_nothing() -> None:
    preset, recorded = two_hands()
    entries = timed(recorded, [at * 60 for at in range(len(recorded))])
    assert time_of(preset, entries)
    for at in (None, "", "yesterday"):
        assert time_of(preset, [*entries[:-1], replace(entries[-1], at=at)]) is None
    assert time_of(preset, []) is None
    for says, times in {
        "all at once, as a file that was brought in": [0] * 12,
        "faster than anybody plays": [*range(12)],
        "a break in every hand": [at * 700 for at in range(12)],
    }.items():
        assert time_of(preset, timed(recorded, times[: len(recorded)])) is None, says


def test_two_of_five_hands_that_were_given_up_are_no_hands() -> None:
    night = with_two_given_up()
    one = full(summarize(night.preset, night.entries, night.steps))
    quin = one.seats[one.place_of["q"]]
    assert (one.hand, one.hands, [seat.hands for seat in one.seats]) == (5, 3, [3, 3, 3])
    assert (quin.wins, quin.wins_in_a_row) == (3, 3)
    [streak] = [moment for moment in one.figures.moments if moment.kind == "streak"]
    assert (streak.times, streak.is_in_a_row) == (3, True)
