"""Codes and links of nights that were changed at random: refused in a sentence or taken, and no page breaks."""

import json
import threading
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from time import process_time
from typing import Any
from unittest.mock import Mock

import pytest
from extras._shared.changed_texts import DATES, as_code, mutated
from extras._shared.night_folder import PLAYABLE
from extras.copies.dear_texts import HEAD, PEOPLE, as_link, dear_texts, unpacked
from support.at_once import statuses
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage, Tag
from support.of_extras import of_extras
from support.random_nights import legal_event
from support.sample_nights import Form, ended_night, night_in_third_hand, record, visible_text
from werkzeug.test import TestResponse

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.core import log
from tracker.core.apply import apply, apply_new
from tracker.core.errors import TableError
from tracker.core.events import Name, SeatId, Sit, Undo
from tracker.extras._night_files.codes import MOST_NIGHT_BYTES, NIGHT_WORDS, code_text, unpack, words
from tracker.extras._night_files.importing import import_night
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras.copies import arrive, brought_nights
from tracker.extras.copies.arrive import TextLimits
from tracker.extras.copies.brought_nights import MOST_OF_STRANGERS, BroughtNight
from tracker.extras.copies.night_transfer import to_text
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_to
from tracker.formats.night_file import NightLimits
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit

PRESET = json.dumps(preset_to(built_in("michigan-rummy")))


@pytest.fixture(name="host")
def _host(site: Site) -> ClientPhone:
    site.access.pace = PostRateLimit(burst=1_000_000)
    limits: TextLimits = site.app.extensions["text_limits"]
    limits.limit = GuessLimit(1_000_000, 1_000_000)
    return site.host()


def value_of(code: str) -> Any:
    return json.loads(unpack(code[2:], words(NIGHT_WORDS), MOST_NIGHT_BYTES))


def fields_of(form: Tag) -> Form:
    return {**HtmlPage(str(form)).form()}


def try_all(host: ClientPhone, stranger: ClientPhone, text: str) -> list[int]:
    """Send a text as a stranger; as the host look at it, say yes, and look at the lists; return all statuses."""
    found = [stranger.post("/arrive", {"text": text, "key": new_id()}).status_code, host.get("/arrive").status_code]
    shown = host.post("/arrive", {"text": text, "key": new_id()})
    found.append(shown.status_code)
    if shown.status_code == 200:
        form = HtmlPage(shown.text).form('form[action="/arrive/answer"]')
        answer = host.post("/arrive/answer", {**form, "do": "yes"})
        found.append(answer.status_code)
        if answer.status_code == 303:
            code = answer.location.split("/")[2]
            found += [
                host.get(f"/n/{code}{page}").status_code
                for page in ("", "/log", "/settle", *of_extras("night"), *of_extras("files_of_night"))
            ]
    for waits in HtmlPage(host.get("/arrive").text).select('form[action="/arrive/answer"]'):
        found.append(host.post("/arrive/answer", {**fields_of(waits), "do": "no"}).status_code)
    return found


@pytest.mark.parametrize("is_link", [False, True], ids=["code", "link"])
def test_any_code_of_a_night_and_any_link_to_one_is_answered(
    site: Site, host: ClientPhone, short_or_long: Callable[[int, int], int], is_link: bool
) -> None:
    chance, stranger, table = Random(3 if is_link else 2), site.phone(), ended_night(site).table
    value = unpacked(to_text(table)) if is_link else value_of(code_text(table))
    for number in range(short_or_long(35 if is_link else 25, 3000)):
        other = mutated(value, chance)
        statuses = try_all(host, stranger, as_link(other) if is_link else as_code("N1", other, words(NIGHT_WORDS)))
        assert max(statuses) < 500, (number, statuses)
    assert {host.get(page).status_code for page in ("/", *of_extras("lists"))} == {200}


def test_a_night_begins_at_a_moment_of_this_world_and_one_of_days_to_come_is_said_to_be(
    site: Site, host: ClientPhone
) -> None:
    def sent(date: str) -> TestResponse:
        return host.post(
            "/arrive", {"text": as_link({"night": {**HEAD, "preset": PRESET, "created_at": date}, "lines": []})}
        )

    for date in (*DATES, "2026-11-20", "2026-11-20T20:15:00", "20261120T201500Z"):
        assert sent(date).status_code == 422, date
    assert site.tables.nights() == []
    now = datetime.now(UTC)
    for moment, is_said in ((now + timedelta(days=3), True), (now, False), (datetime(1970, 1, 1, 5), False)):  # noqa: DTZ001
        assert ("still to come" in sent(f"{moment:%Y-%m-%dT%H:%M:%SZ}").text) is is_said


