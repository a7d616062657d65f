"""The night as a line chart, drawn on the server as SVG: it needs no script, prints, and has a table beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from tracker.web.drawing.player_token import PlayerToken
from tracker.web.wording.texts import MINUS

WIDTH, HEIGHT = 360.0, 236.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 34.0, 10.0, 24.0
TOKEN = 18.0
MARKED_UP_TO = 16
"""Points on a line up to which each carries its mark: more would be a band."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)


@dataclass(frozen=True)
class Series:
    """One person's line: a value at each moment."""

    face: PlayerToken
    values: tuple[int, ...]


def line_chart(
    series: Sequence[Series], moments: Sequence[str], *, title: str, desc: str, key: str = "chart"
) -> Markup:
    """Return the chart as SVG; nothing while there are fewer than two moments. `key` makes its ids its own."""
    if len(moments) < 2 or not series:
        return Markup("")
    low, high, step = scale(value for one in series for value in one.values)

    def at(place: int, value: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * place / (len(moments) - 1)
        return x, TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-labelledby="{key}-t {key}-d">',
        f'<title id="{key}-t">{escape(title)}</title><desc id="{key}-d">{escape(desc)}</desc>',
        *(_level(at(0, value)[1], value) for value in range(low, high + 1, step)),
        *(_moment(at(place, low)[0], moments[place]) for place in _labelled(len(moments))),
        *(_line(one, [at(place, value) for place, value in enumerate(one.values)]) for one in series),
        *_ends(series, [at(len(moments) - 1, one.values[-1])[1] for one in series]),
        "</svg>",
    ]
    return Markup("".join(parts))  # noqa: S704  every text in it is escaped


def scale(values: Iterable[int]) -> tuple[int, int, int]:
    """Return the lowest and highest value of the axis and the step between its lines: round, with zero among them."""
    found = [0, *values]
    low, high = min(found), max(found)
    step = next((one for one in STEPS if (high - low) / one <= 5), max(1, (high - low) // 5))
    lowest, highest = low // step * step, -(-high // step) * step
    return lowest, highest if highest > lowest else lowest + step, step


def _labelled(count: int) -> list[int]:
    """Return the moments that get their name on the axis: all of a few, every so-manieth of more, the last always."""
    every = max(1, -(-(count - 1) // 9))
    shown = list(range(0, count - 1, every))
    while shown and count - 1 - shown[-1] < every * 0.7 and len(shown) > 1:
        shown.pop()
    return [*shown, count - 1]


def _level(y: float, value: int) -> str:
    text = f"{MINUS}{-value}" if value < 0 else f"+{value}" if value else "0"
    kind = "c-zero" if value == 0 else "c-level"
    return (
        f'<path class="{kind}" d="M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}"/>'
        f'<text class="c-y" x="{LEFT - 5:g}" y="{y + 3.6:.1f}">{text}</text>'
    )


def _moment(x: float, name: str) -> str:
    return f'<text class="c-x" x="{x:.1f}" y="{HEIGHT - 7:g}">{escape(name)}</text>'


def _line(one: Series, points: Sequence[tuple[float, float]]) -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    marks = "".join(_mark(one.face.colour, x, y) for x, y in points[:-1]) if len(points) <= MARKED_UP_TO else ""
    return f'<g class="l{one.face.colour}"><path class="c-line" d="M{path}"/>{marks}</g>'


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


def _mark(colour: int, x: float, y: float) -> str:
    return f'<path class="c-mark" d="{MARKS[colour]}" transform="translate({x:.1f} {y:.1f})"/>'


def _ends(series: Sequence[Series], heights: Sequence[float]) -> Iterable[str]:
    """Draw everybody's token at the end of their line, moved apart where lines end together."""
    order = sorted(range(len(series)), key=lambda at: heights[at])
    spread = apart([heights[at] for at in order], TOKEN + 1, TOP + TOKEN / 2 - 6, HEIGHT - BOTTOM + 6)
    x = WIDTH - TOKEN / 2 - 2
    for at, y in zip(order, spread, strict=True):
        face, lead = series[at].face, f"M{WIDTH - RIGHT:g} {heights[at]:.1f}L{x - TOKEN / 2:.1f} {y:.1f}"
        yield (
            f'<path class="c-lead l{face.colour}" d="{lead}"/>'
            f'<g class="c-end p{face.colour}"><circle cx="{x:.1f}" cy="{y:.1f}" r="{TOKEN / 2:g}"/>'
            f'<text x="{x:.1f}" y="{y + 3.2:.1f}">{escape(face.initial)}</text></g>'
        )


def apart(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return rising places moved so that neighbours are `gap` apart, as near to where they were as that allows."""
    moved = list(places)
    gap = min(gap, (high - low) / max(1, len(moved) - 1))
    for _round in range(60):
        for at in range(len(moved) - 1):
            if moved[at + 1] - moved[at] < gap:
                middle = (moved[at] + moved[at + 1]) / 2
                moved[at], moved[at + 1] = middle - gap / 2, middle + gap / 2
        moved = [min(max(place, low), high) for place in moved]
    return moved
