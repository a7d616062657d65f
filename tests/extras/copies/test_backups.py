"""Copies of all nights put back by the command or on the host's page, and what is no copy is refused."""

import os
import shutil
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest
from extras._shared.killed_steps import killed_before_step
from support.backup_fixtures import night_in
from support.client_phones import Site
from support.data_files import events_in
from support.html_page import HtmlPage
from support.sample_nights import play_hand, record, visible_text
from support.server_process import run

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Amount, Buy, Name, SeatId, Sit
from tracker.core.log import Entry
from tracker.extras._night_lists import SEARCHED_FROM
from tracker.extras.copies.command import WAYS_IN
from tracker.extras.copies.put_back import restore
from tracker.storage import InUse, Store, Unreadable
from tracker.storage.backups import FOLDER, Backups, list_backups
from tracker.storage.files import log_of
from tracker.streaming.hub import StreamHub


def test_a_copy_is_put_back_and_what_a_killed_program_left_is_kept_aside_with_its_log(
    table: OpenNight, store: Store, backups: Backups, tmp_path: Path
) -> None:
    copy, path, code = backups.make(), tmp_path / DATA_FILE, table.code
    before = list(table.entries)
    head = record(table, Buy("ruth", Amount(7)))
    log = log_of(path).read_bytes()
    store.close()
    log_of(path).write_bytes(log)  # as a kill leaves it: it must not be played into the copy
    restored = restore(path, copy.path)
    assert restored.aside is not None
    assert log_of(restored.aside).read_bytes() == log
    assert night_in(restored.aside, code).head == head
    with closing(Store(path)) as again:
        assert Nights(again, StreamHub()).get(code).entries == before
    assert copy.path.exists()
    assert not list(tmp_path.glob("*.part*"))


def test_a_copy_put_back_lets_in_who_was_sent_away_since_only_where_the_data_file_was_lost(
    tmp_path: Path,
) -> None:
    path = tmp_path / DATA_FILE
    with closing(Store(path)) as store, closing(Backups(store, tmp_path / FOLDER)) as backups:
        site = Site(Nights(store, StreamHub(), backups))
        code = site.open_night(site.host())
        ben, mia, link = site.join(code, "Ben"), site.join(code, "Mia"), site.join_link(code)
        site.tables.settings.host_name = "Ruth"
        copy = backups.make()
        site.tables.settings.host_name = "Otto"
        (row,) = site.access.devices.at_seat(code, "ben")
        site.access.devices.dismiss(row.id)
        site.access.invites.renew_all()
    restore(path, copy.path, WAYS_IN)
    for opens, opened in ((403, 404), (200, 200)):
        with closing(Store(path)) as again:
            site = Site(Nights(again, StreamHub()))
            for phone in (ben, mia):
                phone.client.application = site.app
            assert [phone.get(f"/n/{code}/lobby").status_code for phone in (ben, mia)] == [opens, 200]
            assert site.phone().get(link).status_code == opened
            assert site.tables.settings.host_name == "Ruth"
        path.unlink()
        Store(path).close()
        restore(path, copy.path, WAYS_IN)


@pytest.mark.parametrize("content", [b"", b"no data file" * 500, b"SQLite format 3\0" + bytes(5000)])
def test_what_is_no_copy_is_refused_and_nothing_changes(store: Store, tmp_path: Path, content: bytes) -> None:
    store.close()
    before = (tmp_path / DATA_FILE).read_bytes()
    (tmp_path / "copy.db").write_bytes(content)
    with pytest.raises(Unreadable, match="nothing was changed"):
        restore(tmp_path / DATA_FILE, tmp_path / "copy.db")
    assert (tmp_path / DATA_FILE).read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", DATA_FILE, f"{DATA_FILE}.lock"]


def test_the_command_lists_the_copies_and_puts_one_back_but_not_under_a_running_server(
    table: OpenNight, store: Store, backups: Backups, tmp_path: Path
) -> None:
    play_hand(table, "ruth", "ben", "mia")
    backups.close()
    made = run("backup", "--data", tmp_path)  # while the table is in use
    assert "Copied all nights to" in made.stdout
    listed = run("restore", "--data", tmp_path).stdout
    names = [line.split()[0] for line in listed.partition("\n\n")[0].splitlines()]
    assert sorted(names) == sorted(copy.name for copy in list_backups(tmp_path / FOLDER))
    assert f"1 nights, the newest Friday with {table.head} events" in listed
    asked = next(name for name in names if name.startswith("asked-"))
    result = run("restore", asked, "--data", tmp_path)
    assert result.exit_code == 1
    assert "stop it first" in result.stderr
    store.close()
    result = run("restore", asked, "--data", tmp_path)
    assert result.exit_code == 0
    assert "What was there before is kept in" in result.stdout
    with closing(Store(tmp_path / DATA_FILE)) as again:
        assert Nights(again, StreamHub()).get(table.code).entries == table.entries


