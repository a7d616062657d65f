"""Nights whose time is over leave the pages, the memory and the copies, each with a line in the terminal."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.client_phones import Site
from support.of_extras import of_extras

from tracker.app.nights import Nights
from tracker.app.program_days import ProgramDays
from tracker.extras.retention.kept_nights import NOTICE_DAYS, Retention
from tracker.extras.retention.pages import retention_line
from tracker.extras.retention.removal import announce, announce_jump, remove_ended
from tracker.storage import NotSaved, Store
from tracker.storage.backups import Backups
from tracker.streaming.hub import StreamHub


class Calendar:
    """A machine's clock and its uptime, which go on by whole days."""

    def __init__(self) -> None:
        self.now, self.uptime = datetime.now(UTC), 0.0

    def retention(self, store: Store, months: int) -> Retention:
        return Retention(store, months, ProgramDays(store, lambda: self.now, lambda: self.uptime))

    def pass_days(self, days: int, each_day: Callable[[], object]) -> None:
        for _ in range(days):
            self.now, self.uptime = self.now + timedelta(days=1), self.uptime + 24 * 3600
            each_day()


def test_a_removed_night_is_nowhere_any_more(
    store: Store, live: StreamHub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backups = Backups(store, tmp_path / "backups")
    tables = Nights(store, live, backups)
    site = Site(tables)
    host = site.host()
    code, later = site.open_night(host, "Ruth"), site.open_night(host, "Ruth")
    backups.request(code, tables.get(code).export)
    backups.close()
    assert (backups.folder / f"night-{code}.json").exists()
    lists = host.get("/nights").text
    assert code in lists
    store.remove_nights({later: store.head(later)[0]})
    tables.forget(later)

    calendar = Calendar()
    retention = calendar.retention(store, 1)
    calendar.pass_days(40, lambda: remove_ended(retention, tables))
    said = capsys.readouterr().out
    before = [one for one in backups.all() if one.name.startswith("removal-")]
    assert [row.code for one in before for row in one.nights()] == [code], "a copy was made first"
    assert f"({code})" in said
    assert "last played on" in said
    assert not (backups.folder / f"night-{code}.json").exists()
    for page in ("/", "/put-away", *of_extras("lists"), *of_extras("lists_of_nights")):
        answer = host.get(page)
        assert answer.status_code == 200, page
        assert code not in answer.text
    assert host.get(f"/n/{code}").status_code in (403, 404)
    assert host.get(f"/nights/{code}").status_code == 404
    assert not store.faults()


def test_nothing_is_removed_before_it_was_announced_for_thirty_days(
    store: Store, live: StreamHub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables, calendar = Nights(store, live, Backups(store, tmp_path / "backups")), Calendar()
    for year in range(2001, 2006):
        moment = f"{year}-05-05T20:00:00Z"
        store.create_night(code=f"of{year}", name="Old", preset="{}", options="{}", created_at=moment)
    for months in (240, 2):  # how many nights are announced goes by the months, and the notice by the days
        retention = calendar.retention(store, months)
        retention.look()
        announce(retention)
        assert "5 nights are to be removed for good" in capsys.readouterr().out
        calendar.pass_days(14, lambda: remove_ended(retention, tables))  # noqa: B023 - used up at once
        assert len(tables.nights()) == len(retention.soon()) == 5
    calendar.pass_days(NOTICE_DAYS - 28 - 1, lambda: remove_ended(retention, tables))
    assert len(tables.nights()) == 5
    calendar.pass_days(1, lambda: remove_ended(retention, tables))
    assert tables.nights() == []


def test_a_copy_made_before_a_removal_stays_as_long_as_the_notice_was(
    store: Store, live: StreamHub, tmp_path: Path
) -> None:
    tables, calendar = Nights(store, live, Backups(store, tmp_path / "backups")), Calendar()
    retention = calendar.retention(store, 1)
    for day in range(10):  # ten removals, one a day
        at = (calendar.now + timedelta(days=day + 2)).isoformat()
        store.create_night(code=f"night{day}", name="Old", preset="{}", options="{}", created_at=at)

    def copies() -> list[Path]:
        return [*(tmp_path / "backups").glob("removal-*.db")]

    calendar.pass_days(45, lambda: remove_ended(retention, tables))
    assert tables.nights() == []
    assert len(copies()) == 10, "all of them"
    calendar.pass_days(NOTICE_DAYS, lambda: remove_ended(retention, tables))
    assert copies() == []


def test_a_clock_that_has_jumped_is_said_and_removes_nothing(
    store: Store, live: StreamHub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables, calendar = Nights(store, live, Backups(store, tmp_path / "backups")), Calendar()
    tables.open("michigan-rummy")
    calendar.retention(store, 6).look()
    calendar.now += timedelta(days=400)
    retention = calendar.retention(store, 6)
    remove_ended(retention, tables)
    announce(retention)
    said_before = announce_jump(retention, None)
    said = capsys.readouterr()
    assert announce_jump(retention, said_before) == retention.jump
    assert capsys.readouterr().err == "", "once"
    assert "1 night is to be removed for good" in said.out
    assert "nothing is removed now, this machine's clock has jumped" in said.err
    assert len(tables.nights()) == 1
    page = Site(tables)
    page.app.extensions["retention"] = retention
    host = page.host()
    code = page.open_night(host)
    assert "the clock of this machine has jumped from" in host.get(f"/nights/{code}").text


def test_a_copy_that_can_not_be_made_keeps_every_night(store: Store, live: StreamHub, tmp_path: Path) -> None:
    tables = Nights(store, live, Backups(store, tmp_path / "file" / "backups"))
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    tables.open("michigan-rummy")
    calendar = Calendar()
    retention = calendar.retention(store, 1)
    with pytest.raises(NotSaved):
        calendar.pass_days(70, lambda: remove_ended(retention, tables))
    assert len(tables.nights()) == 1


def test_without_the_option_nothing_is_removed(tables: Nights) -> None:
    assert Site(tables).app.extensions["jobs"] == []
    (job,) = Site(tables, options={"keep_months": 6}).app.extensions["jobs"]
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
    options = host.get(f"/nights/{code}").text
    assert "at any time" not in options
    assert "It can be brought back while its log is kept." in options
    always = Site(tables).host()
    assert "is kept until" not in always.get(f"/nights/{code}").text
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
