"""A disk of a few megabytes that is filled up or made read-only, in a mount namespace of its own.

Usage: unshare -Urm python small_disk.py MODE FOLDER COUNT. It mounts a disk on FOLDER and prints what came, as JSON.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.client_phones import HERE, ClientPhone, Site
from support.faults.ack_ledger import AckLedger, FaultCounts
from support.paths import ROOT
from support.sample_nights import Form
from werkzeug.test import TestResponse

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Amount, Buy, Name, SeatId, Sit
from tracker.storage import NotSaved, Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import hash_token

MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")
LINE = "host" * 8


def on_own_disk(script: str, mode: str, folder: Path, count: int = 1) -> dict[str, Any]:
    """Run a script with these arguments and return what it prints; skip where the system allows no namespaces."""
    allowed = shutil.which("unshare") and subprocess.run([*MOUNTS, "true"], capture_output=True, check=False)
    if not allowed or allowed.returncode:
        if os.environ.get("CI") == "true":
            pytest.fail("no mount namespaces here: the test of a full disk can't be left out")
        pytest.skip("this system allows no mount namespaces")
    command = [*MOUNTS, sys.executable, str(Path(__file__).parent / script), mode, str(folder), str(count)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    result = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=280, check=False, env=environment)
    assert result.returncode == 0, result.stderr
    came: dict[str, Any] = json.loads(result.stdout)
    return came


def mount(folder: Path, *options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)], check=True)


def lay_table(store: Store) -> OpenNight:
    return sit_down(Nights(store, StreamHub()))


def sit_down(nights: Nights) -> OpenNight:
    """Open a night with Ann and a host's phone."""
    table, store = nights.open("michigan-rummy"), nights.store
    table.record(Sit(SeatId("ann"), Name("Ann")), id="sit-ann", by="host")
    store.devices.add(hash_token(LINE), code=table.code, role="host", at="2026-11-20T20:00:00Z")
    return table


@contextmanager
def filled(folder: Path, room: int) -> Iterator[None]:
    """Leave so many bytes on the disk for a while."""
    fill_up(folder, room)
    yield
    (folder / "filler").unlink()


@contextmanager
def always_full(folder: Path) -> Iterator[None]:
    """Fill the disk again and again: a log that can't grow is moved into the data file, which makes room."""
    done = threading.Event()

    def fill() -> None:
        while not done.is_set():
            fill_up(folder)

    filling = threading.Thread(target=fill)
    filling.start()
    try:
        yield
    finally:
        done.set()
        filling.join()
        (folder / "filler").unlink()


def fill_up(folder: Path, room: int = 0) -> None:
    """Leave at most so many bytes on the disk, whatever was freed since."""
    state = os.statvfs(folder)
    with suppress(OSError), (folder / "filler").open("ab", buffering=0) as filler:  # another writer may be faster
        filler.write(bytes(max(0, state.f_bavail * state.f_frsize - room)))


def play_until_refused(table: OpenNight, ledger: AckLedger, word: str) -> str:
    """Record events until one is not saved, and return why."""
    for number in range(20_000):
        id_ = f"{word}-{number}"
        ledger.sent.add(id_)
        try:
            table.record(Buy("ann", Amount(1)), id=id_, by="host")
        except NotSaved as trouble:
            return trouble.reason
        ledger.acknowledged.add(id_)
    raise AssertionError("the disk was never full")


def full(folder: Path, points: int) -> dict[str, Any]:
    """Fill the disk at so many points of a game; play until it is refused, make room, and send the same again."""
    mount(folder, "size=3m")
    chance, reasons, fault_counts = Random(4), Counter[str](), FaultCounts()
    ledger = AckLedger({"sit-ann"}, {"sit-ann"})
    with closing(Store(folder / DATA_FILE)) as store:
        table = lay_table(store)
        for point in range(points):
            with filled(folder, chance.randrange(0, 48_000)):
                reasons[play_until_refused(table, ledger, str(point))] += 1
            (id_,) = ledger.unknown
            table.record(Buy("ann", Amount(1)), id=id_, by="host")
            ledger.acknowledged.add(id_)
    ledger.look(folder / DATA_FILE, table.code, fault_counts)
    return {"points": points, "reasons": reasons, "recorded": len(ledger.acknowledged), "harm": fault_counts.harm}


# The pages


class Asking:
    """The host's phone at the table of an app of this process."""

    def __init__(self, store: Store, code: str) -> None:
        self.base, self.phone = f"/n/{code}", ClientPhone(Site(Nights(store, StreamHub())).app)
        self.phone.client.set_cookie(f"board_{store.instance}_{code}", LINE, domain=HERE)

    def buy(self, key: str) -> TestResponse:
        form: Form = {"do": "buy:5", "seat": "ann", "key": key}
        while (answer := self.phone.post(f"{self.base}/record", form)).status_code == 429:  # faster than a phone may be
            time.sleep(0.1)
        return answer

    def page(self) -> str:
        return self.phone.get(f"{self.base}/lobby").text

    def waits_until(self, is_so: Callable[[str], bool]) -> bool:
        """Look at the page until something is so, a minute at most; return whether it is."""
        end = time.monotonic() + 60
        while not (found := is_so(self.page())) and time.monotonic() < end:
            time.sleep(0.05)
        return found


def keys_of(table: OpenNight) -> list[str]:
    """Return the keys of the forms that were recorded, in order."""
    return [str(entry.id).rpartition("-")[0] for entry in table.entries]


def serve(folder: Path, _: int) -> dict[str, Any]:
    """Fill the disk under an app, look at what it says, make room again, and then have the disk be read only."""
    mount(folder, "size=4m")
    with closing(Store(folder / DATA_FILE)) as store:
        table, answers = lay_table(store), list[TestResponse]()
        asking = Asking(store, table.code)

        def is_full_now(page: str) -> bool:
            answers.append(asking.buy(f"full-{len(answers)}"))
            return "disk is full" in page

        before = asking.buy("before").status_code
        with always_full(folder):
            banner = asking.waits_until(is_full_now)
        again = [asking.buy(f"full-{number}").status_code for number in range(len(answers))]
        gone = asking.waits_until(lambda page: "disk is full" not in page)
        recorded = keys_of(Nights(store, StreamHub()).get(table.code))
    mount(folder, "remount", "ro")
    with closing(Store(folder / DATA_FILE)) as store:
        asking = Asking(store, table.code)
        refused = asking.buy("x").status_code
        read_only = [refused, asking.waits_until(lambda page: "be written" in page), "Ann" in asking.page()]
    return {
        "statuses": [before, *(answer.status_code for answer in answers), *again],
        "refused": [answer.text for answer in answers if answer.status_code == 503][-1:],
        "tried": len(answers), "recorded": recorded[1:], "banner": banner, "gone": gone, "read only": read_only,
    }  # fmt: skip


def main() -> None:
    folder = Path(sys.argv[2])
    modes = {"full": full, "serve": serve}
    print(json.dumps(modes[sys.argv[1]](folder, int(sys.argv[3]))))  # noqa: T201


if __name__ == "__main__":
    main()
