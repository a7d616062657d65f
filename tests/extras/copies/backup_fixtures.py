"""A night of four of which copies are made after hands, and a night of one."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.sample_nights import seat_everybody

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.extras._backups import Backups, backups_of
from tracker.storage import Store
from tracker.streaming.hub import StreamHub


@pytest.fixture(name="backups")
def _backups(tables: Nights) -> Iterator[Backups]:
    """Backups whose thread waits longer than any test takes: a test makes those that it needs, at the time it means."""
    backups = backups_of(tables)
    assert backups
    backups._pause_seconds = 60
    tables.on_hand_over.append(lambda table: backups.request(table.code, table.export))
    yield backups
    backups.close()


@pytest.fixture(name="table")
def _table(tables: Nights, backups: Backups) -> OpenNight:  # noqa: ARG001 - copies are made of it
    table = tables.open("michigan-rummy", name="Friday")
    seat_everybody(table)
    return table


def night_in(path: Path, code: str) -> OpenNight:
    """Open a night of a copy."""
    with closing(Store(path, read_only=True)) as store:
        return Nights(store, StreamHub()).get(code)
