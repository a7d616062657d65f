"""The page on which a night comes in: its file goes on here, and any other file is refused in a sentence."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from extras._shared.api_scripts import with_command_token
from extras._shared.changed_texts import DATES, mutated
from extras.imports.uploads import upload_night
from support.client_phones import HERE, ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.paths import NIGHTS
from support.remote_phone import open_night
from support.routes import app_rules, page_rules, path_of
from support.sample_nights import SampleNight, visible_text
from support.server_process import Command

from tracker import extras
from tracker.app.event_rows import new_id
from tracker.core import log
from tracker.core.apply import apply
from tracker.core.events import Event
from tracker.core.night import Night
from tracker.extras._night_files.importing import FORM_LIMIT
from tracker.extras.imports.night_page import LARGEST_FILE
from tracker.formats import night_file
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_to
from tracker.formats.night_file import FORMAT, MOST, VERSION
from tracker.web.access.rate_limits import PostRateLimit
from tracker.web.access.request_guards import SERVER_LIMIT


def test_a_night_goes_on_once_however_often_its_form_is_sent_at_its_importer(site: Site, third: SampleNight) -> None:
    host, text = site.host(), third.table.export()
    (key,) = HtmlPage(host.get("/import").text).values('form[action="/import"] [name="key"]', "value")
    code, again, other = (upload_night(host, text, key=one).location.split("/")[2] for one in (key, key, ""))
    assert code == again
    assert len({code, other, third.code}) == len(site.tables.nights()) == 3
    table = site.tables.get(code)
    assert (table.night, table.name) == (third.table.night, third.table.name)
    assert {host.get(f"/n/{code}/{page}").status_code for page in ("log", "settle")} == {200}
    assert site.access.invites.shown(code), "phones can join"
    nameless = {key: value for key, value in json.loads(text).items() if key != "name"}
    code = upload_night(host, json.dumps(nameless)).location.split("/")[2]
    assert site.tables.get(code).name == "Friday at ruths", "as the file is called"


def test_a_refused_file_changes_nothing_and_every_fault_is_named(site: Site, host: ClientPhone) -> None:
    ann, up = ({"kind": "sit", "seat": seat, "name": "Ann"} for seat in ("ann", "UP"))
    answer = upload_night(host, as_file([ann, up, {"kind": "dance"}, {"kind": "buy", "seat": "ann", "chips": -2}]))
    said = visible_text(answer)
    assert "It was not taken. Nothing was changed." in said
    assert all(f"vent {number} (" in said for number in (2, 3, 4))
    undated = [as_file([{**ann, "at": date}]) for date in DATES]
    alone = upload_night(host, as_file([ann, {"kind": "hand", "dealer": "ann"}]))
    assert "Event 2 (hand): a hand needs at least two people." in visible_text(alone)
    towers = {**preset_to(built_in("michigan-rummy")), "game": "towers"}
    assert "ame must be one of pots" in visible_text(upload_night(host, as_file([], preset=towers)))
    bombs = [as_file([], version=10**400), as_file([], preset={"id": ["x"] * 9000})]
    bombs += ["[" * 5000, '{"a":' * 3000 + "1" + "}" * 3000, "\x00" * 4000, '"' + "\\ud800" * 2000 + '"']
    texts = ("[]", "{}", '{"format": NaN}', "<html>", *bombs, *undated)
    for content in (b"", b"\xff\xfe\x00", *map(str.encode, texts)):
        answer = upload_night(host, content)
        assert answer.status_code == 422, content[:20]
        assert "Nothing was changed." in answer.text
    assert site.tables.nights() == []


def test_a_file_of_four_megabytes_is_read_no_larger_one_nor_by_another_form(site: Site, host: ClientPhone) -> None:
    assert "The file is empty" in upload_night(host, b" " * (LARGEST_FILE - 1)).text
    assert upload_night(host, b" " * (LARGEST_FILE + 1)).status_code == 422
    refused = upload_night(host, b" " * (LARGEST_FILE + 100_000))
    assert refused.status_code == 413
    assert "The file is larger than 4 MB" in refused.text
    posts = {rule.endpoint for rule in site.app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    limits = {endpoint: page_rules(site.app, endpoint).most_bytes for endpoint in posts}
    assert {limit for limit in limits.values() if limit >= SERVER_LIMIT} == {FORM_LIMIT}
    assert site.access.large_bodies["/import/elsewhere"] == site.access.large_bodies["/import"]


NAMES: tuple[Any, ...] = (7, None, "x" * 201, "Fri\u0007day")
BROKEN = ("{", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 5000, '{"format": "x"}', '"' + "x" * 10)


def test_faults_of_a_file_and_its_name_are_german(site: Site, host: ClientPhone) -> None:
    named = [as_file([], name=name) for name in NAMES]
    assert all("The night’s name must " in upload_night(host, text).text for text in named)
    host.client.set_cookie("lang", "de", domain=HERE)
    for text in (*BROKEN, *named):
        answer = upload_night(host, text)
        assert answer.status_code == 422, text[:20]
        assert re.search("das (ist|sieht aus wie)|die datei ist|der name des abends ", answer.text.lower()), text[:20]
        for english in ("this is", "must be", "is nested", "stands twice", "is no number"):
            assert english not in answer.text
    assert site.tables.nights() == []


# Night files that were changed at random: refused in a sentence or taken, and never a page that breaks.


def test_any_night_file_is_answered(site: Site, host: ClientPhone, short_or_long: Callable[[int, int], int]) -> None:
    site.access.pace = site.access.scripts.pace = PostRateLimit(burst=1_000_000)
    chance, files = Random(4), sorted(NIGHTS.glob("*.json"))
    script = with_command_token(site) if "api" in extras.names() else None
    for number in range(short_or_long(50, 3000)):
        value = mutated(json.loads(chance.choice(files).read_text("utf-8")), chance)
        texts = (json.dumps(value), json.dumps(value, ensure_ascii=False))
        for text in (one.encode("utf-8", "surrogatepass") for one in texts):
            assert upload_night(host, text, key=new_id()).status_code in (200, 303, 422), (number, value)
            if script:
                assert script.post("/api/import", text).status in (200, 201, 400, 422), (number, value)
    for page in ("/", *of_extras("lists"), *of_extras("csv_of_nights")[:1], "/api/nights"):
        assert host.get(page).status_code < 500


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
}


def as_file(events: Sequence[Mapping[str, Any]], **more: Any) -> str:
    """Return the text of a night file of Michigan Rummy."""
    frame = {"format": FORMAT, "version": VERSION, "preset": "michigan-rummy", "events": events}
    return json.dumps({**frame, **more})


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
    for rule in app_rules(site.app):
        is_page = "code" in rule.arguments and "GET" in (rule.methods or ()) and not rule.endpoint.endswith("stream")
        assert not is_page or host.get(path_of(rule, code)).status_code < 500, rule


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
