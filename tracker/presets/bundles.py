"""Ready-made tables: what most people play at home, as a board and the house rules that go with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from tracker.core.house_rules import Value
from tracker.core.preset import Preset
from tracker.presets import built_in


@dataclass(frozen=True)
class Bundle:
    """A built-in board under a name of its own, with house rules changed."""

    id: str
    board: str
    name: str = ""
    about: str = ""
    rules: tuple[tuple[str, Value], ...] = ()
    fines_to: str = ""
    """The pot that takes the chips of whoever is stuck."""


BUNDLES = (
    Bundle("michigan-rummy", "michigan-rummy"),
    Bundle("michigan-kitty", "michigan-kitty"),
    Bundle(
        "hearts-played",
        "hearts-three-stages",
        "Hearts board, paid when played",
        "Poker first, then each heart pays when it is played. Whoever is stuck puts a chip in the kitty.",
        (("claim", "played"), ("stop.fine", 1)),
        "kitty",
    ),
    Bundle("hearts-three-stages", "hearts-three-stages"),
)
"""What the page that asks for the game shows first."""


@cache
def bundled(bundle: Bundle) -> Preset:
    """Return the preset that a bundle stands for; one without changes is the built-in board itself."""
    board = built_in(bundle.board)
    if not bundle.rules:
        return board
    pots = tuple(replace(pot, takes_fines=pot.id == bundle.fines_to) for pot in board.pots)
    return replace(
        board,
        id=bundle.id,
        base=board.id,
        name=bundle.name,
        about=bundle.about,
        pots=pots,
        rules={**board.rules, **dict(bundle.rules)},
    )


def all_bundled() -> list[Preset]:
    return [bundled(one) for one in BUNDLES]
