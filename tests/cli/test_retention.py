"""Nights whose time is over leave the pages, the memory and the copies, each with a line in the terminal."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.client_phones import Site

from tracker.app.nights import Nights
from tracker.cli.retention import daily_removal, remove_ended
from tracker.storage import Store
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


def test_without_the_option_nothing_is_removed(tables: Nights) -> None:
    Site(tables).open_night(Site(tables).host(), "Ruth")
    with daily_removal(None, tables):
        pass
    assert len(tables.nights()) == 1
