"""Power cuts and failing disks, made between SQLite and the file system, and processes that are killed as they write.

pytest --long tests/trust/test_power_cut.py makes 3,000 cuts in each way of writing, and 600 events on a failing disk.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.faults import kill_target
from support.faults.ack_ledger import AckLedger, FaultCounts, sum_of
from support.faults.faulty_disk import OK, SYNC_ERROR, TRUNCATE_ERROR, WRITE_ERROR, FaultyDisk, Step
from support.faults.killing import killed_players, killed_servers
from support.faults.power_cut import cuts, played
from support.sample_nights import record

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Amount, Buy, Name, SeatId, Sit
from tracker.storage import NotSaved, Store, StoreError, sqlite as connection
from tracker.streaming.hub import StreamHub


def lost_in_cuts(folder: Path, times: int) -> tuple[int, int]:
    """Cut the power so many times; return how often something acknowledged was lost, and how often the file was bad."""
    steps, first = played(folder / "nights.db")
    lost, bad = 0, 0
    for path, told in cuts(steps, times, Random(20261121), folder, first=first + 1):
        try:
            with closing(Store(path)) as store:
                (night,) = store.nights()
                table = Nights(store, StreamHub()).get(night.code)
                assert sum_of(table) == 0
                assert table.head <= told + 1
                lost += table.head < told
        except StoreError:
            bad += 1
    return lost, bad


def test_a_power_cut_loses_nothing_that_was_acknowledged(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    times = short_or_long(150, 3000)
    lost, bad = lost_in_cuts(tmp_path, times)
    figure(f"power cuts: {times}, {lost} lost something acknowledged, {bad} left a file that can't be read")
    assert (lost, bad) == (0, 0)


@pytest.mark.parametrize("synchronous", [2, 1])
def test_the_same_cuts_lose_something_with_the_settings_that_sqlite_has_by_itself(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    synchronous: int,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
) -> None:
    """Or the test above would see nothing at all."""
    usual = {**connection.PRAGMAS, "journal_mode": "delete", "synchronous": synchronous}
    monkeypatch.setattr(connection, "PRAGMAS", usual)
    times = short_or_long(60, 3000)
    lost, bad = lost_in_cuts(tmp_path, times)
    named = {2: "FULL, Python's own setting", 1: "NORMAL"}[synchronous]
    figure(f"the same with journal DELETE, synchronous {named}: {times} cuts, {lost} lost something, {bad} unreadable")
    assert lost > 0


# A disk that reports errors

CODES = {"write": WRITE_ERROR, "sync": SYNC_ERROR, "truncate": TRUNCATE_ERROR}


def failing(chance: Random, share: float) -> Callable[[Step], tuple[bool, int]]:
    """Fail that share of all steps; half of those that fail are done all the same, as on a real disk."""

    def fault(step: Step) -> tuple[bool, int]:
        if step.kind not in CODES or chance.random() >= share:
            return True, OK
        return chance.random() < 0.5, CODES[step.kind]

    return fault


def test_on_a_disk_that_fails_every_event_is_recorded_once_by_sending_it_again(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    chance, ledger, fault_counts, times = Random(9), AckLedger(), FaultCounts(), short_or_long(40, 600)
    refused = unsure = 0
    with FaultyDisk() as disk, closing(Store(tmp_path / "nights.db")) as store:
        table = Nights(store, StreamHub()).open("michigan-rummy")
        record(table, Sit(SeatId("ann"), Name("Ann")))
        ledger.sent = {entry.id or "" for entry in table.entries}
        ledger.acknowledged = set(ledger.sent)
        disk.fault = failing(chance, 0.05)
        for number in range(times):
            id_ = f"buy-{number}"
            ledger.sent.add(id_)
            for _ in range(200):
                try:
                    table.record(Buy("ann", Amount(number % 9 + 1)), id=id_, by="host")
                except NotSaved as trouble:
                    refused += trouble.certain
                    unsure += not trouble.certain
                else:
                    ledger.acknowledged.add(id_)
                    break
        disk.fault = failing(chance, 0)
    ledger.look(tmp_path / "nights.db", table.code, fault_counts)
    figure(
        f"a disk of which 5 % of all writes and syncs fail: {times} events, {refused} times not saved, {unsure} times "
        f"not sure; sent again each is there once: {fault_counts.lost} lost, {fault_counts.doubled} doubled"
    )
    assert len(ledger.acknowledged) == times + 1
    assert unsure > 0
    assert fault_counts.harm == 0


# kill -9 at any moment, under load: what was acknowledged is there, once, and every night sums to zero. With --long 850
# kills of processes that write through the table, and 200 of the whole server, some while it loads its pages.


def test_killed_players_have_lost_nothing_and_doubled_nothing(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    place = tmp_path / DATA_FILE
    script = (kill_target.__file__, str(place))
    fault_counts = killed_players(place, script, short_or_long(12, 850), 0.15, short_or_long(1, 2))
    figure(f"kill -9 of processes that write to a file: {fault_counts}")
    assert fault_counts.harm == 0


def test_a_killed_server_has_lost_nothing_and_doubled_nothing(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    opens = [number % 4 == 1 for number in range(short_or_long(3, 200))]
    fault_counts = killed_servers(tmp_path, tmp_path / DATA_FILE, opens, Random(short_or_long(3, 4)), {})
    figure(f"kill -9 of the server over a file: {fault_counts}")
    assert fault_counts.harm == 0
