"""The event log in one SQLite file: append-only, and every write is on the disk when it returns.

Knows text and numbers, no rule of any game. The only user of SQL and sqlite-utils. Imports nothing else of the tracker.
"""

from __future__ import annotations

from tracker.storage.errors import (
    BadRow,
    CorruptFile,
    CorruptLog,
    DiskTrouble,
    IdExists,
    InUse,
    NotRead,
    NotSaved,
    NumberTaken,
    StoreError,
    Unreadable,
)
from tracker.storage.merge import NightComparison, NightCopy, StalePlan
from tracker.storage.repair import TRUNCATION, Repair, SalvagedNight, Truncation, repair
from tracker.storage.rows import DeviceRow, EventRow, InviteRow, NewEvent, NightRow
from tracker.storage.store import Store
from tracker.storage.tables import ListedNight

__all__ = [
    "TRUNCATION",
    "BadRow",
    "CorruptFile",
    "CorruptLog",
    "DeviceRow",
    "DiskTrouble",
    "EventRow",
    "IdExists",
    "InUse",
    "InviteRow",
    "ListedNight",
    "NewEvent",
    "NightComparison",
    "NightCopy",
    "NightRow",
    "NotRead",
    "NotSaved",
    "NumberTaken",
    "Repair",
    "SalvagedNight",
    "StalePlan",
    "Store",
    "StoreError",
    "Truncation",
    "Unreadable",
    "repair",
]
