"""A question of a correction form: what it asks, what stands there now, and what can be picked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tracker.web.faces import Face, Label


@dataclass(frozen=True)
class Option:
    """One thing to pick: a person, a pot, or something with a name only."""

    value: str
    name: str
    face: Face | None = None
    label: Label | None = None
    suit: str = ""


@dataclass(frozen=True)
class Field:
    """One question of the form: `pick` one, `picks` several, a `number`, `numbers` by account, a `text`, the `ring`."""

    name: str
    type: str
    label: str
    value: Any = None
    options: tuple[Option, ...] = ()
    least: int = 0


def whole(text: str) -> int | str:
    """Return a whole number, or the text itself for the codec to refuse in words."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text
