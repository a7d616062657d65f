"""The colours of places and their names, darkened or lightened until numbers and rims are clear in both themes."""

from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass
from functools import cache

from tracker.core.errors import N_
from tracker.core.preset import COLOUR
from tracker.web.wording.texts import gettext as _

PALETTE: tuple[tuple[str, str], ...] = (
    ("#C23B30", N_("red")),
    ("#C8702A", N_("orange")),
    ("#E0A93E", N_("gold")),
    ("#3F9142", N_("green")),
    ("#1D8A99", N_("turquoise")),
    ("#23497F", N_("blue")),
    ("#6B3FA0", N_("violet")),
    ("#C2478A", N_("pink")),
    ("#7A5230", N_("brown")),
    ("#3A3A3A", N_("black")),
)
"""What the editor offers; a file may hold any other colour."""
NUMBER, FELT = "#F7EAD0", "#145A46"
"""The dimmest number on a place, and the brightest felt around it, of both themes."""
CLEAR, SEEN = 8.0, 3.0
"""Contrast of a number on its place, and of a rim on the felt. The former leaves room for the gilded numbers."""

Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Tint:
    """A place's colour as it is drawn: the inside, and the rim."""

    fill: str
    line: str


@cache
def tint_of(colour: str) -> Tint | None:
    """Return how a colour such as `#C23B30` is drawn on a board; None for no colour of its own, or what is none."""
    if not COLOUR.fullmatch(colour):
        return None
    rgb = _rgb(colour)
    return Tint(_hex(_until(rgb, NUMBER, CLEAR, -0.01)), _hex(_until(rgb, FELT, SEEN, 0.01)))


def colour_name(colour: str) -> str:
    """Return what a colour is called in the reader's language: the name of the likest one of the palette."""
    rgb = _rgb(colour)
    near = min(PALETTE, key=lambda one: sum((a - b) ** 2 for a, b in zip(_rgb(one[0]), rgb, strict=True)))
    return _(near[1])


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21, as the accessibility guidelines compute it."""
    high, low = sorted((_luminance(_rgb(one)), _luminance(_rgb(other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _until(rgb: Rgb, ground: str, enough: float, step: float) -> Rgb:
    """Return the colour made darker or lighter, a step at a time, until it stands out from the ground."""
    hue, light, full = rgb_to_hls(*rgb)
    while 0 < light + step < 1 and contrast(_hex(hls_to_rgb(hue, light, full)), ground) < enough:
        light += step
    return hls_to_rgb(hue, light, full)


def _rgb(colour: str) -> Rgb:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _hex(rgb: Rgb) -> str:
    return "#" + "".join(f"{round(part * 255):02X}" for part in rgb)


def _luminance(rgb: Rgb) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
