"""A PostgreSQL server on a disk of its own that is filled up, in a mount namespace.

Usage: unshare -Urm python full_database.py MODE FOLDER COUNT. It mounts a disk on FOLDER, goes on as another user since
the server refuses root, and prints what came, as JSON. On that disk are the tables, with the mode `log` the write-ahead
log; the other of the two is beside it.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import psycopg
from extras.processes.postgres_server import PostgresServer
from support.faults.ack_ledger import AckLedger, FaultCounts
from support.faults.small_disk import filled, lay_table, mount, play_until_refused
from support.polling import wait_until

from tracker.app.open_night import OpenNight
from tracker.core.events import Amount, Buy
from tracker.extras.processes.options import Postgres
from tracker.storage import NotSaved, Store

NOBODY = "65534"
SIZE = "size=70m,mode=777"
ROOM = {"tables": 60_000, "log": 900_000}
"""Up to so many bytes are left: with less than 1 MB there is none for another file of the log."""


@contextmanager
def database(mode: str, folder: Path) -> Iterator[PostgresServer]:
    """Yield a server whose tables, or its log, are on the disk of the folder."""
    tables, log = (folder.parent, folder) if mode == "log" else (folder, folder.parent)
    place = tables / "server"
    place.mkdir()
    options = ["--wal-segsize=1", f"--waldir={log / 'log'}"]
    server = PostgresServer(place, options=options, settings="wal_recycle = off\nmin_wal_size = '2MB'")
    try:
        yield server
    finally:
        server.stop_at_once()


def is_back(server: PostgresServer) -> bool:
    """Return whether the server answers; one that has ended is started, as whoever looks after it does."""
    if server.has_ended:
        server.start()
    return server.answers()


def fill(mode: str, folder: Path, points: int) -> dict[str, Any]:
    """Fill the disk at so many points of a game; play until it is refused, make room, and send the same again."""
    chance, ledger, fault_counts = Random(7), AckLedger({"sit-ann"}, {"sit-ann"}), FaultCounts()
    reasons, ends = Counter[str](), 0
    with database(mode, folder) as server, closing(Store(Postgres(server.url))) as store:
        table = lay_table(store)
        for point in range(points):
            with filled(folder, chance.randrange(ROOM[mode])):
                if mode == "log":
                    use_up_log(server, chance.randrange(850_000, 1_000_000))
                reasons[play_until_refused(table, ledger, str(point))] += 1
            ends += server.has_ended
            send_again(server, table, ledger)
        ledger.look(Postgres(server.url), table.code, fault_counts)
    return {
        "points": points, "reasons": reasons, "ends": ends, "recorded": len(ledger.acknowledged),
        "harm": fault_counts.harm, "unanswered": fault_counts.unanswered,
    }  # fmt: skip


def use_up_log(server: PostgresServer, used: int) -> None:
    """Have the server use up the files that it has made for its log before, of the last one so many bytes."""
    with psycopg.connect(server.url, autocommit=True) as link:
        for _ in range(len(list((server.data / "pg_wal").glob("0*"))) - 1):
            link.execute("SELECT pg_logical_emit_message(false, 'next', '')")
            link.execute("SELECT pg_switch_wal()")
        link.execute("SELECT pg_logical_emit_message(false, 'next', repeat('x', %s))", [used])


def send_again(server: PostgresServer, table: OpenNight, ledger: AckLedger) -> None:
    """Send what had no answer again until it has one."""
    (id_,) = ledger.unknown

    def is_answered() -> bool:
        with suppress(NotSaved):
            return is_back(server) and bool(table.record(Buy("ann", Amount(1)), id=id_, by="host"))
        return False

    wait_until(is_answered)
    ledger.acknowledged.add(id_)


def main() -> None:
    mode, folder, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if os.geteuid() == 0:
        mount(folder, SIZE)
        alone = ["unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}"]
        os.execvp(alone[0], [*alone, sys.executable, *sys.argv])
    print(json.dumps(fill(mode, folder, count)))  # noqa: T201


if __name__ == "__main__":
    main()
