"""Nights whose time is over leave the pages, the memory and the copies, each with a line in the terminal."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.client_phones import Site

from tracker.app.nights import Nights
from tracker.app.settings import FolderSettings
from tracker.cli.serve import announce, daily_removal, remove_ended
from tracker.storage import NotSaved, Store
from tracker.storage.backups import Backups
from tracker.storage.retention import Retention
from tracker.streaming.hub import StreamHub


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
    lists = host.get("/").text
    assert code in lists
    store.remover.remove({later: store.head(later)[0]})
    tables.forget(later)

    remove_ended(Retention(store.remover, 1, lambda: datetime(2100, 1, 1, tzinfo=UTC)), tables)
    said = capsys.readouterr().out
    before = [one for one in backups.all() if one.name.startswith("removal-")]
    assert [row.code for one in before for row in one.nights()] == [code], "a copy was made first"
    assert f"({code})" in said
    assert "last played on" in said
    assert not (backups.folder / f"night-{code}.json").exists()
    for page in ("/", "/people", "/statistics", "/settle-up", "/put-away"):
        answer = host.get(page)
        assert answer.status_code == 200, page
        assert code not in answer.text
    assert host.get(f"/n/{code}").status_code in (403, 404)
    assert host.get(f"/nights/{code}").status_code == 404
    assert not store.faults()


def test_nothing_is_removed_before_it_was_announced_for_thirty_days(
    store: Store, live: StreamHub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables, clock = Nights(store, live, Backups(store, tmp_path / "backups")), [datetime(2026, 11, 22, tzinfo=UTC)]
    for year in range(2001, 2006):
        moment = f"{year}-05-05T20:00:00Z"
        store.create_night(code=f"of{year}", name="Old", preset="{}", options="{}", created_at=moment)
    settings = FolderSettings(store)

    def started(months: int) -> Retention:
        since = settings.kept_since(months, clock[0].isoformat())
        return Retention(store.remover, months, lambda: clock[0], begun=datetime.fromisoformat(since))

    for months in (24, 2, 24):  # each other number is announced anew
        for days in (0, 29):
            clock[0] += timedelta(days=days)
            retention = started(months)
            announce(retention)
            assert "5 nights are removed for good" in capsys.readouterr().out
            assert len(retention.soon()) == 5
            remove_ended(retention, tables)
            assert len(tables.nights()) == 5
    clock[0] += timedelta(days=1)
    remove_ended(started(24), tables)
    assert tables.nights() == []
    assert settings.kept_since(None, "") == ""


def test_a_copy_that_can_not_be_made_keeps_every_night(store: Store, live: StreamHub, tmp_path: Path) -> None:
    tables = Nights(store, live, Backups(store, tmp_path / "file" / "backups"))
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    tables.open("michigan-rummy")
    with pytest.raises(NotSaved):
        remove_ended(Retention(store.remover, 1, lambda: datetime(2100, 1, 1, tzinfo=UTC)), tables)
    assert len(tables.nights()) == 1


def test_without_the_option_nothing_is_removed(tables: Nights) -> None:
    Site(tables).open_night(Site(tables).host(), "Ruth")
    with daily_removal(None, tables):
        pass
    assert len(tables.nights()) == 1
