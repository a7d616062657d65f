"""The event log in one SQLite file: nothing is answered before it is on the disk, and nothing in it can be changed.

The store knows bytes, text and whole numbers, and no rule of any game. It is the only user of sqlite-utils.
"""

from __future__ import annotations

from tracker.store.copied import Changed, Compared, WholeNight
from tracker.store.errors import (
    BadRow,
    Broken,
    Damaged,
    DiskTrouble,
    InUse,
    NotRead,
    NotSaved,
    SameId,
    StoreError,
    Taken,
    Unreadable,
)
from tracker.store.rescue import HURT, Rescue, Salvaged, rescue
from tracker.store.rows import DeviceRow, EventRow, InviteRow, NewEvent, NightRow
from tracker.store.store import Store

__all__ = [
    "HURT",
    "BadRow",
    "Broken",
    "Changed",
    "Compared",
    "Damaged",
    "DeviceRow",
    "DiskTrouble",
    "EventRow",
    "InUse",
    "InviteRow",
    "NewEvent",
    "NightRow",
    "NotRead",
    "NotSaved",
    "Rescue",
    "Salvaged",
    "SameId",
    "Store",
    "StoreError",
    "Taken",
    "Unreadable",
    "WholeNight",
    "rescue",
]
