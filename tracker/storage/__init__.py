"""The event log in one SQLite file: append-only, on the disk when a write returns.

Knows text and numbers, no rule of any game. The only user of SQL. Imports nothing else of the tracker.
"""

from tracker.storage.database import (
    DEVICES as DEVICES,
    EVENTS as EVENTS,
    EVERYTHING as EVERYTHING,
    SEEN as SEEN,
    SETTINGS as SETTINGS,
    ChangeNotice as ChangeNotice,
    DataPlace as DataPlace,
)
from tracker.storage.errors import (
    BadRow as BadRow,
    CorruptFile as CorruptFile,
    CorruptLog as CorruptLog,
    DiskTrouble as DiskTrouble,
    InUse as InUse,
    NotRead as NotRead,
    NotSaved as NotSaved,
    NumberTaken as NumberTaken,
    StoreError as StoreError,
    Unreadable as Unreadable,
)
from tracker.storage.rows import (
    DeviceRow as DeviceRow,
    EventRow as EventRow,
    IdExists as IdExists,
    NewEvent as NewEvent,
    NightRow as NightRow,
)
from tracker.storage.store import Store as Store
from tracker.storage.temporary import ExpiringRows as ExpiringRows
