"""Lines of everybody's numbers over a night, drawn on the server as SVG: it needs no script, prints, and has a table
beside it. Colours are classes, so that it fits every theme."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

from tracker.web.drawing.player_token import PlayerToken
from tracker.web.wording.texts import plain

MARKED_UP_TO = 16
"""Points on a line up to which each carries its mark: more would be a band."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, *(many * 10**zeros for zeros in range(2, 7) for many in (5, 10, 20)))


@dataclass(frozen=True)
class PlotArea:
    """Where the parts of a chart are, in units of its drawing."""

    left: float
    right: float
    top: float
    bottom: float
    """The edges of the field that the lines are drawn in."""
    names: float
    """The height at which the names of the moments stand."""
    token: float
    """The diameter of the token at a line's end."""
    text: float
    """The size of the letters."""


PAGE = PlotArea(left=34, right=326, top=10, bottom=212, names=229, token=18, text=11)
TABLE = PlotArea(left=25, right=172, top=15, bottom=106, names=116, token=13, text=6.6)


@dataclass(frozen=True)
class ChartLine:
    """One person's line: a value at each moment, drawn from the moment `first` on."""

    face: PlayerToken
    values: tuple[int, ...]
    first: int = 0
    away: frozenset[int] = frozenset()
    """The moments of hands or rounds at which the person had left the table."""

    @property
    def is_drawn(self) -> bool:
        """Whether it has two points: who waits for a first round has no line yet."""
        return self.first < len(self.values) - 1

    def in_table(self, at: int) -> int | None:
        """Return the value after a moment; None for rounds before the first or after the last: an empty cell."""
        is_there = at not in self.away and (at > self.first or not self.first)
        return self.values[at] if is_there else None


def line_chart(
    series: Sequence[ChartLine],
    moments: Sequence[str],
    *,
    title: str,
    desc: str,
    value_text: Callable[[int], str] = plain,
) -> Markup:
    """Return the chart of a page as SVG, nothing for fewer than two moments; empty names are left out on the axis."""
    if len(moments) < 2 or not series:
        return Markup("")
    return Markup(  # noqa: S704  every text in it is escaped
        f'<svg class="chart" viewBox="0 0 360 236" role="img" aria-labelledby="chart-t chart-d">'
        f'<title id="chart-t">{escape(title)}</title><desc id="chart-d">{escape(desc)}</desc>'
        f"{lines(series, moments, PAGE, value_text)}</svg>"
    )


def lines(
    series: Sequence[ChartLine],
    moments: Sequence[str],
    frame: PlotArea,
    value_text: Callable[[int], str] = plain,
) -> str:
    """Return what is in a chart of two moments or more: the axes, the lines, everybody's token at the end of theirs."""
    series = [one for one in series if one.is_drawn]
    low, high, step = scale(value for one in series for value in one.values[one.first :])

    def at(place: int, value: float) -> tuple[float, float]:
        x = frame.left + (frame.right - frame.left) * place / (len(moments) - 1)
        return x, frame.top + (frame.bottom - frame.top) * (high - value) / (high - low)

    parts = [
        *(_level(at(0, value)[1], value, frame, value_text(value)) for value in range(low, high + 1, step)),
        *(
            f'<text class="c-x" x="{at(place, low)[0]:.1f}" y="{frame.names:g}">{escape(moments[place])}</text>'
            for place in _labelled(moments)
        ),
        *(_line(one, [at(x, one.values[x]) for x in range(one.first, len(moments))], frame) for one in series),
        *_ends(series, [at(len(moments) - 1, one.values[-1])[1] for one in series], frame),
    ]
    return "".join(parts)


def scale(values: Iterable[int]) -> tuple[int, int, int]:
    """Return the lowest and highest value of the axis and the step between its lines: round, with zero among them."""
    found = [0, *values]
    low, high = min(found), max(found)
    step = next((one for one in STEPS if (high - low) / one <= 5), max(1, (high - low) // 5))
    lowest, highest = low // step * step, -(-high // step) * step
    return lowest, highest if highest > lowest else lowest + step, step


def _labelled(moments: Sequence[str]) -> list[int]:
    """Return the moments named on the axis: those with a name, or every so-manieth and always the last."""
    if not all(moments):
        return [place for place, name in enumerate(moments) if name]
    count = len(moments)
    every = max(1, -(-(count - 1) // 9))
    shown = list(range(0, count - 1, every))
    while shown and count - 1 - shown[-1] < every * 0.7 and len(shown) > 1:
        shown.pop()
    return [*shown, count - 1]


def _level(y: float, value: int, frame: PlotArea, text: str) -> str:
    kind = "c-zero" if value == 0 else "c-level"
    return (
        f'<path class="{kind}" d="M{frame.left:g} {y:.1f}H{frame.right:g}"/>'
        f'<text class="c-y" x="{frame.left - frame.text * 0.45:g}" y="{y + frame.text * 0.35:.1f}">'
        f"{escape(text)}</text>"
    )


def _line(one: ChartLine, points: Sequence[tuple[float, float]], frame: PlotArea) -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    scaled = f"scale({frame.token / PAGE.token:.2g})"
    marks = "".join(
        f'<path class="c-mark" d="{MARKS[one.face.colour]}" transform="translate({x:.1f} {y:.1f}){scaled}"/>'
        for x, y in (points[:-1] if len(points) <= MARKED_UP_TO else ())
    )
    return (
        f'<g class="p{one.face.colour} l{one.face.colour}">'
        f'<path class="c-casing" fill="none" d="M{path}"/>'
        f'<path class="c-line" fill="none" stroke="#555" d="M{path}"/>{marks}</g>'
    )


MARKS = {
    1: "M-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0z",
    2: "M-2.4-2.4h4.8v4.8h-4.8z",
    3: "M0-3l2.9 5h-5.8z",
    4: "M0-3.4l3.4 3.4l-3.4 3.4l-3.4-3.4z",
    5: "M0 3l2.9-5h-5.8z",
    6: "M-3.6-1.4h7.2v2.8h-7.2z",
    7: "M-1.4-3.6h2.8v7.2h-2.8z",
    8: "M-1.5-2.7h3l1.5 2.7l-1.5 2.7h-3l-1.5-2.7z",
}
"""A mark of its own for each colour, so that lines are told apart without it."""


def _ends(series: Sequence[ChartLine], heights: Sequence[float], frame: PlotArea) -> Iterable[str]:
    """Draw everybody's token at the end of their line, moved apart where lines end together."""
    size, half = frame.token, frame.token / 2
    left = frame.right + half
    moved = spread_apart(heights, size, frame.top, frame.bottom + half / 2)
    for one, height, y in zip(series, heights, moved, strict=True):
        yield (
            f'<g class="c-end p{one.face.colour} l{one.face.colour}">'
            f'<path class="c-lead" fill="none" d="M{frame.right:g} {height:.1f}L{left:g} {y:.1f}"/>'
            f'<use href="#token" x="{left:g}" y="{y - half:.1f}" width="{size:g}" height="{size:g}"/>'
            f'<text x="{left + half:g}" y="{y + size * 0.16:.1f}">{escape(one.face.initial)}</text></g>'
        )


def spread_apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return a place for each that is wanted, at least `gap` apart (less where the room is too small for it), between
    `low` and `high`."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    places = [max(place, low) for place in wanted]
    for before, at in pairwise(order):
        places[at] = max(places[at], places[before] + gap)
    for at in reversed(order):
        places[at] = min(places[at], high)
        high = places[at] - gap
    return places
