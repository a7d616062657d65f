"""The page on which a night comes in: its file goes on here, and any other file is refused in a sentence."""

import json
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from extras._shared.changed_texts import DATES, mutated
from extras.imports.uploads import upload_night
from support.client_phones import HERE, ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.paths import NIGHTS
from support.remote_phone import open_night
from support.routes import app_rules, page_rules, path_of
from support.sample_nights import SampleNight, night_in_third_hand, visible_text
from support.server_process import Command

from tracker.app.event_rows import new_id
from tracker.core import log
from tracker.core.apply import apply
from tracker.core.events import Event
from tracker.core.night import Night
from tracker.extras._night_files.importing import FORM_LIMIT
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.extras.imports.night_page import LARGEST_FILE
from tracker.formats import night_file
from tracker.formats.night_file import FORMAT, MOST, VERSION
from tracker.web.access.devices import SCRIPT, hash_token
from tracker.web.access.rate_limits import PostRateLimit
from tracker.web.access.request_guards import SERVER_LIMIT


def test_a_night_that_is_imported_goes_on_where_it_was(site: Site) -> None:
    table, host = night_in_third_hand(site).table, site.host()
    answer = upload_night(host, table.export())
    assert answer.status_code == 303
    code = answer.location.split("/")[2]
    assert code != table.code
    assert site.tables.get(code).night == table.night
    assert host.get(f"/n/{code}/log").status_code == 200


def test_a_file_that_is_sent_twice_is_imported_once(site: Site) -> None:
    here, host = night_in_third_hand(site), site.host()
    (key,) = HtmlPage(host.get("/import").text).values('form[action="/import"] [name="key"]', "value")
    codes = [upload_night(host, here.table.export(), key=key).location for _ in range(2)]
    assert codes[0] == codes[1]
    assert upload_night(host, here.table.export()).location not in codes
    assert len(site.tables.nights()) == 3


def test_the_importer_of_a_night_hosts_it_and_phones_can_join(site: Site, third: SampleNight) -> None:
    host = site.host()
    code = upload_night(host, third.table.export()).location.split("/")[2]
    assert host.get(f"/n/{code}/settle").status_code == 200
    assert site.access.invites.shown(code)
    assert site.tables.get(code).name == third.table.name != "Friday at ruths"


def test_a_file_without_a_name_is_called_as_the_file_is(site: Site) -> None:
    raw = json.loads(night_in_third_hand(site).table.export())
    del raw["name"]
    code = upload_night(site.host(), json.dumps(raw)).location.split("/")[2]
    assert site.tables.get(code).name == "Friday at ruths"


def test_a_file_with_an_unusable_name_is_refused_in_both_languages(site: Site) -> None:
    raw, host = json.loads(night_in_third_hand(site).table.export()), site.host()
    before = site.tables.nights()
    for name in (7, None, "x" * 201, "Fri\u0007day"):
        for language, sentence in (("en", "The night’s name must "), ("de", "Der Name des Abends ")):
            host.client.set_cookie("lang", language, domain=HERE)
            answer = upload_night(host, json.dumps(raw | {"name": name}))
            assert answer.status_code == 422, name
            assert sentence in answer.text
    assert site.tables.nights() == before


def with_events(*more: Mapping[str, str | int]) -> str:
    """Return a night file of Michigan Rummy."""
    frame = {"format": "board-tracker-night", "version": 1, "preset": "michigan-rummy"}
    return json.dumps({**frame, "events": [{"kind": "sit", "seat": "ann", "name": "Ann"}, *more]})


def test_a_refused_file_changes_nothing_and_every_fault_is_named(site: Site, host: ClientPhone) -> None:
    seat = {"kind": "sit", "seat": "UP", "name": "Up"}
    answer = upload_night(host, with_events(seat, {"kind": "dance"}, {"kind": "buy", "seat": "ann", "chips": -2}))
    assert answer.status_code == 422
    said = visible_text(answer)
    assert "It was not taken. Nothing was changed." in said
    assert all(f"vent {number} (" in said for number in (2, 3, 4))
    alone = upload_night(host, with_events({"kind": "hand", "dealer": "ann"}))
    assert "Event 2 (hand): a hand needs at least two people." in visible_text(alone)
    frame = {"format": "board-tracker-night", "version": 1, "preset": "michigan-rummy", "events": []}
    bombs = [json.dumps({**frame, **odd}).encode() for odd in ({"version": 10**400}, {"preset": {"id": ["x"] * 9000}})]
    bombs += [b"[" * 5000, b'{"a":' * 3000 + b"1" + b"}" * 3000, b"\x00" * 4000, b'"' + b"\\ud800" * 2000 + b'"']
    for content in (b"", b"\xff\xfe\x00", b"[]", b"{}", b'{"format": NaN}', b"<html>", *bombs):
        answer = upload_night(host, content)
        assert answer.status_code == 422, content[:20]
        assert "Nothing was changed." in answer.text
    assert site.tables.nights() == []


