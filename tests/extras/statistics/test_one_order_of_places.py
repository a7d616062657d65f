"""Places and ties are the same in statistics and ladder as in a night's summary."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from extras.statistics.played_nights import played
from support.core_nights import CoreNight, kitty
from support.random_nights import every_preset, random_night

from tracker.archive.night_summary import NightSummary
from tracker.archive.summarize import summarize
from tracker.core import log
from tracker.core.log import Entry
from tracker.core.night import ENDED
from tracker.core.preset import Preset
from tracker.extras.statistics.ladder import POINTS, ladder_nights
from tracker.extras.statistics.totals import times_ahead, totals_of
from tracker.formats.codec import amended

NIGHTS = 4
GAMES = every_preset()


@pytest.mark.parametrize("preset", GAMES, ids=lambda preset: preset.id)
def test_statistics_and_ladder_have_the_places_of_any_night(preset: Preset) -> None:
    counted_nights = 0
    for chance in range(NIGHTS):
        events = random_night(preset, Random(chance), 80, 4)
        entries = [Entry(at, event) for at, event in enumerate(events, start=1)]
        steps, _ = log.replay_accepted(preset, entries, amended)
        one = replace(summarize(preset, entries, steps), phase=ENDED)
        if not (nights := played([one])):
            continue
        counted_nights += 1
        places = {seat.seat: seat.place for seat in one.seats}
        counted = [seat.seat for seat in one.seats if one.counts_for(seat)]
        won = {seat for seat in places if totals_of(nights, seat).won}
        assert won == {seat for seat in counted if places[seat] == 1}
        for mine, other in combinations(counted, 2):
            expected = (places[mine] < places[other], places[mine] > places[other], places[mine] == places[other])
            assert times_ahead(nights, mine, other) == expected
        check_ladder(one, places, counted)
    assert counted_nights


def check_ladder(one: NightSummary, places: Mapping[str, int], counted: list[str]) -> None:
    [in_ladder] = ladder_nights([one], POINTS)
    points = {seat.seat: seat.score for seat in in_ladder.summary.seats}
    for mine, other in combinations(counted, 2):
        assert (points[mine] > points[other]) == (places[mine] < places[other])
        assert (points[mine] == points[other]) == (places[mine] == places[other])
    assert [points[seat] for seat in places if seat not in counted] == [0] * (len(places) - len(counted))
    assert sum(points.values()) == len(counted) * (len(counted) - 1)  # two for each pair, whoever did better


# The faces of it, worked by hand


def in_ladder(night: CoreNight) -> dict[str, int]:
    """Return the ladder points of a night that ends now."""
    night.record("end")
    [found] = ladder_nights([summarize(night.preset, night.entries, night.steps)], POINTS)
    return {seat.seat: seat.score for seat in found.summary.seats}


def hearts(**points: int) -> CoreNight:
    return CoreNight("hearts", points).record("scores", points=points)


def test_equal_winners_have_equal_points_in_the_ladder() -> None:
    night = hearts(a=6, b=12, c=8).record("sit", seat="d", name="Dot")
    night.record("scores", points={"a": 8, "b": 10, "c": 6, "d": 2})
    assert night.winners == ["a", "c", "d"]
    assert in_ladder(night) == {"a": 4, "b": 0, "c": 4, "d": 4}


def test_second_and_third_are_in_the_ladder_as_on_the_page() -> None:
    night = hearts(a=0, b=12, c=14).record("sit", seat="d", name="D")
    night.record("scores", points={"a": 13, "b": 0, "c": 13, "d": 0})
    assert in_ladder(night) == {"a": 4, "b": 6, "c": 0, "d": 2}


def test_who_left_early_stands_behind_those_who_stayed_in_the_ladder_too() -> None:
    night = hearts(a=0, b=12, c=14).record("leave", seat="a")
    night.record("scores", points={"b": 13, "c": 13})
    assert in_ladder(night) == {"a": 0, "b": 4, "c": 2}


def test_who_played_no_hand_of_a_board_has_no_points_and_no_night() -> None:
    night = kitty("pqr").hand("p").out("q", p=1, r=2).record("sit", seat="s", name="S")
    assert in_ladder(night) == {"p": 2, "q": 4, "r": 0, "s": 0}


def test_a_night_whose_only_hand_was_given_up_counts_nowhere() -> None:
    night = kitty("pqr").hand("p").record("abandon").record("end")
    one = summarize(night.preset, night.entries, night.steps)
    assert (one.hands, one.winners, ladder_nights([one], POINTS), played([one])) == (0, (), [], [])


def test_two_seats_of_one_name_are_one_person_with_the_better_place() -> None:
    night = CoreNight("hearts", "").record("sit", seat="a", name="Ann").record("sit", seat="b", name="Ben")
    night.record("sit", seat="x", name="ann").record("scores", points={"a": 3, "b": 5, "x": 9})
    assert in_ladder(night) == {"a": 2, "b": 0, "x": 0}
