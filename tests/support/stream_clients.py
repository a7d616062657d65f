"""Many watching phones as bare sockets in one event loop: each notes the moment at which it has a whole message."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass
class Watcher:
    """One open stream; `arrived` is {event number: the moment in seconds at which its message was complete}."""

    arrived: dict[int, float] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    """The bytes of the message, by event number."""
    is_open: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self, port: int, path: str, headers: str, note: Callable[[], None]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n\r\n".encode())
        try:
            await self._read(reader, note)
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader, note: Callable[[], None]) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        if " 200 " not in head.splitlines()[0]:
            raise RuntimeError(head.splitlines()[0])
        while True:
            message = await reader.readuntil(b"\n\n")
            self.is_open.set()
            start = message.find(b"id: ")
            if start >= 0:
                number = int(message[start + 4 : message.index(b"\n", start)])
                self.arrived[number], self.sizes[number] = time.perf_counter(), len(message)
                note()


class Poster:
    """One kept connection that posts, one request at a time."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)

    async def post(self, path: str, body: bytes, headers: str) -> bytes:
        """Send one request and return the answer's body; RuntimeError when it is refused."""
        request = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(body)}\r\n{headers}\r\n\r\n"
        )
        self.writer.write(request.encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.lower().split("\r\n")
        length = next((int(line.partition(":")[2]) for line in lines if line.startswith("content-length:")), 0)
        answer = await self.reader.readexactly(length)
        if not 200 <= int(head.split()[1]) < 300:
            raise RuntimeError(f"{head.splitlines()[0]}: {answer[:300].decode(errors='replace')}")
        return answer


class Arrivals(Protocol):
    """Whoever notes when what arrived."""

    arrived: dict[int, float]


@dataclass
class Party:
    """A number of watchers and one who posts; `rounds` gives the seconds from a tap to its answer and to the last."""

    watchers: Sequence[Arrivals]

    async def until_all_have(self, number: int, seconds: float = 10.0) -> float:
        """Return the moment at which the last watcher had event `number`, or something newer."""
        deadline = time.perf_counter() + seconds
        while time.perf_counter() < deadline:
            moments = [self._moment(watcher, number) for watcher in self.watchers]
            known = [moment for moment in moments if moment is not None]
            if len(known) == len(moments):
                return max(known, default=time.perf_counter())
            await asyncio.sleep(0.0005)
        raise TimeoutError(f"event {number} did not reach everybody")

    @staticmethod
    def _moment(watcher: Arrivals, number: int) -> float | None:
        return min((moment for at, moment in watcher.arrived.items() if at >= number), default=None)
