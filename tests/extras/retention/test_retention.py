"""No night goes by the machine's clock alone: it was announced on 30 days of the program, and a jump stops it."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from extras._shared.api_scripts import with_command_token
from support.client_phones import ClientPhone, Site
from support.of_extras import needs, of_extras

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.app.settings import ARCHIVED, DELETED
from tracker.core.events import End
from tracker.extras._backups import backup_at, backups_of
from tracker.extras.retention.kept_nights import NOTICE_DAYS, Retention, RetentionSettings, latest, months_later
from tracker.extras.retention.pages import announce, announce_jump, remove_ended, retention_line
from tracker.extras.retention.program_days import HELD_SECONDS, DaysRun, DaysSettings, ProgramDays
from tracker.storage import NewEvent, NotSaved, Store
from tracker.streaming.hub import StreamHub

PLAYED = datetime(2026, 11, 26, 20, 0, tzinfo=UTC)
DAY, YEAR = timedelta(days=1), timedelta(days=365)


class Machine:
    """A machine with a clock that may be wrong, on which the program is started and runs with `--keep-months`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now, self.uptime = folder, PLAYED, 6.0
        self.store = Store(folder / "nights.db")
        self.start()

    def start(self, months: int = 6) -> None:
        """Start the program; the machine was booted for it."""
        self.store.close()
        self.uptime = 6.0
        self.store = Store(self.folder / "nights.db")
        self.tables = Nights(self.store, StreamHub())
        days = ProgramDays(self.store, lambda: self.now, lambda: self.uptime)
        self.retention = Retention(self.store, months, days)
        self.retention.look()

    def codes(self) -> set[str]:
        return {row.code for row in self.store.nights()}

    def runs(self, hours: int) -> set[str]:
        """Let some hours pass, whole days by six, and return the codes of the nights that are removed in them."""
        before, step = self.codes(), 1 if hours % 24 else 6
        for _ in range(0, hours, step):
            self.uptime += step * 3600
            self.now += timedelta(hours=step)
            remove_ended(self.retention, self.tables)
        return before - self.codes()

    def evenings(self, count: int, apart: timedelta) -> set[str]:
        """Start the program for some evenings of two hours, and return what is removed in them."""
        removed = set[str]()
        for _ in range(count):
            self.now += apart - timedelta(hours=2)
            self.start()
            removed |= self.runs(2)
        return removed

    def add_night(self, code: str, played: datetime) -> None:
        at = played.isoformat()
        self.store.create_night(code=code, name=code, preset="{}", options="{}", created_at=at)

    def copies(self) -> list[Path]:
        """Return the copies that were made before removals."""
        return [*self.folder.glob("backups/removal-*.db")]


@pytest.fixture(name="machine")
def _machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path)
    yield machine
    machine.store.close()


@pytest.mark.parametrize("wrong", [400 * DAY, 70 * YEAR])
def test_one_start_with_a_clock_far_ahead_removes_nothing_for_weeks(machine: Machine, wrong: timedelta) -> None:
    machine.add_night("today", PLAYED)
    machine.now += wrong
    machine.start()
    assert machine.retention.jump
    assert machine.retention.soon()
    assert machine.runs(24 * (NOTICE_DAYS - 1)) == set()
    machine.now = PLAYED + 30 * DAY
    machine.start()
    assert machine.retention.jump, "it went back"
    assert machine.retention.soon() == []
    assert machine.runs(24 * 5) == set()
    machine.now += wrong
    machine.start()
    assert machine.runs(24) == set(), "the notice begins anew"


@pytest.mark.parametrize("behind", [399 * DAY, 56 * YEAR])
def test_a_first_start_with_a_clock_behind_gives_the_whole_notice(machine: Machine, behind: timedelta) -> None:
    machine.add_night("old", PLAYED - YEAR)
    machine.now -= behind
    machine.start()
    machine.runs(3)
    machine.now = PLAYED
    machine.start()
    assert machine.retention.jump
    assert machine.runs(24 * (NOTICE_DAYS - 1)) == set()
    assert machine.runs(48) == {"old"}


def test_a_clock_that_jumps_while_the_program_runs_counts_no_days_and_stops_it_for_an_hour(machine: Machine) -> None:
    machine.add_night("old", PLAYED - YEAR)
    machine.retention.look()
    before = machine.retention.days.number
    for jump in range(100):
        machine.now = PLAYED + (400 * DAY if jump % 2 else -400 * DAY) + jump * DAY
        machine.uptime += 60
        machine.retention.look()
        assert machine.retention.jump
        assert machine.retention.ended() == {}
    assert machine.retention.days.number == before
    machine.uptime += HELD_SECONDS - 1
    assert machine.retention.jump
    machine.uptime += 1
    assert machine.retention.jump is None


