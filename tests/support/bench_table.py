"""A real server with a real night on it, and phones that were let in before it started."""

from __future__ import annotations

import http.client
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from support.of_extras import needs
from support.ports import free_port
from support.process_time import processor_seconds
from support.remote_phone import RemotePhone
from support.sample_nights import record
from support.server_process import serve_command

from tracker.app.event_rows import new_id, now
from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE, read_token
from tracker.core.events import Amount, Buy, Hand, Name, NoSale, SeatId, Sit
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import hash_token

SEATS = ("ann", "bob", "cara", "dan", "eve", "finn", "gus", "hal")
MONEY_POTS = (
    "ten-hearts",
    "queen-hearts",
    "king-queen-hearts",
    "ace-hearts",
    "jack-spades",
    "king-clubs",
    "seven-eight-nine",
)


@dataclass
class BenchTable:
    """What is needed to play and to watch: the night's code, and cookies of the host, the seats and the watchers."""

    folder: Path
    code: str
    host: str
    seats: list[str]
    watchers: list[str]
    token: str
    port: int = 0
    first_answer_seconds: float = 0.0
    process: subprocess.Popen[str] | None = None
    hands: int = field(default=0)

    def api(self, event: dict[str, object]) -> None:
        """Record one event as a script does."""
        self._ask(f"/api/nights/{self.code}/events", {"id": new_id(), **event})

    def another_night(self) -> BenchTable:
        """Open one more night on the running server, with the same people."""
        night = replace(self, code=self._ask("/api/nights", {"preset": "michigan-rummy"})["code"])
        for seat in SEATS:
            night.api({"kind": "sit", "seat": seat, "name": seat.capitalize()})
        return night

    def _ask(self, path: str, body: dict[str, object]) -> dict[str, Any]:
        """Return what the API answers to a POST; RuntimeError when it refuses."""
        needs("api")
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port)) as connection:
            connection.request("POST", path, json.dumps(body), headers)
            answer = connection.getresponse()
            said = answer.read()
        if answer.status != 201:
            raise RuntimeError(f"{answer.status}: {said[:300]!r}")
        told: dict[str, Any] = json.loads(said)
        return told

    def begin_hand(self) -> None:
        """Put in the antes; nobody ever runs short, since everybody buys first."""
        for seat in SEATS:
            self.api({"kind": "buy", "seat": seat, "chips": 30})
        self.api({"kind": "hand", "dealer": SEATS[self.hands % len(SEATS)]})
        self.api({"kind": "no-sale"})
        self.hands += 1

    def end_hand(self) -> None:
        self.api({"kind": "out", "seat": SEATS[0], "cards": dict.fromkeys(SEATS[1:], 1)})
        self.api({"kind": "poker", "winners": [SEATS[1]]})

    def tap(self, pot: str, seat: str) -> tuple[str, bytes, str]:
        """Return path, body and headers of what the host's phone sends for "this seat took this pot"."""
        form = {"do": "collect", "pot": pot, "seat": seat, "key": f"host-{time.time_ns()}"}
        headers = (
            f"Origin: http://127.0.0.1:{self.port}\r\nHX-Request: true\r\nCookie: {self.host}\r\n"
            "Content-Type: application/x-www-form-urlencoded"
        )
        return f"/n/{self.code}/record", urlencode(form).encode(), headers

    def browser(self, cookie: str) -> RemotePhone:
        """Return a browser of the machine itself that has a cookie of the table."""
        name, _, value = cookie.partition("=")
        return RemotePhone(self.port, "127.0.0.1", {name: value})

    def memory_mb(self) -> float:
        """Return the server's resident memory in megabytes."""
        status = (self._facts / "status").read_text(encoding="utf-8")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024

    def processor_seconds(self) -> float:
        """Return the processor time that the server has taken so far, in seconds."""
        assert self.process is not None
        return processor_seconds(self.process.pid)

    def threads(self) -> int:
        """Return how many threads the server has."""
        return len(list((self._facts / "task").iterdir()))

    def files(self) -> int:
        """Return how many files and connections the server has open."""
        return len(list((self._facts / "fd").iterdir()))

    @property
    def _facts(self) -> Path:
        assert self.process is not None
        return Path(f"/proc/{self.process.pid}")


def new_bench_table(folder: Path, watchers: int = 200, place: DataPlace | None = None, *, chips: int = 0) -> BenchTable:
    """Return a table with eight people and phones, in a data folder without a server or in another `place`.

    With `chips` its first hand has begun, and everybody has so many more than the antes.
    """
    with_store = Store(place or folder / DATA_FILE)
    try:
        table = Nights(with_store, StreamHub()).open("michigan-rummy", name="Bench")
        record(table, *(Sit(SeatId(seat), Name(seat.capitalize())) for seat in SEATS))
        if chips:
            record(table, *(Buy(seat, Amount(chips)) for seat in SEATS), Hand(SEATS[0]), NoSale())

        def device(role: str, seat: str | None = None) -> str:
            token = secrets.token_urlsafe(32)
            with_store.devices.add(hash_token(token), code=table.code, role=role, seat=seat, at=now(), name=seat or "")
            return f"board_{with_store.instance}_{table.code}={token}"

        return BenchTable(
            folder=folder,
            code=table.code,
            host=device("host"),
            seats=[device("seat", seat) for seat in SEATS],
            watchers=[device("watcher") for _ in range(watchers)],
            token=read_token(folder),
        )
    finally:
        with_store.close()


ONLY_HERE = ("--host", "127.0.0.1")


@contextmanager
def served(
    table: BenchTable, options: Sequence[str] = ONLY_HERE, environment: Mapping[str, str] | None = None
) -> Iterator[BenchTable]:
    """Serve the table with the real command until the block ends."""
    table.port, began = free_port(), time.perf_counter()
    where = ("--port", str(table.port), *options)
    with serve_command(table.folder, *where, **environment or {}) as command:
        assert command.phone.get("/join").status == 200
        table.first_answer_seconds, table.process = time.perf_counter() - began, command.process
        yield table


@contextmanager
def baseline(folder: Path, size: int) -> Iterator[int]:
    """Run the bare broadcast server and yield its port."""
    command = [sys.executable, str(Path(__file__).with_name("broadcast_baseline.py")), str(folder), str(size)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(60)
