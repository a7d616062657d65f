"""The board's geometry: n places around a kitty, as an n-gon of trapezoids, and piles of chips.

A board's shape depends only on how many places it has, so pages carry no coordinates: a style sheet for each number
of places has them.
Units: the board is 200 wide, the origin is its centre; 1em on a board is 1 % of its width, which is 2 units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, radians, sin, sqrt, tan

FEWEST, MOST = 4, 15
"""Places around the centre that a board is drawn with; a triangle would leave none of them room for a number."""
INNER = 37.0
UPRIGHT, ASIDE = 0.92, 0.35
"""Sine of a place's direction: above the first it lies over or under the centre, below the second beside it."""
GAP_DRAWN, GAP_TOUCHED = 3.2, 0.8
GOLDEN_ANGLE = 2.399963229728653
EXACT, MOST_DRAWN = 12, 44
PILE_BOX = "-180 -180 360 360"
"""The square that a pile is drawn in, and a chip alone: whoever draws both equally wide has chips of one size."""

Point = tuple[float, float]


@dataclass(frozen=True)
class PlaceShape:
    """One compartment: its drawn outline, the box and polygon that a finger hits, where its text and pile stand."""

    outline: str
    box: tuple[float, float, float, float]
    """left, top, width, height in units."""
    polygon: tuple[Point, ...]
    """Corners in percent of the box."""
    text: Point
    pile: Point
    """Both in percent of the box."""
    is_row: bool
    """Label and number stand side by side: above and below the centre, where a place is wide."""
    lean: float
    """How far, in its own em, the line nearest to the corner leans away from the slanted rim."""


def rotated(out: float, along: float, angle: float) -> Point:
    return out * cos(angle) - along * sin(angle), out * sin(angle) + along * cos(angle)


def trapezoid(place: int, n: int, gap: float) -> list[Point]:
    """Return the corners of a compartment, clockwise from the outer left one; `gap` is left between neighbours."""
    outer = outer_edge(n) - (gap - GAP_TOUCHED) * 0.35
    inner = INNER + (gap - GAP_TOUCHED) * 0.35
    half, trim = tan(pi / n), gap / 2 / cos(pi / n)
    wide, narrow = outer * half - trim, inner * half - trim
    angle = bearing(place, n)
    return [rotated(*corner, angle) for corner in ((outer, -wide), (outer, wide), (inner, narrow), (inner, -narrow))]


def bearing(place: float, n: int) -> float:
    """Return the direction of a place in radians; place 0 is at the top, the others follow clockwise."""
    return radians(-90 + 360 * place / n)


def outer_edge(n: int) -> float:
    """Return how far the places reach: a polygon with a flat top fills the square, others fit their corners in."""
    return 96.5 if n % 4 == 0 else 98.0 * cos(pi / n)


def scale(n: int) -> float:
    """Return how much smaller text and piles are drawn where places are narrow, or low because of the corners."""
    narrow = tan(pi / n) / tan(pi / 8) * 1.03
    low: float = (outer_edge(n) / outer_edge(4)) ** 1.5
    return round(min(1.0, narrow) * low, 2)


def rounded(points: list[Point], radius: float) -> str:
    path = []
    for at, corner in enumerate(points):
        before, after = points[at - 1], points[(at + 1) % len(points)]
        start, stop = _towards(corner, before, radius), _towards(corner, after, radius)
        step = "M" if at == 0 else "L"
        path.append(f"{step}{_xy(start)}Q{_xy(corner)} {_xy(stop)}")
    return "".join(path) + "Z"


def polygon(n: int, apothem: float) -> list[Point]:
    radius = apothem / cos(pi / n)
    return [rotated(radius, 0, bearing(at + 0.5, n)) for at in range(n)]


@cache
def places(n: int) -> tuple[PlaceShape, ...]:
    """Return the compartments of a board with n of them, clockwise from the top."""
    return tuple(_place(at, n) for at in range(n))


