"""A process of several over one database, without its pages."""

from weakref import WeakKeyDictionary

from tracker.app.nights import Nights
from tracker.extras.processes.other_processes import OtherProcesses
from tracker.extras.processes.postgres import PostgresConnection
from tracker.extras.processes.shared_rows import SharedRows
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

_OTHERS = WeakKeyDictionary[Nights, OtherProcesses]()


def following(store: Store) -> Nights:
    """Return the nights of a process that follows what others write."""
    nights, connection, rows = Nights(store, StreamHub()), store.connection, store.temporary
    assert isinstance(connection, PostgresConnection)
    assert isinstance(rows, SharedRows)
    _OTHERS[nights] = OtherProcesses(nights, connection, rows)
    return nights


def others_of(nights: Nights) -> OtherProcesses:
    """Return what has these nights follow the other processes."""
    return _OTHERS[nights]
