"""A clock that jumps: the order is the numbers', no phone is sent away, and every page can still be drawn.

pytest --long tests/trust/test_clock.py lets it jump as often as docs/trust.md says.
"""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.bench_table import BenchTable, new_bench_table, served
from support.client_phones import Site
from support.machine_clocks import faked
from support.polling import wait_until
from support.sample_nights import Form

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Amount, Buy
from tracker.server.connection import HEADER_SECONDS
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
    site: Site, clock: Clock, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
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
    figure(
        f"a clock that jumps by -400 days to +10 years {jumps} times: 0 entries out of order, {refused} phones refused"
    )
    assert refused == 0


# The whole server, its clock set by libfaketime as a machine's own is

FAKED = ("-400d", "+10y", "-1h", "+1h", "-1", "+0")


class Watching(threading.Thread):
    """A phone that follows the table by one stream; `heads` are those of the pictures it was sent."""

    def __init__(self, stack: ExitStack, table: BenchTable, cookie: str) -> None:
        super().__init__(daemon=True)
        self.heads: list[int] = []
        self.stream = table.browser(cookie).open(stack, f"/n/{table.code}/stream?tab=clock")
        self.start()
        stack.callback(self.join)  # the stack is closed once the server has ended

    def run(self) -> None:
        for line in self.stream:
            if line.startswith(b"id: "):
                self.heads.append(int(line[4:]))


def look(table: BenchTable, page: str, cookie: str) -> int:
    return table.browser(cookie).get(f"/n/{table.code}{page}").status


def test_a_running_server_whose_clock_jumps_keeps_the_order_its_phones_and_their_streams(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    chance, jumps, refused, pages = Random(10), short_or_long(len(FAKED), 200), 0, 0
    clock, table = tmp_path / "clock", new_bench_table(tmp_path / "data", watchers=0)
    clock.write_text("+0", encoding="utf-8")
    with ExitStack() as stack, served(table, environment=faked(clock)):
        table.begin_hand()
        watching = [Watching(stack, table, cookie) for cookie in table.seats]
        wait_until(lambda: all(phone.heads for phone in watching))
        head = watching[0].heads[-1]
        for number in range(jumps):
            clock.write_text(FAKED[number] if number < len(FAKED) else chance.choice(FAKED), encoding="utf-8")
            table.api({"kind": "buy", "seat": "ann", "chips": number % 9 + 1})
            head += 1
            wait_until(lambda: all(phone.heads[-1] == head for phone in watching))  # noqa: B023 - used up at once
            looked = [look(table, "", cookie) for cookie in table.seats] + [look(table, "/log", table.host)]
            refused, pages = refused + sum(status != 200 for status in looked), pages + len(looked)
        assert all(phone.is_alive() for phone in watching), "a stream has ended"
    with closing(Store(tmp_path / "data" / DATA_FILE)) as store:
        entries = Nights(store, StreamHub()).get(table.code).entries
    assert [entry.number for entry in entries] == list(range(1, head + 1))
    bought = [entry.event.chips for entry in entries if isinstance(entry.event, Buy)][-jumps:]
    assert bought == [number % 9 + 1 for number in range(jumps)]
    years = {(entry.at or "")[:4] for entry in entries}
    assert len(years) > 2, "the clock did not jump"
    figure(
        f"a running server whose clock jumps {jumps} times between {min(years)} and {max(years)}: 0 entries out of "
        f"order, {refused} of {pages} pages refused, 0 of {len(watching)} streams ended"
    )
    assert refused == 0


def test_a_running_server_whose_clock_is_set_back_still_ends_half_requests(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    """The deadline is that of the command, so all of them wait for it together."""
    clock, table, count = tmp_path / "clock", new_bench_table(tmp_path / "data", watchers=0), short_or_long(10, 30)
    clock.write_text("+0", encoding="utf-8")
    with served(table, environment=faked(clock)), ExitStack() as stack:
        half = [stack.enter_context(socket.create_connection(("127.0.0.1", table.port))) for _ in range(count)]
        for sock in half:
            sock.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
            sock.settimeout(HEADER_SECONDS + 60)
        clock.write_text("-1h", encoding="utf-8")
        began = time.monotonic()
        assert look(table, "", table.host) == 200
        assert [sock.recv(10) for sock in half] == [b""] * count
        figure(f"{count} half requests while the clock was set back: closed after {time.monotonic() - began:.0f} s")
