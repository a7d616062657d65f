"""A process to be killed while it writes: it forks a child that records events for every line it reads.

Usage: kill_target.py FILE. A line is `CODE SEED RETRIES`, the last a list of ids that
were sent and never answered, each with its event, as JSON. The player repeats those first, then plays on. It says
`sent ID EVENT` before and `yes ID` or `no ID` after each; the parent process says `born PID` and `dead`.
"""

import json
import os
import sys
import threading
from pathlib import Path
from random import Random
from typing import Any

from support.random_nights import legal_event

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Amount, Buy, Event
from tracker.formats.codec import event_from, event_to
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub


def say(*words: str) -> None:
    os.write(1, (" ".join(words) + "\n").encode())


def record(table: OpenNight, event: Event, id_: str) -> None:
    say("sent", id_, json.dumps(event_to(event)))
    try:
        table.record(event, id=id_, by="host")
    except TableError:
        say("no", id_)
    else:
        say("yes", id_)


def play_on(table: OpenNight, seed: str) -> None:
    chance = Random(seed)
    for number in range(100_000):
        record(table, legal_event(table.night, chance, may_end=False), f"{seed}-play-{number}")


def keep_buying(table: OpenNight, seed: str, seat: str) -> None:
    for number in range(100_000):
        record(table, Buy(seat, Amount(number % 9 + 1)), f"{seed}-{seat}-{number}")


def live_until_killed(place: Path | DataPlace, code: str, seed: str, retries: list[list[Any]]) -> None:
    table = Nights(Store(place), StreamHub()).get(code)
    for id_, event in retries:
        record(table, event_from(event), id_)
    for seat in ("ann", "bob"):
        threading.Thread(target=keep_buying, args=(table, seed, seat), daemon=True).start()
    play_on(table, seed)


def main(place: Path | DataPlace) -> None:
    for line in sys.stdin:
        code, seed, retries = line.split(" ", 2)
        child = os.fork()
        if child == 0:
            live_until_killed(place, code, seed, json.loads(retries))
        say("born", str(child))
        os.waitpid(child, 0)
        say("dead")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
