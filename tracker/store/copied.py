"""The nights of a copy brought back: what is missing is added, nothing that is there is changed or taken away."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tracker.store.database import Database
from tracker.store.errors import StoreError
from tracker.store.queries import SEALED, head_of, insert_event, select
from tracker.store.rescue import HURT
from tracker.store.rows import EventRow, NightRow, first_hash

PHONES = "token_hash, role, seat, name, label, made_at, seen_at"


class Changed(StoreError):
    """What would be brought back is no longer what was shown; nothing was written."""

    def __init__(self) -> None:
        super().__init__("Something has changed meanwhile. Nothing was brought back yet: look again.")


@dataclass(frozen=True)
class WholeNight:
    """A night of a copy with everything that belongs to it; its hashes have been checked."""

    row: NightRow
    events: Sequence[EventRow]
    settings: Mapping[str, str]
    phones: Sequence[tuple[Any, ...]]
    """The devices that were let in, as rows of PHONES."""


@dataclass(frozen=True)
class Compared:
    """A night of a copy beside the same one here."""

    code: str
    name: str
    found: str
    """`missing` or `shorter`: it can be brought back; `same`, `newer` or `other`: it stays as it is here."""
    here: int
    """How many events it has here."""
    there: int
    """How many it has in the copy."""

    @property
    def brings(self) -> int:
        """How many events would come back."""
        return self.there - self.here if self.found in ("missing", "shorter") else 0

    @property
    def is_brought(self) -> bool:
        """Whether anything of it would come back."""
        return self.found in ("missing", "shorter")


def compare(db: Database, night: WholeNight) -> Compared:
    """Return how a night of a copy stands to the same one here: one must be the beginning of the other."""
    code, there = night.row.code, len(night.events)
    rows = select(db, SEALED, "night WHERE code = ?", code)
    if not rows:
        return Compared(code, night.row.name, "missing", 0, there)
    here, _ = head_of(db, code)
    common = min(here, there)
    mine = select(db, "hash", "event WHERE code = ? AND number = ?", code, common)
    seal = mine[0][0] if mine else first_hash(*rows[0])
    if seal != _seal_after(night, common):
        return Compared(code, night.row.name, "other", here, there)
    found = "same" if here == there else "newer" if here > there else "shorter"
    return Compared(code, night.row.name, found, here, there)


def _seal_after(night: WholeNight, number: int) -> bytes:
    row = night.row
    return night.events[number - 1].hash if number else first_hash(row.code, row.preset, row.options, row.created_at)


def bring(db: Database, nights: Sequence[WholeNight], shown: Sequence[Compared], settings: Mapping[str, str]) -> None:
    """Add what is missing of these nights and settings, within one transaction. Raises Changed."""
    found = [compare(db, night) for night in nights]
    if [one for one in found if one.is_brought] != [one for one in shown if one.is_brought]:
        raise Changed
    for night, one in zip(nights, found, strict=True):
        if one.is_brought:
            _bring_night(db, night, one)
    for key, value in settings.items():
        db.table("setting").insert({"code": "", "key": key, "value": value}, ignore=True)


def _bring_night(db: Database, night: WholeNight, compared: Compared) -> None:
    if compared.found == "missing":
        _add_night(db, night)
    _, before = head_of(db, compared.code)
    for event in night.events[compared.here :]:
        before = insert_event(db, compared.code, event, before).hash
    if compared.found == "shorter":
        _heal(db, compared)


def _add_night(db: Database, night: WholeNight) -> None:
    row = night.row
    columns = ("code", "name", "preset", "options", "created_at")
    db.table("night").insert({column: getattr(row, column) for column in columns})
    db.execute("DELETE FROM setting WHERE code = ?", [row.code])
    for key, value in night.settings.items():
        db.table("setting").insert({"code": row.code, "key": key, "value": value})
    for phone in night.phones:
        db.execute(f"INSERT OR IGNORE INTO device(code, {PHONES}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [row.code, *phone])  # noqa: S608 - constants


def _heal(db: Database, compared: Compared) -> None:
    """Forget that a night was damaged, or say how far it goes now."""
    for (told,) in select(db, "value", "setting WHERE code = ? AND key = ?", compared.code, HURT):
        hurt = {**json.loads(told), "events": compared.there}
        db.execute("DELETE FROM setting WHERE code = ? AND key = ?", [compared.code, HURT])
        if hurt["seen"] > compared.there:
            db.table("setting").insert({"code": compared.code, "key": HURT, "value": json.dumps(hurt)})
