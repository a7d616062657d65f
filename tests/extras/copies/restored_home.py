"""A tracker whose file of another day stands in its place, for tests of bringing back what is missing."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from support.client_phones import Site
from support.sample_nights import play_hand, seat_everybody

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.storage import Store
from tracker.storage.backups import FOLDER, Backup, Backups
from tracker.streaming.hub import StreamHub

Rows = dict[str, list[tuple[object, ...]]]


class Home:
    """A tracker with nights, and the file of another day that stands in its place."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(folder / "nights.db")
        self.tables = self.opened()
        self.site = Site(self.tables)

    def opened(self) -> Nights:
        return Nights(self.store, StreamHub(), Backups(self.store, self.folder / FOLDER, pause_seconds=60))

    @property
    def backups(self) -> Backups:
        assert self.tables.backups
        return self.tables.backups

    def night(self, name: str) -> OpenNight:
        table = self.tables.open("michigan-rummy", name=name)
        seat_everybody(table)
        play_hand(table, "ruth", "ben", "mia")
        return table

    def older_file(self, keep: Mapping[str, int], instance: str = "") -> None:
        """Go on with another file that has so many entries of these nights: the rest is only in the newest copy."""
        self.backups._pending.clear()  # only copies that the test has asked for
        self.backups.close()
        self.store.close()
        (self.folder / "nights.db").unlink()
        self.store = Store(self.folder / "nights.db")
        if instance:  # as when the start reads what is left of a damaged file
            self.store.set_setting(None, "instance", instance)
            self.store.instance = instance
        self.tables = self.opened()
        for code, events in keep.items():
            shorten(self, code, events)
        self.site = Site(self.tables)

    def rows(self) -> Rows:
        with closing(sqlite3.connect(self.folder / "nights.db")) as db:
            return {
                table: db.execute(f"SELECT * FROM {table} WHERE code <> '' ORDER BY 1, 2").fetchall()
                for table in ("night", "event", "setting")
            }


def shorten(home: Home, code: str, events: int) -> None:
    """Write the first events of a night of the last copy into the present file, as a rescue would."""
    with closing(Store(newest(home).path, read_only=True)) as copy:
        row = copy.night(code)
        assert row
        kept = {"code": row.code, "name": row.name, "preset": row.preset, "options": row.options}
        home.store.create_night(**kept, created_at=row.created_at, events=list(copy.events(code))[:events])


def newest(home: Home) -> Backup:
    return home.backups.all()[0]
