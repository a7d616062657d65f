"""One process of load clients: streams as bare sockets, and a tapper for each table, told what to do by its parent.

Reads a JSON task from standard input (see `Task`), opens its streams, says "open", waits for a line, taps for as long
as it was told, and prints what it saw as JSON. Moments are of the monotonic clock, which processes share.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

ID = re.compile(rb"\nid: (\d+)\n")
OPENING_AT_ONCE = 12  # of each process: below the limit of connections from one address
LAST_SECONDS = 20.0  # how long the last events are waited for


@dataclass(frozen=True)
class StreamTask:
    """One stream to open; a slow one reads a little, once a second."""

    table: int
    code: str
    cookie: str
    is_slow: bool = False


@dataclass(frozen=True)
class TapTask:
    """One table to tap at: its code, seats and their cookies, and when its first tap is due in seconds."""

    table: int
    code: str
    seats: list[str]
    cookies: list[str]
    first_at: float


@dataclass(frozen=True)
class Task:
    """What a process does: `servers` are (host, port); a table's streams are spread over them."""

    servers: list[tuple[str, int]]
    streams: list[StreamTask]
    taps: list[TapTask]
    every: float
    seconds: float
    what: str

    @classmethod
    def read(cls, text: str) -> Task:
        raw = json.loads(text)
        return cls(
            [(host, port) for host, port in raw["servers"]],
            [StreamTask(**one) for one in raw["streams"]],
            [TapTask(**one) for one in raw["taps"]],
            raw["every"],
            raw["seconds"],
            raw["what"],
        )


@dataclass
class Seen:
    """What the process has seen; JSON for its parent."""

    arrived: dict[int, dict[int, list[float]]] = field(default_factory=lambda: defaultdict(dict))
    """table -> event number -> how many streams had it, and when the last of them did; slow streams are left out."""
    taps: list[tuple[int, int, float, float]] = field(default_factory=list)
    """table, number of the event, when it was tapped and when it was answered."""
    messages: int = 0
    twice: int = 0
    slow_messages: int = 0
    refused: list[str] = field(default_factory=list)
    ended: int = 0
    """Streams that the server has ended."""
    newest: list[tuple[int, int]] = field(default_factory=list)
    """table and newest event number of every stream at the end."""