def _place(at: int, n: int) -> PlaceShape:
    touched = trapezoid(at, n, GAP_TOUCHED)
    left, top = min(x for x, _ in touched), min(y for _, y in touched)
    width, height = max(x for x, _ in touched) - left, max(y for _, y in touched) - top

    def percent(point: Point) -> Point:
        return round((point[0] - left) / width * 100, 2), round((point[1] - top) / height * 100, 2)

    angle = bearing(at, n)
    text, pile = _spots(angle, n)
    up_down = sin(angle)
    is_row = abs(up_down) > UPRIGHT
    return PlaceShape(
        outline=rounded(trapezoid(at, n, GAP_DRAWN), 6),
        box=(left, top, width, height),
        polygon=tuple(percent(corner) for corner in touched),
        text=percent(text),
        pile=percent(pile),
        is_row=is_row,
        lean=0.0 if is_row or abs(up_down) < ASIDE else -0.75 if cos(angle) > 0 else 0.75,
    )


def _spots(angle: float, n: int) -> tuple[Point, Point]:
    """Return where text and pile stand: the pile near the centre, the text near the rim, inside their place."""
    up_down, edge, size = abs(sin(angle)), outer_edge(n), scale(n)
    if up_down > UPRIGHT:
        text, pile = 13.5, 20.0
    elif up_down < ASIDE:
        text, pile = 16.5, 13.0
    else:
        text, pile = 17.0, 13.0
    return rotated(edge - text * size, 0, angle), rotated(INNER + pile * size, 0, angle)


@cache
def css(n: int) -> str:
    """Return the style sheet that says where everything stands on a board of n places."""
    lines = ["@layer parts {", f".b{n}{{--f:{scale(n)}}}"]
    for at, place in enumerate(places(n)):
        left, top, width, height = place.box
        spot, size = (left / 2 + 50, top / 2 + 50), (width / 2, height / 2)
        box = f"left:{_p(spot[0])};top:{_p(spot[1])};width:{_p(size[0])};height:{_p(size[1])}"
        corners = ",".join(f"{_p(x)} {_p(y)}" for x, y in place.polygon)
        where = f".b{n} .w{at}"
        lines.append(
            f"{where}{{{box};clip-path:polygon({corners})}}"
            f"{where} .tx{{left:{_p(place.text[0])};top:{_p(place.text[1])}}}"
            f"{where} :is(.pile,.taker,.slip){{left:{_p(place.pile[0])};top:{_p(place.pile[1])}}}"
        )
        if place.is_row:
            lines.append(f"{where} .tx{{flex-direction:row}}")
        elif place.lean:
            is_above = place.box[1] + place.box[3] / 2 < 0
            line, by = (".place-label", place.lean) if is_above else (".n", place.lean * 0.4)
            lines.append(f"{where} {line}{{transform:translateX({_n(by)}em)}}")
    return "\n".join([*lines, "}"]) + "\n"


@cache
def art(n: int) -> str:
    """Return the drawings of a board: the chips `k0` …, the same alone in a pile's square `f0` …, and the SVG symbols
    `board` and `w0` …, one for each place."""
    edge = outer_edge(n)
    rays = "".join(
        f"M{_xy(rotated((INNER + 1) / cos(pi / n), 0, turn))}L{_xy(rotated((edge - 1) / cos(pi / n), 0, turn))}"
        for turn in (bearing(at + 0.5, n) for at in range(n))
    )
    studs = "".join(
        f'<circle class="b-stud" cx="{_n(x)}" cy="{_n(y)}" r="1.5"/>' for x, y in polygon(n, (edge - 1) * 0.962)
    )
    board = (
        f'<symbol id="board" viewBox="-100 -100 200 200"><path class="b-rim" d="{rounded(polygon(n, edge + 2.6), 9)}"/>'
        f'<path class="b-felt" d="{rounded(polygon(n, edge - 0.6), 7)}"/><path class="b-ray" d="{rays}"/>{studs}'
        f'<path class="b-hub" d="{rounded(polygon(n, INNER - 2.6), 7)}"/>'
        f'<path class="b-hub2" d="{rounded(polygon(n, INNER - 5.6), 5)}"/></symbol>'
    )
    chips = "".join(_chip(at, *colours) for at, colours in enumerate(CHIPS))
    compartments = (
        f'<symbol id="w{at}" viewBox="{" ".join(map(_n, place.box))}" preserveAspectRatio="none">'
        f'<path d="{place.outline}"/></symbol>'
        for at, place in enumerate(places(n))
    )
    alone = "".join(f'<svg id="f{at}" viewBox="{PILE_BOX}"><use href="#k{at}"/></svg>' for at in range(len(CHIPS)))
    return f"<defs>{chips}{alone}</defs>{board}{''.join(compartments)}"


