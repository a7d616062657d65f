"""A boardgame.io server with a toy game in memory, and its clients as bare sockets that speak just enough socket.io."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.ports import free_port
from support.socket_phones import Arrivals

PACKAGE = {
    "name": "compared",
    "private": True,
    "dependencies": {"boardgame.io": "0.50.2"},
    "overrides": {"koa-compose": "4.1.0"},  # with 4.2.0 its lobby answers nothing
}
SERVER = Path(__file__).with_name("boardgame_io_server.cjs")
MATCH, SEATS, POTS = "m", 8, 9
TEXT, PING = 0x81, b"2"
STATE = re.compile(rb'"_stateID":(\d+)')
HANDSHAKE = (
    "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@dataclass(frozen=True)
class BoardgameIo:
    """A server that runs."""

    port: int
    process: int


def install(folder: Path) -> None:
    """Install boardgame.io into a folder by npm, unless it is there; CalledProcessError when that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules" / "boardgame.io").exists():
        (folder / "package.json").write_text(json.dumps(PACKAGE), encoding="utf-8")
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"], cwd=folder, check=True
        )


@contextmanager
def boardgame_io(folder: Path) -> Iterator[BoardgameIo]:
    """Serve the toy game from a folder in which boardgame.io is installed."""
    shutil.copy(SERVER, folder)
    port = free_port()
    with subprocess.Popen(
        ["node", SERVER.name, str(port)], cwd=folder, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield BoardgameIo(port, process.pid)
        finally:
            process.terminate()


@dataclass
class Client(Arrivals):
    """A client of the game, which notes the numbers of its states."""

    port: int
    player: str | None

    async def watch(self) -> None:
        """Join the match and note each state until cancelled."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        self.writer.write(HANDSHAKE.format(port=self.port).encode())
        try:
            await self.reader.readuntil(b"\r\n\r\n")
            await self._received()
            self._send("40/toy,")
            await self._received()
            self._send_event("sync", MATCH, self.player, None, SEATS)
            while True:
                message = await self._received()
                if message == PING:
                    self._send("3")
                if found := STATE.search(message):
                    self.note(int(found[1]), len(message))
        finally:
            self.writer.close()

    async def take(self, pot: int, seat: int) -> None:
        """Make the move: all chips of a pot to a seat."""
        move = {"type": "take", "args": [pot, seat], "playerID": self.player}
        self._send_event("update", {"type": "MAKE_MOVE", "payload": move}, self.newest, MATCH, self.player)

    async def _received(self) -> bytes:
        _, length = await self.reader.readexactly(2)
        if length >= 126:
            length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
        return await self.reader.readexactly(length)

    def _send_event(self, *words: object) -> None:
        self._send(f"42/toy,{json.dumps(words)}")

    def _send(self, text: str) -> None:
        data = text.encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + len(data).to_bytes(2, "big")
        self.writer.write(bytes([TEXT]) + size + bytes(4) + data)  # masked with zeros
