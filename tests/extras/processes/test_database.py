"""`--database`: the command keeps the nights in PostgreSQL, and says in a sentence what does not work there."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from extras.processes.postgres_server import PostgresServer
from support.of_extras import needs
from support.paths import ROOT
from support.polling import wait_until
from support.server_process import ServedCommand, run, run_command, serve_command

from tracker import __version__
from tracker.cli.serve import api_device
from tracker.extras.processes import postgres
from tracker.extras.processes.options import Postgres
from tracker.storage import Store, Unreadable

NIGHT = ROOT / "tests/nights/kitty-three-hands.json"


@pytest.fixture(name="environment")
def _environment(database: str, tmp_path: Path) -> dict[str, str]:
    return {"BOARD_TRACKER_DATABASE": database, "BOARD_TRACKER_DATA": str(tmp_path)}


@pytest.fixture(name="served")
def _served(environment: dict[str, str]) -> Iterator[ServedCommand]:
    with serve_command(None, **environment) as served:
        yield served


def test_nights_go_into_the_database_and_come_out_as_they_were(environment: dict[str, str], tmp_path: Path) -> None:
    needs("exports")
    needs("commands")
    added = run("import", NIGHT, **environment)
    assert added.exit_code == 0, added.stderr
    code = added.stdout.split()[0]
    assert run("nights", **environment).stdout.startswith(f"{code}  ")
    assert not (tmp_path / "nights.db").exists()
    exported = run("export", code, **environment)
    (tmp_path / "night.json").write_text(exported.stdout, encoding="utf-8")
    ends = [json.loads(run("replay", "--json", file).stdout) for file in (NIGHT, tmp_path / "night.json")]
    assert {**ends[0], "name": "Michigan Kitty"} == ends[1]


def test_a_night_is_brought_in_while_the_server_runs(served: ServedCommand, environment: dict[str, str]) -> None:
    needs("commands")
    served.phone.become_host(served.host_link)
    code = run("import", NIGHT, **environment).stdout.split()[0]
    assert code in served.phone.get("/").text


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


def test_a_password_is_not_taken_where_everybody_can_read_it(tmp_path: Path) -> None:
    for url in ("postgresql://ann:secret@/nights", "postgresql:///nights?user=ann&password=secret"):
        refused = run("nights", "--data", tmp_path, "--database", url)
        assert refused.exit_code == 2
        assert "BOARD_TRACKER_DATABASE" in refused.stderr
        assert "secret" not in refused.stderr


def test_a_database_that_is_not_there_is_one_sentence_without_the_password(tmp_path: Path) -> None:
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
    imported = run("import", NIGHT, "--data", tmp_path, BOARD_TRACKER_DATABASE=database)
    assert imported.exit_code == 0
    with psycopg.connect(database, autocommit=True) as link:
        link.execute("UPDATE board_tracker_schema SET version = 99")
        assert "newer version" in refusal()
        link.execute("DROP TABLE board_tracker_schema")
    refused = run("import", NIGHT, "--data", tmp_path, BOARD_TRACKER_DATABASE=database)
    assert "some other program" in refused.stderr


def test_processes_that_start_in_the_same_moment_share_the_token_of_scripts(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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
