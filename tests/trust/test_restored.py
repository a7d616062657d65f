"""A copy of all nights brought back on the host's page while the table is in use: all that was shown, or nothing."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from evenings import play_hand, record, seat_everybody
from phones import House, Phone
from werkzeug.test import TestResponse
from witness import sum_of

from tracker.backups import FOLDER, Backups, Copy
from tracker.core.errors import Stale
from tracker.core.events import Amount, Buy
from tracker.core.log import Entry
from tracker.live import Live
from tracker.presets import built_in
from tracker.restoring import bring_back, plan
from tracker.store import HURT, Changed, NotSaved, Store
from tracker.table import Table
from tracker.tables import Tables

Rows = dict[str, list[tuple[object, ...]]]


class Home:
    """A tracker with nights, and the file of another day that stands in its place."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(folder / "nights.db")
        self.tables = self.opened()
        self.house = House(self.tables)

    def opened(self) -> Tables:
        return Tables(self.store, Live(), Backups(self.store, self.folder / FOLDER, pause_seconds=60))

    @property
    def backups(self) -> Backups:
        assert self.tables.backups
        return self.tables.backups

    def night(self, name: str) -> Table:
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
        self.tables = self.opened()
        for code, events in keep.items():
            shorten(self, code, events)
        self.house = House(self.tables)

    def rows(self) -> Rows:
        with closing(sqlite3.connect(self.folder / "nights.db")) as db:
            return {
                table: db.execute(f"SELECT * FROM {table} WHERE code <> '' ORDER BY 1, 2").fetchall()
                for table in ("night", "event", "setting")
            }


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.backups.stop()
    home.store.close()


def shorten(home: Home, code: str, events: int) -> None:
    """Write the first events of a night of the last copy into the present file, as a rescue would."""
    with closing(Store(newest(home).path, read_only=True)) as copy:
        row = copy.night(code)
        assert row
        kept = {"code": row.code, "name": row.name, "preset": row.preset, "options": row.options}
        home.store.create_night(**kept, created_at=row.created_at, events=list(copy.events(code))[:events])


def newest(home: Home) -> Copy:
    return home.backups.listed()[0]


def asked(phone: Phone, copy: Copy) -> TestResponse:
    return phone.get(f"/backups/{copy.name}/all")


def agree(phone: Phone, copy: Copy, page: TestResponse) -> TestResponse:
    found = re.search(r'name="seal" value="(\w+)"', page.text)
    assert found, page.text
    return phone.post(f"/backups/{copy.name}/all", {"seal": found[1]})


def part(page: TestResponse, name: str) -> str:
    """Return what stands in one list of the page, without markup."""
    found = re.search(rf'<ul class="rows" id="{name}">(.*?)</ul>', page.text, re.DOTALL)
    return re.sub(r"<[^>]+>", " ", found[1]) if found else ""


def test_the_page_says_what_would_come_back_and_only_the_hosts_machine_may_ask(home: Home) -> None:
    names = {name: home.night(name) for name in ("Monday", "Tuesday", "Friday")}
    copy = home.backups.make()
    head = names["Monday"].head
    home.older_file({names["Tuesday"].code: 6, names["Friday"].code: head})
    record(home.tables.get(names["Friday"].code), Buy("ruth", Amount(7)))
    before = home.rows()
    host, stranger = home.house.host(), home.house.phone()
    page = asked(host, copy)
    assert f"Monday {head} entries; it is not here now" in re.sub(r"\s+", " ", part(page, "back"))
    assert f"6 entries here, {head} in the copy: the last {head - 6} come back" in part(page, "back")
    assert f"it has gone on here: {head + 1} entries, {head} in the copy" in part(page, "stays")
    assert home.rows() == before, "looking changes nothing"
    for answer in (asked(stranger, copy), stranger.post(f"/backups/{copy.name}/all", {"seal": plan_seal(home, copy)})):
        assert answer.status_code == 403
    assert home.rows() == before
    assert host.get("/backups/nights.db/all").status_code == 404


