"""The best moments of a year: those of its nights, in the same measures."""

from __future__ import annotations

import pytest
from support.played_nights import DAY, played

from tracker.archive.statistics.played_nights import PlayedNight
from tracker.archive.statistics.year_moments import year_moments
from tracker.archive.summarize import summarize
from tracker.core.queries.best_moments import Moment, best_moments
from tracker.simulation.demo import DemoNight, demo_nights

EVERY_KIND = 6


@pytest.fixture(scope="module", name="nights")
def _nights() -> list[tuple[DemoNight, PlayedNight]]:
    found = [one for one in demo_nights(24, 11, DAY) if one.night.is_over]
    return [(one, played([summarize(one.preset, one.entries, one.steps)])[0]) for one in found]


def moment_of(night: PlayedNight, kind: str) -> Moment | None:
    return next((one for one in night.summary.moments if one.kind == kind), None)


def told(moment: Moment) -> tuple[object, ...]:
    pot = (moment.pot.pot, {*moment.pot.seats}, moment.pot.chips) if moment.pot else ()
    return (*pot, {*moment.seats}, moment.hand, moment.chips, moment.price)


@pytest.mark.parametrize("kind", ["pot", "hand", "comeback", "dummy"])
def test_a_summary_tells_the_moments_of_its_night(nights: list[tuple[DemoNight, PlayedNight]], kind: str) -> None:
    compared = 0
    for demo, night in nights:
        if night.summary.game != "pots":
            continue
        real = [one for one in best_moments((state for _, _, state in demo.steps), EVERY_KIND) if one.kind == kind]
        found = moment_of(night, kind)
        if real:
            assert found
            assert (found.chips, found.price) == (real[0].chips, real[0].price)
            compared += told(found) == told(real[0])
        elif kind != "hand":  # which is left out where it is the richest pot
            assert found is None
    assert compared >= 2


def test_streaks_and_close_finishes_are_those_of_the_night(nights: list[tuple[DemoNight, PlayedNight]]) -> None:
    rows = finishes = 0
    for demo, night in nights:
        found = {one.kind: one for one in best_moments((state for _, _, state in demo.steps), EVERY_KIND)}
        mine, real = moment_of(night, "streak"), found.get("streak")
        if mine:
            assert real
            assert (mine.times, real.is_in_a_row) == (real.times, True)
            rows += 1
        else:
            assert not real or not real.is_in_a_row
        if night.summary.game == "pots":
            close = moment_of(night, "finish")
            assert bool(close) == ("finish" in found)
            finishes += bool(close)
            assert not close or close.chips == found["finish"].chips
    assert rows
    assert finishes


def test_a_year_has_the_greatest_of_each_kind(nights: list[tuple[DemoNight, PlayedNight]]) -> None:
    year = [night for _, night in nights]
    found = {moment.kind: moment for _, moment in year_moments(year)}
    assert len(found) == EVERY_KIND
    pots = [moment for night in year if (moment := moment_of(night, "pot"))]
    assert found["pot"].chips == max(one.chips for one in pots)
    assert year_moments([]) == []
