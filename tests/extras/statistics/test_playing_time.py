"""How long a night took: nights worked out by hand, and what holds for any times of a log."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

from extras._shared.score_nights import scores
from hypothesis import assume, given, settings, strategies as st
from support.core_nights import rummy
from support.random_nights import every_preset, legal_event

from tracker.core import log
from tracker.core.errors import TableError
from tracker.core.events import Amend, Amount, Event, Move, Name, Score as Points, SeatId, Sit, Text, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.extras.statistics.playing_time import BREAK_SECONDS, PlayingTime, playing_time
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended

BEGAN = datetime(2026, 3, 7, 20, tzinfo=UTC)
CHANCE = st.integers(0, 2**16).map(Random)


def timed(recorded: Sequence[Event], seconds: Sequence[int]) -> list[Entry]:
    """Return a log whose entries were recorded so many seconds after BEGAN."""
    times = [(BEGAN + timedelta(seconds=one)).isoformat() for one in seconds]
    return [Entry(at, event, f"e{at}", time) for at, (event, time) in enumerate(zip(recorded, times, strict=True), 1)]


def time_of(preset: Preset, entries: Sequence[Entry]) -> PlayingTime | None:
    return playing_time(entries, log.replay_accepted(preset, entries, amended)[0])


def two_hands() -> tuple[Preset, list[Event]]:
    """Return a night of two hands: three sit, hand 1 has three events, hand 2 two, then the end."""
    night = rummy("abc")
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


def test_a_score_game_begins_with_the_last_who_sat_down_and_a_round_lasts_until_it_is_written_down() -> None:
    preset = built_in("score-sheet")
    recorded: list[Event] = [Sit(SeatId(seat), Name(seat)) for seat in "ab"]
    recorded += [scores({"a": Points(at), "b": Points(3)}) for at in range(3)]
    found = time_of(preset, timed(recorded, [0, 500, 800, 1000, 1600]))
    assert found == PlayingTime((300, 200, 600), (1, 2, 3), 600)


def test_times_that_cant_be_those_of_the_play_say_nothing() -> None:
    preset, recorded = two_hands()
    for says, times in {
        "all at once, as a file that was brought in": [0] * 12,
        "faster than anybody plays": [*range(12)],
        "a break in every hand": [at * 700 for at in range(12)],
    }.items():
        assert time_of(preset, timed(recorded, times[: len(recorded)])) is None, says


def test_a_log_without_a_time_says_nothing() -> None:
    preset, recorded = two_hands()
    entries = timed(recorded, [at * 60 for at in range(len(recorded))])
    assert time_of(preset, entries)
    for at in (None, "", "yesterday"):
        entries[-1] = replace(entries[-1], at=at)
        assert time_of(preset, entries) is None
    assert time_of(preset, []) is None


def random_log(chance: Random) -> tuple[Preset, list[Entry], log.Steps]:
    """Return a log of random events with times: mostly a minute apart, with breaks, and clocks that go back."""
    preset = chance.choice(every_preset())
    night, entries, steps, now = Night(preset), list[Entry](), log.Steps(preset), BEGAN
    for _ in range(60):
        with suppress(TableError):
            event = legal_event(night, chance)
            if len(night.people) < 3:
                event = Sit(SeatId(f"s{len(entries)}"), Name("Ann"))
            now += timedelta(seconds=chance.choice((0, 5, *[60] * 12, 200, 599, 600, 601, 5000, -4000)))
            entry = Entry(len(entries) + 1, event, f"e{len(entries)}", now.isoformat())
            night = log.record(entries, entry, amended, steps)
            entries.append(entry)
    return preset, entries, steps


@given(CHANCE)
@settings(max_examples=60)
def test_hands_and_breaks_are_the_time_from_the_first_hand_to_the_end(chance: Random) -> None:
    _preset, entries, steps = random_log(chance)
    found = playing_time(entries, steps)
    assume(found)
    assert found
    first = next(at for at, (_, _, night) in enumerate(steps) if night.hand)
    first -= not steps[0][2].preset.is_pot_game
    end = next((at for at, (_, _, night) in enumerate(steps) if night.is_over), len(steps) - 1)
    moments = [datetime.fromisoformat(entries[number - 1].at or "") for number, _, _ in steps[first : end + 1]]
    given_up = {night.hand for _, _, night in steps if night.is_abandoned}
    nights = [night for _, _, night in steps[first : end + 1]]
    waits = [
        max(0.0, (now - then).total_seconds())
        for (then, now), night in zip(pairwise(moments), nights, strict=False)
        if night.hand not in given_up
    ]
    breaks = sum(one for one in waits if one > BREAK_SECONDS)
    assert found.played + breaks == sum(waits)
    assert min(found.hands) >= 0
    assert [*found.numbers] == [hand for hand in range(1, steps[-1][2].hand + 1) if hand not in given_up]
    assert len(found.hands) == len(found.numbers)
    assert found.longest_wait == max(one for one in waits if one <= BREAK_SECONDS)
    if moments == sorted(moments) and not given_up:
        assert found.played + breaks == (moments[-1] - moments[0]).total_seconds()


@given(CHANCE)
@settings(max_examples=40)
def test_what_is_taken_back_or_amended_changes_no_time_however_late(chance: Random) -> None:
    preset, entries, steps = random_log(chance)
    before = playing_time(entries, steps)
    late = (BEGAN + timedelta(days=chance.choice((0, 3)), seconds=chance.randint(-9000, 9000))).isoformat()
    seat = steps[0][2].all_seats[0]
    added: list[Event] = [Amend(1, {"name": "Zoe"})]
    if preset.is_pot_game and not steps[-1][2].is_over and steps[-1][2].stack(seat):
        added += [Move(seat, "bank", Amount(1), Text("")), Undo(len(entries) + 2)]
    for event in added:
        entry = Entry(len(entries) + 1, event, f"late{len(entries)}", late)
        log.record(entries, entry, amended, steps)
        entries.append(entry)
    assert playing_time(entries, steps) == before
