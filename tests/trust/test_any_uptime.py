"""An evening on a machine booted so long ago, whose clock is wrong and set a year ahead or back between two taps."""

import json
import re
from collections.abc import Callable
from contextlib import closing
from itertools import cycle
from pathlib import Path

import pytest
from support.machine_clocks import UPTIMES, YEAR, MachineClock, served_since_boot
from support.of_extras import of_extras
from support.remote_phone import RemoteNight, RemotePhone, open_night

from tracker import extras
from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

KEPT = ("--keep-months", "6") if "retention" in extras.names() else ()
FEW = (0, 99, 1_000_000)
"""The uptimes of the short run."""
JUMPS = (YEAR, -YEAR, 0, -55 * YEAR, 70 * YEAR)


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, pattern
    return match[1]


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
    ben = moves(night, ben, tick)
    is_offered_and_takes_the_table(night, ben, tick)
    records_and_takes_back(night, ben, tick)
    has_a_pin(night, ben, tick)
    return night


def is_let_in(night: RemoteNight, tick: Callable[[], None]) -> None:
    zoe = night.join("127.0.0.13", name="Zoe")
    tick()
    assert zoe.get(f"{night.base}/knock").status == 200
    knock = found(rf'"{night.base}/(knocks/\d+)/in"', night.host.get(night.base).text)
    tick()
    assert night.host.post(f"{night.base}/{knock}/in").status == 303
    tick()
    assert zoe.post(f"{night.base}/enter").status == 303
    assert zoe.get(night.base).status == 200


def moves(night: RemoteNight, old: RemotePhone, tick: Callable[[], None]) -> RemotePhone:
    link = found(r"(/m/[\w-]+)", old.post(f"{night.base}/move").text)
    tick()
    new = RemotePhone(old.port, "127.0.0.14")
    assert new.get(link).status == 200
    tick()
    assert new.post("/m", {"token": link[3:]}).status == 303
    assert [new.get(night.base).status, old.get(night.base).status] == [200, 403]
    return new


def is_offered_and_takes_the_table(night: RemoteNight, ben: RemotePhone, tick: Callable[[], None]) -> None:
    assert night.host.post(f"{night.base}/hand-over", {"seat": "ben"}).status == 303
    tick()
    assert ben.post(f"{night.base}/take-table").status == 303
    assert [phone.get(f"{night.base}/settings").status for phone in (ben, night.host)] == [200, 403]


def records_and_takes_back(night: RemoteNight, ben: RemotePhone, tick: Callable[[], None]) -> None:
    before = json.loads(ben.get(f"{night.base}/night.json").text)["events"]
    assert ben.post(f"{night.base}/record", {"do": "buy:5", "seat": "ben", "key": "bought", "hand": "1"}).status == 303
    tick()
    number = len(before) + 1
    assert ben.post(f"{night.base}/record", {"do": f"undo:{number}", "key": "back"}).status == 303
    after = json.loads(ben.get(f"{night.base}/night.json").text)["events"]
    assert [one["kind"] for one in after[len(before) :]] == ["buy", "undo"]


def has_a_pin(night: RemoteNight, ben: RemotePhone, tick: Callable[[], None]) -> None:
    if "pin" not in extras.names():
        return
    assert ben.post(f"{night.base}/pin", {"pin": "4711"}).status == 303
    tick()
    heard = []
    for wrong in range(7):
        heard.append(ben.post(f"{night.base}/pin", {"pin": f"000{wrong}"}).status)
        tick()
    assert heard == [422] * 5 + [429] * 2, "the pause of a minute"
    assert ben.post(f"{night.base}/pin", {"pin": "4711"}).status == 429


def looks(night: RemoteNight, phone: RemotePhone) -> None:
    for path in (
        "/",
        *of_extras("lists"),
        *of_extras("lists_of_nights"),
        "/new",
        f"/nights/{night.code}",
        f"{night.base}/log",
    ):
        assert phone.get(path).status == 200, path
    assert f'href="{night.base}"' in phone.get("/").text, "the night goes on"


@pytest.mark.parametrize("uptime", [pytest.param(one, marks=[pytest.mark.long] * (one not in FEW)) for one in UPTIMES])
def test_an_evening_is_the_same_at_any_uptime_while_the_clock_is_set(
    uptime: int, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    clock, ticks = MachineClock(tmp_path / "clock"), cycle(JUMPS)
    with served_since_boot(tmp_path / "data", uptime, clock) as served:
        night = play(served.port, served.host_link, lambda: clock.set_to(next(ticks)))
        for jump in JUMPS:
            clock.set_to(jump)
            looks(night, night.host)
    if clock.is_faked:
        with closing(Store(tmp_path / "data" / DATA_FILE)) as store:
            entries = Nights(store, StreamHub()).get(night.code).entries
        assert len({(entry.at or "")[:4] for entry in entries}) > 2, "the clock was not set"
        figure(f"an evening at an uptime of {uptime} s, the clock set {len(JUMPS)} ways: every step as ever")


@pytest.mark.parametrize("wrong", [YEAR, pytest.param(-YEAR, marks=pytest.mark.long), -55 * YEAR])
def test_an_evening_begins_with_a_clock_that_is_wrong_and_goes_on_with_the_right_one(
    wrong: int, tmp_path: Path
) -> None:
    clock = MachineClock(tmp_path / "clock")
    if not clock.is_faked:
        pytest.skip("libfaketime is not on this machine")
    clock.set_to(wrong)
    with served_since_boot(tmp_path / "data", 20, clock, *KEPT) as served:
        night = play(served.port, served.host_link, lambda: None)
        clock.set_to(0)
        looks(night, night.host)
    with served_since_boot(tmp_path / "data", 20, clock, *KEPT) as served:
        phone = RemotePhone(served.port, "127.0.0.21")
        phone.become_host(served.host_link)
        assert night.code in phone.get("/").text
        assert {phone.get(path).status for path in of_extras("lists")} <= {200}
