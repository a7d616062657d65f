"""Measure a folder with many nights beside an empty one: start, first page, statistics, memory.

PYTHONPATH=tests python tests/extras/statistics/bench_archive.py [--nights 1000] [--events 300] [--rounds 5]
Run it from the project's folder, on a machine that does nothing else: the times stand as ratios to the empty folder's.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from support.made_up_nights import add_demo_nights, demo_nights
from support.ports import free_port
from support.process_time import Moment
from support.server_process import serve_command

from tracker.app.nights import Nights
from tracker.extras._night_summaries.summaries import Summaries
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

VISITS = 15
ROWS = {
    "start": "start to the first answer",
    "first": "first page, cold",
    "middle": "first page, later",
    "statistics_first": "statistics, the first time",
    "statistics": "statistics, later",
    "year": "a year on one page",
    "memory": "memory",
}
"""What one run of the server took: milliseconds, and megabytes of memory after that; of pages later the median."""
Measured = dict[str, float]


def filled(folder: Path, count: int, events: int) -> None:
    """Make a data folder with so many nights of so many events, one a week."""
    nights = demo_nights(count + 1, 7, date.today(), events)  # noqa: DTZ011 - the last one goes on, and is left out
    with closing(Store(folder / "nights.db")) as store:
        add_demo_nights(Nights(store, StreamHub()), islice(nights, count))


def measured(folder: Path, year: int = 0) -> Measured:
    """Serve a folder once and look at its first page as the host, its statistics, and one year of them if given."""
    began = time.perf_counter()
    with serve_command(folder, "--port", str(free_port())) as served:
        served.phone.get("/join")
        start = (time.perf_counter() - began) * 1000
        first = timed(served.phone.become_host, served.host_link) + timed(served.phone.get, "/")

        def visits(path: str) -> list[float]:
            return [timed(served.phone.get, path) for _ in range(1 + VISITS)]

        later = statistics.median(visits("/"))  # before the statistics, which warm what this page reads
        figures = visits("/statistics")
        return {
            "start": start,
            "first": first,
            "middle": later,
            "statistics_first": figures[0],
            "statistics": statistics.median(figures[1:]),
            "year": statistics.median(visits(f"/statistics/{year}")) if year else 0.0,
            "memory": Moment.of(served.process.pid).memory,
        }


def timed(ask: Callable[[str], object], path: str) -> float:
    """Return the milliseconds until an answer is read."""
    began = time.perf_counter()
    ask(path)
    return (time.perf_counter() - began) * 1000


def row(runs: Sequence[tuple[Measured, Measured]], name: str) -> str:
    """Return the medians of one figure as a row of the table: with nights, without, and their ratio."""
    with_nights, without = (statistics.median(run[at][name] for run in runs) for at in (0, 1))
    unit = "MB" if name == "memory" else "ms"
    others = f"{without:.1f} {unit} | {with_nights / without:.2f}" if without else "– | "
    return f"| {ROWS[name]} | {with_nights:.1f} {unit} | {others} |"


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
    lines += [row(runs, name) for name in ROWS]
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
