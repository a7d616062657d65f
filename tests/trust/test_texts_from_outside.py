"""Texts from outside that were changed at random: refused in a sentence or taken, and never a page that breaks."""

import json
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from support.client_phones import ClientPhone, Site
from support.dear_texts import link_of, sealed
from support.html_page import HtmlPage, Tag
from support.of_extras import of_extras
from support.paths import NIGHTS
from support.sample_nights import ended_night
from support.uploads import upload_night

from tracker.app.event_rows import new_id
from tracker.app.night_transfer import to_text
from tracker.formats.built_in import built_in, built_in_ids
from tracker.formats.codec import preset_to
from tracker.formats.codes import MOST_NIGHT_BYTES, NIGHT_WORDS, PRESET_WORDS, pack, unpack, words
from tracker.formats.evening import moment_of
from tracker.web.access.devices import SCRIPT, hash_token
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit

NIGHT = {
    "code": "abcdef",
    "name": "Friday",
    "preset": json.dumps(preset_to(built_in("michigan-rummy"))),
    "options": "{}",
}
HALF = "\ud800"
ODD: Sequence[Any] = (
    HALF, f"a{HALF}b", "\udfff", "", " ", "\x00", "\u202e", "x" * 5000, -1, 0, 10**30, 1.5, 1e300, True, None, [], {},
    [[]], {"a": HALF}, {HALF: 1}, "0001-01-01", "9999-12-31T23:59:59Z", "1969-01-01T00:00:00Z", "2026-W48-4", "bank",
    "../x", "=1+1", [HALF], {"kind": "undo", "event": 1}, "2026-11-20T20:15:00+99:99", "\u0661",
)  # fmt: skip
"""What stands for a value, or for a key."""
DATES = [one for one in ODD if isinstance(one, str) and moment_of(one) is None]


def mutated(value: Any, chance: Random) -> Any:
    """Return a value with one part of it replaced, removed or given another key."""
    whole = json.loads(json.dumps(value))
    places = [*_places(whole)]
    at, key = chance.choice(places)
    what = chance.randrange(4)
    if what == 0 and isinstance(at, dict):
        odd = chance.choice([one for one in ODD if isinstance(one, str)])
        at[odd] = at.pop(key)
    elif what == 1 and isinstance(at, dict):
        del at[key]
    else:
        at[key] = chance.choice(ODD)
    return whole


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])


@pytest.fixture(name="host")
def _host(site: Site) -> ClientPhone:
    site.access.pace = PostRateLimit(burst=1_000_000)
    site.access.brought = GuessLimit(1_000_000, 1_000_000)
    return site.host()


def as_code(mark: str, value: Any, dictionary: str) -> str:
    return mark + pack(json.dumps(value).encode(), words(dictionary))


def as_link(value: Any) -> str:
    """Return a link to a night whose seal is right, if it has what a seal is over."""
    try:
        seal = sealed(value["night"]["code"], value["night"]["created_at"])
        for line in value["lines"]:
            seal = sealed(seal, json.dumps(line, ensure_ascii=False))
        return link_of(json.dumps({**value, "seal": seal}))
    except (KeyError, TypeError, UnicodeEncodeError):
        return link_of(json.dumps(value))


def of_a_script(site: Site, host: ClientPhone) -> dict[str, str]:
    """Return the headers of a script that has the token of the command."""
    site.tables.store.devices.add(hash_token("x" * 32), code=None, role="host", at="2026-11-20T20:15:00Z", label=SCRIPT)
    return {"Authorization": f"Bearer {'x' * 32}", "Host": host.host, "Content-Type": "application/json"}


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


def test_any_board_in_an_address_is_answered(
    host: ClientPhone, site: Site, short_or_long: Callable[[int, int], int]
) -> None:
    chance, stranger = Random(1), site.phone()
    for number in range(short_or_long(400, 5000)):
        board = preset_to(built_in(chance.choice(built_in_ids())))
        code = as_code("1", mutated(board, chance), PRESET_WORDS)
        answer = stranger.get(f"/b/{code}")
        assert answer.status_code in (200, 404), (number, code)
        assert host.post("/boards/import", {"code": code, "key": new_id()}).status_code in (303, 404, 422), (
            number,
            code,
        )
    assert host.get("/boards").status_code == 200


def test_any_code_of_a_night_is_answered(
    site: Site, host: ClientPhone, short_or_long: Callable[[int, int], int]
) -> None:
    chance, stranger, code = Random(2), site.phone(), ended_night(site).table.code_text()
    value = json.loads(unpack(code[2:], words(NIGHT_WORDS), MOST_NIGHT_BYTES))
    for number in range(short_or_long(150, 3000)):
        statuses = try_all(host, stranger, as_code("N1", mutated(value, chance), NIGHT_WORDS))
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


def test_any_night_file_is_answered(site: Site, host: ClientPhone, short_or_long: Callable[[int, int], int]) -> None:
    chance, files = Random(4), sorted(NIGHTS.glob("*.json"))
    script, headers = site.phone(), of_a_script(site, host)
    for number in range(short_or_long(150, 3000)):
        value = mutated(json.loads(chance.choice(files).read_text("utf-8")), chance)
        for text in (json.dumps(value), json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")):
            assert upload_night(host, text, key=new_id()).status_code in (200, 303, 422), (number, value)
            brought = script.client.post("/api/import", data=text, headers=headers)
            assert brought.status_code in (200, 201, 400, 404, 422), (number, value)
    for page in ("/", *of_extras("lists"), "/people", *of_extras("csv_of_nights")[:1], "/api/nights"):
        assert host.get(page).status_code < 500


def test_half_a_character_is_refused_wherever_a_text_comes_in(site: Site, host: ClientPhone) -> None:
    headers = of_a_script(site, host)
    bodies = {
        "/api/import": {"format": "board-tracker-night", "version": 1, "preset": HALF, "events": []},
        "/api/nights": {"preset": "michigan-rummy", "name": HALF},
    }
    for path, body in bodies.items():
        answer = site.phone().client.post(path, data=json.dumps(body), headers=headers)
        assert answer.status_code in (400, 422)
        assert "half a character" in answer.text


@pytest.mark.parametrize("date", DATES)
def test_a_night_that_begins_at_no_moment_of_this_world_is_refused(site: Site, host: ClientPhone, date: str) -> None:
    value = {"night": {**NIGHT, "created_at": date}, "lines": []}
    assert host.post("/arrive", {"text": as_link(value)}).status_code == 422
    file = json.loads((NIGHTS / "kitty-three-hands.json").read_text("utf-8"))
    file["events"][0]["at"] = date
    assert upload_night(host, json.dumps(file)).status_code == 422
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
    gone = as_code("N1", {**value, "preset": copy, "name": "Of a board that is gone"}, NIGHT_WORDS)
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
