"""`--database`: the command keeps the nights in PostgreSQL, and says in a sentence what does not work there."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
import pytest
from extras.processes.postgres_server import PostgresServer
from support.data_files import unguarded
from support.made_up_nights import add_demo_nights, demo_nights
from support.of_extras import needs
from support.paths import ROOT
from support.polling import wait_until
from support.server_process import ServedCommand, run, run_command, serve_command

from tracker import __version__
from tracker.app.nights import Nights
from tracker.extras._data_files import COLUMNS
from tracker.extras._night_summaries.summaries import Summaries
from tracker.extras.processes import postgres
from tracker.extras.processes.database import PostgresDatabase
from tracker.extras.processes.options import Postgres
from tracker.extras.processes.shared_rows import SharedRows
from tracker.storage import Store, Unreadable
from tracker.streaming.hub import StreamHub

NIGHT = ROOT / "tests/nights/kitty-three-hands.json"


@pytest.fixture(name="environment")
def _environment(database: str, tmp_path: Path) -> dict[str, str]:
    return {"BOARD_TRACKER_DATABASE": database, "BOARD_TRACKER_DATA": str(tmp_path)}


@pytest.fixture(name="served")
def _served(environment: dict[str, str]) -> Iterator[ServedCommand]:
    with serve_command(None, **environment) as served:
        yield served


def test_nights_go_into_the_database_while_the_server_runs_and_come_out_as_they_were(
    served: ServedCommand, environment: dict[str, str], tmp_path: Path
) -> None:
    needs("exports")
    needs("commands")
    added = run("import", NIGHT, **environment)
    assert added.exit_code == 0, added.stderr
    code = added.stdout.split()[0]
    assert run("nights", **environment).stdout.startswith(f"{code}  ")
    served.phone.become_host(served.host_link)
    assert code in served.phone.get("/").text
    assert not (tmp_path / "nights.db").exists()
    exported = run("export", code, **environment)
    (tmp_path / "night.json").write_text(exported.stdout, encoding="utf-8")
    ends = [json.loads(run("replay", "--json", file).stdout) for file in (NIGHT, tmp_path / "night.json")]
    assert {**ends[0], "name": "Michigan Kitty"} == ends[1]


def test_a_row_that_is_extended_ends_so_much_later(database: str) -> None:
    with closing(Store(Postgres(database))) as store:
        rows = store.temporary
        assert isinstance(rows, SharedRows)
        assert round(rows.extend("posts", "a", 30.0)) == 30
        assert round(rows.extend("posts", "a", 30.0)) == 60
        assert round(rows.extend("posts", "b", 30.0)) == 30
        rows.add("posts", "c", -600.0)
        assert round(rows.extend("posts", "c", 1.0)) == 1


def test_copies_are_left_to_the_databases_own_tools(served: ServedCommand, environment: dict[str, str]) -> None:
    needs("copies")
    served.phone.become_host(served.host_link)
    home = served.phone.get("/").text
    assert "/new" in home
    assert "/backups" not in home
    said = served.phone.get("/backups").text
    assert "whoever looks after it makes the copies" in said
    assert "Make a copy now" not in said
    assert served.phone.post("/backups").status == 404
    for arguments in (("backup",), ("restore",), ("restore", "some.db")):
        refused = run(*arguments, **environment)
        assert (refused.exit_code, refused.stdout) == (1, ""), arguments
        assert "pg_dump" in refused.stderr


def test_a_database_that_is_not_there_or_named_with_a_password_for_all_to_read_is_one_sentence_without_it(
    tmp_path: Path,
) -> None:
    for url in ("postgresql://ann:secret@/nights", "postgresql:///nights?user=ann&password=secret"):
        refused = run("nights", "--data", tmp_path, "--database", url)
        assert (refused.exit_code, "BOARD_TRACKER_DATABASE" in refused.stderr) == (2, True)
        assert "secret" not in refused.stderr
    for url, said in (
        ("postgresql://ann:secret@/nights?host=/no/such/folder", "can't be used"),
        ("postgresql://ann:secret@/nights?port=secret", "can't be used"),
        ("postgresql://ann:secret%zz@/nights", "can't be used"),
        ("mysql://ann:secret@localhost/nights", "postgresql://user@host/name"),
    ):
        for name in ("serve", "nights"):
            refused = run(name, BOARD_TRACKER_DATABASE=url, BOARD_TRACKER_DATA=str(tmp_path))
            assert refused.exit_code in (1, 2)
            assert said in refused.stderr
            assert "secret" not in refused.stdout + refused.stderr
            assert "Traceback" not in refused.stderr


def test_without_psycopg_the_command_names_the_package(tmp_path: Path) -> None:
    (tmp_path / "psycopg.py").write_text("raise ImportError\n", encoding="utf-8")
    environment = {"PYTHONPATH": f"{tmp_path}:{ROOT}", "BOARD_TRACKER_DATABASE": "postgresql:///nights"}
    refused = run_command("nights", "--data", tmp_path, **environment)
    assert refused.returncode == 1
    assert f"pip install './board_tracker-{__version__}-py3-none-any.whl[club]'" in refused.stderr


def test_a_server_that_may_lose_what_it_has_acknowledged_is_refused(
    postgres_server: PostgresServer, database: str
) -> None:
    with closing(psycopg.connect(postgres_server.url, autocommit=True)) as link:
        link.execute("ALTER SYSTEM SET fsync = off")
        link.execute("SELECT pg_reload_conf()")
        wait_until(lambda: link.execute("SHOW fsync").fetchone() == ("off",))
        with pytest.raises(Unreadable, match="a power cut could lose"):
            Store(Postgres(database))
        link.execute("ALTER SYSTEM RESET fsync")
        link.execute("SELECT pg_reload_conf()")
        wait_until(lambda: link.execute("SHOW fsync").fetchone() == ("on",))
    Store(Postgres(database)).close()


def test_a_database_of_a_newer_version_or_another_program_is_refused(tmp_path: Path, database: str) -> None:
    def refusal() -> str:
        return run("nights", "--data", tmp_path, BOARD_TRACKER_DATABASE=database).stderr

    assert "no nights in this database yet" in refusal()
    assert run("import", NIGHT, "--data", tmp_path, BOARD_TRACKER_DATABASE=database).exit_code == 0
    with psycopg.connect(database, autocommit=True) as link:
        link.execute("UPDATE board_tracker_schema SET version = 99")
        assert "newer version" in refusal()
        link.execute("DROP TABLE board_tracker_schema")
    refused = run("import", NIGHT, "--data", tmp_path, BOARD_TRACKER_DATABASE=database)
    assert "some other program" in refused.stderr


def test_processes_that_start_in_the_same_moment_share_the_token_of_scripts(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    api_device = pytest.importorskip("tracker.extras.api.tokens", reason="there are no scripts").own_device
    with closing(Store(Postgres(database))) as first, closing(Store(Postgres(database))) as second:
        added, look = api_device(first, bytes(32)), second.devices.by_token
        looks = iter([None, added])  # the first process adds it after this one has looked
        monkeypatch.setattr(second.devices, "by_token", lambda _: next(looks))
        assert api_device(second, bytes(32)) == added == look(bytes(32))


def test_a_database_of_an_earlier_version_has_roles_by_their_names(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(postgres, "MIGRATIONS", postgres.MIGRATIONS[:1])
        with closing(Store(Postgres(database))) as store, store.connection.write() as db:
            times = {"name": "", "label": "", "made_at": "2026", "seen_at": "2026"}
            for place, role in enumerate(("host", "banker", "seat", "watcher", "knock"), start=1):
                db.table("device").insert({**times, "role": role, "token_hash": bytes([place]) * 32})
            night = {"code": "k7q", "name": "", "preset": "{}", "options": "{}", "created_at": "2026"}
            db.table("night").insert(night)
            invite = {"token_hash": bytes(32), "code": "k7q", "kind": "join", "typed": "K7QM2X", "made_at": "2026"}
            db.table("invite").insert(invite)
    with closing(Store(Postgres(database))) as store:
        assert [row.role for row in store.devices.of(None)] == ["host", "owner", "assistant", "screen", "knock"]
        assert store.night_of_typed_code("K7QM2X") == "k7q"


# `board-tracker move`: everything arrives in the other place, proved by its hashes, or nothing does.


NIGHTS = 5


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A data folder with nights, people, summaries, phones that may enter, and one that was sent away."""
    folder = tmp_path / "folder"
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