def plan_seal(home: Home, copy: Copy) -> str:
    return plan(home.tables, copy.path).seal


def test_all_that_is_missing_comes_back_and_what_is_newer_here_stays(home: Home) -> None:
    names = {name: home.night(name) for name in ("Monday", "Tuesday", "Friday")}
    was = {table.code: list(table.entries) for table in names.values()}
    copy = home.backups.make()
    home.older_file({names[name].code: 6 for name in ("Tuesday", "Friday")})
    open_ = home.tables.get(names["Tuesday"].code)
    friday = home.tables.get(names["Friday"].code)
    record(friday, Buy("ruth", Amount(7)))
    went_on = list(friday.entries)
    host = home.house.host()
    answer = agree(host, copy, asked(host, copy))
    assert answer.status_code == 200
    for name in ("Monday", "Tuesday"):
        table = home.tables.get(names[name].code)
        assert table.entries == was[table.code]
        assert sum_of(table) == 0
    assert host.get(f"/n/{names['Monday'].code}/log").status_code == 200
    assert open_.entries == was[open_.code], "the table that people look at shows it, too"
    assert friday.entries == went_on
    assert record(open_, Buy("ben", Amount(3))) == len(was[open_.code]) + 1
    assert not home.store.faults()
    assert "All that this copy holds is here already." in asked(host, copy).text


def test_what_stood_there_before_is_kept_in_a_copy_of_its_own(home: Home) -> None:
    table = home.night("Friday")
    copy = home.backups.make()
    home.older_file({table.code: 5})
    host = home.house.host()
    answer = agree(host, copy, asked(host, copy))
    (aside,) = [one for one in home.backups.listed() if one.name != copy.name]
    assert [(row.code, row.events) for row in aside.nights()] == [(table.code, 5)]
    assert f"/backups/{aside.name}" in answer.text


def test_sent_again_or_after_something_has_changed_nothing_more_is_done(home: Home) -> None:
    table = home.night("Friday")
    copy = home.backups.make()
    home.older_file({table.code: 5})
    host = home.house.host()
    page = asked(host, copy)
    record(home.tables.get(table.code), Buy("ruth", Amount(7)))  # it went on otherwise
    before = home.rows()
    answer = agree(host, copy, page)
    assert "it went on otherwise here: 6 entries" in part(answer, "stays")
    assert home.rows() == before
    other = home.night("Monday")
    late = home.backups.make()
    home.older_file({})
    host = home.house.host()
    page = asked(host, late)
    shorten(home, other.code, 4)
    answer = agree(host, late, page)
    assert answer.status_code == 409
    assert "Nothing was brought back yet" in answer.text
    assert agree(host, late, answer).status_code == 200
    assert home.tables.get(other.code).entries == other.entries
    again = host.post(f"/backups/{late.name}/all", {"seal": "x"})
    assert again.status_code == 200
    assert "is here already" in again.text


