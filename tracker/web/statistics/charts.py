"""The chart of what people have won and lost altogether, night after night, with the table of its numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from tracker.archive.statistics import MONEY, PlayedNight, Unit, cumulative
from tracker.web.drawing.line_chart import ChartLine, line_chart, scale
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.statistics.words import result_text
from tracker.web.wording.dates import month_name, month_words
from tracker.web.wording.texts import amount, gettext as _, listed, plain

MOST_LINES = 8
MOST_POINTS = 160
"""On a line: the points of more nights would lie on top of each other."""
MOST_LABELS = 8
MOST_ROWS = 24
MOST_YEARS_WITH_MONTHS = 2


@dataclass(frozen=True)
class CumulativeChart:
    """The chart, and its numbers: after the last night of each month, or of each year when there are many."""

    picture: Markup
    faces: Sequence[PlayerToken]
    rows: Sequence[tuple[str, Sequence[str]]]


def cumulative_chart(
    nights: Sequence[PlayedNight], unit: Unit, faces: Sequence[PlayerToken], title: str
) -> CumulativeChart:
    """Return the chart of these people (the first eight) over the nights that have results in a unit."""
    counted, shown = [night for night in nights if unit in night.units], faces[:MOST_LINES]
    sums = [[0, *cumulative(counted, unit, face.seat)] for face in shown]
    days = [night.day for night in counted]
    every = max(1, -(-len(counted) // MOST_POINTS))
    places = [*range(len(counted) % every, len(counted) + 1, every)]
    lines = [ChartLine(face, tuple(one[place] for place in places)) for face, one in zip(shown, sums, strict=True)]
    ends = listed(f"{face.name} {result_text(unit, one[-1])}" for face, one in zip(shown, sums, strict=True))
    picture = line_chart(
        lines,
        moment_names([days[place - 1] if place else None for place in places]),
        title=title,
        desc=_("At the end: %(ends)s", ends=ends),
        value_text=axis_text(unit, [value for one in sums for value in one]),
    )
    return CumulativeChart(picture, shown, _rows(days, sums, unit))


def moment_names(days: Sequence[date | None]) -> list[str]:
    """Return the name of each moment on the axis: a year or a month at its first night, at most eight; else nothing."""
    months = {(day.year, day.month): place for place, day in reversed([*enumerate(days)]) if day}
    years = {number: place for (number, _month), place in sorted(months.items(), reverse=True)}
    places = sorted(years.values() if len(years) > MOST_YEARS_WITH_MONTHS else months.values())
    apart, newest, names = max(1, -(-len(days) // MOST_LABELS)), -len(days), [""] * len(days)
    for place in places:
        day = days[place]
        if day and place - newest >= apart:
            names[place] = str(day.year) if len(years) > 1 and years[day.year] == place else month_name(day)
            newest = place
    return names


def axis_text(unit: Unit, values: Sequence[int]) -> Callable[[int], str]:
    """Return how the axis writes a number: money in whole units where all its steps are whole."""
    if unit != MONEY:
        return plain
    _low, _high, step = scale(values)
    return (lambda cents: plain(int(cents / 100))) if step % 100 == 0 else amount


def _rows(days: Sequence[date | None], sums: Sequence[Sequence[int]], unit: Unit) -> list[tuple[str, Sequence[str]]]:
    last = {(day.year, day.month): place for place, day in enumerate(days, start=1) if day}
    by_year = {number: place for (number, _month), place in last.items()}
    ends = {month_words(date(*month, 1)): place for month, place in last.items()}
    if len(ends) > MOST_ROWS:
        ends = {str(number): place for number, place in by_year.items()}
    return [(name, [result_text(unit, one[place]) for one in sums]) for name, place in ends.items()]