def everything(place: Path | str) -> dict[str, Any]:
    at = Postgres(place) if isinstance(place, str) else place
    with closing(Store(at, read_only=True)) as store, store.connection.read() as db:
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
    for place in (Postgres(database), tmp_path / "back/nights.db"):
        with closing(Store(place)) as store:
            assert store.faults() == []
            assert store.devices.by_token(bytes([1]) * 32) is not None
            newest = store.devices.add(bytes([9]) * 32, code=None, role="host", at="21:00")
            assert newest.id > max(row[0] for row in before["device"])


def test_nothing_stays_where_something_arrived_otherwise_and_a_night_whose_hashes_do_not_fit_is_not_moved(
    folder: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(Postgres(database)).close()
    empty, insert_many = everything(database), PostgresDatabase.insert_many

    def changed(db: PostgresDatabase, table: str, columns: str, rows: list[tuple[Any, ...]]) -> None:
        last = [(*row[:-1], bytes(32)) if table == "event" and row is rows[-1] else row for row in rows]
        insert_many(db, table, columns, last)

    with monkeypatch.context() as patch:
        patch.setattr(PostgresDatabase, "insert_many", changed)
        refused = run("move", folder, database)
    assert refused.exit_code == 1
    assert "nothing was moved: what arrived in the table event" in refused.output
    assert everything(database) == empty
    with unguarded(folder / "nights.db") as db:
        (code,) = db.execute("SELECT MAX(code) FROM night").fetchone()
        db.execute("UPDATE event SET body = '{}' WHERE code = ? AND number = 3", [code])
    refused = run("move", folder, database)
    assert refused.exit_code == 1
    assert f"night {code} is damaged at event 3" in refused.output
    assert everything(database) == empty


def test_a_place_that_has_nights_is_served_or_empty_and_a_password_are_refused(
    folder: Path, database: str, tmp_path: Path
) -> None:
    with closing(Store(Postgres(database))) as store:
        store.create_night(code="K7Q", name="", preset="{}", options="{}", created_at="2026")
    there, here = everything(database), everything(folder / "nights.db")
    for places in ((folder, database), (database, folder)):
        assert "there are nights already" in run("move", *places).output
    assert (everything(database), everything(folder / "nights.db")) == (there, here)
    with closing(Store(folder / "nights.db")):
        assert "already running" in run("move", folder, tmp_path / "other").output
    assert "there are no nights" in run("move", tmp_path / "empty", tmp_path / "other").output
    refused = run("move", folder, "postgresql://ann:secret@/nights")
    assert (refused.exit_code, "PGPASSWORD" in refused.output, "secret" in refused.output) == (2, True, False)
