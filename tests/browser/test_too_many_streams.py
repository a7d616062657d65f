"""A phone for whose stream there is no room: its page says so, renews itself, and follows once there is room again."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from support.four_phones import FourPhones, four_phones
from support.waiting import meanwhile, until

from tracker.core.events import Penalty, SeatId
from tracker.streaming.room import Room, ViewerGroup

SENTENCE = "Too many phones are watching: this page renews itself every 10 seconds."
SAYS_SO = "said => !document.getElementById('net').hidden && document.getElementById('net').textContent === said"


@pytest.fixture(name="phones", scope="module")
def _phones(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FourPhones]:
    with four_phones(browser, tmp_path_factory.mktemp("data"), heartbeat_seconds=1.0) as phones:
        phones.open("michigan-rummy-snake", looking=[])
        yield phones
        assert phones.errors == []


@pytest.fixture(name="taken")
def _taken(phones: FourPhones, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A room for one stream, which a player of another table has."""
    room = Room(limit=1, kept_for_players=0)
    monkeypatch.setattr(phones.live, "_room", room)
    room.take("theirs", ViewerGroup("OTHER", is_player=True))
    return room


@pytest.fixture(name="ben")
def _ben(phones: FourPhones, taken: Room) -> Page:
    """Ben's phone, for whose stream there is no room; its clock is set by the test."""
    assert taken.count() == 1
    page = phones.phone("ben")
    page.clock.install()
    page.goto(f"{phones.url}/n/{phones.code}")
    phones.pages["ben"] = page
    return page


def fault(phones: FourPhones, number: int) -> None:
    phones.table.record(Penalty(SeatId("mia"), "false-rummy"), id=f"mia-{number}", by="mia")


def test_a_phone_without_a_stream_says_so_renews_itself_and_follows_when_there_is_room(
    phones: FourPhones, ben: Page, taken: Room
) -> None:
    asked: list[str] = []
    until(ben, SAYS_SO, SENTENCE)
    assert phones.live.presence.devices(phones.code) == frozenset()
    ben.on("request", lambda one: asked.append(one.url) if re.search("/stream|/live", one.url) else None)
    fault(phones, 1)
    ben.clock.run_for(7_000)
    assert asked == []
    ben.clock.run_for(6_000)
    phones.newest("ben")
    assert len(asked) == 1
    until(ben, SAYS_SO, SENTENCE)
    taken.give_up("theirs")
    ben.clock.run_for(13_000)
    meanwhile(ben, lambda: len(phones.live.presence.devices(phones.code)) == 1)
    ben.wait_for_selector("#net", state="hidden")
    fault(phones, 2)
    phones.newest("ben")
    assert len(asked) == 2
