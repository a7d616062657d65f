"""No night goes by the machine's clock alone: it was announced on 30 days of the program, and a jump stops it."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tracker.app.program_days import HELD_SECONDS, ProgramDays
from tracker.extras.retention.kept_nights import NOTICE_DAYS, Retention, RetentionSettings, latest, months_later
from tracker.storage import NewEvent, Store

PLAYED = datetime(2026, 11, 26, 20, 0, tzinfo=UTC)
DAY, YEAR = timedelta(days=1), timedelta(days=365)


class Machine:
    """A machine with a clock that may be wrong, on which the program is started and runs with `--keep-months 6`."""

    def __init__(self, folder: Path) -> None:
        self.path, self.now, self.uptime = folder / "nights.db", PLAYED, 6.0
        self.store = Store(self.path)
        self.start()

    def start(self) -> None:
        """Start the program; the machine was booted for it."""
        self.store.close()
        self.uptime = 6.0
        self.store = Store(self.path)
        days = ProgramDays(self.store, lambda: self.now, lambda: self.uptime)
        self.retention = Retention(self.store, 6, days)
        self.retention.look()

    def runs(self, hours: int) -> set[str]:
        """Let some hours pass, and return the codes of the nights that are removed in them."""
        removed = set[str]()
        for _ in range(hours):
            self.uptime += 3600
            self.now += timedelta(hours=1)
            self.retention.look()
            if ended := self.retention.ended():
                removed.update(self.store.remove_nights({code: one.head for code, one in ended.items()}))
                self.retention.note_removal(removed, "")
        return removed

    def add_night(self, code: str, played: datetime) -> None:
        at = played.isoformat()
        self.store.create_night(code=code, name=code, preset="{}", options="{}", created_at=at)


@pytest.fixture(name="machine")
def _machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path)
    with closing(machine.store):
        yield machine
    machine.store.close()


def evenings(machine: Machine, count: int, *, apart: timedelta = DAY) -> set[str]:
    """Start the program for some evenings of two hours, and return what is removed in them."""
    removed = set[str]()
    for _ in range(count):
        machine.now += apart - timedelta(hours=2)
        machine.start()
        removed |= machine.runs(2)
    return removed


@pytest.mark.parametrize("wrong", [400 * DAY, 10 * YEAR, 70 * YEAR])
def test_one_start_with_a_clock_far_ahead_removes_nothing_however_long_it_runs(
    machine: Machine, wrong: timedelta
) -> None:
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
def test_a_first_start_with_a_clock_behind_gives_the_whole_notice_all_the_same(
    machine: Machine, behind: timedelta
) -> None:
    machine.add_night("old", PLAYED - YEAR)
    machine.now -= behind
    machine.start()
    machine.runs(3)
    machine.now = PLAYED
    machine.start()
    assert machine.retention.jump
    assert machine.runs(24 * (NOTICE_DAYS - 1)) == set()
    assert machine.runs(48) == {"old"}


def test_a_clock_that_jumps_while_the_program_runs_counts_no_days(machine: Machine) -> None:
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
    assert evenings(machine, NOTICE_DAYS, apart=apart) == set()
    assert evenings(machine, 2, apart=apart) == {"old"}


def test_a_clock_before_the_newest_entry_stops_it_and_a_played_night_is_announced_anew(machine: Machine) -> None:
    machine.add_night("old", PLAYED - YEAR)
    machine.add_night("ahead", PLAYED + 90 * DAY)
    machine.runs(24 * 40)
    assert machine.retention.jump
    assert machine.runs(24 * 48) == set()
    assert machine.runs(24 * 4) == {"old"}, "the newest entry is no longer ahead"


def test_a_night_is_removed_once_a_day_at_most_and_its_copy_stays_for_30_days(machine: Machine) -> None:
    copies = ["removal-1.db"]
    machine.retention.note_removal({}, "removal-1.db")
    machine.add_night("old", PLAYED - YEAR)
    for day in range(NOTICE_DAYS - 1):
        assert machine.retention.old_copies(copies) == [], day
        assert machine.runs(24) == set()
        copies.append(f"removal-{day + 2}.db")
    machine.runs(25)
    assert machine.retention.old_copies(copies) == ["removal-1.db"], "however many there are"
    assert RetentionSettings(machine.store).removal_copies.get(copies[-1]) == machine.retention.days.number
    machine.retention.old_copies([])
    assert RetentionSettings(machine.store).removal_copies.names() == []


def test_after_a_jump_nothing_is_removed_for_an_hour(machine: Machine) -> None:
    machine.retention.days.note_jump(PLAYED, PLAYED)
    machine.uptime += HELD_SECONDS - 1
    assert machine.retention.jump
    machine.uptime += 1
    assert machine.retention.jump is None


def test_an_old_night_that_was_imported_lately_is_kept_from_then_and_one_without_a_time_for_ever(
    machine: Machine,
) -> None:
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


def test_a_time_that_no_set_clock_has_written_says_nothing() -> None:
    for label in ("1970-01-01T00:03:00Z", "0001-01-01", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "x"):
        assert latest(label) is None, label
        assert latest(label, "2026-11-26T20:00:00Z") == PLAYED


def test_months_are_those_of_the_calendar() -> None:
    for day, months, expected in (
        ("2026-01-31", 1, "2026-02-28"),
        ("2028-01-31", 1, "2028-02-29"),
        ("2026-11-22", 12, "2027-11-22"),
        ("2026-12-01", 1, "2027-01-01"),
        ("9999-12-01", 1200, "9999-12-01"),
    ):
        assert months_later(datetime.fromisoformat(day), months).date().isoformat() == expected
