"""The JSON API records with a phone's rights, once per id, and refuses in words that a script can rely on."""

from typing import Any

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


def test_the_same_id_again_is_answered_and_not_recorded_again_and_with_another_content_a_conflict(host: Script) -> None:
    first, again = host.record({**BUY, "id": "b1"}), host.record({**BUY, "id": "b1"})
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    other = host.record({**BUY, "id": "b1", "chips": 11})
    assert (other.status, other.json["reason"], other.json["state"]["bought"]["ann"]) == (409, "already-done", 110)
    assert host.record({**BUY, "id": "b2"}).status == 201


def test_an_id_that_was_refused_first_is_recorded_once_when_it_comes_again(host: Script) -> None:
    """A script repeats what was refused; a copy that the network held back can't be told from that."""
    late = {**COLLECT, "id": "c1"}
    assert host.record(late).status == 422
    host.record({"kind": "hand", "dealer": "ann"})
    host.record({"kind": "no-sale"})
    assert [host.record(late).status for _ in range(2)] == [201, 200]


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


def test_an_if_match_that_is_no_head_is_a_bad_request(host: Script) -> None:
    for head in ("x", "-1", "1.5", "9" * 20, "\u0661"):
        answer = host.record(BUY, {"If-Match": head.encode().decode("latin-1")})
        assert (answer.status, answer.json["field"]) == (400, "If-Match"), head


# What a table refuses


ILLEGAL: list[tuple[Any, str, str | None]] = [
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
]


def test_an_illegal_event_is_refused_with_reason_and_sentence(host: Script) -> None:
    before = host.record(BUY).json
    for event, reason, field in ILLEGAL:
        answer = host.record(event)
        assert (answer.status, answer.json["reason"], answer.json.get("field")) == (422, reason, field), event
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


NO_EVENTS = [
    (b"", 400, "not-json"),
    (b"{", 400, "not-json"),
    (b"\xff", 400, "not-json"),
    (b'{"kind": "buy", "kind": "sit"}', 400, "not-json"),
    (b'{"kind": "buy", "seat": "ann", "chips": NaN}', 400, "not-json"),
    (b"[" * 7000 + b"]" * 7000, 400, "not-json"),
    (b'{"kind": "buy", "seat": "ann", "chips": ' + b"9" * 9000 + b"}", 422, "bad-event"),
    (b'"' + b"x" * 20_000 + b'"', 413, "too-large"),
]


def test_a_body_that_is_no_event_or_of_another_type_is_refused(host: Script) -> None:
    for body, status, reason in NO_EVENTS:
        answer = host.record(body)
        assert (answer.status, answer.json["reason"]) == (status, reason), body[:50]
        assert answer.json["sentence"]
    for kind in ("application/x-www-form-urlencoded", "text/plain", ""):
        answer = host.record(BUY, {"Content-Type": kind})
        assert (answer.status, answer.json["reason"]) == (415, "not-json"), kind


def test_errors_of_the_address_are_json_too(site: Site, host: Script) -> None:
    for method, path, status in (
        ("GET", "/api/nights/nope00", 404),
        ("GET", "/api/nope", 404),
        ("GET", "/api/import", 405),
        ("DELETE", f"/api/nights/{host.code}", 405),
        ("PUT", f"/api/nights/{host.code}/events", 405),
        ("GET", f"/api/nights/{host.code}/events", 405),
    ):
        answer = with_command_token(site).send(method, path)
        assert (answer.status, {*answer.json}) == (status, {"reason", "sentence"}), (method, path)


def test_a_request_without_a_role_is_answered_with_what_to_send(site: Site, host: Script) -> None:
    for token in (None, "", "wrong", "a b", "é"):
        nobody = Script(site.app, token, host.code)
        for answer in (nobody.record(BUY), nobody.look(), nobody.post("/api/nights", {"preset": "michigan-rummy"})):
            assert (answer.status, answer.json["reason"]) == (401, "no-token"), token
            assert set(answer.json) == {"reason", "sentence"}
        assert nobody.look().headers["WWW-Authenticate"] == "Bearer"
    assert host.record(BUY, {"Cookie": "a=b"}).status == 401, "a cookie does not ride along with a token"
    assert site.tables.get(host.code).head == 3
