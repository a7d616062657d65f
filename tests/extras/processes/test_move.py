"""`board-tracker move`: everything arrives in the other place, proved by its hashes, or nothing does."""

import shutil
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from support.made_up_nights import add_demo_nights, demo_nights
from support.server_process import run

from tracker.app.nights import Nights
from tracker.archive.summaries import Summaries
from tracker.extras.processes.database import PostgresDatabase
from tracker.extras.processes.options import Postgres
from tracker.storage import Store
from tracker.storage.rows import COLUMNS
from tracker.streaming.hub import StreamHub

NIGHTS = 5


def place_of(place: Path | str) -> Path | Postgres:
    return Postgres(place) if isinstance(place, str) else place


@pytest.fixture(name="filled", scope="module")
def _filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with nights, people, summaries, phones that may enter, and one that was sent away."""
    folder = tmp_path_factory.mktemp("filled")
    with closing(Store(folder / "nights.db")) as store:
        nights = Nights(store, StreamHub())
        add_demo_nights(nights, demo_nights(NIGHTS, 3, date(2026, 11, 21)))
        Summaries(nights).all()
        code = nights.nights()[0].code
        phones = [
            store.devices.add(bytes([number]) * 32, code=code, role="seat", at="20:00", name="Zoë")
            for number in range(3)
        ]
        store.devices.revoke(phones[2].id)
        store.replace_invites(bytes(32), code=code, at="20:00", typed="K7QM2X")
        store.set_setting(code, "everyone", "on")
        nights.settings.host_name = "Ruth"
    return folder


@pytest.fixture(name="folder")
def _folder(filled: Path, tmp_path: Path) -> Path:
    return shutil.copytree(filled, tmp_path / "folder")


def everything(place: Path | str) -> dict[str, Any]:
    with closing(Store(place_of(place), read_only=True)) as store, store.connection.read() as db:
        return {
            table: db.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()
            for table, columns in COLUMNS.items()
        }


def test_everything_goes_into_a_database_and_comes_back_the_same(folder: Path, database: str, tmp_path: Path) -> None:
    before = everything(folder / "nights.db")
    events = len(before["event"])
    assert all(before.values())
    said = f"{NIGHTS} nights with {events} events are in {{}}, and every hash was proved there.\n"
    assert run("move", folder, database).output == said.format(database)
    assert everything(database) == before
    assert run("move", database, tmp_path / "back").output == said.format(tmp_path / "back")
    assert everything(tmp_path / "back/nights.db") == before
    for place in (database, tmp_path / "back/nights.db"):
        with closing(Store(place_of(place))) as store:
            assert store.faults() == []
            assert store.devices.by_token(bytes([1]) * 32) is not None
            newest = store.devices.add(bytes([9]) * 32, code=None, role="host", at="21:00")
            assert newest.id > max(row[0] for row in before["device"])


def test_a_place_that_has_nights_is_left_alone(folder: Path, database: str) -> None:
    with closing(Store(Postgres(database))) as store:
        store.create_night(code="K7Q", name="", preset="{}", options="{}", created_at="2026")
    there, here = everything(database), everything(folder / "nights.db")
    for places in ((folder, database), (database, folder)):
        refused = run("move", *places)
        assert (refused.exit_code, "there are nights already" in refused.output) == (1, True)
    assert (everything(database), everything(folder / "nights.db")) == (there, here)


def test_nothing_stays_where_something_arrived_otherwise(
    folder: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(Postgres(database)).close()
    empty, insert_many = everything(database), PostgresDatabase.insert_many

    def changed(db: PostgresDatabase, table: str, columns: str, rows: list[tuple[Any, ...]]) -> None:
        last = [(*row[:-1], bytes(32)) if table == "event" and row is rows[-1] else row for row in rows]
        insert_many(db, table, columns, last)

    monkeypatch.setattr(PostgresDatabase, "insert_many", changed)
    refused = run("move", folder, database)
    assert refused.exit_code == 1
    assert "nothing was moved: what arrived in the table event" in refused.output
    assert everything(database) == empty


def test_a_night_whose_hashes_do_not_fit_is_not_moved(folder: Path, database: str) -> None:
    with closing(Store(folder / "nights.db")) as store:
        code = store.nights()[0].code
        with store.connection.write() as db:
            sql = db.execute("SELECT sql FROM sqlite_master WHERE name = 'event_no_update'").fetchone()[0]
            db.execute("DROP TRIGGER event_no_update")
            db.execute("UPDATE event SET body = '{}' WHERE code = ? AND number = 3", [code])
            db.execute(sql)
    refused = run("move", folder, database)
    assert refused.exit_code == 1
    assert f"night {code} is damaged at event 3" in refused.output
    assert everything(database)["night"] == []


def test_a_folder_that_is_served_or_empty_and_a_password_are_refused(folder: Path, tmp_path: Path) -> None:
    with closing(Store(folder / "nights.db")):
        assert "already running" in run("move", folder, tmp_path / "other").output
    assert "there are no nights" in run("move", tmp_path / "empty", tmp_path / "other").output
    refused = run("move", folder, "postgresql://ann:secret@/nights")
    assert "PGPASSWORD" in refused.output
    assert "secret" not in refused.output
