"""A network at its worst between phones and the server: it refuses, delays, stalls, cuts, and loses answers."""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

USUAL = {"refuse": 0.04, "cut": 0.06, "lose": 0.1, "stall": 0.05, "delay": 0.25}
"""How likely each fault befalls one request."""

DROPPED = 0.04
"""How likely a connection ends with one piece of an answer or stream."""

STALL_SECONDS = 1.5


@dataclass
class BadNetwork:
    """Carries connections to a server, each piece with its own fate; the same seed throws the same dice.

    `happened` counts the faults. With `is_good` set everything is carried at once.
    """

    server: tuple[str, int]
    seed: int
    faults: Mapping[str, float] = field(default_factory=lambda: dict(USUAL))
    dropped: float = DROPPED
    is_good: bool = False
    port: int = 0
    happened: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, host: str = "127.0.0.1") -> None:
        """Listen; `port` says where."""
        self._listening = await asyncio.start_server(self._carry, host, 0)
        self.port = self._listening.sockets[0].getsockname()[1]

    async def close(self) -> None:
        self._listening.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0.05)  # sockets are closed in the loop's next round

    def _fate(self, faults: Mapping[str, float]) -> str:
        if self.is_good:
            return ""
        throw = self._dice.random()
        for name, share in faults.items():
            throw -= share
            if throw < 0:
                self.happened[name] += 1
                return name
        return ""

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with suppress(OSError, asyncio.CancelledError, asyncio.IncompleteReadError):
            there, back = await asyncio.open_connection(*self.server)
            try:
                ways: tuple[Awaitable[None], ...] = (self._up(reader, back, writer), self._down(there, writer))
                await _first_to_end(*ways)
            finally:
                back.transport.abort()
        writer.transport.abort()
        self._tasks.discard(task)

    async def _up(self, phone: asyncio.StreamReader, server: asyncio.StreamWriter, back: asyncio.StreamWriter) -> None:
        """Carry requests; a fault ends the connection, so that nothing later on it is taken for an answer."""
        while data := await phone.read(65536):
            match self._fate(self.faults):
                case "refuse":
                    return
                case "cut":
                    server.write(data[: self._dice.randrange(len(data))])
                    await server.drain()
                    return
                case "lose":
                    back.transport.abort()
                    server.write(data)
                    await server.drain()
                    await asyncio.sleep(0.3)  # the server has it, and its answer finds nobody
                    return
                case "stall":
                    await asyncio.sleep(STALL_SECONDS)
                    return
                case "delay":
                    await asyncio.sleep(self._dice.random() * 0.2)
            server.write(data)
            await server.drain()

    async def _down(self, server: asyncio.StreamReader, phone: asyncio.StreamWriter) -> None:
        while data := await server.read(65536):
            if self._fate({"dropped": self.dropped}):
                phone.write(data[: self._dice.randrange(len(data))])
                await phone.drain()
                return
            phone.write(data)
            await phone.drain()


async def _first_to_end(*ways: Awaitable[None]) -> None:
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def in_between(network: BadNetwork, host: str) -> Iterator[BadNetwork]:
    """Carry the connections of a block from a thread of its own, as for browsers."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(network.open(host), loop).result(10)
    try:
        yield network
    finally:
        asyncio.run_coroutine_threadsafe(network.close(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()
