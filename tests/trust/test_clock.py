"""A clock that jumps: the order is the numbers', nobody is shown the door, and every page can still be drawn."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from evenings import Form
from phones import House

from tracker.core.events import Amount, Buy
from tracker.live import Live
from tracker.tables import Tables

DAY = timedelta(days=1)
JUMPS = (-400 * DAY, 3650 * DAY, -DAY / 24, DAY / 24, timedelta(seconds=-1), 0 * DAY)
CLOCKS = ("tracker.sealing", "tracker.web.devices", "tracker.web.new", "tracker.web.report", "tracker.store.files")


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


def test_a_clock_that_jumps_reorders_nothing_and_shows_nobody_the_door(
    house: House, clock: Clock, often: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    chance, jumps, doors = Random(8), often(30, 600), 0
    host = house.host()
    code = house.open_night(host)
    phones = {"ruth": host, "ben": house.join(code, "Ben"), "mia": house.join(code, "Mia")}
    house.begin(host, code)
    host.post(f"/n/{code}/settings", {"title": "Friday", "everyone": "on"})
    table = house.tables.get(code)
    for number in range(jumps):
        clock.off = chance.choice(JUMPS)
        seat, phone = chance.choice(list(phones.items()))
        if number % 5 == 0:  # a phone that taps without a pause is asked to wait
            form: Form = {"do": f"buy:{number % 9 + 1}", "seat": seat, "key": f"key-{number}", "hand": "1"}
            doors += phone.post(f"/n/{code}/record", form).status_code == 403
        else:
            table.record(Buy(seat, Amount(number % 9 + 1)), id=f"id-{number}", by="host")
        doors += phone.get(f"/n/{code}").status_code != 200
        if number % 10 == 0:
            assert host.get(f"/n/{code}/log").status_code == 200
            assert host.get("/").status_code == 200
    assert clock.read > jumps
    assert len(table.entries) > jumps / 2
    assert len({(entry.at or "")[:4] for entry in table.entries}) > 2, "the clock did not jump"
    again = Tables(house.tables.store, Live()).get(code)
    assert again.entries == table.entries
    assert [entry.number for entry in again.entries] == list(range(1, again.head + 1))
    figure(
        f"a clock that jumps by -400 days to +10 years {jumps} times: 0 entries out of order, {doors} phones sent away"
    )
    assert doors == 0
