"""The built-in games, one TOML file each."""

from functools import cache

from tracker.core.errors import Unknown
from tracker.core.game import GAMES
from tracker.core.preset import Preset
from tracker.formats.codec import preset_file, preset_from_toml

_BOARDS = (
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
)
"""Ids of the table's own games, in the order in which they are offered."""
FEATURED = ("michigan-rummy", "michigan-kitty", "hearts-played", "hearts-three-stages")
"""Ids that the page that asks for the game shows first."""


def built_in_ids() -> tuple[str, ...]:
    """Return the ids of all presets that come with the tracker and its extras, in the order of the offer."""
    return (*_BOARDS, *(preset_id for game in GAMES.values() for preset_id in game.presets))


def built_in(preset_id: str) -> Preset:
    """Return a built-in preset; Unknown when there is none of that id."""
    if preset_id not in (known := built_in_ids()):
        raise Unknown("there is no preset {preset!r}: there are {known}", preset=preset_id, known=", ".join(known))
    return _read(preset_id)


@cache
def _read(preset_id: str) -> Preset:
    file = preset_file(preset_id)
    assert file is not None, preset_id
    return preset_from_toml(file.read_text("utf-8"))


def printed_game(preset: Preset) -> Preset | None:
    """Return the built-in game, of the same kind, that a preset is or was made from; None when there is none."""
    base = preset.base or preset.id
    printed = built_in(base) if base in built_in_ids() else None
    return printed if printed and printed.game == preset.game else None


def all_built_in() -> list[Preset]:
    return [built_in(preset_id) for preset_id in built_in_ids()]
