"""kill -9 at any moment, under load: what was acknowledged is there, once, and every night sums to zero.

The long run in commands of their own, since each takes minutes:
    pytest --long tests/trust/test_kill.py -k players      850 kills of processes that write through the table
    pytest --long tests/trust/test_kill.py -k server       150 kills of the whole server, its clients on sockets
    pytest --long tests/trust/test_kill.py -k opens        50 kills of a server that still loads its pages
"""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest
from support.faults.ack_ledger import AckLedger, FaultCounts
from support.paths import ROOT
from support.ports import free_port

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE, read_token
from tracker.core.events import Name, SeatId, Sit
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

SEATS = ("ann", "bob", "cara", "dan")
KILLS_PER_NIGHT = 25


def lay_table(place: Path | str) -> tuple[str, AckLedger]:
    """Add a night with four people; return its code, and a witness who knows of their sitting down."""
    store = Store(place)
    table = Nights(store, StreamHub()).open("michigan-rummy")
    for seat in SEATS:
        table.record(Sit(SeatId(seat), Name(seat.title())), id=f"sit-{seat}", by="host")
    store.close()
    sat = {f"sit-{seat}" for seat in SEATS}
    return table.code, AckLedger(set(sat), set(sat))


# Processes that write through the table


@contextmanager
def mother(place: Path | str) -> Iterator[tuple[IO[str], IO[str]]]:
    """Start the process that forks players; give its input and its output."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    command = [sys.executable, str(ROOT / "tests/support/faults/kill_target.py"), str(place)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdin, process.stdout
        finally:
            process.stdin.close()
            process.wait(60)


def hear(line: str, ledger: AckLedger, events: dict[str, Any]) -> None:
    """Take in a line that a player said."""
    word, _, rest = line.strip().partition(" ")
    id_, _, event = rest.partition(" ")
    if word == "sent":
        ledger.sent.add(id_)
        events[id_] = json.loads(event)
    elif word == "yes":
        ledger.acknowledged.add(id_)
    elif word == "no":
        ledger.refused.add(id_)


def kill_a_player(talk: tuple[IO[str], IO[str]], order: str, seconds: float, hear_line: Callable[[str], None]) -> None:
    """Have a player born, kill it after so many seconds from its first move, and hear all it said."""
    orders, said = talk
    orders.write(order + "\n")
    for line in said:
        if line.startswith("born"):
            threading.Timer(seconds, os.kill, (int(line.split()[1]), signal.SIGKILL)).start()
        elif line == "dead\n":
            return
        else:
            hear_line(line)


@pytest.mark.both_databases
def test_killed_players_have_lost_nothing_and_doubled_nothing(
    place: Path | str, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    chance, fault_counts = Random(short_or_long(1, 2)), FaultCounts()
    with mother(place) as talk:
        for number in range(short_or_long(12, 850)):
            if number % KILLS_PER_NIGHT == 0:
                code, ledger = lay_table(place)
                events: dict[str, Any] = {}
            retries = json.dumps([[id_, events[id_]] for id_ in sorted(ledger.unknown)])
            kill_a_player(
                talk,
                f"{code} {number} {retries}",
                chance.uniform(0, 0.6 if isinstance(place, str) else 0.15),  # a database is reached later
                lambda line: hear(line, ledger, events),  # noqa: B023 - used up before the next night
            )
            ledger.look(place, code, fault_counts)
            fault_counts.killed += 1
    where = "PostgreSQL" if isinstance(place, str) else "a file"
    figure(f"kill -9 of processes that write to {where}: {fault_counts}")
    assert fault_counts.harm == 0


# The whole server


@dataclass
class Client:
    """A script that buys chips for its seat, and sends again whatever it heard nothing about."""

    port: int
    code: str
    token: str
    seat: str
    ledger: AckLedger
    unanswered: dict[str, dict[str, Any]] = field(default_factory=dict)
    made: int = 0
    is_answered: threading.Event = field(default_factory=threading.Event)

    def play(self) -> None:
        """Send one event after the other until the server is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with suppress(OSError, http.client.HTTPException):
            while True:
                for id_, event in list(self.unanswered.items()) or [self.next_event()]:
                    self.send(connection, id_, event)
        connection.close()

    def next_event(self) -> tuple[str, dict[str, Any]]:
        self.made += 1
        return f"{self.seat}-{self.made}", {"kind": "buy", "seat": self.seat, "chips": self.made % 9 + 1}

    def send(self, connection: http.client.HTTPConnection, id_: str, event: dict[str, Any]) -> None:
        self.unanswered[id_] = event
        self.ledger.sent.add(id_)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request("POST", f"/api/nights/{self.code}/events", json.dumps({"id": id_, **event}), headers)
        answer = connection.getresponse()
        answer.read()
        self.is_answered.set()
        if answer.status in (200, 201):
            self.ledger.acknowledged.add(id_)
        elif answer.status < 500:
            self.ledger.refused.add(id_)
        del self.unanswered[id_]


def wait_for_contact(port: int) -> None:
    """Wait until something listens; a server that never does fails the test at the next look."""
    for _ in range(2000):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.01)


def kill_a_server(
    folder: Path, place: Path | str, port: int, clients: list[Client], seconds: float, *, while_it_opens: bool
) -> None:
    """Serve, let all clients play, and kill the server so many seconds after its first answer, or after its first sign.

    Between the two it loads its pages, and whoever asks for anything waits.
    """
    command = [sys.executable, "-m", "tracker", "--no-browser", "--host", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "BOARD_TRACKER_DATABASE": place if isinstance(place, str) else ""}
    with subprocess.Popen(
        [*command, "--data", str(folder)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        wait_for_contact(port)
        playing = [threading.Thread(target=client.play) for client in clients]
        for client, thread in zip(clients, playing, strict=True):
            client.is_answered.clear()
            thread.start()
        if not while_it_opens:
            assert clients[0].is_answered.wait(60)
        time.sleep(seconds)
        server.kill()
        for thread in playing:
            thread.join(30)


@pytest.mark.both_databases
def test_a_killed_server_has_lost_nothing_and_doubled_nothing(
    tmp_path: Path, place: Path | str, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    opens = [number % 10 == 9 for number in range(short_or_long(3, 150))]
    fault_counts = killed_servers(tmp_path, place, opens, Random(short_or_long(3, 4)))
    figure(f"kill -9 of the server over {'PostgreSQL' if isinstance(place, str) else 'a file'}: {fault_counts}")
    assert fault_counts.harm == 0


def killed_servers(folder: Path, place: Path | str, opens: Sequence[bool], chance: Random) -> FaultCounts:
    """Kill a server so many times, each while it opens or once it has answered; return what was lost or doubled."""
    port, token, fault_counts = free_port(), read_token(folder), FaultCounts()
    for number, while_it_opens in enumerate(opens):
        if number % KILLS_PER_NIGHT == 0:
            code, ledger = lay_table(place)
            clients = [Client(port, code, token, seat, ledger) for seat in SEATS]
        kill_a_server(folder, place, port, clients, chance.uniform(0, 0.5), while_it_opens=while_it_opens)
        ledger.look(place, code, fault_counts)
        fault_counts.killed += 1
    return fault_counts


def test_killed_while_it_opens_it_has_lost_nothing_and_doubled_nothing(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    opens = [True] * short_or_long(1, 50)
    fault_counts = killed_servers(tmp_path, tmp_path / DATA_FILE, opens, Random(7))
    figure(f"kill -9 of the server while it opens: {fault_counts}")
    assert fault_counts.harm == 0
