"""What is said of the log in a data file alone: it can be changed and copied by other programs."""

from contextlib import closing
from pathlib import Path

import pytest
from support.data_files import file_of, unguarded

from tracker.storage import BadRow, CorruptLog, NewEvent, NotSaved, Store


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "nights.db"


@pytest.fixture(name="store", autouse=True)
def _night(store: Store) -> Store:
    store.create_night(code="K7Q", name="Friday", preset="{}", options="{}", created_at="2026-11-20T20:00:00Z")
    return store


def event(number: int) -> NewEvent:
    return NewEvent(number, f"id-{number}", bytes([number]) * 32, "{}", "2026-11-20T20:01:00Z", "ann")


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
def test_every_changed_field_breaks_the_chain_at_its_event(path: Path, store: Store, change: str) -> None:
    for number in range(1, 6):
        store.append("K7Q", event(number))
    store.close()
    with unguarded(path) as db:
        db.execute(f"UPDATE event SET {change} WHERE number = 3")
    with closing(Store(path)) as opened:
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
