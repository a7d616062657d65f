"""A disk of a few megabytes that is filled up or made read-only, in a mount namespace of its own.

Usage: unshare -Urm python small_disk.py MODE FOLDER COUNT. It mounts a disk on FOLDER and prints what came, as JSON.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from support.faults.ack_ledger import AckLedger, FaultCounts
from support.server_process import ServedCommand, run_command, serve_command

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.cli.data_folder import DATA_FILE, read_token
from tracker.core.events import Amount, Buy, Name, SeatId, Sit
from tracker.storage import NotSaved, Store, disk_health as module
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import hash_token

LINE = "host" * 8


def mount(folder: Path, *options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)], check=True)


def lay_table(store: Store, reserve: Path | None = None) -> OpenNight:
    table = Nights(store, StreamHub(), reserve=reserve).open("michigan-rummy")
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


def full(folder: Path, points: int) -> dict[str, Any]:
    """Fill the disk at so many points of a game; play until it is refused, make room, and send the same again."""
    mount(folder, "size=3m")
    chance, ledger, fault_counts, reasons = (
        Random(4),
        AckLedger({"sit-ann"}, {"sit-ann"}),
        FaultCounts(),
        Counter[str](),
    )
    with closing(Store(folder / DATA_FILE)) as store:
        table = lay_table(store)
        for point in range(points):
            event, number = Buy("ann", Amount(1 + point % 9)), 0
            with filled(folder, chance.randrange(0, 48_000)):
                while True:
                    id_, number = f"{point}-{number}", number + 1
                    ledger.sent.add(id_)
                    try:
                        table.record(event, id=id_, by="host")
                    except NotSaved as trouble:
                        reasons[trouble.reason] += 1
                        break
                    ledger.acknowledged.add(id_)
            table.record(event, id=id_, by="host")
            ledger.acknowledged.add(id_)
    ledger.look(folder / DATA_FILE, table.code, fault_counts)
    return {"points": points, "reasons": reasons, "recorded": len(ledger.acknowledged), "harm": fault_counts.harm}


def reserve(folder: Path, _: int) -> dict[str, Any]:
    """Fill the disk to the last byte, and play on in the room that was put by."""
    mount(folder, "size=3m")
    module.RESERVE_REQUIRED_BYTES = 0
    with closing(Store(folder / DATA_FILE)) as store:
        table = lay_table(store, folder / "reserve")
        with filled(folder, 0):
            refused = recorded = 0
            while recorded < 100 and refused < 1000:
                try:
                    table.record(Buy("ann", Amount(5)), id=f"buy-{recorded}", by="host")
                    recorded += 1
                except NotSaved:
                    refused += 1
        return {"recorded": recorded, "refused": refused, "given up": not (folder / "reserve").exists()}


# The server


class Asking:
    """Somebody who talks to the server: scripts by the token, the host's phone by its cookie."""

    def __init__(self, served: ServedCommand, table: OpenNight, token: str, cookie: str) -> None:
        self.served, self.table, self.token, self.cookie = served, table, token, cookie

    def buy(self, id_: str) -> tuple[int, str]:
        event = json.dumps({"id": id_, "kind": "buy", "seat": "ann", "chips": 5})
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        answer = self.served.phone.ask("POST", f"/api/nights/{self.table.code}/events", event, headers)
        return answer.status, answer.text

    def page(self) -> str:
        return self.served.phone.get(f"/n/{self.table.code}/lobby", Cookie=self.cookie).text


def admit_scripts(store: Store, table: OpenNight, token: str) -> str:
    """Admit scripts by a token; return the cookie of the phone that `lay_table` has made the host."""
    store.devices.add(hash_token(token), code=None, role="host", at="2026-11-20T20:00:00Z", label="scripts")
    return f"board_{store.instance}_{table.code}={LINE}"


@contextmanager
def serving(folder: Path) -> Iterator[Asking]:
    """Run the real command on a new table in the folder."""
    with closing(Store(folder / DATA_FILE)) as store:
        table, token = lay_table(store), read_token(folder)
        cookie = admit_scripts(store, table, token)
    with serve_command(folder, "--host", "127.0.0.1", "--full-disk") as served:
        yield Asking(served, table, token, cookie)


def serve(folder: Path, _: int) -> dict[str, Any]:
    """Fill the disk under a running server, look at what it says, and make room again."""
    mount(folder, "size=4m")
    with serving(folder) as asking:
        before = asking.buy("before")[0]
        with always_full(folder):
            statuses: list[tuple[int, str]] = []
            page_then, until = "", time.monotonic() + 60
            while "disk is full" not in page_then and time.monotonic() < until:
                statuses.append(asking.buy(f"full-{len(statuses)}"))
                page_then = asking.page()
            refused = [text for status, text in statuses if status == 503]
        again = [asking.buy(f"full-{number}")[0] for number in range(len(statuses))]
        page_now, until = asking.page(), time.monotonic() + 60
        while "disk is full" in page_now and time.monotonic() < until:
            time.sleep(0.05)
            page_now = asking.page()
        return {
            "before": before, "statuses": [status for status, _ in statuses], "refused": refused[-1:], "again": again,
            "banner": "disk is full" in page_then, "gone": "disk is full" not in page_now,
        }  # fmt: skip


def read_only(folder: Path, _: int) -> dict[str, Any]:
    """Start the server on a disk that can only be read."""
    mount(folder, "size=4m")
    with closing(Store(folder / DATA_FILE)) as store:
        table, token = lay_table(store), read_token(folder)
        cookie = admit_scripts(store, table, token)
    mount(folder, "remount", "ro")
    with serve_command(folder, "--host", "127.0.0.1", "--full-disk") as served:
        asking = Asking(served, table, token, cookie)
        for _attempt in range(200):
            page = asking.page()
            if "be written" in page:
                break
        return {"page": "Ann" in page, "banner": "be written" in page, "buy": asking.buy("x")}


def nearly_full(folder: Path, _: int) -> dict[str, Any]:
    """Start the server on a disk with too little room for a night, then with enough, then as somebody who must."""
    mount(folder, "size=60m")
    data = folder / "nights of the year"
    with filled(folder, 30_000_000):
        refused = run_command("--no-browser", "--host", "127.0.0.1", "--data", data)
        left = sorted(path.name for path in folder.iterdir())
        with serving(data) as asking:
            played_on, reserve_then = asking.buy("with little")[0], (data / "reserve").exists()
    return {
        "status": refused.returncode, "said": refused.stderr, "left": left, "played on": played_on,
        "reserve": reserve_then, "warned": asking.served.said.count("Warning: the disk is nearly full"),
        "enough": enough(data),
    }  # fmt: skip


def enough(folder: Path) -> str:
    """Start the server without a word about the disk and return the first that it says."""
    with serve_command(folder, "--host", "127.0.0.1") as served:
        return served.said


def main() -> None:
    folder = Path(sys.argv[2])
    modes = {"full": full, "reserve": reserve, "serve": serve, "read-only": read_only, "nearly-full": nearly_full}
    print(json.dumps(modes[sys.argv[1]](folder, int(sys.argv[3]))))  # noqa: T201


if __name__ == "__main__":
    main()
