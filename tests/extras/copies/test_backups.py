"""Copies of all nights: made after every hand without anybody waiting, and put back without anything getting lost."""

import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
from extras.copies.backup_fixtures import night_in
from support.client_phones import Site
from support.data_files import file_of
from support.faults.ack_ledger import sum_of
from support.polling import wait_until
from support.replaced_file import each_fault, file_replaced
from support.sample_nights import play_hand, record, seat_everybody
from support.system_limits import no_more_threads
from support.transcripts import played, recorded

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.cli.data_folder import DATA_FILE, open_repaired
from tracker.core.events import Amount, Buy, End
from tracker.core.log import Entry
from tracker.extras._backups import FOLDER, MAX_AUTOMATIC, Backups, backup_at, backup_number, backups_of
from tracker.storage import Store, Unreadable


@contextmanager
def playing(table: OpenNight, phones: int) -> Iterator[None]:
    """Have so many threads record events for as long as the block takes."""
    done = threading.Event()

    def play() -> None:
        for number in count():
            if done.is_set():
                return
            record(table, Buy("ruth", Amount(number % 9 + 1)))

    players = [threading.Thread(target=play) for _ in range(phones)]
    for player in players:
        player.start()
    try:
        yield
    finally:
        done.set()
        for player in players:
            player.join()


def test_after_a_hand_and_at_the_end_there_is_a_copy_with_all_that_was_recorded_and_none_that_nobody_requested(
    table: OpenNight, backups: Backups
) -> None:
    play_hand(table, "ruth", "ben", "mia")
    backups.close()  # makes it without waiting for the payments that end a hand
    files = {copy.name: copy for copy in backups.all()}
    copy = files[f"hand-{max(map(backup_number, backups.folder.glob('hand-*.db'))):06}.db"]
    assert night_in(copy.path, table.code).entries == table.entries
    assert [(row.code, row.events) for row in copy.nights()] == [(table.code, table.head)]
    assert copy.path.stat().st_mode & 0o077 == 0
    backups.close()
    assert {one.name for one in backups.all()} == files.keys()
    assert backups._thread is None
    assert "backups" not in {thread.name for thread in threading.enumerate()}
    record(table, End())
    backups.close()
    *_, night = played(*recorded((backups.folder / f"night-{table.code}.json").read_text(encoding="utf-8")))
    assert night == table.night


def test_while_a_server_runs_a_copy_is_made_after_a_hand_and_it_is_there_at_the_end(tables: Nights) -> None:
    table = tables.open("michigan-rummy", name="Friday")
    seat_everybody(table)
    with ExitStack() as running:
        for job in Site(tables).app.extensions["jobs"]:
            running.enter_context(job())
        play_hand(table, "ruth", "ben", "mia")
    backups = backups_of(tables)
    assert backups
    assert [copy.name for copy in backups.all() if not copy.is_night] == ["hand-000001.db"]


def test_only_the_last_copies_and_those_asked_for_are_kept_also_where_the_clock_is_set_back(
    table: OpenNight, backups: Backups
) -> None:
    before = [backups.make().name]
    for number in range(MAX_AUTOMATIC + 5):
        record(table, Buy("ruth", Amount(1)))
        backups.request(table.code, table.export)
        backups.close()
        (newest,) = [copy.path for copy in backups.all() if copy.name == f"hand-{number + 1:06}.db"]
        at = newest.stat().st_mtime - number * 24 * 3600  # each a day before the last one
        os.utime(newest, (at, at))
    listed = [copy.name for copy in backups.all() if not copy.is_night]
    assert [name for name in listed if name.startswith("hand-")] == [
        f"hand-{number:06}.db" for number in range(MAX_AUTOMATIC + 5, 5, -1)
    ]
    assert set(before) < set(listed)