def thumb(n: int, fills: Sequence[str] = (), signs: str = "") -> str:
    """Return a small picture of a board with n places for lists; `fills` colour the first ones, `signs` lie on them."""
    looks = [
        f'fill="{fill}"' if fill else 'class="b-compartment" fill="#0A382B"'
        for fill in (*fills, *[""] * (n - len(fills)))
    ]
    compartments = "".join(f'<path {look} d="{place.outline}"/>' for look, place in zip(looks, places(n), strict=True))
    edge = outer_edge(n)
    return (
        '<svg class="thumb" width="72" height="72" viewBox="-100 -100 200 200" aria-hidden="true">'
        f'<path class="b-rim" fill="#C79A3E" d="{rounded(polygon(n, edge + 2.6), 9)}"/>'
        f'<path class="b-felt" fill="#0F4A39" d="{rounded(polygon(n, edge - 0.6), 7)}"/>{compartments}{signs}'
        f'<path class="b-hub" fill="#5F1620" d="{rounded(polygon(n, INNER - 2.6), 7)}"/></svg>'
    )


def pile_size(chips: int) -> int:
    """Return how many chips a pile is drawn with: every one up to twelve, then its area grows with the root."""
    if chips <= EXACT:
        return max(chips, 0)
    return min(MOST_DRAWN, EXACT + 2 * round(1.6 * (sqrt(chips) - sqrt(EXACT))))


@cache
def pile(name: str) -> str:
    """Return the chips of a pile such as `a12`, within PILE_BOX: one more only adds at the rim.

    Each pile stands in its page. As symbols of a file that all pages share, a browser would style all piles of the file
    for the first that a page shows: 11,000 elements, 0.4 seconds on a slow phone.
    """
    colouring, count = COLOURINGS.index(name[0]), int(name[1:])
    # Painted from the rim inwards, so that the chips of the middle lie on top.
    drawn = "".join(
        f"<use href=#k{MIX[(at * 7 + 3 + colouring * 4) % len(MIX)]} x={x:.0f} y={y:.0f} />"
        for at, (x, y) in reversed(list(enumerate(_spot(at) for at in range(count))))
    )
    zoom = min(1.0, 172 / (27 * sqrt(count - 1 + 0.3) + 53))
    return drawn if zoom == 1 else f'<g transform="scale({_n(zoom)})">{drawn}</g>'


COLOURINGS = "abc"
CHIPS = (("#F5E8CC", "#A8231F"), ("#C23B30", "#FBEBCF"), ("#23497F", "#F5E4C3"), ("#E0A93E", "#5A3A08"))
MIX = (0, 1, 0, 2, 0, 1, 3, 0, 1, 2, 0)


def _chip(at: int, face: str, spots: str) -> str:
    return (
        f'<g id="k{at}"><circle cx="2" cy="6" r="53" opacity=".36"/>'
        f'<circle r="53" fill="{face}"/>'
        f'<circle r="45" fill="none" stroke="{spots}" stroke-width="16" stroke-dasharray="23.56"/>'
        f'<circle r="31" fill="none" stroke="{spots}" stroke-width="3.4" opacity=".75"/>'
        '<circle r="53" fill="none" stroke="#000" stroke-opacity=".4" stroke-width="3.4"/></g>'
    )


def _spot(at: int) -> Point:
    turn, away = at * GOLDEN_ANGLE, 27 * sqrt(at + 0.3)
    shake = ((at * 17) % 7 - 3) * 1.6
    return away * cos(turn) + shake, away * sin(turn) * 0.94 - shake


def _towards(start: Point, end: Point, distance: float) -> Point:
    length = sqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2)
    part = min(distance / length, 0.5)
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _xy(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _n(value: float) -> str:
    """Return a number with two decimals at most, without zeros that say nothing."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _p(percent: float) -> str:
    """Return a percentage with one decimal: a third of a pixel on a phone."""
    return f"{_n(round(percent, 1))}%"