def test_what_waits_is_shown_as_it_was_read_though_its_board_is_gone(site: Site, host: ClientPhone) -> None:
    copy = host.post("/boards/michigan-rummy/duplicate").location.split("/")[2]
    text = code_text(ended_night(site).table)
    gone = as_code("N1", {**value_of(text), "preset": copy, "name": "Of a board that is gone"}, words(NIGHT_WORDS))
    for one in (gone, text):
        assert site.phone().post("/arrive", {"text": one}).status_code == 200
    host.post(f"/boards/{copy}/delete")
    waits = host.get("/arrive")
    assert waits.status_code == 200
    first, second = HtmlPage(waits.text).select('form[action="/arrive/answer"]')
    fields = fields_of(first)
    looked = host.post("/arrive", fields)
    assert looked.status_code == 422
    assert "Of a board that is gone" in looked.text
    assert host.post("/arrive/answer", {**fields, "do": "no"}).status_code == 303
    assert host.post("/arrive", fields_of(second)).status_code == 200


def test_what_waits_and_was_left_by_another_version_takes_no_page_down(site: Site, host: ClientPhone) -> None:
    for place, stored in zip(("1", "2", "3"), ("X1junk", "{}", '{"text": 7}'), strict=True):
        site.access.rows.add("brought-night", place, 600, stored)
    assert host.get("/").status_code == host.get("/arrive").status_code == 200


# What a stranger's text costs: no event is applied for it, little memory is taken, and limits come before any work.


TEXTS = dear_texts(PRESET)
MOST_BYTES = 25_000_000
DEAR_SECONDS = 0.05
MOST_APPLIED = 20_000
"""Of the host, who looks: some tenths of a second."""


@pytest.mark.parametrize("name", TEXTS)
def test_no_event_is_applied_for_a_strangers_text_and_little_memory_is_taken(
    site: Site, monkeypatch: pytest.MonkeyPatch, name: str, figure: Callable[[str], None]
) -> None:
    host, stranger, applied = site.host(), site.phone(), (Mock(side_effect=apply), Mock(side_effect=apply_new))
    stranger.get("/arrive")
    for kind, function in zip(("apply", "apply_new"), applied, strict=True):
        monkeypatch.setattr(log, kind, function)
    tracemalloc.start()
    try:
        answer = stranger.post("/arrive", {"text": TEXTS[name]})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer.status_code in (200, 422)
    assert not any(function.called for function in applied)
    assert peak < MOST_BYTES
    host.get("/")
    assert host.get("/arrive").status_code == 200
    assert not any(function.called for function in applied)
    if answer.status_code == 200:
        form = HtmlPage(host.get("/arrive").text).form('form[action="/arrive/answer"]')
        assert host.post("/arrive", {**form}).status_code in (200, 422)
        assert sum(function.call_count for function in applied) < MOST_APPLIED
        assert "No" in HtmlPage(host.get("/arrive").text).texts("button")
    begun = process_time()
    with suppress(UnreadableError, TableError):
        brought_nights.read(site.tables, TEXTS[name], MOST_OF_STRANGERS)
    if (seconds := process_time() - begun) > DEAR_SECONDS:
        figure(f"a stranger's text, {name}: {seconds:.2f} s of the processor")


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
    monkeypatch.undo()
    host = site.host()
    assert [host.post("/arrive", {"text": "x"}).status_code for _ in range(40)] == [422] * 40, "no stranger"


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
    statuses(phones, "/arrive", lambda number: {"text": text[: -9 - number]})  # read, and none waits
    assert most == [True] * 8
    most.clear()
    statuses(phones, "/arrive", lambda _: {"text": text})
    assert most == [True]  # the others find that it waits


def test_nights_as_people_play_them_and_a_long_evening_with_corrections_may_be_sent_by_anybody(tables: Nights) -> None:
    chance, long = Random(5), tables.open("michigan-rummy")
    for seat in PEOPLE:
        record(long, Sit(SeatId(seat), Name(seat)))
    while long.head < 900:
        record(long, legal_event(long.night, chance, may_end=False))
        if long.head % 20 == 0:
            record(long, Undo(long.head), Undo(long.head + 1))
    read = [{**json.loads(file.read_text("utf-8")), "expect": {}} for file in PLAYABLE]
    for table in (long, *(import_night(tables, json.dumps(value)) for value in read)):
        for text in (to_text(table), code_text(table)):
            assert brought_nights.read(tables, text, MOST_OF_STRANGERS).entries == table.head, table.name
