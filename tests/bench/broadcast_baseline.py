"""The baseline: a bare asyncio server that commits a row as the store does, then sends the same bytes to everybody.

It knows no rules, no people and no pages. What the tracker takes is measured against it, in the same run.
"""

import asyncio
import sqlite3
import sys
import time
from pathlib import Path


class BaselineServer:
    """Answers GET with an endless stream, and POST after a commit and a broadcast of `payload`."""

    def __init__(self, folder: Path, payload: bytes) -> None:
        self.payload = payload
        self.streams: set[asyncio.StreamWriter] = set()
        self.number = 0
        self.db = sqlite3.connect(folder / "floor.db", isolation_level=None)
        self.db.execute("PRAGMA journal_mode=TRUNCATE")
        self.db.execute("PRAGMA synchronous=EXTRA")
        self.db.execute("CREATE TABLE event(number INTEGER PRIMARY KEY, body TEXT NOT NULL, at REAL NOT NULL) STRICT")

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await self._head(reader):
            if head.startswith(b"GET"):
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + self._message())
                self.streams.add(writer)
                continue
            length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            self._record((await reader.readexactly(length)).decode())
            answer = str(self.number).encode()
            writer.write(b"HTTP/1.1 201 Created\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer))
        self.streams.discard(writer)

    @staticmethod
    async def _head(reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionResetError):
            return b""

    def _record(self, body: str) -> None:
        self.number += 1
        self.db.execute("BEGIN IMMEDIATE")
        self.db.execute("INSERT INTO event VALUES (?, ?, ?)", [self.number, body, time.time()])
        self.db.execute("COMMIT")
        message = self._message()
        for stream in self.streams:
            stream.write(message)

    def _message(self) -> bytes:
        return b"id: %d\ndata: %s\n\n" % (self.number, self.payload)


async def main(folder: Path, size: int) -> None:
    baseline = BaselineServer(folder, b"x" * size)
    server = await asyncio.start_server(baseline.serve, "127.0.0.1", 0, limit=1 << 20)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
