"""The built-in games, one TOML file each."""

from functools import cache
from importlib.resources import files

from tracker.core.errors import Unknown
from tracker.core.preset import Preset
from tracker.formats.codec import preset_from_toml

BUILT_IN = (
    "michigan-rummy",
    "michigan-kitty",
    "all-hearts",
    "hearts-three-stages",
    "hearts-played",
    "nine-pots",
    "royal-rummy",
    "michigan",
    "newmarket-each-horse",
    "newmarket",
    "newmarket-six-horses",
    "pope-joan",
    "poch",
    "nain-jaune",
    "spinado",
    "eight-round-rummy",
    "michigan-rummy-snake",
    "score-sheet",
    "rummy-500",
    "contract-rummy",
    "hearts",
    "ten-phases",
)
"""Ids in the order in which they are offered."""
FEATURED = ("michigan-rummy", "michigan-kitty", "hearts-played", "hearts-three-stages")
"""Ids that the page that asks for the game shows first."""


@cache
def built_in(preset_id: str) -> Preset:
    """Return a built-in preset; Unknown when there is none of that id."""
    if preset_id not in BUILT_IN:
        raise Unknown("there is no preset {preset!r}: there are {known}", preset=preset_id, known=", ".join(BUILT_IN))
    return preset_from_toml(files("tracker.presets").joinpath(f"{preset_id}.toml").read_text("utf-8"))


def printed_game(preset: Preset) -> Preset | None:
    """Return the built-in game, of the same kind, that a preset is or was made from; None when there is none."""
    base = preset.base or preset.id
    printed = built_in(base) if base in BUILT_IN else None
    return printed if printed and printed.game == preset.game else None


def all_built_in() -> list[Preset]:
    return [built_in(preset_id) for preset_id in BUILT_IN]


def all_featured() -> list[Preset]:
    return [built_in(preset_id) for preset_id in FEATURED]
