"""A clock that jumps: the order is the numbers', no phone is sent away, and every page can still be drawn.

The second half is an evening at the running command, on a machine booted so long ago, whose clock is wrong, and set
years ahead or back between two taps. pytest --long tests/trust/test_clock.py does it as often as docs/trust.md says.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.client_phones import Site
from support.of_extras import functions_of_extras, of_extras
from support.ports import free_port
from support.remote_phone import RemoteNight, RemotePhone, open_night
from support.sample_nights import Form
from support.server_process import ServedCommand, serve_program

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Amount, Buy
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

DAY = timedelta(days=1)
JUMPS = (-400 * DAY, 3650 * DAY, -DAY / 24, DAY / 24, timedelta(seconds=-1), 0 * DAY)
CLOCKS = (
    "tracker.app.event_rows",
    "tracker.web.nights.new_night",
    "tracker.web.base.context",
    "tracker.storage.files",
)


class Clock:
    """Stands in for `datetime` wherever the program asks for the present moment."""

    def __init__(self) -> None:
        self.off = timedelta()
        self.read = 0

    def now(self, zone: Any = None) -> datetime:
        self.read += 1
        return datetime.now(zone or UTC) + self.off

    def __getattr__(self, name: str) -> Any:
        return getattr(datetime, name)


@pytest.fixture(name="clock")
def _clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in CLOCKS:
        monkeypatch.setattr(f"{module}.datetime", clock)
    return clock


def test_a_clock_that_jumps_reorders_nothing_and_sends_no_phone_away(
    site: Site, clock: Clock, short_or_long: Callable[[int, int], int]
) -> None:
    chance, jumps, refused = Random(8), short_or_long(30, 600), 0
    host = site.host()
    code = site.open_night(host)
    phones = {"ruth": host, "ben": site.join(code, "Ben"), "mia": site.join(code, "Mia")}
    site.start_first_hand(host, code)
    host.post(f"/n/{code}/settings", {"title": "Friday", "everyone": "on"})
    table = site.tables.get(code)
    for number in range(jumps):
        clock.off = chance.choice(JUMPS)
        seat, phone = chance.choice(list(phones.items()))
        if number % 5 == 0:  # a phone that taps without a pause is asked to wait
            form: Form = {"do": f"buy:{number % 9 + 1}", "seat": seat, "key": f"key-{number}", "hand": "1"}
            refused += phone.post(f"/n/{code}/record", form).status_code == 403
        else:
            table.record(Buy(seat, Amount(number % 9 + 1)), id=f"id-{number}", by="host")
        refused += phone.get(f"/n/{code}").status_code != 200
        if number % 10 == 0:
            assert host.get(f"/n/{code}/log").status_code == 200
            assert host.get("/").status_code == 200
    assert clock.read > jumps
    assert len(table.entries) > jumps / 2
    assert len({(entry.at or "")[:4] for entry in table.entries}) > 2, "the clock did not jump"
    again = Nights(site.tables.store, StreamHub()).get(code)
    assert again.entries == table.entries
    assert [entry.number for entry in again.entries] == list(range(1, again.head + 1))
    assert refused == 0


# The running command, its clock set by libfaketime as a machine's own is

SINCE_BOOT = """
import sys, time
uptime, real = float(sys.argv.pop(1)), time.monotonic
began = real()
time.monotonic = lambda: real() - began + uptime
from tracker.__main__ import main
main()
"""
YEAR = 365 * 24 * 3600
SET_BY = (YEAR, -YEAR, 0, -55 * YEAR, 70 * YEAR)
"""By how many seconds the clock is wrong after each step of an evening."""
UPTIMES = (0, 99, 1_000_000, 5, 936, 9_400, 99_500)
"""Seconds since the machine was booted, around which numbers are compared wrongly as texts, or taken for nothing."""


def faketime() -> Path | None:
    """Return the library that stands between a program and the machine's clock, or None."""
    folders = ("/usr/lib", "/usr/local/lib")
    return next((path for folder in folders for path in Path(folder).rglob("libfaketimeMT.so.1")), None)