def test_a_file_of_four_megabytes_is_read_and_a_larger_one_refused(host: ClientPhone) -> None:
    assert "The file is empty" in upload_night(host, b" " * (LARGEST_FILE - 1)).text
    assert upload_night(host, b" " * (LARGEST_FILE + 1)).status_code == 422
    refused = upload_night(host, b" " * (LARGEST_FILE + 100_000))
    assert refused.status_code == 413
    assert "The file is larger than 4 MB" in refused.text


def test_only_a_night_file_takes_more_than_the_server_takes_in_elsewhere(site: Site) -> None:
    posts = {rule.endpoint for rule in site.app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    limits = {endpoint: page_rules(site.app, endpoint).most_bytes for endpoint in posts}
    large = {limit for limit in limits.values() if limit >= SERVER_LIMIT}
    assert large == {FORM_LIMIT}
    assert "/import" in site.access.large_bodies


@pytest.mark.parametrize("text", ["{", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 5000, '{"format": "x"}', '"' + "x" * 10])
def test_faults_of_a_file_are_german(site: Site, host: ClientPhone, text: str) -> None:
    host.client.set_cookie("lang", "de", domain=HERE)
    answer = upload_night(host, text)
    assert answer.status_code == 422
    assert re.search("das (ist|sieht aus wie)|die datei ist", answer.text.lower())
    for english in ("this is", "must be", "is nested", "stands twice", "is no number"):
        assert english not in answer.text
    assert site.tables.nights() == []


def test_a_fault_of_a_file_in_english_names_the_key() -> None:
    with pytest.raises(UnreadableError) as unread:
        json_value('{"a": 1, "a": 2}')
    assert str(unread.value) == 'this is not JSON: the key "a" stands twice in one object'


def test_a_file_of_a_game_that_is_not_there_is_refused_in_one_sentence(site: Site, host: ClientPhone) -> None:
    file = json.loads(night_in_third_hand(site).table.export())
    answer = upload_night(host, json.dumps({**file, "preset": {**file["preset"], "game": "towers"}}))
    assert answer.status_code == 422
    assert "ame must be one of pots" in visible_text(answer)


# Night files that were changed at random: refused in a sentence or taken, and never a page that breaks.


def of_a_script(site: Site, host: ClientPhone) -> dict[str, str]:
    """Return the headers of a script that has the token of the command."""
    site.tables.store.devices.add(hash_token("x" * 32), code=None, role="host", at="2026-11-20T20:15:00Z", label=SCRIPT)
    return {"Authorization": f"Bearer {'x' * 32}", "Host": host.host, "Content-Type": "application/json"}


def test_any_night_file_is_answered(site: Site, host: ClientPhone, short_or_long: Callable[[int, int], int]) -> None:
    site.access.pace = PostRateLimit(burst=1_000_000)
    chance, files = Random(4), sorted(NIGHTS.glob("*.json"))
    script, headers = site.phone(), of_a_script(site, host)
    for number in range(short_or_long(50, 3000)):
        value = mutated(json.loads(chance.choice(files).read_text("utf-8")), chance)
        for text in (json.dumps(value), json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")):
            assert upload_night(host, text, key=new_id()).status_code in (200, 303, 422), (number, value)
            brought = script.client.post("/api/import", data=text, headers=headers)
            assert brought.status_code in (200, 201, 400, 404, 422), (number, value)
    for page in ("/", *of_extras("lists"), *of_extras("csv_of_nights")[:1], "/api/nights"):
        assert host.get(page).status_code < 500


@pytest.mark.parametrize("date", DATES)
def test_a_file_of_a_night_that_begins_at_no_moment_of_this_world_is_refused(
    site: Site, host: ClientPhone, date: str
) -> None:
    file = json.loads((NIGHTS / "kitty-three-hands.json").read_text("utf-8"))
    file["events"][0]["at"] = date
    assert upload_night(host, json.dumps(file)).status_code == 422
    assert site.tables.nights() == []


# Files that cost more to play than to read.


def buys(count: int) -> list[dict[str, Any]]:
    """Return a night of two people, the third event on being `count` purchases."""
    seated = [{"kind": "sit", "seat": seat, "name": seat.title()} for seat in ("ann", "bob")]
    return [*seated, *({"kind": "buy", "seat": "bob", "chips": 1 + number % 9} for number in range(count))]


def corrections(count: int, kind: str, *, in_chain: bool) -> list[dict[str, Any]]:
    """Return corrections of the third event on, each of one and the same or of the one before it."""
    change = {"change": {"chips": 1}} if kind == "amend" else {}
    return [{"kind": kind, "event": 3 + number * in_chain, **change} for number in range(count)]


SLOW_NIGHTS = {
    "each of 1,500 corrections changes the first of 1,500 events": [
        *buys(1500), *corrections(1500, "amend", in_chain=False),
    ],
    "corrections of corrections, each taken back": [
        *buys(1), *corrections(5000, "amend", in_chain=True), *corrections(4000, "undo", in_chain=True),
    ],
    "everybody sits down": [{"kind": "sit", "seat": f"s{number}", "name": f"N{number}"} for number in range(9000)],
}  # fmt: skip
PLAYABLE_NIGHTS: dict[str, Callable[[int], list[dict[str, Any]]]] = {
    "corrections of one event": lambda count: [*buys(1), *corrections(count, "amend", in_chain=False)],
    "corrections of the correction before": lambda count: [*buys(1), *corrections(count, "amend", in_chain=True)],
    "taken back again and again": lambda count: [*buys(1), *corrections(count, "undo", in_chain=True)],
    "corrections of the first of many events": lambda count: [
        *buys(count // 3), *corrections(count // 30, "amend", in_chain=False),
    ],
}  # fmt: skip


def as_file(events: list[dict[str, Any]]) -> str:
    return json.dumps({"format": FORMAT, "version": VERSION, "preset": "michigan-rummy", "events": events})


@pytest.mark.parametrize("what", SLOW_NIGHTS)
def test_a_night_that_takes_long_to_play_is_refused_after_so_much_work(
    site: Site, monkeypatch: pytest.MonkeyPatch, short_or_long: Callable[[int, int], int], what: str
) -> None:
    """The work is counted, not timed; the short run allows a tenth of it, and only the command's own the whole."""
    most, applied = short_or_long(int(MOST.work / 10), int(MOST.work)), list[int]()
    monkeypatch.setattr(night_file, "MOST", MOST._replace(work=most))

    def counted(night: Night, event: Event) -> Night:
        applied.append(len(night.people))
        return apply(night, event)

    monkeypatch.setattr(log, "apply", counted)
    answer = upload_night(site.host(), as_file(SLOW_NIGHTS[what]))
    assert answer.status_code == 422
    assert "Playing this night again takes too long: " in answer.text
    assert sum(applied) <= most + 10_000
    assert site.tables.nights() == []


@pytest.mark.parametrize("what", PLAYABLE_NIGHTS)
def test_a_night_with_very_many_corrections_is_played_and_every_page_of_it_opens(
    site: Site, short_or_long: Callable[[int, int], int], what: str
) -> None:
    host = site.host()
    answer = upload_night(host, as_file(PLAYABLE_NIGHTS[what](short_or_long(900, 3000))))
    assert answer.status_code == 303, answer.text
    code = site.tables.nights()[0].code
    rules = [rule for rule in app_rules(site.app) if "code" in rule.arguments and "GET" in (rule.methods or ())]
    for rule in rules:
        if not rule.endpoint.endswith("stream"):
            assert host.get(path_of(rule, code)).status_code < 500, rule


def test_a_night_that_takes_long_to_play_holds_nobody_up_at_the_running_command(
    tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    files = short_or_long(1, 3)
    command = Command(tmp_path)
    try:
        night = open_night(command.port, command.host_link)
        ben = night.join("127.0.0.20", name="Ben")
        text = as_file(SLOW_NIGHTS["each of 1,500 corrections changes the first of 1,500 events"])
        with ThreadPoolExecutor() as pool:
            imports = [pool.submit(night.host.upload, "/import", "night", text) for _ in range(files)]
            answers = [ben.get(f"{night.base}/lobby").status for _ in range(10)]
            assert answers == [200] * 10
        assert [done.result().status for done in imports] == [422] * files
    finally:
        command.kill()
