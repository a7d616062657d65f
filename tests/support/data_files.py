"""The data file of a store."""

from tracker.storage import Store
from tracker.storage.sqlite import DataFile


def file_of(store: Store) -> DataFile:
    """Return the data file that a store has its nights in."""
    assert store.file
    return store.file
