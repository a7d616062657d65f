"""Phones without a browser: each follows its stream and makes its moves by the page's own forms, as stubbornly."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from support.html_page import HtmlPage, with_parts
from support.socket_phones import Heard, SocketPhone, in_background

from tracker.app.event_rows import from_row
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Event, Penalty
from tracker.storage import DataPlace, Store

MOVE = "penalty:wrong-lead"
LOST = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError)


@dataclass
class ScriptPhone(SocketPhone):
    """One seat's phone; `picture` is the fragment it shows, from its stream or an answer."""

    patience: float = 1.2
    """Seconds until a request without an answer is given up and made again."""
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
        reader, writer = await self.connected()
        try:
            writer.write(self.request("GET", f"/n/{self.code}/stream?tab={self.seat}"))
            async with asyncio.timeout(self.patience):
                head = (await reader.readuntil(b"\r\n\r\n")).split()
            while head[1] == b"200":
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
                    answer = await self.post(form)
                if answer.status == 429:  # faster than a phone may be: it was not looked at
                    self.posts -= 1
                    await asyncio.sleep(0.3)
                elif answer.status < 500:
                    self.statuses.append(answer.status)
                    self.longest_seconds = max(self.longest_seconds, time.monotonic() - begun)
                    if answer.status == 204:  # the stream has been sent what the tap changed
                        await self._until_shown_after(int(form["head"]))
                    else:
                        self.show(answer.text)
                    return answer.status
            await asyncio.sleep(0.05)

    async def _until_shown_after(self, head: int) -> None:
        """Wait for a picture of more events than a tap was made on: on that one the next tap would count as this one.

        After a second ask for the page, as live.js does, until there is an answer: the process may have ended.
        """
        asks_at = time.monotonic() + 1
        while head_of(self.picture) <= head:
            await asyncio.sleep(0.02)
            if time.monotonic() > asks_at:
                self.show(await self.look(self.port))

    async def post(self, form: Mapping[str, str]) -> Heard:
        self.posts += 1
        return await self.ask("POST", f"/n/{self.code}/record", form)

    async def look(self, port: int) -> str:
        """Return what the server shows this phone now, asked for at another port."""
        return (await self.ask("GET", f"/n/{self.code}/live", port=port)).text

    async def ask_until_answered(self, method: str, path: str, form: Mapping[str, str] | None = None) -> Heard:
        """Return an answer, asked for again until there is one."""
        while True:
            with suppress(*LOST):
                async with asyncio.timeout(self.patience):
                    return await self.ask(method, path, form)
            await asyncio.sleep(0.1)


def head_of(picture: str) -> int:
    """Return the number of the newest event in a picture; -1 when there is none. Many a second: too many to parse."""
    found = re.search(r'data-head="(\d+)"', picture)
    return int(found[1]) if found else -1


# Moves of several phones: made, shown by every phone, and counted on the disk


async def make_moves(phone: ScriptPhone, count: int) -> None:
    for _ in range(count):
        assert await phone.tap(MOVE) in {200, 204}


async def until_all_show(phones: Sequence[ScriptPhone], port: int) -> None:
    """Wait until every phone shows what the server would show it: a picture comes late, never wrong."""
    async with asyncio.timeout(60):
        for phone in phones:
            while phone.picture != await phone.look(port):
                await asyncio.sleep(0.05)


async def play(phones: Sequence[ScriptPhone], port: int, moves: int) -> None:
    """Have all phones make their moves at once; return when all show what the server at the port shows."""
    async with in_background(*(phone.follow() for phone in phones)):
        await until_all_show(phones, port)
        await asyncio.gather(*(make_moves(phone, moves // len(phones)) for phone in phones))
        await until_all_show(phones, port)


def recorded_moves(place: Path | DataPlace, *codes: str) -> Counter[str]:
    """Return how many moves of these nights stand in a data folder, or in another place, by seat."""
    with closing(Store(place / DATA_FILE if isinstance(place, Path) else place, read_only=True)) as store:
        return moves_in(from_row(row).event for code in codes for row in store.events(code))


def moves_in(events: Iterable[Event]) -> Counter[str]:
    """Return how many of these events are moves, by seat."""
    return Counter(event.seat for event in events if isinstance(event, Penalty))