def test_a_server_that_is_always_on_removes_a_night_on_the_day_that_was_said(machine: Machine) -> None:
    machine.add_night("night", PLAYED)
    assert machine.runs(24 * 140) == set()
    assert machine.retention.soon() == []
    assert machine.runs(24 * 20) == set()
    (end,) = machine.retention.soon()
    assert end.date().isoformat() == "2027-05-26"
    assert machine.runs(int((end - machine.now).total_seconds() // 3600) - 1) == set()
    assert machine.runs(25) == {"night"}


@pytest.mark.parametrize("apart", [DAY, 7 * DAY, 31 * DAY])
def test_evenings_with_days_between_are_counted_one_by_one(machine: Machine, apart: timedelta) -> None:
    machine.add_night("old", PLAYED - YEAR)
    assert machine.evenings(NOTICE_DAYS, apart) == set()
    assert machine.evenings(2, apart) == {"old"}


def test_a_clock_before_the_newest_entry_stops_it_and_a_played_night_is_announced_anew(machine: Machine) -> None:
    machine.add_night("old", PLAYED - YEAR)
    machine.add_night("ahead", PLAYED + 90 * DAY)
    machine.runs(24 * 40)
    assert machine.retention.jump
    assert machine.runs(24 * 48) == set()
    assert machine.runs(24 * 4) == {"old"}, "the newest entry is no longer ahead"


def test_nights_are_removed_once_a_day_at_most_and_each_copy_of_before_stays_for_30_days(machine: Machine) -> None:
    for number in range(10):  # two end on each day
        machine.add_night(f"night{number}", months_later(PLAYED, -6) + (NOTICE_DAYS + number / 2) * DAY)
    gone = [len(machine.runs(24)) for _ in range(NOTICE_DAYS + 7)]
    assert gone == [0] * (NOTICE_DAYS - 1) + [3, 2, 2, 2, 1, 0, 0, 0]
    copies = [machine.runs(24) or len(machine.copies()) for _ in range(28)]
    assert copies == [5] * 22 + [4, 3, 2, 1, 0, 0], "each for as many days"
    assert RetentionSettings(machine.store).removal_copies.names() == []


def test_an_old_night_that_was_imported_lately_is_kept_from_then_one_without_a_time_for_ever(machine: Machine) -> None:
    store = machine.store
    for code, opened, played in (
        ("import", "2026-10-01T12:00:00Z", "2019-05-01T20:00:00Z"),
        ("unread", "long ago", "some day"),
        ("empty", "2020-01-01T00:00:00Z", ""),
    ):
        store.create_night(code=code, name=code, preset="{}", options="{}", created_at=opened)
        if played:
            store.append(code, NewEvent(1, code, b"p" * 32, '{"kind": "say"}', played, "ruth"))
    assert machine.runs(24 * 32) == {"empty"}


def test_months_are_those_of_the_calendar_and_a_time_that_no_set_clock_has_written_says_nothing() -> None:
    for label in ("1970-01-01T00:03:00Z", "0001-01-01", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "x"):
        assert latest(label) is None, label
        assert latest(label, "2026-11-26T20:00:00Z") == PLAYED
    for day, months, expected in (
        ("2026-01-31", 1, "2026-02-28"),
        ("2028-01-31", 1, "2028-02-29"),
        ("2026-11-22", 12, "2027-11-22"),
        ("2026-12-01", 1, "2027-01-01"),
        ("9999-12-01", 1200, "9999-12-01"),
    ):
        assert months_later(datetime.fromisoformat(day), months).date().isoformat() == expected


# Nights whose time is over leave the pages, the memory and the copies, each with a line in the terminal.


def test_a_removed_night_is_nowhere_any_more(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.now = datetime.now(UTC)
    machine.start(months=1)
    tables, backups = machine.tables, backups_of(machine.tables)
    assert backups
    host = Site(tables).host()
    code = host.post("/new", {"preset": "michigan-rummy", "host": "Ruth"}).location.split("/")[2]
    backups.request(code, tables.get(code).export)
    backups.close()
    assert (backups.folder / f"night-{code}.json").exists()
    assert code in host.get("/").text
    assert machine.runs(24 * 40) == {code}
    said = capsys.readouterr().out
    assert [row.code for path in machine.copies() for row in backup_at(path).nights()] == [code], (
        "a copy was made first"
    )
    assert f"({code})" in said
    assert "last played on" in said
    assert not (backups.folder / f"night-{code}.json").exists()
    for page in ("/", *of_extras("lists"), *of_extras("lists_of_nights")):
        answer = host.get(page)
        assert answer.status_code == 200, page
        assert code not in answer.text
    assert host.get(f"/n/{code}").status_code in (403, 404)
    assert host.get(f"/nights/{code}").status_code == 404
    assert not machine.store.faults()


def test_the_notice_of_thirty_days_goes_on_where_the_months_are_changed(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    for code in ("one", "two"):
        machine.add_night(code, PLAYED - 25 * YEAR)
    for months in (240, 2):
        machine.start(months)
        announce(machine.retention)
        assert "2 nights are to be removed for good" in capsys.readouterr().out
        assert machine.runs(24 * 14) == set()
    assert [machine.runs(24), machine.runs(24)] == [set(), {"one", "two"}]


def test_a_clock_jump_is_said_once_and_on_the_pages(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.add_night("today", PLAYED)
    machine.now += 400 * DAY
    machine.start()
    retention = machine.retention
    announce(retention)
    said_before = announce_jump(retention, None)
    said = capsys.readouterr()
    assert announce_jump(retention, said_before) == retention.jump
    assert capsys.readouterr().err == "", "once"
    assert "1 night is to be removed for good" in said.out
    assert "nothing is removed now, this machine's clock has jumped" in said.err
    page = Site(machine.tables)
    page.app.extensions["retention"] = retention
    host = page.host()
    assert "the clock of this machine has jumped from" in host.get(f"/nights/{page.open_night(host)}").text


def test_a_copy_that_can_not_be_made_keeps_every_night(machine: Machine) -> None:
    (machine.folder / "backups").write_text("no folder", encoding="utf-8")
    machine.add_night("old", PLAYED - YEAR)
    with pytest.raises(NotSaved):
        machine.runs(24 * 40)
    assert machine.codes() == {"old"}


def test_without_the_option_nothing_is_removed(tables: Nights) -> None:
    others = len(Site(tables).app.extensions["jobs"])
    (job,) = Site(tables, options={"keep_months": 6}).app.extensions["jobs"][others:]
    with job():
        assert "retention" in {one.name for one in threading.enumerate()}
    assert "retention" not in {one.name for one in threading.enumerate()}


def test_the_pages_of_a_night_say_until_when_it_is_kept_and_how_to_have_it_longer(tables: Nights) -> None:
    site = Site(tables, options={"keep_months": 12})
    host = site.host()
    code = site.open_night(host, "Ruth")
    for page in (f"/nights/{code}", f"/n/{code}/files"):
        assert "This night is kept until" in host.get(page).text
        assert f'href="/n/{code}/night.json"' in host.get(page).text
    always = Site(tables).host()
    assert "is kept until" not in always.get(f"/nights/{code}").text
    needs("earlier_nights")
    options = host.get(f"/nights/{code}").text
    assert "at any time" not in options
    assert "It can be brought back while its log is kept." in options
    assert "at any time" in always.get(f"/nights/{code}").text


def test_it_is_said_in_a_line_how_long_nights_are_kept_and_how_many_go(tables: Nights) -> None:
    site, later = Site(tables), datetime.now(UTC) + timedelta(days=360)
    site.app.extensions["retention"] = Retention(tables.store, 12, ProgramDays(tables.store, lambda: later))

    def line() -> str:
        with site.app.test_request_context("/"):
            return retention_line()

    assert line() == "Nights are kept for 12 months after the last entry. None goes in the next 30 days."
    site.open_night(site.host(), "Ruth")
    assert "1 night goes for good, on" in line()


# The phones of a night end two days of the program after it is over, when the next one begins.


@pytest.mark.parametrize(("where", "how"), [("", "again"), (ARCHIVED, "new"), (DELETED, "script")])
def test_phones_of_a_night_long_over_are_strangers_once_the_next_begins(
    site: Site, host: ClientPhone, where: str, how: str
) -> None:
    now, uptime = [datetime.now(UTC)], [0.0]
    site.app.extensions["program_days"] = ProgramDays(site.tables.store, lambda: now[0], lambda: uptime[0])
    over_now, long_over = site.open_night(host), site.open_night(host)
    ben, mia = site.join(over_now, "Ben"), site.join(long_over, "Mia")
    site.tables.get(long_over).record(End(), id="the-end", by="ruth")
    for jump, days in ((0, 0), (0, 1), (400, 0), (-400, 0), (0, 1)):
        assert with_command_token(site).post("/api/nights", {"preset": "michigan-rummy"}).status == 201
        assert mia.get(f"/n/{long_over}/settle").status_code == 200, "the evening, a day later, or the clock has jumped"
        now[0], uptime[0] = now[0] + timedelta(days=jump + days), uptime[0] + days * 24 * 3600
    site.tables.get(over_now).record(End(), id="the-end", by="ruth")
    for code in (over_now, long_over):
        site.tables.get(code).settings.put_away = where
    assert mia.get(f"/n/{long_over}/settle").status_code == 200
    if how == "new":
        site.open_night(host)
    elif how == "script":
        assert with_command_token(site).post("/api/nights", {"preset": "michigan-rummy"}).status == 201
    else:
        assert host.post(f"/nights/{over_now}/again", {"key": new_id()}).status_code == 303
    assert mia.get(f"/n/{long_over}/settle").status_code == 403
    if how == "again":  # and Ben's phone goes along
        assert ben.get(f"/n/{over_now}/settle").status_code == 303
    assert ben.get(f"/n/{over_now}/settle").status_code == 200


@pytest.mark.parametrize("stored", ["6 2026-11-22 2026-11-23", None])
def test_the_days_are_stored_by_their_type_and_read_as_before(tables: Nights, stored: str | None) -> None:
    settings, days = DaysSettings(tables.store), DaysRun(6, "2026-11-22", "2026-11-23")
    if stored:
        settings.write("days-run", stored)
    else:
        settings.days_run = days
        assert settings.texts()["days-run"] == '{"number":6,"counted_at":"2026-11-22","seen_at":"2026-11-23"}'
    assert settings.days_run == days
    settings.write("days-run", "{")
    assert settings.days_run == DaysRun()
