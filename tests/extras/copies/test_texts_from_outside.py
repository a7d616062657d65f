"""Codes and links of nights that were changed at random: refused in a sentence or taken, and no page breaks."""

import json
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from support.changed_texts import DATES, as_code, mutated
from support.client_phones import ClientPhone, Site
from support.dear_texts import link_of, sealed
from support.html_page import HtmlPage, Tag
from support.of_extras import of_extras
from support.sample_nights import ended_night

from tracker.app.event_rows import new_id
from tracker.extras.copies.arrive import TextLimits
from tracker.extras.copies.night_transfer import to_text
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_to
from tracker.formats.codes import MOST_NIGHT_BYTES, NIGHT_WORDS, unpack, words
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit

NIGHT = {
    "code": "abcdef",
    "name": "Friday",
    "preset": json.dumps(preset_to(built_in("michigan-rummy"))),
    "options": "{}",
}


@pytest.fixture(name="host")
def _host(site: Site) -> ClientPhone:
    site.access.pace = PostRateLimit(burst=1_000_000)
    limits: TextLimits = site.app.extensions["text_limits"]
    limits.limit = GuessLimit(1_000_000, 1_000_000)
    return site.host()


def as_link(value: Any) -> str:
    """Return a link to a night whose seal is right, if it has what a seal is over."""
    try:
        seal = sealed(value["night"]["code"], value["night"]["created_at"])
        for line in value["lines"]:
            seal = sealed(seal, json.dumps(line, ensure_ascii=False))
        return link_of(json.dumps({**value, "seal": seal}))
    except (KeyError, TypeError, UnicodeEncodeError):
        return link_of(json.dumps(value))


def inputs(form: Tag) -> dict[str, str | list[str]]:
    return {tag.get("name"): tag.get("value") for tag in form.select("input")}


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
        fields = inputs(waits)
        found.append(host.post("/arrive/answer", {**fields, "do": "no"}).status_code)
    return found


def test_any_code_of_a_night_is_answered(
    site: Site, host: ClientPhone, short_or_long: Callable[[int, int], int]
) -> None:
    chance, stranger, code = Random(2), site.phone(), ended_night(site).table.code_text()
    value = json.loads(unpack(code[2:], words(NIGHT_WORDS), MOST_NIGHT_BYTES))
    for number in range(short_or_long(150, 3000)):
        statuses = try_all(host, stranger, as_code("N1", mutated(value, chance), words(NIGHT_WORDS)))
        assert max(statuses) < 500, (number, statuses)
    assert {host.get(page).status_code for page in ("/", *of_extras("lists"))} == {200}


def test_any_link_to_a_night_is_answered(
    site: Site, host: ClientPhone, short_or_long: Callable[[int, int], int]
) -> None:
    chance, stranger, text = Random(3), site.phone(), to_text(ended_night(site).table)
    value = json.loads(zlib.decompress(urlsafe_b64decode(text[2:] + "=="), -15))
    for number in range(short_or_long(200, 3000)):
        statuses = try_all(host, stranger, as_link(mutated(value, chance)))
        assert max(statuses) < 500, (number, statuses)
    assert {host.get(page).status_code for page in ("/", *of_extras("lists"))} == {200}


@pytest.mark.parametrize("date", DATES)
def test_a_night_that_begins_at_no_moment_of_this_world_is_refused(site: Site, host: ClientPhone, date: str) -> None:
    value = {"night": {**NIGHT, "created_at": date}, "lines": []}
    assert host.post("/arrive", {"text": as_link(value)}).status_code == 422
    assert site.tables.nights() == []


@pytest.mark.parametrize("date", ["2026-11-20", "2026-11-20T20:15:00", "20261120T201500Z"])
def test_the_moment_of_a_link_has_date_time_and_zone(host: ClientPhone, date: str) -> None:
    value = {"night": {**NIGHT, "created_at": date}, "lines": []}
    assert host.post("/arrive", {"text": as_link(value)}).status_code == 422
    whole = {"night": {**NIGHT, "created_at": "2026-11-20T20:15:00Z"}, "lines": []}
    assert host.post("/arrive", {"text": as_link(whole)}).status_code == 200


def test_what_waits_is_shown_as_it_was_read_though_its_board_is_gone(site: Site, host: ClientPhone) -> None:
    copy = host.post("/boards/michigan-rummy/duplicate").location.split("/")[2]
    text = ended_night(site).table.code_text()
    value = json.loads(unpack(text[2:], words(NIGHT_WORDS), MOST_NIGHT_BYTES))
    gone = as_code("N1", {**value, "preset": copy, "name": "Of a board that is gone"}, words(NIGHT_WORDS))
    for one in (gone, text):
        assert site.phone().post("/arrive", {"text": one}).status_code == 200
    host.post(f"/boards/{copy}/delete")
    waits = host.get("/arrive")
    assert waits.status_code == 200
    first, second = HtmlPage(waits.text).select('form[action="/arrive/answer"]')
    fields = inputs(first)
    looked = host.post("/arrive", fields)
    assert looked.status_code == 422
    assert "Of a board that is gone" in looked.text
    assert host.post("/arrive/answer", {**fields, "do": "no"}).status_code == 303
    fields = inputs(second)
    assert host.post("/arrive", fields).status_code == 200


def test_what_waits_and_was_left_by_another_version_takes_no_page_down(site: Site, host: ClientPhone) -> None:
    for place, stored in zip(("1", "2", "3"), ("X1junk", "{}", '{"text": 7}'), strict=True):
        site.access.rows.add("brought-night", place, 600, stored)
    assert host.get("/").status_code == host.get("/arrive").status_code == 200


def test_a_night_of_days_to_come_is_said_to_be_one(host: ClientPhone) -> None:
    later, now = datetime.now(UTC) + timedelta(days=3), datetime.now(UTC)
    for moment, is_said in ((later, True), (now, False), (datetime(1970, 1, 1, 5, tzinfo=UTC), False)):
        value = {"night": {**NIGHT, "created_at": f"{moment:%Y-%m-%dT%H:%M:%SZ}"}, "lines": []}
        assert ("still to come" in host.post("/arrive", {"text": as_link(value)}).text) is is_said
