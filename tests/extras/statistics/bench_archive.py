"""Measure a folder with many nights beside an empty one: start, first page, statistics, memory.

PYTHONPATH=tests python tests/extras/statistics/bench_archive.py [--nights 1000] [--events 300] [--rounds 5]
Run it from the project's folder, on a machine that does nothing else: the times stand as ratios to the empty folder's.
"""

import argparse
import re
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from http.cookiejar import CookieJar
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from support.made_up_nights import DemoNight, add_demo_nights, demo_nights

from tracker.app.nights import Nights
from tracker.archive.summaries import Summaries
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

DIFFERENT = 20
"""So many nights are played; the others are copies of them, on other days."""
VISITS = 15
ROWS = (
    ("start", "start to the first answer", "ms"),
    ("first", "first page, cold", "ms"),
    ("middle", "first page, later", "ms"),
    ("statistics_first", "statistics, the first time", "ms"),
    ("statistics", "statistics, later", "ms"),
    ("year", "a year on one page", "ms"),
    ("memory", "memory", "MB"),
)


@dataclass
class Measured:
    """What one run of the server took."""

    start: float
    """Milliseconds from the start of the process to the first answer."""
    first: float
    """Milliseconds of the first page for the host when nothing is in memory yet."""
    middle: float
    """Milliseconds of the same page later: the median."""
    statistics_first: float
    """Milliseconds of the statistics of everybody, the first time."""
    statistics: float
    """Milliseconds of the same page later: the median."""
    year: float
    """Milliseconds of this year on one page, later: the median."""
    memory: float
    """Megabytes of the process after that."""


def filled(folder: Path, count: int, events: int) -> None:
    """Make a data folder with so many nights of so many events, one a week."""
    played = list(demo_nights(min(DIFFERENT, count) + 1, 7, date.today(), events))[:-1]  # noqa: DTZ011 - the last runs
    with closing(Store(folder / "nights.db")) as store:
        add_demo_nights(Nights(store, StreamHub()), copies(played, count))


def copies(played: list[DemoNight], count: int) -> Iterator[DemoNight]:
    """Yield that many nights, one a week up to today, each a copy of a night that was played."""
    for number, night in enumerate(islice(cycle(played), count)):
        day = datetime.now(UTC) - timedelta(weeks=count - number)
        later = day - night.begins_at
        entries = [replace(one, at=moved(one.at, later)) for one in night.entries]
        yield replace(night, code=f"n{number:05}", begins_at=day, entries=entries)


def moved(at: str | None, later: timedelta) -> str | None:
    """Return a time stamp of the log, so much later."""
    return (datetime.fromisoformat(at) + later).isoformat(timespec="seconds") if at else None


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str, float]]:
    """Serve a folder; give the process, the host's link, and when it was started."""
    command = [sys.executable, "-m", "tracker", "--port", "8790", "--no-browser", "--data", str(folder)]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as process:
        assert process.stdout
        try:
            found = (re.search(r"http://\S+/host/\S+", line) for line in process.stdout)
            yield process, next(match[0] for match in found if match), began
        finally:
            process.terminate()


def measured(folder: Path, year: int = 0) -> Measured:
    """Serve a folder once and look at its first page as the host, its statistics, and one year of them if given."""
    with served(folder) as (process, link, began):
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        base = link.partition("/host/")[0]
        browser.open(link).read()
        start = (time.perf_counter() - began) * 1000
        form = urllib.parse.urlencode({"token": link.rpartition("/")[2]}).encode()
        redeem = urllib.request.Request(f"{base}/host", form, {"Origin": base})
        times = [timed(lambda: browser.open(redeem).read())]
        times += [timed(lambda: browser.open(f"{base}/").read()) for _ in range(VISITS)]
        figures = [timed(lambda: browser.open(f"{base}/statistics").read()) for _ in range(1 + VISITS)]
        years = (
            [timed(lambda: browser.open(f"{base}/statistics/{year}").read()) for _ in range(VISITS)] if year else [0]
        )
        medians = [statistics.median(one) for one in (times[1:], figures[1:], years)]
        return Measured(start, times[0], medians[0], figures[0], medians[1], medians[2], memory_of(process.pid))


def timed(visit: object) -> float:
    """Return the milliseconds that a call takes."""
    assert callable(visit)
    began = time.perf_counter()
    visit()
    return (time.perf_counter() - began) * 1000


def memory_of(process: int) -> float:
    """Return the resident memory of a process in megabytes (Linux)."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def row(runs: Sequence[tuple[Measured, Measured]], name: str, words: str, unit: str) -> str:
    """Return the medians of one figure as a row of the table: with nights, without, and their ratio."""
    with_nights, without = (statistics.median(getattr(run[at], name) for run in runs) for at in (0, 1))
    if not without:
        return f"| {words} | {with_nights:.1f} {unit} | – | |"
    return f"| {words} | {with_nights:.1f} {unit} | {without:.1f} {unit} | {with_nights / without:.2f} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--nights", type=int, default=1000)
    options.add_argument("--events", type=int, default=300)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--folder", type=Path, help="Keep the two data folders here, and use them again.")
    asked = options.parse_args()
    with TemporaryDirectory() as place:
        full, empty = (asked.folder or Path(place)) / "full", (asked.folder or Path(place)) / "empty"
        full.mkdir(parents=True, exist_ok=True)
        empty.mkdir(exist_ok=True)
        if not (full / "nights.db").exists():
            filled(full, asked.nights, asked.events)
            with closing(Store(full / "nights.db")) as store:
                Summaries(Nights(store, StreamHub())).all()  # made once, as each night was written
        year = datetime.now(UTC).year - 1  # there are nights in the whole of it
        runs = [(measured(full, year), measured(empty)) for _ in range(asked.rounds)]
    lines = [f"| what | {asked.nights} nights of {asked.events} events | none | ratio |", "| --- | --- | --- | --- |"]
    lines += [row(runs, name, words, unit) for name, words, unit in ROWS]
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
