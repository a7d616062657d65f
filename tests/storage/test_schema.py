"""Data files of earlier versions are opened, and known to need no migration from then on."""

from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from tracker import extras
from tracker.storage import Store
from tracker.storage.sqlite_schema import has_current_schema, migrations

LATEST_OLD = 3
"""So many migrations a file may have that knows only five words for roles."""
OLD_ROLES = ("host", "banker", "seat", "watcher", "knock")


def old_file(path: Path, number: int) -> None:
    """Write a data file of an earlier version, which had so many migrations, with devices, a join code, a setting."""
    earlier = Migrations("board-tracker")
    for migration in migrations._migrations[:number]:
        earlier(name=migration.name)(migration.fn)
    with closing(Database(path)) as db:
        earlier.apply(db)
        db.table("night").insert({"code": "k7q", "name": "", "preset": "{}", "options": "{}", "created_at": "2026"})
        times = {"name": "", "label": "iPhone", "made_at": "2026", "seen_at": "2026"}
        of_night: list[dict[str, str | None]] = [
            {"code": "k7q", "role": "seat", "seat": "ben"},
            {"code": "k7q", "role": "watcher", "seat": None},
        ]
        of_all: list[dict[str, str | None]] = [{"code": None, "role": role, "seat": "owner-id"} for role in OLD_ROLES]
        for place, device in enumerate([*of_night, *of_all], start=1):
            db.table("device").insert({**times, **device, "id": place, "token_hash": bytes([place]) * 32})
        db.table("device").insert({**times, **of_night[0], "id": 40, "token_hash": bytes([40]) * 32})
        db.table("device").delete(40)
        invite = {"token_hash": bytes(32), "code": "k7q", "kind": "join", "typed": "K7QM2X", "made_at": "2026"}
        db.table("invite").insert(invite)
        db.table("setting").insert({"code": "k7q", "key": "note", "value": "at home"})


def check_words(store: Store) -> None:
    """Every device has its role under its own name, and what it was beside that; the join code leads to its night."""
    assert [(row.role, row.seat) for row in store.devices.of("k7q")] == [("seat", "ben"), ("watcher", None)]
    assert [row.role for row in store.devices.of(None)] == ["host", "owner", "assistant", "screen", "knock"]
    assert [row.id for row in store.devices.of(None)] == [3, 4, 5, 6, 7]
    assert store.devices.by_token(bytes([4]) * 32) == store.devices.of(None, "owner")[0]
    assert (store.typed_code("k7q"), store.night_of_invite(bytes(32))) == ("K7QM2X", "k7q")
    assert store.setting("k7q", "note") == "at home"


@pytest.mark.parametrize("number", range(1, LATEST_OLD + 1))
def test_a_file_of_every_earlier_version_opens_or_is_repaired_with_roles_by_their_names(
    tmp_path: Path, number: int
) -> None:
    path, other = tmp_path / "nights.db", tmp_path / "other.db"
    for repairs in extras.modules("repairs") if number == LATEST_OLD else ():
        old_file(other, number)
        repairs.repair(other)
        with closing(Store(other)) as store:
            check_words(store)
    old_file(path, number)
    with closing(Store(path)) as store:
        check_words(store)
        assert store.devices.add(bytes([41]) * 32, code="k7q", role="seat", at="2026").id == 41, "no id is given again"
        store.replace_invites(bytes([1]) * 32, code="k7q", at="2026", typed="ABCDEF")
        assert store.typed_code("k7q") == "ABCDEF"
    (kept,) = tmp_path.glob("before-update-*.db")
    with closing(Database(kept)) as db:
        assert {row["role"] for row in db.table("device").rows} == {*OLD_ROLES}
    with closing(Database(path)) as db:
        assert has_current_schema(db)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
