"""Files that cost more to read, or to play, than to send."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from extras.imports.uploads import upload_night
from support.api_scripts import with_command_token
from support.client_phones import Site
from support.remote_phone import RemotePhone, open_night
from support.routes import app_rules, path_of
from support.server_process import Command

from tracker.core import log
from tracker.core.apply import apply
from tracker.core.events import Event
from tracker.core.night import Night
from tracker.formats import night_file
from tracker.formats.night_file import FORMAT, MOST, VERSION

DEEP = "[" * 5000


@pytest.mark.parametrize(
    "raw",
    [
        DEEP.encode(),
        (DEEP + "]" * 5000).encode(),
        b'{"a":' * 3000 + b"1" + b"}" * 3000,
        b'{"format": "board-tracker-night", "version": 1, "preset": "michigan-rummy", "events": ' + DEEP.encode(),
        json.dumps({"format": "board-tracker-night", "version": 10**400, "preset": "x", "events": []}).encode(),
        json.dumps(
            {"format": "board-tracker-night", "version": 1, "preset": {"id": ["x"] * 9000}, "events": []}
        ).encode(),
        b'{"format": NaN}',
        b"\x00" * 4000,
        b'"' + b"\\ud800" * 2000 + b'"',
    ],
)
def test_a_night_file_that_is_a_bomb_is_refused_in_words(site: Site, raw: bytes) -> None:
    answer = upload_night(site.host(), raw.decode("latin-1"))
    assert answer.status_code == 422
    assert site.tables.nights() == []
    if len(raw) < 16_000:
        assert with_command_token(site).post("/api/nights", raw).status in (400, 422)


# Files that cost more to play than to read


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
        many = as_file(PLAYABLE_NIGHTS["corrections of one event"](3000))
        for phone, length, status, sentence in (
            (night.host, 5_000_000, 413, "The file is larger than 4 MB"),
            (RemotePhone(command.port, "127.0.0.30"), 1_000_000, 403, "You are not at this table"),
        ):
            too_large = phone.post("/import", {"night": "x" * length})
            assert too_large.status == status
            assert sentence in too_large.text
        imported = night.host.upload("/import", "night", many)
        assert imported.status == 303
        assert night.host.get(imported.location.removesuffix("/lobby") + "/log").status == 200
    finally:
        command.kill()
