"""Phones without a browser: each follows its stream and makes its moves by the page's own forms, as stubbornly.

`asyncio.timeout` and not `wait_for`, which before Python 3.12 forgets a cancellation that comes with an answer: a phone
went on following for ever.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

from support.html_page import HtmlPage, with_parts

from tracker.app.event_rows import from_row
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Event, Penalty
from tracker.storage import Store

T = TypeVar("T")

MOVE = "penalty:wrong-lead"
LOST = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError)


def run(play: Coroutine[Any, Any, T]) -> T:
    """Run something to its end in a thread of its own: this one has a loop already where browsers are tested, too."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, play).result()


@dataclass
class ScriptPhone:
    """One seat's phone at a port of this machine; `picture` is the fragment it shows, from its stream or an answer."""

    port: int
    code: str
    seat: str
    cookie: str
    address: str = "127.0.0.1"
    patience: float = 1.2
    """Seconds until a request without an answer is given up and made again."""
    server: str = "127.0.0.1"
    http: str = "1.1"
    """1.0 through a proxy, which else cuts a stream into chunks."""
    picture: str = ""
    posts: int = 0
    longest_seconds: float = 0.0
    """How long the tap took that took longest, all its attempts together."""
    statuses: list[int] = field(default_factory=list)

    async def follow(self) -> None:
        """Keep a stream open as a page does, for ever."""
        while True:
            with suppress(*LOST):
                await self._read_stream()
            await asyncio.sleep(0.1)

    async def _read_stream(self) -> None:
        reader, writer = await self._connected(self.port)
        try:
            writer.write(self._request("GET", f"/n/{self.code}/stream?tab={self.seat}"))
            async with asyncio.timeout(self.patience):
                status, _ = await read_head(reader)
            while status == 200:
                async with asyncio.timeout(15):
                    text = (await reader.readuntil(b"\n\n")).decode()
                if "event: " not in text:
                    self.show("\n".join(re.findall(r"^data: (.*)$", text, re.MULTILINE)))
        finally:
            writer.transport.abort()

    def show(self, picture: str) -> None:
        """A stream may be behind the answer to this phone's own tap: an older picture is never shown."""
        if head_of(picture) >= head_of(self.picture):
            self.picture = with_parts(self.picture, picture)

    async def tap(self, what: str) -> int:
        """Make a move from what this phone shows, again and again until there is an answer; return its status."""
        hidden = HtmlPage(self.picture).hidden_fields("#move")
        form = {name: value for name, value in hidden.items() if name in ("key", "head", "hand")}
        form |= {"do": what, "seat": self.seat}
        begun = time.monotonic()
        while True:
            with suppress(*LOST):
                async with asyncio.timeout(self.patience):
                    status, head, text = await self.post(form)
                if status == 429:  # faster than a phone may be: it was not looked at
                    self.posts -= 1
                    await asyncio.sleep(0.3)
                elif status < 500:
                    self.statuses.append(status)
                    self.longest_seconds = max(self.longest_seconds, time.monotonic() - begun)
                    if status == 204:
                        await self._until_shown(head)
                    else:
                        self.show(text)
                    return status
            await asyncio.sleep(0.05)

    async def _until_shown(self, head: str) -> None:
        """Wait until the stream has shown what a tap changed; after a second ask for the page, as live.js does.

        Each process numbers its own: a picture from another one than has answered shows no tap of it.
        """
        at = re.search(r"(?i)^x-at: *(\w+):(\d+)", head, re.MULTILINE)
        assert at
        for _ in range(50):
            shown = moment_of(self.picture)
            if shown[0] == at[1] and shown[1] >= int(at[2]):
                return
            await asyncio.sleep(0.02)
        self.show(await self.look(self.port))  # the stream may have shown a newer one meanwhile

    async def post(self, form: dict[str, str]) -> tuple[int, str, str]:
        """Try once to make a move; return status, head and body of the answer."""
        self.posts += 1
        return await self._ask("POST", f"/n/{self.code}/record", form)

    async def look(self, port: int) -> str:
        """Return what the server shows this phone now, asked for at another port."""
        _, _, text = await self._ask("GET", f"/n/{self.code}/live", port=port)
        return text

    async def asks(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[str, str]:
        """Return head and body of an answer, asked for again until there is one."""
        while True:
            with suppress(*LOST):
                async with asyncio.timeout(self.patience):
                    _, head, text = await self._ask(method, path, form)
                return head, text
            await asyncio.sleep(0.1)

    async def _ask(
        self, method: str, path: str, form: dict[str, str] | None = None, port: int = 0
    ) -> tuple[int, str, str]:
        reader, writer = await self._connected(port or self.port)
        try:
            writer.write(self._request(method, path, urlencode(form or {}).encode()))
            status, head = await read_head(reader)
            length = re.search(r"(?i)^content-length: *(\d+)", head, re.MULTILINE)
            assert length or status == 204
            return status, head, (await reader.readexactly(int(length[1]) if length else 0)).decode()
        finally:
            writer.transport.abort()

    async def _connected(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.server, port, limit=1 << 20, local_addr=(self.address, 0))

    def _request(self, method: str, path: str, body: bytes = b"") -> bytes:
        lines = [f"{method} {path} HTTP/{self.http}", f"Host: {self.server}:{self.port}", f"Cookie: {self.cookie}"]
        lines += [f"Origin: http://{self.server}:{self.port}", "HX-Request: true", f"Content-Length: {len(body)}"]
        lines += ["Content-Type: application/x-www-form-urlencoded"] if body else []
        return "\r\n".join([*lines, "", ""]).encode() + body


async def read_head(reader: asyncio.StreamReader) -> tuple[int, str]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    return int(head.split()[1]), head


def moment_of(picture: str) -> tuple[str, int]:
    """Return which process a picture is from, and the number of the moment that it shows; -1 when it shows none."""
    found = re.search(r'data-at="(\w+):(\d+)"', picture)
    return (found[1], int(found[2])) if found else ("", -1)


def head_of(picture: str) -> int:
    """Return the number of the newest event in a picture; -1 when there is none. Many a second: too many to parse."""
    found = re.search(r'data-head="(\d+)"', picture)
    return int(found[1]) if found else -1


# Moves of several phones: made, shown by every phone, and counted on the disk


async def make_moves(phone: ScriptPhone, count: int) -> None:
    for _ in range(count):
        assert await phone.tap(MOVE) in {200, 204}


async def until_all_show(phones: list[ScriptPhone], port: int) -> None:
    """Wait until every phone shows what the server would show it: a picture comes late, never wrong."""
    async with asyncio.timeout(60):
        for phone in phones:
            while phone.picture != await phone.look(port):
                await asyncio.sleep(0.05)


async def play(phones: list[ScriptPhone], port: int, moves: int) -> None:
    """Have all phones make their moves at once; return when all show what the server shows at a port."""
    following = [asyncio.create_task(phone.follow()) for phone in phones]
    try:
        await until_all_show(phones, port)
        await asyncio.gather(*(make_moves(phone, moves // len(phones)) for phone in phones))
        await until_all_show(phones, port)
    finally:
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)


def recorded_moves(folder: Path, code: str) -> Counter[str]:
    """Return how many of the moves stand on the disk, by seat."""
    with closing(Store(folder / DATA_FILE, read_only=True)) as store:
        return moves_in([from_row(row).event for row in store.events(code)])


def moves_in(events: list[Event]) -> Counter[str]:
    """Return how many of these events are moves, by seat."""
    return Counter(event.seat for event in events if isinstance(event, Penalty))
