"""A copy of all nights brought back on the host's page while the table is in use: all that was shown, or nothing."""

import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from extras._shared.killed_steps import killed_before_step
from extras._shared.known_people import known_people
from extras.copies.backup_fixtures import night_in
from support.client_phones import ClientPhone, Site
from support.data_files import events_in, file_of
from support.faults.ack_ledger import sum_of
from support.html_page import HtmlPage
from support.of_extras import needs
from support.sample_nights import play_hand, record, seat_everybody, visible_text
from support.server_process import run
from werkzeug.test import TestResponse

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings, Truncation
from tracker.cli.data_folder import DATA_FILE
from tracker.core.errors import Stale
from tracker.core.events import Amount, Buy, End, Name, SeatId, Sit, Undo
from tracker.core.log import Entry
from tracker.extras._backups import FOLDER, Backup, Backups, backups_of, list_backups
from tracker.extras._night_lists import SEARCHED_FROM
from tracker.extras._phones import RoleSettings, TableOffer
from tracker.extras.copies.backups import renew_all
from tracker.extras.copies.command import WAYS_IN
from tracker.extras.copies.merge import StalePlan
from tracker.extras.copies.night_transfer import OF_DEVICES, plan_restore, restore_missing
from tracker.extras.copies.put_back import restore
from tracker.formats.built_in import built_in
from tracker.storage import InUse, NotSaved, Store
from tracker.storage.files import log_of
from tracker.storage.sqlite import DataFile
from tracker.streaming.hub import StreamHub

Rows = dict[str, list[tuple[object, ...]]]