class Stream(asyncio.Protocol):
    """One open stream. Reads no more than the numbers of the events that its pages show."""

    def __init__(self, task: StreamTask, host: str, seen: Seen) -> None:
        self._task, self._host, self._seen = task, host, seen
        self._tail, self._is_reading = b"", False
        self.newest, self.first, self.is_counted = -1, -1, False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        tab = secrets.token_hex(4)
        # By 1.0 a proxy sends no chunks, whose lengths would stand in the middle of a page.
        head = f"GET /n/{self._task.code}/stream?tab={tab} HTTP/1.0\r\nHost: {self._host}\r\n"
        transport.write(f"{head}Cookie: {self._task.cookie}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        moment, data = time.perf_counter(), self._tail + data
        end = data.rfind(b"\n\n")
        if not self.opened.done() and not data.startswith((b"HTTP/1.0 200", b"HTTP/1.1 200")):
            self._seen.refused.append(data.partition(b"\r\n")[0].decode())
            self.opened.set_result(None)
        if end < 0:
            self._tail = data
        else:
            self._tail = data[end + 1 :]
            for found in ID.finditer(data, 0, end + 1):
                self._note(int(found[1]), moment)
        if self._task.is_slow:
            self.transport.pause_reading()
            asyncio.get_running_loop().call_later(1.0, self._read_on)

    def _read_on(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def _note(self, number: int, moment: float) -> None:
        if not self.opened.done():
            self.opened.set_result(None)
        if self.is_counted:
            if self._task.is_slow:
                self._seen.slow_messages += 1
            else:
                self._count(number, moment)
        self.newest = max(self.newest, number)

    def _count(self, number: int, moment: float) -> None:
        self._seen.messages += 1
        self._seen.twice += self.first < number == self.newest  # who is there may still be news of the first page
        at_table = self._seen.arrived[self._task.table]
        for passed in range(self.newest + 1, number + 1):
            at_table.setdefault(passed, [0, 0.0])[0] += 1
            at_table[passed][1] = moment

    def connection_lost(self, _error: Exception | None) -> None:
        self._seen.ended += 1
        if not self.opened.done():
            self._seen.refused.append("closed")
            self.opened.set_result(None)


class Clients:
    """All streams and tappers of this process."""

    def __init__(self, task: Task) -> None:
        self.task, self.seen, self.streams = task, Seen(), list[Stream]()

    def _server(self, table: int, number: int) -> tuple[str, int]:
        return self.task.servers[(table + number) % len(self.task.servers)]

    async def open_streams(self) -> None:
        """Open all streams, a few at a time; a table's come from an address of its own."""
        room, loop = asyncio.Semaphore(OPENING_AT_ONCE), asyncio.get_running_loop()

        async def open_one(number: int, one: StreamTask) -> None:
            host, port = self._server(one.table, number)
            async with room:
                _, stream = await loop.create_connection(
                    lambda: Stream(one, f"{host}:{port}", self.seen), host, port, local_addr=(source(one.table), 0)
                )
                self.streams.append(stream)
                await stream.opened

        await asyncio.gather(*(open_one(number, one) for number, one in enumerate(self.task.streams)))

    async def tap_all(self) -> None:
        """Tap at every table until the time is over."""
        for stream in self.streams:
            stream.is_counted, stream.first = True, stream.newest
        began = time.perf_counter()
        await asyncio.gather(*(self._tap(one, began) for one in self.task.taps))
        await asyncio.sleep(max(0.0, began + self.task.seconds - time.perf_counter()))

    async def wait_for_last(self, expected: dict[int, int]) -> None:
        """Give the last events their time to arrive; `expected` is {table: number of its last event}."""
        end = time.perf_counter() + LAST_SECONDS
        while time.perf_counter() < end and any(
            stream.newest < expected.get(stream._task.table, 0) for stream in self.streams
        ):
            await asyncio.sleep(0.1)
        self.seen.newest = [(stream._task.table, stream.newest) for stream in self.streams]

    async def _tap(self, table: TapTask, began: float) -> None:
        host, port = self._server(table.table, 0)
        head = max((one.first for one in self.streams if one._task.table == table.table), default=0)
        at, number = began + table.first_at, 0
        while at < began + self.task.seconds:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            request = tap_request(table, number % len(table.seats), f"{host}:{port}", self.task.what)
            reader, writer = await asyncio.open_connection(
                host, port, limit=1 << 20, local_addr=(source(table.table), 0)
            )
            tapped = time.perf_counter()
            writer.write(request)
            status, body = await answer(reader)
            answered = time.perf_counter()
            writer.close()
            found = re.search(rb'data-head="(\d+)"', body)
            if found or status == 204:  # without a page where the stream has shown it: nobody else taps at this table
                head = int(found[1]) if found else head + 1
                self.seen.taps.append((table.table, head, tapped, answered))
            else:
                self.seen.refused.append(f"tap: {status} {body[:200]!r}")
            at, number = max(at + self.task.every, answered), number + 1


def source(table: int) -> str:
    """Return the address that a table's phones come from, one of this machine's own."""
    return f"127.1.{table // 250}.{table % 250 + 1}"


def tap_request(table: TapTask, seat: int, host: str, what: str) -> bytes:
    """Return what a phone sends for a penalty of its own seat."""
    body = urlencode({"do": what, "seat": table.seats[seat], "key": secrets.token_hex(16)})
    return (
        f"POST /n/{table.code}/record HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nHX-Request: true\r\n"
        f"Cookie: {table.cookies[seat]}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Return status and body of one answer."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    found = re.search(r"(?im)^content-length: *(\d+)", head)
    return int(head.split()[1]), await reader.readexactly(int(found[1])) if found else b""


async def serve_parent() -> None:
    loop = asyncio.get_running_loop()
    clients = Clients(Task.read(await loop.run_in_executor(None, sys.stdin.readline)))
    await clients.open_streams()
    say({"open": len(clients.streams), "refused": clients.seen.refused})
    await loop.run_in_executor(None, sys.stdin.readline)
    await clients.tap_all()
    say({"last": {table: number for table, number, _, _ in clients.seen.taps}})
    last = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    await clients.wait_for_last({int(table): number for table, number in last.items()})
    say(vars(clients.seen))
    await loop.run_in_executor(None, sys.stdin.readline)  # the streams stay open until the parent has looked


def say(told: Any) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(serve_parent())
