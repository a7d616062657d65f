"""A large data file is checked after the start, repaired at the same address, and not written to before."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.damaged_files import PAGE, EntriesByCode, chain_damaged
from support.of_extras import needs
from support.polling import read_until
from support.ports import free_port
from support.sample_nights import record
from support.server_process import serve_command

from tracker.app.event_rows import read_entries, to_row
from tracker.app.nights import Nights
from tracker.archive import summaries as summaries_module
from tracker.archive.summaries import Summaries
from tracker.cli.data_folder import CHECKED_AT_ONCE, DATA_FILE, open_repaired
from tracker.core.events import Amount, Buy, Name, SeatId, Sit
from tracker.core.log import Entry
from tracker.storage import CorruptFile, NotSaved, Store
from tracker.streaming.hub import StreamHub


def grown(path: Path, code: str) -> None:
    """Make a file larger than those that are checked before the start."""
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("INSERT OR REPLACE INTO summary VALUES (?, 0, 0, ?, ?)", [code, "x" * CHECKED_AT_ONCE, bytes(32)])


def page_damaged(path: Path, code: str, _number: int) -> None:
    """Fill the page of one of the night's events with rubbish."""
    with closing(sqlite3.connect(path)) as conn:
        (hash_,) = conn.execute("SELECT hash FROM event WHERE code = ? AND number = 50", [code]).fetchone()
    content = path.read_bytes()
    page = content.index(hash_) // PAGE * PAGE
    path.write_bytes(content[:page] + bytes([7]) * PAGE + content[page + PAGE :])


@pytest.mark.parametrize("damage", [chain_damaged, page_damaged])
def test_a_large_file_is_checked_after_the_start_and_repaired_at_the_same_address(
    sound: tuple[Path, Path, EntriesByCode], tmp_path: Path, damage: Callable[[Path, str, int], None]
) -> None:
    needs("repair")
    path, code = tmp_path / DATA_FILE, min(sound[2])
    shutil.copyfile(sound[0], path)
    grown(path, code)
    damage(path, code, 50)
    with serve_command(path.parent, "--port", str(free_port())) as served:
        assert served.phone.get("/join").status == 200
        assert "events, " not in served.said, "it was repaired before the start"
        served.said += read_until(served.process, "The host's page")
        assert "the data file is damaged: the table stops for a moment to repair it" in served.said
        assert f"{code}  " in served.said
        assert f":{served.port}/host/" in read_until(served.process, "\n")
        assert served.phone.get("/join").status == 200
        assert served.stop() == 0
    with closing(open_repaired(path)) as store:
        assert store.faults() == []


def test_nothing_is_written_to_a_large_file_before_its_pages_are_checked(
    sound: tuple[Path, Path, EntriesByCode], tmp_path: Path
) -> None:
    path, code = tmp_path / DATA_FILE, min(sound[2])
    shutil.copyfile(sound[0], path)
    with closing(Store(path, is_checked_later=True)) as store:
        store.set_setting(None, "a", "1")
        assert store.faults() == []
    page_damaged(path, code, 50)
    with closing(Store(path, is_checked_later=True)) as store:
        with pytest.raises(NotSaved, match="the data file is damaged"):
            store.set_setting(None, "a", "2")
        with pytest.raises(CorruptFile):
            store.faults()


def test_a_night_is_replayed_again_only_without_a_summary_of_its_log_or_by_another_version(
    sound: tuple[Path, Path, EntriesByCode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copyfile(sound[0], tmp_path / DATA_FILE)
    replayed: list[str] = []

    def counted(store: Store, code: str) -> list[Entry]:
        replayed.append(code)
        return read_entries(store, code)

    monkeypatch.setattr(summaries_module, "read_entries", counted)
    with closing(Store(tmp_path / DATA_FILE)) as store:
        summaries = Summaries(Nights(store, StreamHub()))
        assert list(summaries.replay_faults()) == []
        assert sorted(replayed) == sorted(sound[2])
        assert list(summaries.replay_faults()) == []
        assert len(replayed) == len(sound[2])
        monkeypatch.setattr("tracker.archive.summaries.__version__", "9")
        assert list(summaries.replay_faults()) == []
        assert len(replayed) == 2 * len(sound[2])


def test_a_night_that_can_not_be_played_to_its_end_is_named(store: Store, tables: Nights) -> None:
    """Its hashes fit: a program with other rules has written it."""
    good = tables.open("michigan-rummy")
    record(good, Sit(SeatId("ann"), Name("Ann")))
    row = store.night(good.code)
    assert row is not None
    events = [to_row(Entry(1, Buy("nobody", Amount(5)), "x"))]
    store.create_night(
        code="other", name="", preset=row.preset, options=row.options, created_at=row.created_at, events=events
    )
    (said,) = Summaries(Nights(store, StreamHub())).replay_faults()
    assert said.startswith("night other can’t be read past event 1: ")
