"""What the store does when the disk, the power or another program fails it, which can change and copy a data file."""

import os
import random
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from support.data_files import event, file_of, unguarded

from tracker.storage import BadRow, CorruptLog, InUse, NewEvent, NotSaved, Store, StoreError, Unreadable
from tracker.storage.files import log_of

NOBODY = 65534
JOIN_SECONDS = 60


def new_night(path: Path, events: int = 0) -> Store:
    store = Store(path)
    rows = [NewEvent(number, f"id-{number}", bytes(32), f'{{"n": {number}}}', "") for number in range(1, events + 1)]
    store.create_night(code="K7Q", name="Friday", preset="{}", options="{}", created_at="2026", events=rows)
    return store


def numbers(store: Store) -> list[int]:
    return [row.number for row in store.events("K7Q")]


def append(store: Store, number: int, word: str = "") -> None:
    store.append("K7Q", NewEvent(number, f"id-{number}{word}", bytes(32), "{}", ""))


def test_a_closed_store_lets_the_next_one_in(tmp_path: Path) -> None:
    store = new_night(tmp_path / "nights.db")
    with pytest.raises(InUse):
        Store(tmp_path / "nights.db")
    store.close()
    store.close()
    Store(tmp_path / "nights.db").close()


def test_who_reads_does_not_wait_for_who_writes_and_sees_what_was_committed(tmp_path: Path) -> None:
    """A writer may itself wait for another program that holds the file."""
    store = new_night(tmp_path / "nights.db", events=2)
    seen: list[list[int]] = []
    for reason in ("first", "again", "after the log was deleted"):
        if reason.startswith("after"):
            log_of(tmp_path / "nights.db").unlink()
        reader = threading.Thread(target=lambda: seen.append(numbers(store)))
        with store.connection.write() as db:
            db.execute("UPDATE night SET name = 'not committed yet'")
            reader.start()
            reader.join(JOIN_SECONDS)
            assert not reader.is_alive(), reason
        append(store, len(numbers(store)) + 1)
    assert seen == [[1, 2], [1, 2, 3], [1, 2, 3, 4]]
    store.close()
    assert not log_of(tmp_path / "nights.db").exists()


def test_two_folders_whose_files_were_one_are_two_files_from_then_on(tmp_path: Path) -> None:
    """A hard link: each name has a lock and a log of its own, and two servers would write into one file."""
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    new_night(tmp_path / "one/nights.db", events=2).close()
    (tmp_path / "other/nights.db").hardlink_to(tmp_path / "one/nights.db")
    stores = [Store(tmp_path / name / "nights.db") for name in ("one", "other")]
    append(stores[0], 3, "one")
    append(stores[1], 3, "other")
    append(stores[1], 4)
    assert [numbers(store) for store in stores] == [[1, 2, 3], [1, 2, 3, 4]]
    assert [store.faults() for store in stores] == [[], []]
    for store in stores:
        store.close()
    assert {path.name for path in tmp_path.glob("*/*")} == {"nights.db", "nights.db.lock"}


@contextmanager
def as_nobody() -> Iterator[None]:
    """Drop the rights of root for a while: root may write anywhere."""
    is_root = os.geteuid() == 0
    if is_root:
        try:
            os.seteuid(NOBODY)
        except OSError:
            pytest.skip("this user namespace has no other user than root, who may write anywhere")
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_a_read_only_folder_can_be_looked_at(tmp_path: Path) -> None:
    del tmp_path  # not for other users to enter
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "nights.db"
        new_night(path, events=3).close()
        for file in Path(folder).iterdir():
            file.chmod(0o444)
        Path(folder).chmod(0o555)
        with as_nobody():
            store = Store(path)
            assert numbers(store) == [1, 2, 3]
            trouble = store.probe()
            assert trouble is not None
            assert (trouble.reason, trouble.certain) == ("read-only", True)
            with pytest.raises(NotSaved, match="can’t be written"):
                append(store, 4)
            assert numbers(store) == [1, 2, 3]
            store.close()
        Path(folder).chmod(0o755)