def test_a_disk_that_fails_on_the_way_leaves_all_as_it_was(
    home: Home, often: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    nights = [home.night(f"Night {number}") for number in range(4)]
    for table in nights:
        for number in range(40):
            record(table, Buy("ruth", Amount(number % 9 + 1)))
    copy = home.backups.make()
    home.older_file({table.code: 5 for table in nights[:2]})
    found, before, chance, refused = plan(home.tables, copy.path), home.rows(), Random(3), 0
    times = often(12, 100)
    for _ in range(times):
        with home.store._connection.read() as db:
            pages = db.execute("PRAGMA page_count").fetchone()[0]
            db.execute(f"PRAGMA max_page_count = {pages + chance.randrange(8)}")
        with suppress(NotSaved):
            bring_back(home.tables, copy.path, found.seal)
            break
        refused += 1
        assert home.rows() == before
    figure(f"a copy brought back onto a disk that fills up on the way: {refused} of {times} refused, 0 half done")
    assert refused == times
    assert len(bring_back(home.tables, copy.path, found.seal).plan.brought) == 4
    assert [home.tables.get(table.code).entries for table in nights] == [table.entries for table in nights]


def test_people_who_play_meanwhile_lose_nothing_and_nothing_is_doubled(
    home: Home, often: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    times, came = often(3, 30), 0
    for _ in range(times):
        table = home.night("Friday")
        copy = home.backups.make()
        home.older_file({table.code: 6})
        player = Player(home.tables.get(table.code), home.night("Monday"))
        player.start()
        with suppress(Changed):
            came += len(bring_back(home.tables, copy.path, plan(home.tables, copy.path).seal).plan.brought)
        player.stop()
        read = Tables(home.store, Live())
        for present in (player.back, player.other):
            assert read.get(present.code).entries == present.entries
        assert [entry for entry in player.back.entries if (entry.id or "").startswith("play-")] == player.told
        assert not home.store.faults()
    figure(f"a copy brought back while people play: {times} times, {came} nights came back, 0 moves lost or doubled")


class Player(threading.Thread):
    """Records at two tables, one of which gets its end back meanwhile; `told` is what was acknowledged there."""

    def __init__(self, back: Table, other: Table) -> None:
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


def test_phones_of_a_night_that_was_missing_are_known_again_and_nobody_else_is(home: Home) -> None:
    host = home.house.host()
    code = home.house.open_night(host)
    ben = home.house.join(code, "Ben")
    home.house.begin(host, code)
    jo = home.house.ask(code, name="Jo")
    copy = home.backups.make()
    home.older_file({}, home.store.instance)
    for phone in (host, ben, jo):
        phone.client.application = home.house.app
    master = home.house.host()
    assert ben.get(f"/n/{code}").status_code == 403
    agree(master, copy, asked(master, copy))
    assert ben.get(f"/n/{code}").status_code == 200
    assert host.get(f"/n/{code}/settings").status_code == 200
    assert master.get(f"/n/{code}/settings").status_code == 200
    assert jo.get(f"/n/{code}").status_code == 403
    assert home.house.ask(code, name="Zoe").get(f"/n/{code}").status_code == 403


def test_a_night_that_was_damaged_and_is_whole_again_says_so_no_more(home: Home) -> None:
    table = home.night("Friday")
    copy = home.backups.make()

    home.older_file({table.code: 5})
    told = {"events": 5, "seen": table.head, "aside": "broken-1.db"}
    home.store.set_setting(table.code, HURT, json.dumps(told))
    assert home.tables.get(table.code).hurt
    bring_back(home.tables, copy.path, plan_seal(home, copy))
    assert home.tables.get(table.code).hurt is None
    assert record(home.tables.get(table.code), Buy("ruth", Amount(1))) == table.head + 1


def test_boards_of_the_table_come_back_unless_they_are_here_or_in_the_bin(home: Home) -> None:
    for name in ("mine", "thrown-away"):
        home.tables.library.save(replace(built_in("michigan-rummy"), id=name, name=name.title()))
    copy = home.backups.make()
    home.older_file({})
    home.tables.library.save(replace(built_in("michigan-rummy"), id="thrown-away", name="Another"))
    home.tables.library.delete("thrown-away")
    host = home.house.host()
    page = asked(host, copy)
    assert "Boards of your own that come back:" in page.text
    assert agree(host, copy, page).status_code == 200
    assert [one.id for one in home.tables.library.own()] == ["mine"]


def test_a_night_that_is_damaged_in_the_copy_is_named_and_stays_away(home: Home) -> None:
    good, bad = home.night("Good"), home.night("Bad")
    copy = home.backups.make()
    with closing(sqlite3.connect(copy.path)) as db, db:
        db.execute("DROP TRIGGER event_no_update")
        db.execute("UPDATE event SET body = replace(body, 'Ruth', 'Rita') WHERE code = ?", [bad.code])
    home.older_file({})
    host = home.house.host()
    page = asked(host, copy)
    assert "Good" in part(page, "back")
    assert "Bad" in part(page, "unreadable")
    agree(host, copy, page)
    assert [row.code for row in home.store.nights()] == [good.code]
    copy.path.write_bytes(b"no data file" * 500)
    assert "holds nothing that can be read" in asked(host, copy).text
