"""Two drawings for the table top of the snake game: the snake before the first deal, then the totals as lines.

Units: the picture is 200 wide and 124 high. Colours are classes, so that it fits both themes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import atan2, cos, degrees, sin

from markupsafe import escape

from tracker.web.drawing.player_token import PlayerToken

LEFT, RIGHT, TOP, BOTTOM = 25.0, 172.0, 15.0, 106.0
TOKEN = 13.0
MOST_MARKS = 16
NICE = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)
SNAKE = ("7C", "KH", "3S", "10D", "QC", "5H", "JS", "2D", "9C", "AH", "8S")


def lines(faces: Sequence[PlayerToken], totals: Sequence[Mapping[str, int]]) -> str:
    """Return a line for each person, from nothing before the first deal to the total after the last."""
    rows = [dict.fromkeys((face.seat for face in faces), 0), *totals]
    low, high, step = scale(min(min(row.values()) for row in rows), max(max(row.values()) for row in rows))

    def y(points: int) -> float:
        return BOTTOM - (points - low) * (BOTTOM - TOP) / (high - low)

    def x(deal: int) -> float:
        return LEFT + deal * (RIGHT - LEFT) / (len(rows) - 1)

    grid = "".join(_grid(y(points), points) for points in range(low, high + 1, step))
    every = -(-len(totals) // 10)
    deals = "".join(f'<text class="g-x" x="{x(at):.1f}" y="116">{at}</text>' for at in range(every, len(rows), every))
    ends = _apart([y(rows[-1].get(face.seat, 0)) for face in faces])
    drawn = [
        _line(face, [(x(at), y(row.get(face.seat, 0))) for at, row in enumerate(rows)], end)
        for face, end in zip(faces, ends, strict=True)
    ]
    return f"{grid}{deals}{''.join(line for line, _ in drawn)}{''.join(token for _, token in drawn)}"


def scale(least: int, most: int) -> tuple[int, int, int]:
    """Return where the scale begins and ends, and its step: at most seven lines, zero among them."""
    step = next(nice for nice in NICE if -(-most // nice) - least // nice <= 6)
    low, high = least // step * step, -(-most // step) * step
    return low, max(high, low + step), step


def _grid(y: float, points: int) -> str:
    kind = "g-zero" if points == 0 else "g-line"
    said = f"\N{MINUS SIGN}{-points}" if points < 0 else str(points)
    return (
        f'<path class="{kind}" d="M{LEFT:g} {y:.1f}H{RIGHT:g}"/>'
        f'<text class="g-y" x="{LEFT - 3:g}" y="{y + 2.4:.1f}">{said}</text>'
    )


def _line(face: PlayerToken, points: Sequence[tuple[float, float]], end: float) -> tuple[str, str]:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    last = points[-1]
    marks = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2"/>' for x, y in points[1:] if len(points) <= MOST_MARKS)
    half = TOKEN / 2
    line = (
        f'<g class="g-run p{face.colour}"><path class="g-casing" d="{path}"/><path class="g-ink" d="{path}"/>{marks}'
        f'<path class="g-lead" d="M{last[0]:.1f} {last[1]:.1f}L{RIGHT + 8:g} {end:.1f}"/></g>'
    )
    token = (
        f'<g class="g-tok p{face.colour}"><use href="#token" x="{RIGHT + 6:g}" y="{end - half:.1f}" width="{TOKEN:g}" '
        f'height="{TOKEN:g}"/><text x="{RIGHT + 6 + half:g}" y="{end + 2:.1f}">{escape(face.initial)}</text></g>'
    )
    return line, token


def _apart(wanted: Sequence[float]) -> list[float]:
    """Return heights as near to the wanted ones as they can be without tokens covering each other."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    gap = min(TOKEN, (BOTTOM - TOP + TOKEN) / max(1, len(wanted)))
    placed = list(wanted)
    for before, at in pairwise(order):
        placed[at] = max(placed[at], placed[before] + gap)
    floor = BOTTOM + 4
    for at in reversed(order):
        placed[at] = min(placed[at], floor)
        floor = placed[at] - gap
    return placed


@cache
def snake() -> str:
    """Return the discards as they lie on the table: a snake of cards, each one showing."""
    drawn = []
    for at, card in enumerate(SNAKE):
        x, y = 26 + at * 14.8, 62 + 17 * sin(at * 0.63 + 0.4)
        turn = degrees(atan2(17 * 0.63 * cos(at * 0.63 + 0.4), 14.8))
        red = " red" if card[-1] in "HD" else ""
        drawn.append(
            f'<g class="snake{red}" transform="translate({x:.1f} {y:.1f}) rotate({turn:.0f})">'
            f'<rect x="-12" y="-17" width="24" height="34" rx="3"/><text x="-7.5" y="-8">{card[:-1]}</text>'
            f'<use href="#suit-{card[-1]}" x="-10.4" y="-6" width="6" height="6"/>'
            f'<use href="#suit-{card[-1]}" x="-2.5" y="-1" width="12" height="12"/></g>'
        )
    return "".join(drawn)
