"""Kill processes that record events, and servers with clients, and compare what is stored with what was answered."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO, Any

from support.faults.ack_ledger import AckLedger, FaultCounts
from support.paths import ROOT
from support.ports import free_port
from support.remote_phone import RemotePhone
from support.server_process import command

from tracker.app.nights import Nights
from tracker.core.events import Name, SeatId, Sit
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import hash_token

SEATS = ("ann", "bob", "cara", "dan")
KILLS_PER_NIGHT = 25


def lay_table(place: Path | DataPlace) -> tuple[str, AckLedger]:
    """Add a night with four people; return its code, and a ledger in which their sitting down is acknowledged."""
    with closing(Store(place)) as store:
        table = Nights(store, StreamHub()).open("michigan-rummy")
        for seat in SEATS:
            table.record(Sit(SeatId(seat), Name(seat.title())), id=f"sit-{seat}", by="host")
    sat = {f"sit-{seat}" for seat in SEATS}
    return table.code, AckLedger(set(sat), set(sat))


# Processes that write through the table


@contextmanager
def mother(script: Sequence[str]) -> Iterator[tuple[IO[str], IO[str]]]:
    """Start the process that forks players, a script with its arguments; give its input and its output."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    with subprocess.Popen(
        [sys.executable, *script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        bufsize=1,
        env=environment,
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


def killed_players(
    place: Path | DataPlace, script: Sequence[str], kills: int, most_seconds: float, seed: int
) -> FaultCounts:
    """Kill so many players, each within `most_seconds` of its first move; return what was lost or doubled."""
    chance, fault_counts = Random(seed), FaultCounts()
    with mother(script) as talk:
        for number in range(kills):
            if number % KILLS_PER_NIGHT == 0:
                code, ledger = lay_table(place)
                events: dict[str, Any] = {}
            retries = json.dumps([[id_, events[id_]] for id_ in sorted(ledger.unknown)])
            kill_a_player(
                talk,
                f"{code} {number} {retries}",
                chance.uniform(0, most_seconds),
                lambda line: hear(line, ledger, events),  # noqa: B023 - used up before the next night
            )
            ledger.look(place, code, fault_counts)
            fault_counts.killed += 1
    return fault_counts


# The whole server


@dataclass
class Client:
    """The host's phone that buys chips for a seat, and sends again whatever it heard nothing about."""

    phone: RemotePhone
    code: str
    seat: str
    ledger: AckLedger
    unanswered: set[str] = field(default_factory=set)
    made: int = 0
    is_answered: threading.Event = field(default_factory=threading.Event)

    def play(self) -> None:
        """Send one form after the other until the server is gone."""
        with suppress(OSError, http.client.HTTPException):
            while True:
                self.made += not self.unanswered
                for key in sorted(self.unanswered) or [f"{self.seat}-{self.made}"]:
                    self.send(key)

    def send(self, key: str) -> None:
        self.unanswered.add(key)
        self.ledger.sent.add(key)
        form = {"do": f"buy:{int(key.rpartition('-')[2]) % 9 + 1}", "seat": self.seat, "key": key}
        status = self.phone.post(f"/n/{self.code}/record", form).status
        self.is_answered.set()
        if status == 429:  # faster than a phone may be: it was not looked at
            time.sleep(0.1)
            return
        if status == 303:
            self.ledger.acknowledged.add(key)
        elif status < 500:
            self.ledger.refused.add(key)
        self.unanswered.remove(key)


def clients_of(place: Path | DataPlace, port: int, code: str, ledger: AckLedger) -> list[Client]:
    """Return a phone of the host for every seat."""
    with closing(Store(place)) as store:
        for seat in SEATS:
            store.devices.add(hash_token(seat * 10), code=code, role="host", at="2026-11-20T20:00:00Z")
        cookie = f"board_{store.instance}_{code}"
    return [Client(RemotePhone(port, cookies={cookie: seat * 10}), code, seat, ledger) for seat in SEATS]


def key_of(id_: str) -> str:
    """Return the key of the form by which an event was recorded; who sat down did so without one."""
    return id_ if id_.startswith("sit-") else id_.rpartition("-")[0]


def wait_for_contact(port: int) -> None:
    """Wait until something listens; a server that never does fails the test at the next look."""
    for _ in range(2000):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.01)


def kill_a_server(
    folder: Path,
    environment: Mapping[str, str],
    port: int,
    clients: list[Client],
    seconds: float,
    *,
    while_it_opens: bool,
) -> None:
    """Serve, let all clients play, and kill the server so many seconds after its first answer, or after its first sign.

    Between the two it loads its pages, and whoever asks for anything waits.
    """
    serve = command("serve", "--no-browser", "--host", "127.0.0.1", "--port", str(port), "--data", folder)
    silent: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(serve, cwd=ROOT, env={**os.environ, **environment}, **silent) as server:
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


def killed_servers(
    folder: Path, place: Path | DataPlace, opens: Sequence[bool], chance: Random, environment: Mapping[str, str]
) -> FaultCounts:
    """Kill a server so many times, each while it opens or once it has answered; return what was lost or doubled."""
    port, fault_counts = free_port(), FaultCounts()
    for number, while_it_opens in enumerate(opens):
        if number % KILLS_PER_NIGHT == 0:
            code, ledger = lay_table(place)
            clients = clients_of(place, port, code, ledger)
        kill_a_server(folder, environment, port, clients, chance.uniform(0, 0.5), while_it_opens=while_it_opens)
        ledger.look(place, code, fault_counts, key_of)
        fault_counts.killed += 1
    return fault_counts
