"""A night of four whose store makes backups, what these report, and a night of one."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.sample_nights import seat_everybody

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.storage import Store
from tracker.storage.backups import FOLDER, Backups
from tracker.streaming.hub import StreamHub


@pytest.fixture(name="reports")
def _reports() -> list[str]:
    return []


@pytest.fixture(name="backups")
def _backups(store: Store, tmp_path: Path, reports: list[str]) -> Iterator[Backups]:
    """Backups whose thread waits longer than any test takes: a test makes those that it needs, at the time it means."""
    backups = Backups(store, tmp_path / FOLDER, pause_seconds=60, report=reports.append)
    yield backups
    backups.close()


@pytest.fixture(name="table")
def _table(store: Store, backups: Backups) -> OpenNight:
    table = Nights(store, StreamHub(), backups).open("michigan-rummy", name="Friday")
    seat_everybody(table)
    return table


def night_in(path: Path, code: str) -> OpenNight:
    """Open a night of a copy."""
    with closing(Store(path, read_only=True)) as store:
        return Nights(store, StreamHub()).get(code)
