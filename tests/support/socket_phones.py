"""Phones as bare sockets in one event loop: each sends what a page sends, or follows a stream and notes what came when.

`asyncio.timeout` and not `wait_for`, which before Python 3.12 forgets a cancellation that comes with an answer: a phone
went on following for ever.
"""

import asyncio
import re
import time
from bisect import bisect_left
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

T = TypeVar("T")
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]

OPENING_AT_ONCE = 24
"""How many streams are opened at the same time: below the limit of connections from one address."""
ID = re.compile(rb"^id: (\d+)$", re.MULTILINE)


def run(play: Coroutine[Any, Any, T]) -> T:
    """Run something to its end in a thread of its own: this one has a loop already where browsers are tested, too."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, play).result()


@asynccontextmanager
async def in_background(*work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Have these run until the end of the block, which the first that fails ends with its failure."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one) for one in work]
        yield
        for task in tasks:
            task.cancel()


class Heard(NamedTuple):
    """An answer: its status, its head as it came, and its body."""

    status: int
    head: str
    text: str


async def exchange(line: Line, request: bytes) -> Heard:
    """Send a request over a line and return the answer."""
    reader, writer = line
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = re.search(r"(?im)^content-length: *(\d+)", head)
    body = await reader.readexactly(int(length[1])) if length else b""
    return Heard(int(head.split()[1]), head, body.decode())


@dataclass
class SocketPhone:
    """A phone at a night, with the cookie of its device, at a port of this machine and from an address of it."""

    port: int
    code: str
    seat: str = ""
    cookie: str = ""
    address: str = "127.0.0.1"
    http: str = "1.1"
    """1.0 through a proxy, which else cuts a stream into chunks."""

    async def connected(self, port: int = 0) -> Line:
        place = ("127.0.0.1", port or self.port)
        return await asyncio.open_connection(*place, limit=1 << 20, local_addr=(self.address, 0))

    def request(self, method: str, path: str, body: bytes = b"", headers: Sequence[str] | None = None) -> bytes:
        """Return a request as a page sends it, or with other headers than those of a page."""
        place = f"127.0.0.1:{self.port}"
        form = ["Content-Type: application/x-www-form-urlencoded"] if body else []
        of_page = [f"Cookie: {self.cookie}", f"Origin: http://{place}", "HX-Request: true", *form]
        first = [f"{method} {path} HTTP/{self.http}", f"Host: {place}", f"Content-Length: {len(body)}"]
        return "\r\n".join([*first, *(of_page if headers is None else headers), "", ""]).encode() + body

    async def ask(self, method: str, path: str, form: Mapping[str, str] | None = None, *, port: int = 0) -> Heard:
        """Return the answer to a request over a connection of its own, also to another port than the phone's."""
        line = await self.connected(port)
        try:
            return await exchange(line, self.request(method, path, urlencode(form or {}).encode()))
        finally:
            line[1].transport.abort()


@dataclass
class Watcher(SocketPhone):
    """A phone that follows its table by one stream and notes what comes; a slow one reads one message a second."""

    is_slow: bool = False
    numbers: list[int] = field(default_factory=list, init=False)
    """Of each message the newest number so far."""
    moments: list[float] = field(default_factory=list, init=False)
    sizes: list[int] = field(default_factory=list, init=False)
    is_open: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set when the first has come, or when none will."""
    refused: str = field(default="", init=False)
    has_ended: bool = field(default=False, init=False)
    """Whether the server has ended the stream."""

    @property
    def newest(self) -> int:
        return self.numbers[-1] if self.numbers else -1

    def note(self, number: int, size: int) -> None:
        self.moments.append(time.perf_counter())
        self.numbers.append(max(number, self.newest))
        self.sizes.append(size)
        self.is_open.set()

    def place_of(self, number: int) -> int | None:
        """Return which message was the first with this number or a newer one."""
        place = bisect_left(self.numbers, number)
        return place if place < len(self.numbers) else None

    async def watch(self) -> None:
        reader, writer = await self.connected()
        try:
            writer.write(self.request("GET", f"/n/{self.code}/stream?tab={id(self)}"))
            status = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()[0]
            self.refused = "" if " 200 " in status else status
            while not self.refused:
                message = await reader.readuntil(b"\n\n")
                if found := ID.search(message):
                    self.note(int(found[1]), len(message))
                if self.is_slow:
                    await asyncio.sleep(1)
        except (asyncio.IncompleteReadError, OSError):
            self.has_ended = True
        finally:
            self.is_open.set()
            writer.close()


@asynccontextmanager
async def watching(followers: Sequence[Watcher]) -> AsyncIterator[None]:
    """Have all of these follow until the end of the block, which begins when each has something or was refused."""
    room, tasks = asyncio.Semaphore(OPENING_AT_ONCE), list[asyncio.Task[None]]()

    async def begin(one: Watcher) -> None:
        async with room:
            tasks.append(asyncio.create_task(one.watch()))
            await one.is_open.wait()

    try:
        await asyncio.gather(*(begin(one) for one in followers))
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until_all_have(followers: Sequence[Watcher], number: int, seconds: float = 10.0) -> float:
    """Return the moment at which the last of them had event `number`, or something newer."""
    async with asyncio.timeout(seconds):
        while any(one.newest < number for one in followers):
            await asyncio.sleep(0.0005)
    return max(one.moments[one.place_of(number) or 0] for one in followers)