def test_every_flipped_bit_is_noticed_or_changes_no_event(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    chance, flips = random.Random(7), short_or_long(250, 3000)
    path, broken = tmp_path / "nights.db", tmp_path / "broken.db"
    store = new_night(path, events=240)
    original, night = list(store.events("K7Q")), store.night("K7Q")
    store.close()
    content = path.read_bytes()
    noticed = 0
    for _ in range(flips):
        position = chance.randrange(len(content))
        changed = bytearray(content)
        changed[position] ^= 1 << chance.randrange(8)
        broken.write_bytes(changed)
        try:
            opened = Store(broken)
        except Unreadable:
            noticed += 1
            continue
        try:
            events, found = list(opened.events("K7Q")), opened.night("K7Q")
            assert events == original, f"bit flip at {position} went unnoticed"
            assert found is not None
            assert night is not None
            assert (found.preset, found.options) == (night.preset, night.options)
        except StoreError:
            noticed += 1
        finally:
            opened.close()
    figure(f"single bits flipped: {flips}; {noticed} noticed, in all others every event as it was; 0 missed")
    assert noticed > flips / 10


def test_a_file_of_another_kind_is_refused_and_left_alone_and_lets_go_of_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "nights.db"
    for content in (b"not a database at all" * 100, b"SQLite format 3\0" + bytes(5000)):
        path.write_bytes(content)
        for _again in range(2):
            with pytest.raises(Unreadable, match=r"can't be opened"):
                Store(path)
        assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    conn = sqlite3.connect(tmp_path / "nights.db")
    conn.execute("CREATE TABLE photos(id)")
    conn.close()
    with pytest.raises(Unreadable, match="some other program"):
        Store(tmp_path / "nights.db")


REFUSED_FILES = {
    "INSERT INTO _sqlite_migrations VALUES (99, 'board-tracker', 'later_tables', '2030')": "newer version",
    "DELETE FROM _sqlite_migrations": "already exists",
    "PRAGMA application_id = 7": "some other program",
    "DROP TRIGGER event_no_delete": "altered",
    "DROP INDEX device_by_night": "altered",
    "CREATE TABLE more(x)": "altered",
    "ALTER TABLE night ADD COLUMN x TEXT": "altered",
}


@pytest.mark.parametrize("sql", REFUSED_FILES)
def test_a_file_of_a_newer_version_or_with_altered_tables_is_refused(sql: str, tmp_path: Path) -> None:
    new_night(tmp_path / "nights.db").close()
    with closing(sqlite3.connect(tmp_path / "nights.db", isolation_level=None)) as conn:
        conn.execute(sql)
    with pytest.raises(Unreadable, match=REFUSED_FILES[sql]):
        Store(tmp_path / "nights.db")


def test_the_schema_is_the_same_after_every_method_was_used(tmp_path: Path) -> None:
    store = new_night(tmp_path / "nights.db", events=2)
    append(store, 3)
    store.rename("K7Q", "x")
    store.set_setting("K7Q", "a", "b")
    phone = store.devices.add(bytes(32), code="K7Q", role="seat", at="")
    store.devices.change(phone.id, name="Ann")
    store.replace_invites(bytes(32), code="K7Q", typed="ABC", at="")
    store.devices.revoke(phone.id)
    store.close()
    again = Store(tmp_path / "nights.db")
    assert numbers(again) == [1, 2, 3]
    again.close()


def test_the_pragmas_that_keep_the_last_event_through_a_power_cut_are_on(store: Store) -> None:
    with store.connection.read() as db:
        found = {
            name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "fullfsync")
        }
    assert found == {"journal_mode": "wal", "synchronous": 3, "fullfsync": 1}


# What is said of the log in a data file alone: other programs can change and copy it


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Iterator[Store]:
    with closing(new_night(tmp_path / "nights.db")) as store:
        yield store


def test_what_only_sqlite_would_do_to_an_event_is_refused_too(store: Store) -> None:
    store.append("K7Q", event(1))
    before = store.append("K7Q", event(2))
    for sql in (
        "INSERT OR REPLACE INTO event SELECT * FROM event WHERE number = 1",
        "REPLACE INTO event SELECT * FROM event WHERE number = 2",
        "INSERT INTO event SELECT code, 3, 'x', print, 5, at, by, 'short' FROM event WHERE number = 1",
    ):
        with pytest.raises(BadRow), store.connection.write() as db:
            db.execute(sql)
        assert list(store.events("K7Q"))[-1] == before, sql


CHANGES = ("id = 'x'", "print = randomblob(32)", "body = '[9]'", "at = ''", "by = 'bob'", "hash = randomblob(32)")


@pytest.mark.parametrize("change", CHANGES)
def test_every_changed_field_breaks_the_chain_at_its_event(tmp_path: Path, store: Store, change: str) -> None:
    for number in range(1, 6):
        store.append("K7Q", event(number))
    store.close()
    with unguarded(tmp_path / "nights.db") as db:
        db.execute(f"UPDATE event SET {change} WHERE number = 3")
    with closing(Store(tmp_path / "nights.db")) as opened:
        with pytest.raises(CorruptLog) as damage:
            list(opened.events("K7Q"))
        assert damage.value.number == 3
        assert opened.faults() == ["night K7Q is damaged at event 3: it is not what was recorded"]


def test_a_copy_holds_all_events_and_can_be_read_beside_a_running_server(tmp_path: Path, store: Store) -> None:
    written = [store.append("K7Q", event(number)) for number in range(1, 4)]
    file_of(store).backup(tmp_path / "copy.db")
    assert sorted(file.suffix for file in tmp_path.glob("copy*")) == [".db"]
    for file in (tmp_path / "copy.db", tmp_path / "nights.db"):
        reader = Store(file, read_only=True)
        assert list(reader.events("K7Q")) == written
        with pytest.raises(NotSaved, match="can’t be written"):
            reader.append("K7Q", event(4))
        reader.close()
