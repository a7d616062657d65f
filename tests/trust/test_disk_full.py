"""Full, read-only and locked: what is refused says why, nothing acknowledged is lost, and play goes on afterwards.

pytest --long tests/trust/test_disk_full.py fills the disk at 200 points of a game.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.client_phones import Site
from support.faults.ack_ledger import AckLedger, FaultCounts
from support.faults.small_disk import on_own_disk, play_until_refused
from support.polling import read_until, wait_until
from support.system_limits import no_more_threads
from werkzeug.test import TestResponse

from tracker.app.nights import Nights
from tracker.core.events import Amount, Buy, Name, SeatId, Sit
from tracker.storage import NotSaved, Store, sqlite as connection
from tracker.storage.disk_health import DiskHealth
from tracker.streaming.hub import StreamHub


def on_small_disk(mode: str, folder: Path, count: int = 1) -> dict[str, Any]:
    """Run a game on a disk of a few megabytes that only this test sees; skip where the system allows none."""
    return on_own_disk("small_disk.py", mode, folder, count)


def test_a_disk_that_fills_up_loses_nothing_and_play_goes_on_when_there_is_room(
    tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    came = on_small_disk("full", tmp_path, short_or_long(15, 200))
    assert came["reasons"] == {"full": came["points"]}
    assert came["harm"] == 0


def test_a_full_disk_is_answered_with_503_and_told_on_the_page_and_so_is_one_that_can_only_be_read(
    tmp_path: Path,
) -> None:
    came = on_small_disk("serve", tmp_path)
    before, tried, again = came["statuses"][0], came["statuses"][1 : -came["tried"]], came["statuses"][-came["tried"] :]
    assert before == 303
    assert 503 in tried
    assert {*tried} <= {303, 503}
    assert {*again} == {303}
    assert sorted(came["recorded"]) == sorted(["before", *(f"full-{number}" for number in range(came["tried"]))])
    assert "send the same again" in came["refused"][0] or "Not saved" in came["refused"][0]
    assert came["banner"]
    assert came["gone"]
    assert came["read only"] == [503, True, True], "refused, told, and the table is shown"


def test_a_file_that_may_not_grow_refuses_and_takes_the_same_again_later(
    store: Store, tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    """The same without any rights: SQLite itself is told how large the file may be."""
    chance, ledger, fault_counts, reasons = Random(6), AckLedger({"sit"}, {"sit"}), FaultCounts(), Counter[str]()
    table = Nights(store, StreamHub()).open("michigan-rummy")
    table.record(Sit(SeatId("ann"), Name("Ann")), id="sit", by="host")
    points = short_or_long(10, 200)
    for point in range(points):
        assert isinstance(store.connection, connection.DataFile)
        with store.connection._alone() as db:  # not another connection, which reads while this one writes
            pages = db.execute("PRAGMA page_count").fetchone()[0]
            db.execute(f"PRAGMA max_page_count = {pages + chance.randrange(3)}")
        reasons[play_until_refused(table, ledger, str(point))] += 1  # closes the connection, and with it the limit
        (id_,) = ledger.unknown
        table.record(Buy("ann", Amount(1)), id=id_, by="host")
        ledger.acknowledged.add(id_)
    store.close()
    ledger.look(tmp_path / "nights.db", table.code, fault_counts)
    assert reasons == {"full": points}
    assert fault_counts.harm == 0


# Another program holds the file

HOLDER = """
import sqlite3, sys, time
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
conn.execute("COMMIT")
"""


def held(path: Path, seconds: float) -> subprocess.Popen[str]:
    """Let another process hold the file for so long; returns when it does."""
    command = [sys.executable, "-c", HOLDER, str(path), str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
    read_until(process, "held\n")
    return process


@pytest.fixture(name="buy")
def _buy(site: Site) -> Callable[[], TestResponse]:
    """Give a function by which the host of a new night sends the same purchase, again and again."""
    host = site.host()
    path = f"/n/{site.open_night(host)}/record"
    return lambda: host.post(path, {"do": "buy:5", "seat": "ruth", "key": "the same"})


def test_a_file_that_is_held_for_a_second_is_waited_for(buy: Callable[[], TestResponse], tmp_path: Path) -> None:
    with held(tmp_path / "nights.db", 1):
        assert buy().status_code == 303


def test_a_file_that_is_held_for_longer_is_answered_with_503_told_to_all_and_nothing_is_lost(
    site: Site, buy: Callable[[], TestResponse], tmp_path: Path
) -> None:
    browser, (row,) = site.host(), site.tables.nights()
    with held(tmp_path / "nights.db", 5):
        assert buy().status_code == 503
        answer = browser.get("/")
        assert answer.status_code == 200  # a write-ahead log can be read while another program writes
        assert "Another program on the host" in answer.text
    assert [buy().status_code, buy().status_code] == [303, 303]
    assert [entry.event.kind for entry in site.tables.get(row.code).entries] == ["sit", "buy"]
    wait_until(lambda: not site.tables.disk.trouble)
    assert "Another program on the host" not in browser.get("/").text


def test_where_the_system_gives_no_more_threads_the_next_failure_starts_the_retries(store: Store) -> None:
    disk = DiskHealth(store, pause_seconds=0.01)
    with no_more_threads():
        disk.record_failure("full")
    assert disk.trouble == "full"
    disk.record_failure("full")
    wait_until(lambda: not disk.trouble)


def test_a_connection_that_can_not_be_set_up_again_is_a_failed_write_and_is_retried(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = DiskHealth(store, pause_seconds=0.01)
    monkeypatch.setitem(connection.PRAGMAS, "cell_size_check", 7)  # which SQLite does not keep
    assert isinstance(store.connection, connection.DataFile)
    store.connection._drop()  # as after a disk error
    with pytest.raises(NotSaved):
        store.set_setting(None, "base", "1")
    assert disk.trouble == "disk"
    monkeypatch.undo()
    wait_until(lambda: not disk.trouble)
    store.set_setting(None, "base", "1")
