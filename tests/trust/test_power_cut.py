"""Power cuts and failing disks, made between SQLite and the file system, under the real store.

pytest --long tests/trust/test_power_cut.py makes 3,000 cuts in each way of writing, and 600 events on a failing disk.
"""

import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.faults.ack_ledger import AckLedger, FaultCounts, sum_of
from support.faults.faulty_disk import OK, SYNC_ERROR, TRUNCATE_ERROR, WRITE_ERROR, FaultyDisk, Step
from support.faults.power_cut import cuts, last_told
from support.of_extras import needs
from support.random_nights import legal_event
from support.sample_nights import record

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.cli.data_folder import open_repaired
from tracker.core.events import Amount, Buy, Name, SeatId, Sit
from tracker.core.log import Entry
from tracker.storage import NotSaved, Store, StoreError, sqlite as connection
from tracker.streaming.hub import StreamHub

EVENTS = 40


def lay_table(store: Store) -> OpenNight:
    table = Nights(store, StreamHub()).open("michigan-rummy")
    for seat in ("ann", "bob", "cara"):
        record(table, Sit(SeatId(seat), Name(seat.title())))
    return table


def played(path: Path) -> tuple[list[Step], int]:
    """Play a while on a disk that notes every step; return the steps, and the number of the first of the game."""
    chance = Random(3)
    with FaultyDisk() as disk, closing(Store(path)) as store:
        table = lay_table(store)
        first = len(disk.steps)
        disk.tell(table.head)
        while table.head < EVENTS:
            record(table, legal_event(table.night, chance, may_end=False))
            disk.tell(table.head)
            if table.head % 7 == 0:
                table.settings.is_last_hand = bool(table.head % 2)
        return disk.steps, first


def lost_in_cuts(folder: Path, times: int) -> tuple[int, int]:
    """Cut the power so many times; return how often something acknowledged was lost, and how often the file was bad."""
    steps, first = played(folder / "nights.db")
    assert last_told(steps) == EVENTS
    chance, lost, bad = Random(20261121), 0, 0
    for _, disk in cuts(steps, first + 1, times, chance):
        after = folder / "after"
        after.mkdir()
        disk.cut(after, chance)
        try:
            with closing(Store(after / "nights.db")) as store:
                (night,) = store.nights()
                table = Nights(store, StreamHub()).get(night.code)
                assert sum_of(table) == 0
                assert table.head <= disk.told + 1
                lost += table.head < disk.told
        except StoreError:
            bad += 1
        shutil.rmtree(after)
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


# A disk that lies


def test_a_disk_that_lies_about_syncing_never_leads_to_a_wrong_balance(
    tmp_path: Path,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It loses what it said it had: no program can help that. But what opens is always a start of the log."""
    needs("repair")
    steps, first = played(tmp_path / "nights.db")
    log, _ = night_of(tmp_path / "nights.db")
    lying = [step for number, step in enumerate(steps) if step.kind != "sync" or number < first]
    chance, came, times = Random(20261122), Counter[str](), short_or_long(12, 1000)
    for _, disk in cuts(lying, first + 1, times, chance):
        after = tmp_path / "after"
        after.mkdir()
        disk.cut(after, chance)
        try:
            open_repaired(after / "nights.db").close()
            entries, is_hurt = night_of(after / "nights.db")
        except StoreError:
            came["refused"] += 1
        else:
            assert entries == log[: len(entries)]
            came["in part" if is_hurt else "older" if len(entries) < disk.told else "whole"] += 1
        shutil.rmtree(after)
    capfd.readouterr()
    figure(
        f"a disk that says it has written and has not: {times} power cuts; {came['whole']} whole, {came['older']} an "
        f"older state that looks whole, {came['in part']} read as far as proved and said so, {came['refused']} refused "
        "with a sentence; 0 wrong balances"
    )
    assert came["whole"] < times


def night_of(path: Path) -> tuple[list[Entry], bool]:
    """Return the log of a file's only night, and whether it says that it may end too early; nothing when it is gone."""
    with closing(Store(path)) as store:
        for row in store.nights():
            table = Nights(store, StreamHub()).get(row.code)
            return list(table.entries), table.settings.truncation is not None
    return [], False


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
        table = lay_table(store)
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
    assert len(ledger.acknowledged) == times + 3
    assert unsure > 0
    assert fault_counts.harm == 0