def test_a_large_file_is_not_copied_after_every_hand_but_its_night_is_and_the_end_makes_the_copy(
    table: OpenNight, backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.extras._backups.MOST_BYTES_PER_SECOND", 10)  # for which any file is large
    for dealer in ("ruth", "ben", "mia"):
        play_hand(table, dealer, "ben", "mia")
        backups._run_pending()
        assert (backups.folder / f"night-{table.code}.json").read_text(encoding="utf-8") == table.export()
    (first,) = backups.folder.glob("hand-*.db")
    assert backup_at(first).nights()[0].events < table.head
    backups.close()
    assert max(backup_at(path).nights()[0].events for path in backups.folder.glob("hand-*.db")) == table.head


def test_nobody_waits_for_a_copy(table: OpenNight, backups: Backups, monkeypatch: pytest.MonkeyPatch) -> None:
    backups._pause_seconds = 0  # the thread begins at once and meets the next hand
    may_go_on, let_go = threading.Event(), list[bool]()
    monkeypatch.setattr(backups, "_make", lambda _: let_go.append(may_go_on.wait(60)))
    for dealer in ("ruth", "ben"):
        play_hand(table, dealer, "ben", "mia")
    may_go_on.set()  # only now, after two hands, can the first copy be finished
    backups.close()
    assert let_go
    assert all(let_go)


def test_where_the_system_gives_no_more_threads_the_next_hand_has_a_copy_made(
    table: OpenNight, backups: Backups
) -> None:
    backups._pause_seconds = 0
    with no_more_threads():
        play_hand(table, "ruth", "ben", "mia")
    assert table.night.hand == 1
    play_hand(table, "ben", "ben", "mia")
    wait_until(lambda: any(copy.name.startswith("hand-") for copy in backups.all()))


def test_a_tap_is_recorded_while_a_copy_is_made(table: OpenNight, store: Store, tmp_path: Path) -> None:
    """A copy is made while a write has the lock that every write needs, so no write waits for a copy either."""
    copying = threading.Thread(target=file_of(store).backup, args=[tmp_path / "copy.db"])
    with store.connection.write() as db:
        db.execute("UPDATE night SET name = 'Saturday'")
        copying.start()
        copying.join(60)
        assert not copying.is_alive()
    copy = backup_at(tmp_path / "copy.db")
    assert [(row.name, row.events) for row in copy.nights()] == [("Friday", table.head)]


def test_a_copy_that_can_not_be_made_or_leaves_little_room_is_reported_once_and_stops_nobody(
    table: OpenNight, backups: Backups, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    backups.folder.write_text("a file in the way", encoding="utf-8")
    for dealer in ("ruth", "ben", "mia"):
        play_hand(table, dealer, "ben", "mia")
        backups.request(table.code, table.export)
        backups._run_pending()
    assert table.night.hand == 3
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("Warning: no backup could be made: not saved")
    backups.folder.unlink()
    backups.request(table.code, table.export)
    backups._run_pending()
    assert (backups.trouble, len(backups.all()) > 0) == ("", True)
    monkeypatch.setattr("tracker.extras._backups.MIN_FREE_BYTES", 1 << 60)
    backups.request(table.code, table.export)
    backups._run_pending()
    assert backups.trouble == "full"
    assert capsys.readouterr().err == "Warning: no backup could be made: not saved: the disk is full\n"


def test_copies_taken_while_people_play_each_hold_the_start_of_the_log_or_are_found_out(
    table: OpenNight,
    store: Store,
    tmp_path: Path,
    short_or_long: Callable[[int, int], int],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """By the program, and plain ones, as by somebody who copies the folder without asking the program."""
    times, plain = short_or_long(8, 100), list[Sequence[Entry]]()
    with playing(table, phones=2):
        for number in range(times):
            file_of(store).backup(tmp_path / f"{number}.db")
            (folder := tmp_path / f"copy-{number}").mkdir()
            shutil.copyfile(tmp_path / DATA_FILE, folder / DATA_FILE)
            record(table, Buy("ruth", Amount(1)))
            with suppress(Unreadable):
                open_repaired(folder / DATA_FILE).close()
                plain.append(night_in(folder / DATA_FILE, table.code).entries)
    capfd.readouterr()
    copies = [night_in(tmp_path / f"{number}.db", table.code) for number in range(times)]
    # Only now: what a copy has from the disk may be a moment ahead of what the program shows.
    assert all(copy.entries == table.entries[: copy.head] and sum_of(copy) == 0 for copy in copies)
    assert copies[-1].head > copies[0].head
    assert all(entries == table.entries[: len(entries)] for entries in plain)


# The data file deleted or replaced while the command serves it.


@each_fault
def test_all_that_was_recorded_is_copied_when_the_data_file_is_replaced(tmp_path: Path, fault: str) -> None:
    folder = tmp_path / "data"
    with file_replaced(folder, tmp_path / "older.db", fault) as ended:
        wait_until(lambda: any((folder / FOLDER).glob("asked-*.db")))
    (copy,) = (folder / FOLDER).glob("asked-*.db")
    assert f"Everything that was recorded is in {copy}" in ended.said
    night_file = json.loads((folder / FOLDER / f"night-{ended.night.code}.json").read_text(encoding="utf-8"))
    assert len(night_file["events"]) == 13
    with closing(Store(copy, read_only=True)) as store:
        assert [row.number for row in store.events(ended.night.code)] == list(range(1, 14))
        assert store.faults() == []
