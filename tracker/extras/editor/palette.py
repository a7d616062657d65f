"""The colours that the editor offers for places, and their names."""

from tracker.core.errors import N_
from tracker.web.drawing.colors import rgb_of
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
"""A file may hold any other colour."""


def colour_name(colour: str) -> str:
    """Return what a colour is called in the reader's language: the name of the likest one of the palette."""
    rgb = rgb_of(colour)
    near = min(PALETTE, key=lambda one: sum((a - b) ** 2 for a, b in zip(rgb_of(one[0]), rgb, strict=True)))
    return _(near[1])
