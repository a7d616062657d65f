"""How often the store waits for the disk for one event, alone and with eight tables at once."""

import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from support.faults.faulty_disk import OK, FaultyDisk, Step

from tracker.storage import NewEvent, Store

EVENTS = 400
SYNC_SECONDS = 0.005
"""How long a wait is made to last: that of a phone's flash memory."""


def waits_per_event(tables: int) -> float:
    """Return the waits for the disk for each of 400 events of so many tables, one thread each."""

    def sync_slowly(step: Step) -> tuple[bool, int]:
        if step.kind == "sync":
            time.sleep(SYNC_SECONDS)
        return True, OK

    with tempfile.TemporaryDirectory() as folder, FaultyDisk() as disk, closing(Store(Path(folder) / "db")) as store:
        codes = [f"NIGHT{number}" for number in range(tables)]
        for code in codes:
            store.create_night(code=code, name="", preset="{}", options="{}", created_at="2026")
        disk.steps.clear()
        disk.fault = sync_slowly
        threads = [threading.Thread(target=_record, args=[store, code, EVENTS // tables]) for code in codes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(step.kind == "sync" for step in disk.steps) / (EVENTS // tables * tables)


def _record(store: Store, code: str, count: int) -> None:
    for number in range(1, count + 1):
        store.append(code, NewEvent(number, f"id-{number}", bytes(32), "{}", ""))
