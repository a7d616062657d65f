"""What a stranger's text costs: no event is applied for it, little memory is taken, and limits come before any work."""

import json
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support.client_phones import ClientPhone, Site
from support.dear_texts import PEOPLE, dear_texts
from support.html_page import HtmlPage
from support.paths import NIGHTS
from support.random_nights import legal_event
from support.sample_nights import night_in_third_hand, record, visible_text

from tracker.app.nights import Nights
from tracker.core import log
from tracker.core.apply import apply, apply_new
from tracker.core.events import Event, Name, SeatId, Sit, Undo
from tracker.core.night import Night
from tracker.extras.copies import arrive, brought_nights
from tracker.extras.copies.brought_nights import MOST_OF_STRANGERS, BroughtNight
from tracker.extras.copies.night_transfer import to_text
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_to
from tracker.formats.night_file import NightLimits

TEXTS = dear_texts(json.dumps(preset_to(built_in("michigan-rummy"))))
MOST_BYTES = 25_000_000
MOST_APPLIED = 20_000
"""Of the host, who looks: some tenths of a second."""


@pytest.fixture(name="applied")
def _applied(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Give the list of the events that are applied from now on."""
    found = list[Event]()

    def counted(function: Callable[[Night, Event], Night]) -> Callable[[Night, Event], Night]:
        def run(night: Night, event: Event) -> Night:
            found.append(event)
            return function(night, event)

        return run

    monkeypatch.setattr(log, "apply", counted(apply))
    monkeypatch.setattr(log, "apply_new", counted(apply_new))
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_no_event_is_applied_for_a_strangers_text_and_little_memory_is_taken(
    site: Site, applied: list[Event], name: str
) -> None:
    host, stranger = site.host(), site.phone()
    stranger.get("/arrive")
    applied.clear()
    tracemalloc.start()
    try:
        answer = stranger.post("/arrive", {"text": TEXTS[name]})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer.status_code in (200, 422)
    assert applied == []
    assert peak < MOST_BYTES
    host.get("/")
    assert host.get("/arrive").status_code == 200
    assert applied == []
    if answer.status_code == 200:
        form = HtmlPage(host.get("/arrive").text).form('form[action="/arrive/answer"]')
        assert host.post("/arrive", {**form}).status_code in (200, 422)
        assert len(applied) < MOST_APPLIED
        assert "No" in HtmlPage(host.get("/arrive").text).texts("button")


def reading_fails(*_: object) -> BroughtNight:
    raise AssertionError("it was read")


def test_nothing_is_read_while_there_is_no_room(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    nights = [night_in_third_hand(site).table for _ in range(4)]
    for table in nights[:3]:
        assert site.phone().post("/arrive", {"text": to_text(table)}).status_code == 200
    monkeypatch.setattr(arrive, "read", reading_fails)
    for text in (to_text(nights[3]), *TEXTS.values()):
        assert site.phone().post("/arrive", {"text": text}).status_code == 429
    again = site.phone().post("/arrive", {"text": to_text(nights[0])})
    assert "says yes" in visible_text(again)  # it waits already


def test_nothing_is_read_beyond_a_few_a_minute_of_one_stranger_and_of_all(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = site.phone()
    assert [stranger.post("/arrive", {"text": "x"}).status_code for _ in range(6)] == [422] * 5 + [429]
    others = [ClientPhone(site.app, f"10.1.{number}.1") for number in range(26)]
    assert [one.post("/arrive", {"text": "x"}).status_code for one in others] == [422] * 25 + [429]
    monkeypatch.setattr(arrive, "read", reading_fails)
    assert ClientPhone(site.app, "10.2.0.1").post("/arrive", {"text": "x"}).status_code == 429


def test_the_host_is_not_counted_among_strangers(site: Site) -> None:
    host = site.host()
    assert [host.post("/arrive", {"text": "x"}).status_code for _ in range(40)] == [422] * 40


def test_one_text_at_a_time_is_read(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    reads, at_once, most = brought_nights.read, threading.Semaphore(1), list[bool]()

    def alone(nights: Nights, text: str, limits: NightLimits) -> BroughtNight:
        is_alone = at_once.acquire(blocking=False)
        most.append(is_alone)
        try:
            return reads(nights, text, limits)
        finally:
            if is_alone:
                at_once.release()

    monkeypatch.setattr(arrive, "read", alone)
    phones = [ClientPhone(site.app, f"10.3.{number}.1") for number in range(8)]
    text = TEXTS["as many entries of a link as it may have"]
    cut = [{"text": text[: -9 - number]} for number in range(8)]  # read, and none waits
    threads = [
        threading.Thread(target=phone.post, args=("/arrive", form)) for phone, form in zip(phones, cut, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [True] * 8
    most.clear()
    threads = [threading.Thread(target=phone.post, args=("/arrive", {"text": text})) for phone in phones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [True]  # the others find that it waits


PLAYED = [file for file in sorted(NIGHTS.glob("*.json")) if '"refused"' not in file.read_text("utf-8")]


@pytest.mark.parametrize("file", PLAYED, ids=lambda file: file.stem)
def test_nights_as_people_play_them_may_be_sent_by_anybody(tables: Nights, file: Path) -> None:
    raw = json.loads(file.read_text("utf-8"))
    raw.pop("expect", None)
    table = tables.import_night(json.dumps(raw))
    for text in (to_text(table), table.code_text()):
        assert brought_nights.read(tables, text, MOST_OF_STRANGERS).entries == table.head


def test_a_long_evening_of_eight_with_corrections_may_be_sent_by_anybody(tables: Nights) -> None:
    chance, table = Random(5), tables.open("michigan-rummy")
    for seat in PEOPLE:
        record(table, Sit(SeatId(seat), Name(seat)))
    while table.head < 900:
        record(table, legal_event(table.night, chance, may_end=False))
        if table.head % 20 == 0:
            record(table, Undo(table.head), Undo(table.head + 1))
    for text in (to_text(table), table.code_text()):
        assert brought_nights.read(tables, text, MOST_OF_STRANGERS).entries == table.head
