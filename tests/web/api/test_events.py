"""The JSON API records with a phone's rights, once per id, and refuses in words that a script can rely on."""

import threading
from typing import Any

import pytest
from support.api_scripts import Script, with_command_token
from support.client_phones import Site

from tracker.core.queries.summary import summary

BUY = {"kind": "buy", "seat": "ann", "chips": 10}
COLLECT = {"kind": "collect", "seat": "ann", "pot": "king-clubs"}


def test_an_event_is_recorded_and_answered_with_the_state(host: Script, site: Site) -> None:
    answer = host.record(BUY)
    assert answer.status == 201
    table = site.tables.get(host.code)
    assert answer.json == {**summary(table.night, table.name), "head": 4, "prompt": answer.json["prompt"]}
    assert answer.json["stacks"]["ann"] == 110
    assert table.entries[-1].by == "host"


def test_the_same_id_again_is_answered_and_not_recorded_again(host: Script) -> None:
    first, again = host.record({**BUY, "id": "b1"}), host.record({**BUY, "id": "b1"})
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert host.record({**BUY, "id": "b2"}).status == 201


def test_the_same_id_with_another_content_is_a_conflict(host: Script) -> None:
    host.record({**BUY, "id": "b1"})
    answer = host.record({**BUY, "id": "b1", "chips": 11})
    assert answer.status == 409
    assert answer.json["reason"] == "already-done"
    assert answer.json["state"]["bought"]["ann"] == 110


def test_an_id_that_was_refused_first_is_recorded_once_when_it_comes_again(host: Script) -> None:
    """A script repeats what was refused; a copy that the network held back can't be told from that."""
    late = {**COLLECT, "id": "c1"}
    assert host.record(late).status == 422
    host.record({"kind": "hand", "dealer": "ann"})
    host.record({"kind": "no-sale"})
    assert [host.record(late).status for _ in range(2)] == [201, 200]


