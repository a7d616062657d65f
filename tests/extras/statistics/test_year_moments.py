"""The best moments of a night are the same in its summary, from which a year tells them, and on its own pages."""

from dataclasses import replace
from random import Random
from typing import get_args

from extras.statistics.played_nights import played, rummy
from support.random_nights import every_preset, random_night

from tracker.archive.summarize import summarize
from tracker.core import log
from tracker.core.log import Entry
from tracker.core.night import ENDED
from tracker.core.queries.best_moments import BEST, Kind, Moment, best_moments
from tracker.extras.statistics.details import FullSummary, full
from tracker.extras.statistics.totals import year_moments
from tracker.formats.codec import amended

NIGHTS_OF_EACH = 6


def test_summary_year_and_result_tell_the_same_moments_of_any_night_of_every_preset() -> None:
    """`night_result`, from which the settlement and the film tell them, asks `best_moments` of the same states."""
    kinds: set[Kind] = set()
    for number, preset in enumerate(every_preset()):
        for chance in range(NIGHTS_OF_EACH):
            events = random_night(preset, Random(100 * number + chance), 80, 4)
            entries = [Entry(at, event) for at, event in enumerate(events, start=1)]
            steps, _ = log.replay_accepted(preset, entries, amended)
            shown = best_moments(state for _, _, state in steps)
            summary = full(summarize(preset, entries, steps))
            assert [*summary.figures.moments[:BEST]] == shown, preset.id
            kinds |= {moment.kind for moment in summary.figures.moments}
            year = played([replace(summary, phase=ENDED)])
            told = {moment.kind: moment for _, moment in year_moments(year)}
            assert not year or told == {moment.kind: moment for moment in summary.figures.moments}, preset.id
    assert kinds == {*get_args(Kind)}


def with_moments(code: str, *moments: Moment) -> FullSummary:
    night = rummy(code=code)
    return replace(night, figures=replace(night.figures, moments=moments))


def test_a_year_has_the_greatest_of_each_kind() -> None:
    small, great = Moment("pot", ("a",), 1, 30, 30), Moment("pot", ("b",), 2, 45, 45)
    hand, deep = Moment("hand", ("a",), 3, 12, 12), Moment("comeback", ("b",), 4, 20, -20)
    nights = played([with_moments("one", small, deep), with_moments("two", hand, great), with_moments("three", small)])
    found = {moment.kind: (night.summary.code, moment) for night, moment in year_moments(nights)}
    assert found == {"pot": ("two", great), "hand": ("two", hand), "comeback": ("one", deep)}
    assert year_moments([]) == []