def faked(clock: Path) -> dict[str, str]:
    """Return the environment in which a program's clock is as far off as the file says; skip where that can't be."""
    if (library := faketime()) is None:
        pytest.skip("libfaketime is not on this machine")
    faked = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    # Without the second, a thread that waits for another reads the clock's file all the time instead of sleeping.
    return faked | {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0"}


class MachineClock:
    """The clock of the machine that serves: right until it is set."""

    def __init__(self, file: Path) -> None:
        self.file, self.is_faked = file, faketime() is not None
        self.set_to(0)

    def set_to(self, seconds: int) -> None:
        """Have it go wrong by so many seconds from now on."""
        beside = self.file.with_suffix(".new")
        beside.write_text(f"{seconds:+}", encoding="utf-8")
        beside.replace(self.file)


@contextmanager
def served_since_boot(folder: Path, uptime: int, clock: MachineClock) -> Iterator[ServedCommand]:
    """Serve a folder on a machine that was booted so many seconds before."""
    arguments = ["--port", str(free_port()), "--no-browser", "--data", str(folder)]
    program = [sys.executable, "-c", SINCE_BOOT, str(uptime), "serve", *arguments]
    with serve_program(program, faked(clock.file) if clock.is_faked else {}) as served:
        yield served


def play(port: int, host_link: str, tick: Callable[[], None]) -> RemoteNight:
    """Play a hand with all that lasts minutes or is good once; `tick` sets the clock between two steps."""
    night = open_night(port, host_link)
    host, base = night.host, night.base
    tick()
    ben, mia = night.join("127.0.0.11", name="Ben"), night.join("127.0.0.12", name="Mia")
    assert [phone.get(f"{base}/lobby").status for phone in (ben, mia)] == [200, 200]
    tick()
    assert host.post(f"{base}/dealer", {"seat": "ruth"}).status == 303
    is_let_in(night, tick)
    for at_an_evening in functions_of_extras("at_an_evening"):
        host = at_an_evening(night, ben, tick)
    records_and_takes_back(night, host, tick)
    return night


def is_let_in(night: RemoteNight, tick: Callable[[], None]) -> None:
    zoe = night.join("127.0.0.13", name="Zoe")
    tick()
    assert zoe.get(f"{night.base}/knock").status == 200
    let_in, *_ = re.findall(rf'"({night.base}/knocks/\d+/in)"', night.host.get(night.base).text)
    tick()
    assert night.host.post(let_in).status == 303
    tick()
    assert zoe.post(f"{night.base}/enter").status == 303
    assert zoe.get(night.base).status == 200


def records_and_takes_back(night: RemoteNight, host: RemotePhone, tick: Callable[[], None]) -> None:
    before = json.loads(host.get(f"{night.base}/night.json").text)["events"]
    assert host.post(f"{night.base}/record", {"do": "buy:5", "seat": "ben", "key": "bought", "hand": "1"}).status == 303
    tick()
    number = len(before) + 1
    assert host.post(f"{night.base}/record", {"do": f"undo:{number}", "key": "back"}).status == 303
    after = json.loads(host.get(f"{night.base}/night.json").text)["events"]
    assert [one["kind"] for one in after[len(before) :]] == ["buy", "undo"]


def looks(night: RemoteNight, phone: RemotePhone) -> None:
    lists = (*of_extras("lists"), *of_extras("lists_of_nights"))
    for path in ("/", "/new", f"/nights/{night.code}", f"{night.base}/log", *lists):
        assert phone.get(path).status == 200, path
    assert f'href="{night.base}"' in phone.get("/").text, "the night goes on"


@pytest.mark.parametrize(
    ("uptime", "wrong"),
    [
        pytest.param(uptime, wrong, marks=[pytest.mark.long] * (number > 0))
        for number, (uptime, wrong) in enumerate(zip(UPTIMES, cycle((YEAR, -55 * YEAR, 0, -YEAR)), strict=False))
    ],
)
def test_an_evening_is_the_same_at_any_uptime_while_the_clock_is_wrong_and_is_set(
    uptime: int, wrong: int, tmp_path: Path
) -> None:
    clock, ticks = MachineClock(tmp_path / "clock"), cycle(SET_BY)
    clock.set_to(wrong)
    with served_since_boot(tmp_path / "data", uptime, clock) as served, ExitStack() as stack:
        night = play(served.port, served.host_link, lambda: clock.set_to(next(ticks)))
        stream = night.host.open(stack, f"{night.base}/stream?tab=clock")
        for by in SET_BY:
            clock.set_to(by)
            looks(night, night.host)
        form = {"do": "say:3", "seat": "ruth", "key": "newest", "hand": "1"}
        assert night.host.post(f"{night.base}/record", form).status == 303
        head = len(json.loads(night.host.get(f"{night.base}/night.json").text)["events"])
        while stream.readline() != f"id: {head}\n".encode():
            assert not stream.isclosed(), "the stream has ended"
    with closing(Store(tmp_path / "data" / DATA_FILE)) as store:
        entries = Nights(store, StreamHub()).get(night.code).entries
    assert [entry.number for entry in entries] == list(range(1, head + 1))
    if clock.is_faked:
        assert len({(entry.at or "")[:4] for entry in entries}) > 2, "the clock was not set"
