"""Copies of all nights: made after every hand without anybody waiting, and put back without anything getting lost."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.client_phones import Site
from support.faults.ack_ledger import sum_of
from support.paths import ROOT
from support.sample_nights import play_hand, record, seat_everybody

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.cli.data_folder import DATA_FILE, open_repaired
from tracker.core.events import Amount, Buy, End
from tracker.storage import InUse, Store, Unreadable
from tracker.storage.backups import FOLDER, MAX_AUTOMATIC, Backups, backup_number, list_backups, restore
from tracker.storage.files import log_of
from tracker.streaming.hub import StreamHub


@pytest.fixture(name="told")
def _told() -> list[str]:
    return []


@pytest.fixture(name="backups")
def _backups(store: Store, tmp_path: Path, told: list[str]) -> Iterator[Backups]:
    backups = Backups(store, tmp_path / FOLDER, pause_seconds=0, report=told.append)
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


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "tracker", *map(str, arguments)]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_after_a_hand_there_is_a_copy_with_all_that_was_recorded(table: OpenNight, backups: Backups) -> None:
    backups._pause_seconds = 60  # the payments that end a hand are in the copy; stopping makes it at once
    play_hand(table, "ruth", "ben", "mia")
    backups.close()
    files = {copy.name: copy for copy in backups.all()}
    copy = files[f"hand-{max(map(backup_number, backups.folder.glob('hand-*.db'))):06}.db"]
    assert night_in(copy.path, table.code).entries == table.entries
    assert [(row.code, row.events) for row in copy.nights()] == [(table.code, table.head)]
    assert copy.path.stat().st_mode & 0o077 == 0


def test_closing_ends_the_thread_and_makes_no_backup_that_nobody_requested(table: OpenNight, backups: Backups) -> None:
    backups._pause_seconds = 60
    backups.request(table.code, table.export)
    backups._run_pending()
    made = backups.all()
    backups.close()
    assert backups.all() == made
    assert backups._thread is None
    assert "backups" not in {thread.name for thread in threading.enumerate()}


def test_a_night_has_its_own_file_which_another_machine_can_bring_in(
    table: OpenNight, backups: Backups, tmp_path: Path
) -> None:
    play_hand(table, "ruth", "ben", "mia")
    record(table, End())
    backups.close()
    text = (backups.folder / f"night-{table.code}.json").read_text(encoding="utf-8")
    with closing(Store(tmp_path / "other.db")) as store:
        assert Nights(store, StreamHub()).import_night(text).night == table.night


def test_only_the_last_copies_are_kept_and_those_that_were_asked_for(table: OpenNight, backups: Backups) -> None:
    asked = [backups.make().name for _ in range(2)]
    for _ in range(MAX_AUTOMATIC + 5):
        backups.request(table.code, table.export)
        backups._run_pending()
    assert min(map(backup_number, backups.folder.glob("hand-*.db"))) > 1
    kept = [copy.name for copy in backups.all()]
    assert len([name for name in kept if name.startswith("hand-")]) == MAX_AUTOMATIC
    assert set(asked) <= set(kept)


def test_nobody_waits_for_a_copy(table: OpenNight, backups: Backups, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    monkeypatch.setattr(backups, "_make", lambda _: may_go_on.wait(30))
    for dealer in ("ruth", "ben"):
        play_hand(table, dealer, "ben", "mia")  # comes back although no copy can be finished
    may_go_on.set()


def test_a_copy_that_can_not_be_made_is_reported_once_and_stops_nobody(
    table: OpenNight, backups: Backups, told: list[str]
) -> None:
    backups.folder.write_text("a file in the way")
    for dealer in ("ruth", "ben", "mia"):
        play_hand(table, dealer, "ben", "mia")
        backups.request(table.code, table.export)
        backups._run_pending()
    assert table.night.hand == 3
    assert len(told) == 1
    assert told[0].startswith("no backup could be made: not saved")
    backups.folder.unlink()
    backups.request(table.code, table.export)
    backups._run_pending()
    assert not backups.trouble
    assert backups.all()


def test_a_disk_with_little_room_is_left_to_the_game(
    table: OpenNight, backups: Backups, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.storage.backups.MIN_FREE_BYTES", 1 << 60)
    backups.request(table.code, table.export)
    backups._run_pending()
    assert backups.trouble == "full"
    assert told == ["no backup could be made: not saved: the disk is full"]


def test_a_hundred_copies_taken_while_people_play_each_hold_the_start_of_the_log(
    table: OpenNight,
    store: Store,
    tmp_path: Path,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
) -> None:
    done = threading.Event()

    def play() -> None:
        for number in range(1_000_000):
            if done.is_set():
                return
            record(table, Buy("ruth", Amount(number % 9 + 1)))

    players = [threading.Thread(target=play) for _ in range(2)]
    for player in players:
        player.start()
    times = short_or_long(8, 100)
    try:
        for number in range(times):
            store.backup(tmp_path / f"{number}.db")
            record(table, Buy("ruth", Amount(1)))
    finally:
        done.set()
        for player in players:
            player.join()
    copies = [night_in(tmp_path / f"{number}.db", table.code) for number in range(times)]
    # Only now: what a copy has from the disk may be a moment ahead of what the program shows.
    whole = sum(copy.entries == table.entries[: copy.head] and sum_of(copy) == 0 for copy in copies)
    heads = [copy.head for copy in copies]
    figure(f"copies under load: {times} taken at {heads[0]} to {heads[-1]} events, {whole} equal to a start of the log")
    assert whole == times
    assert heads[-1] > heads[0]


def test_a_plain_copy_of_the_file_taken_while_people_play_is_a_start_of_the_log_or_is_found_out(
    table: OpenNight,
    tmp_path: Path,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """As somebody does who copies the folder by hand, without asking the program."""
    done = threading.Event()

    def play() -> None:
        number = 0
        while not done.is_set():
            number += 1
            record(table, Buy("ruth", Amount(number % 9 + 1)))

    player = threading.Thread(target=play)
    player.start()
    came, copies, times = Counter[str](), [], short_or_long(8, 100)
    try:
        for number in range(times):
            folder = tmp_path / f"copy-{number}"
            folder.mkdir()
            shutil.copyfile(tmp_path / DATA_FILE, folder / DATA_FILE)
            try:
                open_repaired(folder / DATA_FILE).close()
            except Unreadable:
                came["refused"] += 1
                continue
            with closing(Store(folder / DATA_FILE, read_only=True)) as store:
                copy = Nights(store, StreamHub()).get(table.code)
                copies.append(copy.entries)
                came["in part" if copy.settings.truncation else "whole"] += 1
    finally:
        done.set()
        player.join()
    capfd.readouterr()
    # Only now: what a copy has from the disk may be a moment ahead of what the program shows.
    assert all(entries == table.entries[: len(entries)] for entries in copies)
    figure(
        f"the file itself copied under load: {times} times; {came['whole']} a start of the log, {came['in part']} "
        f"read as far as proved and said so, {came['refused']} refused with a sentence; 0 wrong balances"
    )


# Back again


def test_a_copy_is_put_back_and_what_was_there_is_kept_aside(
    table: OpenNight, store: Store, backups: Backups, tmp_path: Path
) -> None:
    copy = backups.make()
    head, code = table.head, table.code
    record(table, Buy("ruth", Amount(7)))
    store.close()
    restored = restore(tmp_path / DATA_FILE, copy.path)
    assert restored.aside is not None
    assert night_in(restored.aside, code).head == head + 1
    with closing(Store(tmp_path / DATA_FILE)) as again:
        assert Nights(again, StreamHub()).get(code).head == head
    assert copy.path.exists()
    assert not list(tmp_path.glob("*.part*"))


def test_what_a_killed_program_left_behind_is_never_played_into_the_copy(
    table: OpenNight, store: Store, backups: Backups, tmp_path: Path
) -> None:
    copy, path = backups.make(), tmp_path / DATA_FILE
    store.rename(table.code, "half done")
    log = log_of(path).read_bytes()
    store.close()
    log_of(path).write_bytes(log)  # as a kill leaves it
    restored = restore(path, copy.path)
    assert restored.aside is not None
    assert log_of(restored.aside).read_bytes() == log
    with closing(Store(path)) as again:
        assert [row.name for row in again.nights()] == ["Friday"]
        assert Nights(again, StreamHub()).get(table.code).entries == table.entries


@pytest.mark.parametrize("content", [b"", b"no data file" * 500, b"SQLite format 3\0" + bytes(5000)])
def test_what_is_no_copy_is_refused_and_nothing_changes(store: Store, tmp_path: Path, content: bytes) -> None:
    store.close()
    before = (tmp_path / DATA_FILE).read_bytes()
    (tmp_path / "copy.db").write_bytes(content)
    with pytest.raises(Unreadable, match="nothing was changed"):
        restore(tmp_path / DATA_FILE, tmp_path / "copy.db")
    assert (tmp_path / DATA_FILE).read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "copy.db",
        DATA_FILE,
        f"{DATA_FILE}.lock",
    ]


def test_a_copy_is_not_put_back_under_a_running_server(table: OpenNight, backups: Backups, tmp_path: Path) -> None:
    copy = backups.make()
    with pytest.raises(InUse):
        restore(tmp_path / DATA_FILE, copy.path)
    result = command("restore", copy.name, "--data", tmp_path)
    assert result.returncode == 1
    assert "stop it first" in result.stderr
    assert table.head == 4


def test_the_command_lists_the_copies_and_puts_one_back(
    table: OpenNight, store: Store, backups: Backups, tmp_path: Path
) -> None:
    play_hand(table, "ruth", "ben", "mia")
    backups.close()
    made = command("backup", "--data", tmp_path)
    assert "Copied all nights to" in made.stdout
    store.close()
    listed = command("restore", "--data", tmp_path).stdout
    names = [line.split()[0] for line in listed.splitlines() if line and not line.startswith("board-tracker")]
    assert sorted(names) == sorted(copy.name for copy in list_backups(tmp_path / FOLDER))
    assert f"1 nights, the newest Friday with {table.head} events" in listed
    asked = next(name for name in names if name.startswith("asked-"))
    result = command("restore", asked, "--data", tmp_path)
    assert result.returncode == 0
    assert "What was there before is kept in" in result.stdout
    with closing(Store(tmp_path / DATA_FILE)) as again:
        assert Nights(again, StreamHub()).get(table.code).entries == table.entries


def test_the_command_says_in_one_line_what_can_not_be_put_back(tmp_path: Path) -> None:
    (tmp_path / "junk.db").write_bytes(b"junk" * 1000)
    for name in ("none.db", str(tmp_path / "junk.db"), str(tmp_path)):
        result = command("restore", name, "--data", tmp_path / "data")
        assert result.returncode == 1
        assert result.stderr.count("\n") == 1, result.stderr
    assert "There are no copies" in command("restore", "--data", tmp_path / "data").stdout


# The page of the host's machine


def test_the_host_makes_looks_at_and_downloads_copies_on_a_page(
    table: OpenNight, store: Store, backups: Backups, tmp_path: Path
) -> None:
    site = Site(Nights(store, StreamHub(), backups))
    host, stranger = site.host(), site.phone()
    assert '"/backups"' in host.get("/").text
    assert host.post("/backups").status_code == 303
    (copy,) = backups.all()
    assert copy.name in host.get("/backups").text
    assert "Friday" in host.get(f"/backups/{copy.name}").text
    with closing(host.get(f"/backups/{copy.name}/file")) as taken:
        (tmp_path / "taken.db").write_bytes(taken.data)
    assert night_in(tmp_path / "taken.db", table.code).entries == table.entries
    for path in ("/backups", f"/backups/{copy.name}", f"/backups/{copy.name}/file"):
        assert stranger.get(path).status_code == 403
    assert stranger.post("/backups").status_code == 403
    for name in ("nights.db", "..%2fnights.db", "hand-1.db"):
        assert host.get(f"/backups/{name}/file").status_code == 404


def test_one_night_of_a_copy_comes_back_beside_the_present_one(
    table: OpenNight, store: Store, backups: Backups
) -> None:
    site = Site(Nights(store, StreamHub(), backups))
    host, copy = site.host(), backups.make()
    before = table.head
    record(table, Buy("ruth", Amount(7)))
    answer = host.post(f"/backups/{copy.name}/{table.code}")
    assert answer.status_code == 303
    (code,) = {row.code for row in store.nights()} - {table.code}
    assert [entry.event for entry in site.tables.get(code).entries] == [one.event for one in table.entries[:before]]
    assert site.tables.get(code).name == "Friday"
    assert host.get(answer.location).status_code == 200
    assert table.head == before + 1


def test_the_page_says_why_a_copy_could_not_be_made(table: OpenNight, store: Store, backups: Backups) -> None:
    site = Site(Nights(store, StreamHub(), backups))
    backups.folder.write_text("a file in the way")
    backups.request(table.code, table.export)
    backups._run_pending()
    assert "The last copy could not be made." in site.host().get("/backups").text
    assert site.host().post("/backups").status_code == 503
