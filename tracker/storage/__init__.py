"""The event log in one SQLite file, or in a PostgreSQL database: append-only, on the disk when a write returns.

Knows text and numbers, no rule of any game. The only user of SQL. Imports nothing else of the tracker.
"""

from __future__ import annotations

from tracker.storage.database import (
    DEVICES,
    EVENTS,
    EVERYTHING,
    POSSIBLY_EVENTS,
    PRESENT,
    SEEN,
    SETTINGS,
    WHO_IS_HERE,
    Change,
)
from tracker.storage.errors import (
    BadRow,
    CorruptFile,
    CorruptLog,
    DiskTrouble,
    IdExists,
    InUse,
    NoFile,
    NotRead,
    NotSaved,
    NumberTaken,
    StoreError,
    Unreadable,
)
from tracker.storage.merge import NightComparison, NightCopy, StalePlan
from tracker.storage.repair import TRUNCATION, Repair, SalvagedNight, Truncation, repair
from tracker.storage.rows import DeviceRow, EventRow, InviteRow, NewEvent, NightRow, RoleChange, chained
from tracker.storage.store import Store
from tracker.storage.tables import ListedNight
from tracker.storage.temporary import ExpiringRows, MemoryRows, TemporaryRows

__all__ = [
    "DEVICES",
    "EVENTS",
    "EVERYTHING",
    "POSSIBLY_EVENTS",
    "PRESENT",
    "SEEN",
    "SETTINGS",
    "TRUNCATION",
    "WHO_IS_HERE",
    "BadRow",
    "Change",
    "CorruptFile",
    "CorruptLog",
    "DeviceRow",
    "DiskTrouble",
    "EventRow",
    "ExpiringRows",
    "IdExists",
    "InUse",
    "InviteRow",
    "ListedNight",
    "MemoryRows",
    "NewEvent",
    "NightComparison",
    "NightCopy",
    "NightRow",
    "NoFile",
    "NotRead",
    "NotSaved",
    "NumberTaken",
    "Repair",
    "RoleChange",
    "SalvagedNight",
    "StalePlan",
    "Store",
    "StoreError",
    "TemporaryRows",
    "Truncation",
    "Unreadable",
    "chained",
    "repair",
]