def test_the_command_says_in_one_line_what_can_not_be_copied_or_put_back(tmp_path: Path) -> None:
    (tmp_path / "junk.db").write_bytes(b"junk" * 1000)
    for name in ("none.db", str(tmp_path / "junk.db"), str(tmp_path)):
        result = run("restore", name, "--data", tmp_path / "data")
        assert result.exit_code == 1
        assert result.stderr.count("\n") == 1, result.stderr
    assert "There are no copies" in run("restore", "--data", tmp_path / "data").stdout
    result = run("backup", tmp_path / "copy.db", "--data", tmp_path / "none")
    assert (result.exit_code, result.stderr) == (1, f"Error: there are no nights in {tmp_path / 'none'} yet\n")
    assert not (tmp_path / "copy.db").exists()


def test_the_host_makes_looks_at_and_downloads_copies_on_a_page_and_one_night_comes_back_beside_the_present_one(
    table: OpenNight, store: Store, backups: Backups, tmp_path: Path
) -> None:
    site = Site(Nights(store, StreamHub(), backups))
    host, stranger, before = site.host(), site.phone(), list(table.entries)
    assert '"/backups"' in host.get("/files").text
    assert host.post("/backups").status_code == 303
    (copy,) = backups.all()
    assert copy.name in host.get("/backups").text
    assert "Friday" in host.get(f"/backups/{copy.name}").text
    with closing(host.get(f"/backups/{copy.name}/file")) as taken:
        (tmp_path / "taken.db").write_bytes(taken.data)
    assert night_in(tmp_path / "taken.db", table.code).entries == before
    for path in ("/backups", f"/backups/{copy.name}", f"/backups/{copy.name}/file"):
        assert stranger.get(path).status_code == 403
    assert stranger.post("/backups").status_code == 403
    for name in ("nights.db", "..%2fnights.db", "hand-1.db"):
        assert host.get(f"/backups/{name}/file").status_code == 404

    record(table, Buy("ruth", Amount(7)))
    answer = host.post(f"/backups/{copy.name}/{table.code}")
    assert answer.status_code == 303
    (code,) = {row.code for row in store.nights()} - {table.code}
    assert [entry.event for entry in site.tables.get(code).entries] == [entry.event for entry in before]
    assert site.tables.get(code).name == "Friday"
    assert host.get(answer.location).status_code == 200
    assert table.head == len(before) + 1

    with copy.path.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(8192))
    answer = host.post(f"/backups/{copy.name}/{table.code}")
    assert answer.status_code == 422
    assert "holds nothing that can be read" in answer.text
    assert len(store.nights()) == 2

    shutil.rmtree(backups.folder)
    backups.folder.write_text("a file in the way", encoding="utf-8")
    backups.request(table.code, table.export)
    backups._run_pending()
    assert "The last copy could not be made." in host.get("/backups").text
    assert host.post("/backups").status_code == 503


def test_the_nights_of_a_copy_stand_newest_first_with_their_days_and_are_found(store: Store, backups: Backups) -> None:
    count, nights = SEARCHED_FROM, Nights(store, StreamHub(), backups)
    for day in range(1, count + 1):
        sit = Entry(1, Sit(SeatId("ann"), Name("Ann")), id=f"sit-{day}", at=f"2026-01-{day:02}T20:00:00Z")
        nights.open("michigan-rummy", name=f"Night {day}", entries=[sit])
    address, host = f"/backups/{backups.make().name}", Site(nights).host()
    listed = [row for row in HtmlPage(host.get(address).text).texts("ul.rows .nm") if row]
    assert listed == [f"Night {day}" for day in range(count, 0, -1)]
    assert f"{count} Jan 2026" in visible_text(host.get(address))
    for query, found in {"Jan 2026": count, "Night 3": 1, "nobody": 0}.items():
        assert len(HtmlPage(host.get(f"{address}?q={quote(query)}").text).texts("ul.rows .nm")) == found, query


# `restore` killed before each of its steps: the old file is whole, or the new one is.


def test_a_killed_restore_leaves_all_that_was_recorded_or_the_whole_copy(tmp_path: Path, left: Path) -> None:
    found = []
    for step in count():
        folder = shutil.copytree(left, tmp_path / str(step))
        is_killed = killed_before_step(partial(restore, folder / DATA_FILE, folder / "copy.db"), step)
        looked = events_in(folder / DATA_FILE, read_only=True)
        found.append(events_in(folder / DATA_FILE))
        assert looked == found[-1]
        if not is_killed:
            break
    assert len(found) > 15
    assert found == [10] * found.count(10) + [4] * found.count(4)
    assert found.count(10) > 3
    assert found.count(4) > 3


def test_what_the_command_puts_back_is_for_this_user_only(tmp_path: Path, left: Path) -> None:
    folder, before = tmp_path / "data", os.umask(0o022)
    try:
        done = run("restore", left / "copy.db", "--data", folder)
    finally:
        os.umask(before)
    assert done.exit_code == 0, done.output
    assert [path for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077] == []


@pytest.mark.skipif(os.name == "nt", reason="there a link needs rights")
def test_a_data_file_behind_a_link_is_put_back_where_it_is_and_not_while_it_is_open(tmp_path: Path, left: Path) -> None:
    link = tmp_path / "linked.db"
    link.symlink_to(left / DATA_FILE)
    store = Store(left / DATA_FILE)
    for _ in range(2):
        with pytest.raises(InUse, match="already running"):
            restore(link, left / "copy.db")
    store.close()
    restore(link, left / "copy.db")
    assert link.is_symlink(), "what it leads to was replaced"
    assert events_in(left / DATA_FILE) == 4