def test_fifty_senders_of_one_id_record_it_once(host: Script, site: Site) -> None:
    codes: list[int] = []
    gate = threading.Barrier(50)

    def send() -> None:
        gate.wait()
        codes.append(host.record({**BUY, "id": "b1"}).status)

    threads = [threading.Thread(target=send) for _ in range(50)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(codes) == [200] * 49 + [201]
    assert site.tables.get(host.code).head == 4


def test_time_and_recorder_sent_by_a_client_are_ignored(host: Script, site: Site) -> None:
    host.record({**BUY, "at": "1999-01-01T00:00:00Z", "by": "bob"})
    entry = site.tables.get(host.code).entries[-1]
    assert entry.by == "host"
    assert not str(entry.at).startswith("1999")


def test_with_if_match_anything_recorded_since_is_a_conflict(host: Script) -> None:
    head = host.look().json["head"]
    assert host.record(BUY, {"If-Match": str(head)}).status == 201
    late = host.record({**BUY, "id": "late"}, {"If-Match": f'"{head}"'})
    assert late.status == 409
    assert (late.json["reason"], late.json["state"]["head"]) == ("stale", head + 1)
    assert host.record({**BUY, "id": "late"}, {"If-Match": str(head + 1)}).status == 201
    # A repeated id is answered before anything else, so a lost answer can always be asked for again.
    assert host.record({**BUY, "id": "late"}, {"If-Match": str(head + 1)}).status == 200


def test_one_of_many_with_the_same_if_match_wins(host: Script) -> None:
    codes: list[int] = []
    gate = threading.Barrier(20)

    def send(number: int) -> None:
        gate.wait()
        codes.append(host.record({**BUY, "id": f"n{number}"}, {"If-Match": "3"}).status)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(20)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(codes) == [201] + [409] * 19


@pytest.mark.parametrize("head", ["x", "-1", "1.5", "9" * 20, "\u0661"])
def test_an_if_match_that_is_no_head_is_a_bad_request(host: Script, head: str) -> None:
    answer = host.record(BUY, {"If-Match": head.encode().decode("latin-1")})
    assert (answer.status, answer.json["field"]) == (400, "If-Match")


# What a table refuses


@pytest.mark.parametrize(
    ("event", "reason", "field"),
    [
        ({"kind": "sti"}, "bad-event", "kind"),
        ([], "bad-event", "kind"),
        ({**BUY, "chips": 0}, "bad-event", "chips"),
        ({**BUY, "chip": 1}, "bad-event", "chip"),
        ({**BUY, "id": ""}, "bad-event", "id"),
        ({**BUY, "seat": "zoe"}, "unknown", None),
        ({"kind": "undo", "event": "nope"}, "unknown", "event"),
        ({"kind": "undo", "event": 1}, "no-longer-fits", None),
        ({"kind": "round", "winner": "ann"}, "not-allowed", None),
        (COLLECT, "wrong-moment", None),
        ({"kind": "borrow", "seat": "ann", "source": "bob", "chips": 500}, "not-enough-chips", None),
    ],
)
def test_an_illegal_event_is_refused_with_reason_and_sentence(
    host: Script, event: Any, reason: str, field: str | None
) -> None:
    before = host.record(BUY).json
    answer = host.record(event)
    assert answer.status == 422, answer.json
    assert answer.json["reason"] == reason
    assert answer.json.get("field") == field
    assert answer.json["sentence"]
    assert host.look().json == before


def test_a_seat_short_of_chips_and_an_event_that_no_longer_fits_are_named(host: Script) -> None:
    short = host.record({"kind": "borrow", "seat": "ann", "source": "bob", "chips": 103})
    assert short.json["short"] == {"bob": 3}
    host.record({"kind": "hand", "dealer": "ann"})
    late = host.record({"kind": "amend", "event": 2, "change": {"chips": 0}})
    assert (late.json["reason"], late.json["number"]) == ("no-longer-fits", 4)


def test_a_barred_seat_and_a_pot_taken_twice_have_reasons_of_their_own(host: Script) -> None:
    for event in (
        {"kind": "hand", "dealer": "ann"},
        {"kind": "no-sale"},
        {"kind": "penalty", "seat": "bob", "offence": "wrong-lead"},
        COLLECT,
    ):
        assert host.record(event).status == 201
    assert host.record({**COLLECT, "seat": "bob", "pot": "ace-hearts"}).json["reason"] == "barred"
    twice = host.record({**COLLECT, "seat": "cara"})
    assert (twice.status, twice.json["reason"]) == (409, "already-done")
    assert twice.json["state"]["pots"]["king-clubs"] == 0


# Requests that are none


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"", 400, "not-json"),
        (b"{", 400, "not-json"),
        (b"\xff", 400, "not-json"),
        (b'{"kind": "buy", "kind": "sit"}', 400, "not-json"),
        (b'{"kind": "buy", "seat": "ann", "chips": NaN}', 400, "not-json"),
        (b"[" * 7000 + b"]" * 7000, 400, "not-json"),
        (b'{"kind": "buy", "seat": "ann", "chips": ' + b"9" * 9000 + b"}", 422, "bad-event"),
        (b'"' + b"x" * 20_000 + b'"', 413, "too-large"),
    ],
)
def test_a_body_that_is_no_event_is_refused(host: Script, body: bytes, status: int, reason: str) -> None:
    answer = host.record(body)
    assert (answer.status, answer.json["reason"]) == (status, reason)
    assert answer.json["sentence"]


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", ""])
def test_a_body_of_another_type_is_refused(host: Script, kind: str) -> None:
    answer = host.record(BUY, {"Content-Type": kind})
    assert (answer.status, answer.json["reason"]) == (415, "not-json")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nights/nope00", 404),
        ("GET", "/api/nope", 404),
        ("GET", "/api/import", 405),
        ("DELETE", "/api/nights/CODE", 405),
        ("PUT", "/api/nights/CODE/events", 405),
        ("GET", "/api/nights/CODE/events", 405),
    ],
)
def test_errors_of_the_address_are_json_too(site: Site, host: Script, method: str, path: str, status: int) -> None:
    answer = with_command_token(site).send(method, path.replace("CODE", host.code))
    assert answer.status == status
    assert set(answer.json) == {"reason", "sentence"}


@pytest.mark.parametrize("token", [None, "", "wrong", "a b", "é"])
def test_a_request_without_a_role_is_answered_with_what_to_send(site: Site, host: Script, token: str | None) -> None:
    stranger = Script(site.app, token, host.code)
    for answer in (stranger.record(BUY), stranger.look(), stranger.post("/api/nights", {"preset": "michigan-rummy"})):
        assert (answer.status, answer.json["reason"]) == (401, "no-token")
        assert set(answer.json) == {"reason", "sentence"}
    assert stranger.look().headers["WWW-Authenticate"] == "Bearer"
    assert site.tables.get(host.code).head == 3


def test_a_cookie_does_not_ride_along_with_a_token(site: Site, host: Script) -> None:
    assert host.record(BUY, {"Cookie": "a=b"}).status == 401
    assert site.tables.get(host.code).head == 3
