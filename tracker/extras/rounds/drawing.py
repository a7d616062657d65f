"""Drawings of 8 Round Rummy: cards, signs, the felt; red is solid and blue hollow, for whoever sees no colours."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import atan2, degrees

from tracker.web.drawing.board import rounded

CARDS = 7


@dataclass(frozen=True)
class Ask:
    """What a round asks of all seven cards."""

    colour: bool = False
    shape: bool = False
    straight: bool = False
    number: bool = False


ASKS: Mapping[str, Ask] = {
    "Same colour": Ask(colour=True),
    "Same shape": Ask(shape=True),
    "Same shape and colour": Ask(colour=True, shape=True),
    "Straight": Ask(straight=True),
    "Straight, same colour": Ask(straight=True, colour=True),
    "Straight, same shape": Ask(straight=True, shape=True),
    "Straight, same colour and shape": Ask(straight=True, colour=True, shape=True),
    "Same numbers": Ask(number=True),
}
"""By the goal's words in the preset. A house's own goal has no picture, only its words."""

# Looked at as pictures: neighbours differ in whatever a round leaves free.
_MIXED_NUMBERS = (4, 1, 6, 3, 7, 2, 4)
_MIXED_SHAPES = "ctsctsc"  # circle, triangle, square
_MIXED_COLOURS = "rbbrbrr"


@cache
def hand(goal: str) -> str:
    """Return seven cards that fulfil a goal, as one SVG; an empty text for a goal that has no picture."""
    ask = ASKS.get(goal)
    if ask is None:
        return ""
    cards = "".join(_card(at, *_face(ask, at)) for at in range(CARDS))
    return f'<svg class="hand7" viewBox="0 0 206 46" aria-hidden="true">{cards}</svg>'


def _face(ask: Ask, at: int) -> tuple[str, str, int]:
    colour = ("b" if ask.straight != ask.shape else "r") if ask.colour else _MIXED_COLOURS[at]
    shape = ("c" if ask.straight else "t") if ask.shape else _MIXED_SHAPES[at]
    number = 5 if ask.number else at + 1 if ask.straight else _MIXED_NUMBERS[at]
    return colour, shape, number


def _card(at: int, colour: str, shape: str, number: int) -> str:
    left = at * 29 + 2
    low = 31.5 if shape == "t" else 28.5
    return (
        f'<g class="c7 {colour}"><rect x="{left}" y="1.5" width="28" height="43" rx="4"/>'
        f'{_shape(shape, left + 14, 23, 9)}<text x="{left + 14}" y="{low}">{number}</text></g>'
    )


def _shape(shape: str, x: float, y: float, size: float) -> str:
    if shape == "c":
        return f'<circle cx="{x}" cy="{y}" r="{size}"/>'
    if shape == "s":
        side = size * 0.92
        left, top = x - side, y - side
        return f'<rect class="sh" x="{left:g}" y="{top:g}" width="{2 * side:g}" height="{2 * side:g}" rx="1.5"/>'
    up, down, half = y - size * 1.2, y + size * 0.9, size * 1.15
    return f'<path d="M{x} {up:g}L{x + half:g} {down:g}L{x - half:g} {down:g}Z"/>'


@cache
def sign(goal: str) -> str:
    """Return the sign on a round card: three shapes, climbing when they must be in a row."""
    ask = ASKS.get(goal)
    if ask is None:
        return ""
    colours = "rrr" if ask.colour else "rbr"
    shapes = "ttt" if ask.shape else "cts"
    numbers = (5, 5, 5) if ask.number else (1, 2, 3) if ask.straight else (None,) * 3
    drawn = []
    for at, (colour, shape, number) in enumerate(zip(colours, shapes, numbers, strict=True)):
        x, y = 11 + at * 21, 21 - (at - 1) * 10 * ask.straight
        text = f'<text x="{x}" y="{y + (6.4 if shape == "t" else 4.4):g}">{number}</text>' if number else ""
        drawn.append(f'<g class="{colour}">{_shape(shape, x, y, 7.4)}{text}</g>')
    return f'<svg class="sign3" viewBox="0 0 64 42" aria-hidden="true">{"".join(drawn)}</svg>'


WIDE, HIGH, CUT = 98.0, 88.0, 30.0
"""Half the width and height of the table top (the picture is 200 by 180), and what is cut off its corners."""
PLACES = ((0, -64), (67, -51), (79, 0), (67, 51), (0, 64), (-67, 51), (-79, 0), (-67, -51))
"""Where the round cards lie, from the middle: the first at the top, then clockwise, in a circle as the sheet says."""
CARD = (30, 40)


@cache
def table_top() -> str:
    """Return the table top as the content of an SVG: rim, felt, eight places and the middle."""
    wide, high = CARD
    spots = "".join(
        f'<rect class="r-spot" x="{x - wide / 2:g}" y="{y - high / 2:g}" width="{wide}" height="{high}" rx="4"/>'
        for x, y in PLACES
    )
    return (
        f'<path class="b-rim" d="{_tray(WIDE + 1.4, HIGH + 1.4, CUT, 9)}"/>'
        f'<path class="b-felt" d="{_tray(WIDE - 1.8, HIGH - 1.8, CUT, 8)}"/>'
        f'{spots}<path class="r-hub" d="{_tray(60, 41.5, 17, 6)}"/>'
    )


@cache
def arrows() -> str:
    """Return little arrows that lead clockwise from card to card; mirrored they lead the other way."""
    drawn = []
    for at, (x, y) in enumerate(PLACES):
        after = PLACES[(at + 1) % len(PLACES)]
        turn = degrees(atan2(after[1] - y, after[0] - x))
        where = f"translate({(x + after[0]) / 2:g} {(y + after[1]) / 2:g}) rotate({turn:.0f})"
        drawn.append(f'<path transform="{where}" d="M-2-4 2.6 0-2 4"/>')
    return "".join(drawn)


def _tray(wide: float, high: float, cut: float, radius: float) -> str:
    inner = [(wide, high - cut), (wide - cut, high), (cut - wide, high), (-wide, high - cut)]
    return rounded([*inner, *[(-x, -y) for x, y in inner]], radius)
