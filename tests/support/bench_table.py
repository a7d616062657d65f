"""Tables with people and phones that were let in before their server started, and the real command that serves them."""

from __future__ import annotations

import secrets
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

from support.of_extras import needs
from support.ports import free_port
from support.process_time import Moment
from support.remote_phone import RemotePhone, api
from support.server_process import serve_command
from support.socket_phones import SocketPhone

from tracker.app.event_rows import new_id, now
from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Amount, Buy, Event, Hand, Name, NoSale, SeatId, Sit
from tracker.core.log import Entry
from tracker.formats.built_in import built_in
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import hash_token

P = TypeVar("P", bound=SocketPhone)

SEATS = ("ann", "bob", "cara", "dan", "eve", "finn", "gus", "hal")
MONEY_POTS = [pot.id for pot in built_in("michigan-rummy").won_by("card")]


@dataclass
class BenchTable:
    """What is needed to play and to watch: the night's code, and cookies of the host, the seats and the watchers."""

    folder: Path
    code: str
    host: str
    seats: list[str]
    watchers: list[str]
    port: int = 0
    first_answer_seconds: float = 0.0
    process: subprocess.Popen[str] | None = None
    hands: int = 0

    def api(self, event: Mapping[str, object]) -> int:
        """Record one event as a script does, and return its number."""
        told = api(self.port, self.token, f"/api/nights/{self.code}/events", {"id": new_id(), **event})
        return int(told["head"])

    @cached_property
    def token(self) -> str:
        needs("api")
        return (self.folder / "api-token").read_text(encoding="ascii").strip()

    def begin_hand(self) -> int:
        """Put in the antes; nobody ever runs short, since everybody buys first. Return the number of the last event."""
        for seat in SEATS:
            self.api({"kind": "buy", "seat": seat, "chips": 30})
        self.api({"kind": "hand", "dealer": SEATS[self.hands % len(SEATS)]})
        self.hands += 1
        return self.api({"kind": "no-sale"})

    def end_hand(self) -> None:
        self.api({"kind": "out", "seat": SEATS[0], "cards": dict.fromkeys(SEATS[1:], 1)})
        self.api({"kind": "poker", "winners": [SEATS[1]]})

    def browser(self, cookie: str) -> RemotePhone:
        return RemotePhone(self.port, "127.0.0.1", dict([cookie.split("=", 1)]))

    def phones(self, kind: type[P], **more: Any) -> list[P]:
        """Return the phones of the seats."""
        seats = zip(SEATS, self.seats, strict=False)
        return [kind(self.port, self.code, seat, cookie, **more) for seat, cookie in seats]

    def collected(self, pot: str, seat: str) -> bytes:
        """Return what the host's phone sends for "this seat took this pot"."""
        form = {"do": "collect", "pot": pot, "seat": seat, "key": f"host-{time.time_ns()}"}
        host = SocketPhone(self.port, self.code, cookie=self.host)
        return host.request("POST", f"/n/{self.code}/record", urlencode(form).encode())

    @property
    def now(self) -> Moment:
        """What the server uses just now."""
        assert self.process is not None
        return Moment.of(self.process.pid)


def new_bench_table(folder: Path, watchers: int = 200, *, chips: int = 0, place: DataPlace | None = None) -> BenchTable:
    """Return a table with eight people and phones; see `new_tables`."""
    return new_tables(folder, 1, watchers=watchers, chips=chips, place=place)[0]


def new_tables(
    folder: Path, tables: int, *, phones: int = 8, watchers: int = 0, chips: int = 0, place: DataPlace | None = None
) -> list[BenchTable]:
    """Create so many tables in a data folder, or in the database at `place`; the first one has the watchers.

    If everybody has bought chips, the first hand has begun.
    """
    with closing(Store(place or folder / DATA_FILE)) as store:
        nights = Nights(store, StreamHub())
        return [_new_table(folder, nights, phones, 0 if number else watchers, chips) for number in range(tables)]


def _new_table(folder: Path, nights: Nights, phones: int, watchers: int, chips: int) -> BenchTable:
    seats = [SeatId(name) for name in SEATS[: max(3, phones)]]
    events: list[Event] = [Sit(seat, Name(seat.capitalize())) for seat in seats]
    if chips:
        events += [*(Buy(seat, Amount(chips)) for seat in seats), Hand(seats[0]), NoSale()]
    entries = [Entry(number, event, new_id(), now(), "host") for number, event in enumerate(events, 1)]
    code = nights.open("michigan-rummy", name="Bench", entries=entries).code

    def device(role: str, seat: str | None = None) -> str:
        token = secrets.token_urlsafe(32)
        nights.store.devices.add(hash_token(token), code=code, role=role, seat=seat, at=now(), name=seat or "")
        return f"board_{nights.store.instance}_{code}={token}"

    return BenchTable(
        folder=folder,
        code=code,
        host=device("host"),
        seats=[device("seat", seat) for seat in seats[:phones]],
        watchers=[device("watcher") for _ in range(watchers)],
        hands=int(chips > 0),
    )


@contextmanager
def served(table: BenchTable) -> Iterator[BenchTable]:
    """Serve the table with the real command until the block ends."""
    table.port, began = free_port(), time.perf_counter()
    with serve_command(table.folder, "--port", str(table.port), "--host", "127.0.0.1") as command:
        assert command.phone.get("/join").status == 200
        table.first_answer_seconds, table.process = time.perf_counter() - began, command.process
        yield table