class Home:
    """A tracker with nights, and the file of another day that stands in its place."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(folder / "nights.db")
        self.tables = Nights(self.store, StreamHub())
        self.site = Site(self.tables)

    @property
    def backups(self) -> Backups:
        found = backups_of(self.tables)
        assert found
        return found

    def night(self, name: str) -> OpenNight:
        table = self.tables.open("michigan-rummy", name=name)
        seat_everybody(table)
        play_hand(table, "ruth", "ben", "mia")
        return table

    def older_file(self, keep: Mapping[str, int], instance: str = "") -> None:
        """Go on with another file that has so many entries of these nights: the rest is only in the newest copy."""
        self.store.close()
        (self.folder / "nights.db").unlink()
        self.store = Store(self.folder / "nights.db")
        if instance:  # as when the start reads what is left of a damaged file
            self.store.set_setting(None, "instance", instance)
            self.store.instance = instance
        self.tables = Nights(self.store, StreamHub())
        for code, events in keep.items():
            self.shorten(code, events)
        self.site = Site(self.tables)

    def rows(self) -> Rows:
        with closing(sqlite3.connect(self.folder / "nights.db")) as db:
            return {
                table: db.execute(f"SELECT * FROM {table} WHERE code <> '' ORDER BY 1, 2").fetchall()
                for table in ("night", "event", "setting")
            }

    def shorten(self, code: str, events: int) -> None:
        """Write the first events of a night of the last copy into the present file, as a rescue would."""
        with closing(Store(self.backups.all()[0].path, read_only=True)) as copy:
            row = copy.night(code)
            assert row
            kept = {"code": row.code, "name": row.name, "preset": row.preset, "options": row.options}
            self.store.create_night(**kept, created_at=row.created_at, events=list(copy.events(code))[:events])


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.store.close()


def asked(phone: ClientPhone, copy: Backup) -> TestResponse:
    return phone.get(f"/backups/{copy.name}/all")


def agree(phone: ClientPhone, copy: Backup, page: TestResponse) -> TestResponse:
    return phone.post(f"/backups/{copy.name}/all", {"seal": HtmlPage(page.text).value("[name=seal]")})


def part(page: TestResponse, name: str) -> str:
    """Return what stands in one list of the page, without markup."""
    rows = HtmlPage(page.text)
    return rows.text(f"ul.rows#{name}") if rows.has(f"ul.rows#{name}") else ""


def test_the_hosts_page_says_what_is_missing_and_brings_it_back_and_what_is_newer_here_stays(home: Home) -> None:
    monday, tuesday, friday = (home.night(name) for name in ("Monday", "Tuesday", "Friday"))
    head, copy = monday.head, home.backups.make()
    home.older_file({tuesday.code: 6, friday.code: head})
    open_, gone_on = home.tables.get(tuesday.code), home.tables.get(friday.code)
    record(gone_on, Buy("ruth", Amount(7)))
    went_on, before, shorter = list(gone_on.entries), home.rows(), open_.night
    host, stranger = home.site.host(), home.site.phone()
    page = asked(host, copy)
    assert f"Monday {head} entries; it is not here now" in part(page, "back")
    assert f"6 entries here, {head} in the copy: the last {head - 6} come back" in part(page, "back")
    assert f"it has gone on here: {head + 1} entries, {head} in the copy" in part(page, "stays")
    assert "Mia is out: 5 from the board and 6 for cards left" in HtmlPage(page.text).text(".news")
    assert [answer.status_code for answer in (asked(stranger, copy), agree(stranger, copy, page))] == [403, 403]
    assert host.get("/backups/nights.db/all").status_code == 404
    assert home.rows() == before, "looking changes nothing"
    answer = agree(host, copy, page)
    assert answer.status_code == 200
    for was in (monday, tuesday):
        table = home.tables.get(was.code)
        assert table.entries == was.entries
        assert sum_of(table) == 0
    assert host.get(f"/n/{monday.code}/log").status_code == 200
    assert open_.entries == tuesday.entries, "the table that people look at shows it, too"
    assert gone_on.entries == went_on
    (aside,) = [one for one in home.backups.all() if one.name != copy.name]
    assert {row.code: row.events for row in aside.nights()} == {open_.code: 6, friday.code: head + 1}, (
        "as it was before"
    )
    assert f"/backups/{aside.name}" in answer.text
    assert record(open_, Buy("ben", Amount(3))) == head + 1
    assert not home.store.faults()
    assert "All that this copy holds is here already." in asked(host, copy).text

    record(open_, Undo(head + 1))
    host.post("/take-over", {"night": open_.code})
    log = HtmlPage(host.get(f"/n/{open_.code}/log").text)
    assert f"Entries 7 to {head} came back from a copy, with the yes of" in log.text()
    form: dict[str, str | list[str]] = {**log.form('form[action$="/undo-brought"]'), "first": "7"}
    assert host.post(f"/n/{open_.code}/undo-brought", form).status_code == 303
    assert open_.night == shorter, "taken back as one"


def test_sent_again_or_after_something_has_changed_nothing_more_is_done(home: Home) -> None:
    table = home.night("Friday")
    copy = home.backups.make()
    home.older_file({table.code: 5})
    host = home.site.host()
    page = asked(host, copy)
    record(home.tables.get(table.code), Buy("ruth", Amount(7)))  # it went on otherwise
    before = home.rows()
    answer = agree(host, copy, page)
    assert "it went on otherwise here: 6 entries" in part(answer, "stays")
    assert home.rows() == before
    other = home.night("Monday")
    late = home.backups.make()
    home.older_file({})
    host = home.site.host()
    page, plan = asked(host, late), plan_restore(home.tables, late.path)
    first, *others = plan.compared
    changed = replace(first, events=[*first.events[:-1], replace(first.events[-1], hash=b"x")])
    assert plan.fingerprint == HtmlPage(page.text).value("[name=seal]")
    assert replace(plan, compared=[changed, *others]).fingerprint != plan.fingerprint, "a yes is for what was shown"
    home.shorten(other.code, 4)
    answer = agree(host, late, page)
    assert answer.status_code == 409
    assert "Nothing was brought back yet" in answer.text
    assert agree(host, late, answer).status_code == 200
    assert home.tables.get(other.code).entries == other.entries
    again = host.post(f"/backups/{late.name}/all", {"seal": "x"})
    assert again.status_code == 200
    assert "is here already" in again.text


def test_a_disk_that_fails_on_the_way_leaves_all_as_it_was(
    home: Home, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    nights = [home.night(f"Night {number}") for number in range(4)]
    for table in nights:
        for number in range(40):
            record(table, Buy("ruth", Amount(number % 9 + 1)))
    copy = home.backups.make()
    home.older_file({table.code: 5 for table in nights[:2]})
    found, before, chance, refused = plan_restore(home.tables, copy.path), home.rows(), Random(3), 0
    times = short_or_long(12, 100)
    for _ in range(times):
        writing = home.store.connection
        assert isinstance(writing, DataFile)
        with writing._alone() as db:  # not another connection, which reads while this one writes
            pages = db.execute("PRAGMA page_count").fetchone()[0]
            db.execute(f"PRAGMA max_page_count = {pages + chance.randrange(8)}")
        with suppress(NotSaved):
            restore_missing(home.tables, copy.path, found.fingerprint)
            break
        refused += 1
        assert home.rows() == before
    figure(f"a copy brought back onto a disk that fills up on the way: {refused} of {times} refused, 0 half done")
    assert refused == times
    assert len(restore_missing(home.tables, copy.path, found.fingerprint).added) == 4
    assert [home.tables.get(table.code).entries for table in nights] == [table.entries for table in nights]


def test_people_who_play_meanwhile_lose_nothing_and_nothing_is_doubled(
    home: Home, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    times, came = short_or_long(3, 30), 0
    for _ in range(times):
        table = home.night("Friday")
        copy = home.backups.make()
        home.older_file({table.code: 6})
        player = Player(home.tables.get(table.code), home.night("Monday"))
        player.start()
        with suppress(StalePlan):
            came += len(restore_missing(home.tables, copy.path, plan_restore(home.tables, copy.path).fingerprint).added)
        player.stop()
        read = Nights(home.store, StreamHub())
        for present in (player.back, player.other):
            assert read.get(present.code).entries == present.entries
        assert [entry for entry in player.back.entries if (entry.id or "").startswith("play-")] == player.told
        assert not home.store.faults()
    figure(f"a copy brought back while people play: {times} times, {came} nights came back, 0 moves lost or doubled")


class Player(threading.Thread):
    """Records at two tables, one of which gets its end back meanwhile; `told` is what was acknowledged there."""

    def __init__(self, back: OpenNight, other: OpenNight) -> None:
        super().__init__()
        self.back, self.other, self.told, self._is_over = back, other, list[Entry](), threading.Event()

    def run(self) -> None:
        while not self._is_over.is_set():
            record(self.other, Buy("ruth", Amount(1)))
            if self.back.head > 6:  # before that it would go on otherwise
                with suppress(Stale):
                    id_ = f"play-{len(self.told)}"
                    self.told.append(self.back.record(Buy("ben", Amount(2)), id=id_, by="ben").entry)

    def stop(self) -> None:
        self._is_over.set()
        self.join()


def test_of_a_night_that_was_missing_only_the_browser_that_brings_it_back_is_let_in(home: Home) -> None:
    host = home.site.host()
    code = home.site.open_night(host)
    ben = home.site.join(code, "Ben")
    home.site.start_first_hand(host, code)
    jo = home.site.request_join(code, name="Jo")
    settings = home.site.tables.get(code).settings
    settings.next_devices.put("1", 2)
    settings.declared_by(RoleSettings).table_offer = TableOffer("ben", 9_999_999_999, 1, (1, 2))
    copy = home.backups.make()
    home.older_file({}, home.store.instance)
    for phone in (host, ben, jo):
        phone.client.application = home.site.app
    master = home.site.host()
    agree(master, copy, asked(master, copy))
    assert master.get(f"/n/{code}/settings").status_code == 200
    assert [phone.get(f"/n/{code}").status_code for phone in (host, ben, jo)] == [403] * 3
    assert [row.role for row in home.store.devices.of(code)] == ["host"]
    assert not [key for key in home.store.settings(code) if key.startswith(OF_DEVICES)], "ids of another file"
    back = home.site.request_join(code, seat="ben")
    assert back.get(f"/n/{code}").status_code == 403
    assert master.post(f"/n/{code}/knocks/{home.store.devices.of(code, 'knock')[0].id}/in").status_code == 303
    back.post(f"/n/{code}/enter")
    assert back.get(f"/n/{code}").status_code == 200


@pytest.mark.parametrize(("note", "kept"), [("", None), ("{", Truncation())], ids=["read", "damaged"])
def test_a_night_that_was_damaged_and_is_whole_again_says_so_no_more_but_where_the_note_can_not_be_read(
    home: Home, note: str, kept: Truncation | None
) -> None:
    table = home.night("Friday")
    copy = home.backups.make()
    home.older_file({table.code: 5})
    seen = table.head
    home.tables.get(table.code).settings.truncation = Truncation(5, seen, "broken-1.db")
    if note:
        home.store.set_setting(table.code, NightSettings.truncation.key, note)
    restore_missing(home.tables, copy.path, plan_restore(home.tables, copy.path).fingerprint)
    assert home.tables.get(table.code).settings.truncation == kept
    assert home.tables.get(table.code).head == seen


def test_groups_boards_that_were_not_deleted_and_the_people_where_there_are_none_come_back(home: Home) -> None:
    table, boards, people = home.night("Monday"), home.tables.library.settings, known_people(home.tables)
    table.settings.group = "The Saturday table"
    for name in ("mine", "thrown-away"):
        boards.own_presets.put(name, replace(built_in("michigan-rummy"), id=name, name=name.title()))
    people.add("Mia", [(table.code, "mia")], person="m1")
    copy = home.backups.make()
    home.older_file({})
    another = replace(built_in("michigan-rummy"), id="thrown-away", name="Another")
    home.tables.library.settings.deleted_presets.put(another.id, another)
    host, people = home.site.host(), known_people(home.tables)
    assert people.all() == []
    page = asked(host, copy)
    assert "Boards of your own that come back:" in page.text
    assert HtmlPage(page.text).has("#people")
    assert agree(host, copy, page).status_code == 200
    assert home.tables.get(table.code).settings.group == "The Saturday table"
    assert [one.id for one in home.tables.library.own()] == ["mine"]
    mia = people.person_of(table.code, "mia")
    assert mia
    assert mia.id == "m1"
    people.forget("m1")
    assert not HtmlPage(asked(host, copy).text).has("#people")
    assert people.all() == []


def test_a_night_that_is_damaged_in_the_copy_is_named_and_stays_away_also_in_one_that_knows_no_people_yet(
    home: Home,
) -> None:
    good, bad = home.night("Good"), home.night("Bad")
    copy = home.backups.make()
    with closing(sqlite3.connect(copy.path)) as db, db:
        db.execute("DROP TABLE person_change")
        db.execute("DROP TRIGGER event_no_update")
        db.execute("UPDATE event SET body = replace(body, 'Ruth', 'Rita') WHERE code = ?", [bad.code])
    home.older_file({})
    host = home.site.host()
    page = asked(host, copy)
    assert "Good" in part(page, "back")
    assert "Bad" in part(page, "unreadable")
    assert agree(host, copy, page).status_code == 200
    assert [row.code for row in home.store.nights()] == [good.code]
    copy.path.write_bytes(b"no data file" * 500)
    assert "holds nothing that can be read" in asked(host, copy).text


def test_what_comes_back_and_ends_a_night_needs_its_pin(home: Home) -> None:
    needs("pin")
    table = home.night("Friday")
    head = record(table, End())
    copy = home.backups.make()
    home.older_file({table.code: head - 1})
    host, open_ = home.site.host(), home.tables.get(table.code)
    host.post("/take-over", {"night": table.code})
    host.post(f"/n/{table.code}/pin", {"pin": "4711"})
    assert agree(host, copy, asked(host, copy)).location == f"/n/{table.code}/pin"
    assert open_.head == head - 1
    host.post(f"/n/{table.code}/pin", {"pin": "4711"})
    assert agree(host, copy, asked(host, copy)).status_code == 200
    assert open_.night.is_over


# Copies put back by the command or looked at on the host's page, and what is no copy is refused.


def test_a_copy_put_back_lets_in_who_was_sent_away_since_only_where_the_data_file_was_lost(
    tmp_path: Path,
) -> None:
    path = tmp_path / DATA_FILE
    with closing(Store(path)) as store:
        site = Site(Nights(store, StreamHub()))
        code = site.open_night(site.host())
        ben, mia, link = site.join(code, "Ben"), site.join(code, "Mia"), site.join_link(code)
        site.tables.settings.host_name = "Ruth"
        copy = Backups(file_of(store), tmp_path / FOLDER).make()
        site.tables.settings.host_name = "Otto"
        (row,) = site.access.devices.at_seat(code, "ben")
        site.access.devices.dismiss(row.id)
        renew_all(site.access.invites)
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


def test_what_is_no_copy_is_refused_in_one_line_and_nothing_changes(store: Store, tmp_path: Path) -> None:
    store.close()
    junk, before = tmp_path / "junk.db", (tmp_path / DATA_FILE).read_bytes()
    for content in (b"", b"no data file" * 500, b"SQLite format 3\0" + bytes(5000)):
        junk.write_bytes(content)
        result = run("restore", junk, "--data", tmp_path)
        assert (result.exit_code, result.stderr.count("\n")) == (1, 1), result.stderr
        assert "nothing was changed" in result.stderr
    for name in ("none.db", tmp_path):
        result = run("restore", name, "--data", tmp_path)
        assert (result.exit_code, result.stderr.count("\n")) == (1, 1), result.stderr
    assert "There are no copies" in run("restore", "--data", tmp_path).stdout
    result = run("backup", tmp_path / "copy.db", "--data", tmp_path / "none")
    assert (result.exit_code, result.stderr) == (1, f"Error: there are no nights in {tmp_path / 'none'} yet\n")
    assert (tmp_path / DATA_FILE).read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["junk.db", DATA_FILE, f"{DATA_FILE}.lock"]


def test_the_host_makes_looks_at_and_downloads_copies_on_a_page_and_one_night_comes_back_beside_the_present_one(
    table: OpenNight, store: Store, backups: Backups, site: Site, tmp_path: Path
) -> None:
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


def test_the_nights_of_a_copy_stand_newest_first_with_their_days_and_are_found(site: Site, backups: Backups) -> None:
    count, nights = SEARCHED_FROM, site.tables
    for day in range(1, count + 1):
        sit = Entry(1, Sit(SeatId("ann"), Name("Ann")), id=f"sit-{day}", at=f"2026-01-{day:02}T20:00:00Z")
        nights.open("michigan-rummy", name=f"Night {day}", entries=[sit])
    address, host = f"/backups/{backups.make().name}", site.host()
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


@pytest.mark.skipif(os.name == "nt", reason="there a link needs rights")
def test_a_data_file_behind_a_link_is_put_back_where_it_is_not_while_it_is_open_and_the_former_is_kept_with_its_log(
    tmp_path: Path, left: Path
) -> None:
    link = tmp_path / "linked.db"
    link.symlink_to(left / DATA_FILE)
    store = Store(left / DATA_FILE)
    for _ in range(2):
        with pytest.raises(InUse, match="already running"):
            restore(link, left / "copy.db")
    log = log_of(left / DATA_FILE).read_bytes()
    store.close()
    log_of(left / DATA_FILE).write_bytes(log)  # as a kill leaves it: it must not be played into the copy
    aside = restore(link, left / "copy.db").aside
    assert link.is_symlink(), "what it leads to was replaced"
    assert aside is not None
    assert log_of(aside).read_bytes() == log
    assert (events_in(left / DATA_FILE), events_in(left / "copy.db"), events_in(aside)) == (4, 4, 10)
    assert not list(left.glob("*.part*"))
