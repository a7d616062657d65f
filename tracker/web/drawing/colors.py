"""The colours of places, darkened or lightened until numbers and rims are clear in both themes."""

from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass
from functools import cache

from tracker.core.preset import COLOUR

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
    rgb = rgb_of(colour)
    return Tint(_hex(_until(rgb, NUMBER, CLEAR, -0.01)), _hex(_until(rgb, FELT, SEEN, 0.01)))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21, as the accessibility guidelines compute it."""
    high, low = sorted((_luminance(rgb_of(one)), _luminance(rgb_of(other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _until(rgb: Rgb, ground: str, enough: float, step: float) -> Rgb:
    """Return the colour made darker or lighter, a step at a time, until it stands out from the ground."""
    hue, light, full = rgb_to_hls(*rgb)
    while 0 < light + step < 1 and contrast(_hex(hls_to_rgb(hue, light, full)), ground) < enough:
        light += step
    return hls_to_rgb(hue, light, full)


def rgb_of(colour: str) -> Rgb:
    """Return the parts of a colour such as `#C23B30`, each from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _hex(rgb: Rgb) -> str:
    return "#" + "".join(f"{round(part * 255):02X}" for part in rgb)


def _luminance(rgb: Rgb) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
