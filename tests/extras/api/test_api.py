"""What a script can read: the state with names and the prompt, all nights and presets, a night as a file."""

import json
from dataclasses import asdict
from typing import Any

import pytest
from extras._shared.api_scripts import Script, host_of_new_night, with_command_token
from extras._shared.known_people import known_people
from support.client_phones import HOST, Site
from support.paths import NIGHTS
from werkzeug.test import TestResponse

from tracker.app.nights import Nights
from tracker.app.settings import DELETED
from tracker.core.events import Amount, Buy
from tracker.core.queries.summary import summary
from tracker.formats.codec import event_from
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.base.snapshot import snapshot_of

FOUR_HANDS = (NIGHTS / "rummy-four-hands.json").read_text("utf-8")


# The state


def test_the_prompt_is_that_of_the_phones_and_what_is_no_event_sends_the_state_alone(site: Site, host: Script) -> None:
    table = site.tables.get(host.code)

    def asked() -> str:
        prompt = host.look().json["prompt"]
        assert prompt == json.loads(json.dumps(asdict(snapshot_of(table).moment)))
        return str(prompt["name"])

    names = [asked()]
    for kind, fields in (("hand", {"dealer": "cara"}), ("bid", {"seat": "ann", "chips": 3}), ("pass", {"seat": "bob"})):
        assert host.record({"kind": kind, **fields}).status == 201
        names.append(asked())
    stream = ScriptStream(host)
    stream.next()
    table.set_draft_winner("bob")
    assert [*names, asked()] == ["ante", "dummy", "auction", "play", "count"]
    assert stream.next() == [("state", table.head, host.look().json)]
    stream.close()
    host = host_of_new_night(site, "eight-round-rummy")
    for event, then in (({"kind": "round", "winner": "ann"}, "play"), ({"kind": "end"}, "ended")):
        assert host.look().json["prompt"]["name"] == "play"
        assert host.record(event).json["prompt"]["name"] == then, "in a score game"


def test_a_state_that_the_script_has_is_not_sent_again(site: Site, host: Script) -> None:
    first = host.look()
    path, etag = f"/api/nights/{host.code}", first.headers["ETag"]
    again = host.get(path, {"If-None-Match": etag})
    assert (again.status, again.json, again.headers["ETag"]) == (304, {}, etag)
    assert host.get(path, {"If-Match": "x"}).status == 200  # that is for events
    site.tables.get(host.code).set_draft_winner("bob")  # no event, and yet another prompt once cards are played
    host.record({"kind": "hand", "dealer": "cara"})
    changed = host.get(path, {"If-None-Match": etag})
    assert (changed.status, changed.json["hand"]) == (200, 1)
    assert changed.headers["ETag"] != etag


# All nights


def test_all_nights_are_listed_page_by_page_with_who_played_and_how_they_ended(site: Site) -> None:
    script = with_command_token(site)
    made = script.post("/api/import", FOUR_HANDS.encode()).json["code"]
    running = host_of_new_night(site)
    nights = {one["code"]: one for one in script.get("/api/nights").json["nights"]}
    assert nights.keys() == {made, running.code}
    state, ended = Script(site.app, script.token, made).look().json, nights[made]
    assert [ended[key] for key in ("names", "winners", "net")] == [state[key] for key in ("names", "winners", "net")]
    assert (ended["phase"], ended["events"]) == ("ended", state["head"])
    going = nights[running.code]
    assert (going["phase"], going["winners"], going["net"]) == ("lobby", [], {})
    assert going["names"]["ann"] == "Ann"
    for number in range(3):
        script.post("/api/nights", {"preset": "michigan-kitty", "name": f"Night {number}"})
    found, path, pages = [], "/api/nights?limit=2", 0
    while path:
        page = script.get(path).json
        found += [one["code"] for one in page["nights"]]
        path, pages = page["next"], pages + 1
    assert (pages, found) == (3, [row.code for row in site.tables.nights()])


def test_a_damaged_night_is_listed_and_hides_no_other(site: Site, host: Script) -> None:
    site.tables.on_recorded.clear()  # nobody is known again by the name, for which summaries are made
    other = host_of_new_night(site)
    with site.tables.store.connection.write() as db:
        db.execute("DROP TRIGGER event_no_update")
        db.execute("UPDATE event SET body = replace(body, 'Bob', 'Eve') WHERE code = ?", [other.code])
    site.tables._open.pop(other.code)
    nights = {one["code"]: one for one in with_command_token(site).get("/api/nights").json["nights"]}
    assert (nights[other.code]["phase"], nights[other.code]["names"]) == ("unreadable", {})
    assert nights[host.code]["phase"] == "lobby"


def test_people_are_listed_by_name_page_by_page_with_seats_of_nights_not_deleted(site: Site, host: Script) -> None:
    site.tables.on_recorded.clear()  # nobody is known again by the name: the test says who is who
    deleted = host_of_new_night(site)
    people = known_people(site.tables)
    zoe = people.add("Zoe", colour=3)
    ann = people.add("Ann", [(host.code, "ann"), (deleted.code, "ann")])
    people.hide(zoe.id)
    site.tables.get(deleted.code).settings.put_away = DELETED
    script = with_command_token(site)
    first = script.get("/api/people?limit=1").json
    assert [(one["id"], one["name"], one["seats"]) for one in first["people"]] == [
        (ann.id, "Ann", [{"code": host.code, "seat": "ann"}])
    ]
    (last,) = script.get(first["next"]).json["people"]
    assert (last["name"], last["colour"], last["is_hidden"], last["seats"]) == ("Zoe", 3, True, [])
    assert script.get(first["next"]).json["next"] is None
    people.forget(ann.id)
    assert [one["name"] for one in script.get("/api/people").json["people"]] == ["Zoe"]


# Presets


def test_a_listed_preset_can_be_changed_and_sent_with_a_night(site: Site) -> None:
    script = with_command_token(site)
    listed = {one["id"]: one for one in script.get("/api/presets").json["presets"]}
    assert listed["michigan-rummy"]["game"] == "pots"
    assert not listed["michigan-rummy"]["is_own"]
    whole = script.get("/api/presets/michigan-rummy").json
    made = script.post("/api/nights", {"preset": {**whole, "stack": 55}}).json
    assert site.tables.get(made["code"]).preset.stack == 55
    assert {one.id for one in site.tables.library.all()} == listed.keys()
    assert script.get("/api/presets/chess").status == 404


# Night files


def test_a_file_that_cannot_be_read_adds_no_night(site: Site) -> None:
    script = with_command_token(site)
    for old, new, reason in (
        (FOUR_HANDS, "[", "bad-file"),
        ('"version": 1', '"version": 2', "bad-file"),
        ('"michigan-rummy"', '"chess"', "unknown"),
        ('"collect"', '"grab"', "bad-event"),
    ):
        answer = script.post("/api/import", FOUR_HANDS.replace(old, new).encode())
        assert (answer.status, answer.json["reason"]) == (422, reason), new
    assert site.tables.nights() == []


def test_a_large_file_is_taken_from_the_house_and_its_command_and_from_no_night_s_host_or_script(site: Site) -> None:
    night = host_of_new_night(site)
    house, guest = (
        "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
        for phone in (site.host(), site.join(night.code, "Dan"))
    )
    site.access.large_bodies = {"/large": 5_000_000}
    for cookies, bearer, is_taken in (
        (house, "", True),
        ("", "Bearer command", True),
        ("", f"Bearer {night.token}", False),
        (guest, "", False),
        ("", "Bearer nothing", False),
    ):
        assert (site.access.body_limit("/large", cookies, bearer) == 5_000_000) == is_taken, (cookies, bearer)


# The JSON API records with a phone's rights, once per id, and refuses in words that a script can rely on.


BUY = {"kind": "buy", "seat": "ann", "chips": 10}


def test_an_event_is_recorded_once_for_its_id_by_whose_token_it_is_and_answered_with_the_state(
    host: Script, site: Site
) -> None:
    first, again = host.record({**BUY, "id": "b1"}), host.record({**BUY, "id": "b1"})
    assert (first.status, again.status) == (201, 200)
    table = site.tables.get(host.code)
    assert first.json == again.json == {**summary(table.night, table.name), "head": 4, "prompt": first.json["prompt"]}
    assert first.json["stacks"]["ann"] == 110
    other = host.record({**BUY, "id": "b1", "chips": 11})
    assert (other.status, other.json["reason"], other.json["state"]["bought"]["ann"]) == (409, "already-done", 110)
    assert host.record({**BUY, "at": "1999-01-01T00:00:00Z", "by": "bob"}).status == 201
    host.seat("ann").record({"kind": "count", "stacks": {"ann": 5}, "by": "bob"})
    entries = table.entries[-2:]
    assert [entry.by for entry in entries] == ["host", "ann"]
    assert not any(str(entry.at).startswith("1999") for entry in entries)


def test_with_if_match_anything_recorded_since_is_a_conflict(host: Script) -> None:
    first = host.look()
    head = first.json["head"]
    assert host.record(BUY, {"If-Match": first.headers["ETag"]}).status == 201
    late = host.record({**BUY, "id": "late"}, {"If-Match": f'"{head}"'})
    assert late.status == 409
    assert (late.json["reason"], late.json["state"]["head"]) == ("stale", head + 1)
    assert host.record({**BUY, "id": "late"}, {"If-Match": str(head + 1)}).status == 201
    # A repeated id is answered before anything else, so a lost answer can always be asked for again.
    assert host.record({**BUY, "id": "late"}, {"If-Match": str(head + 1)}).status == 200


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "9" * 20, "\u0661"])
def test_what_is_no_number_where_one_has_to_be_is_a_bad_request(site: Site, host: Script, number: str) -> None:
    written = number.encode().decode("latin-1")
    page = with_command_token(site).get(f"/api/nights?limit={number}")
    assert (page.status, page.json["reason"]) == (400, "bad-request")
    assert "1 to 100" in page.json["sentence"]
    for answer, field in (
        (host.record(BUY, {"If-Match": written}), "If-Match"),
        (host.get(f"/api/nights/{host.code}/stream", {"Last-Event-ID": written}), "Last-Event-ID"),
    ):
        assert (answer.status, answer.json["field"]) == (400, field)


# What a table refuses


ILLEGAL: list[tuple[Any, str, dict[str, Any]]] = [
    ([], "bad-event", {"field": "kind"}),
    ({**BUY, "chips": 0}, "bad-event", {"field": "chips"}),
    ({**BUY, "seat": "zoe"}, "unknown", {}),
    ({"kind": "undo", "event": "nope"}, "unknown", {"field": "event"}),
    ({"kind": "undo", "event": 1}, "no-longer-fits", {"number": 4}),
    ({"kind": "collect", "seat": "ann", "pot": "king-clubs"}, "wrong-moment", {}),
    ({"kind": "borrow", "seat": "ann", "source": "bob", "chips": 103}, "not-enough-chips", {"short": {"bob": 3}}),
]


def test_an_illegal_event_is_refused_with_a_reason_a_sentence_and_what_it_is_about(host: Script) -> None:
    before = host.record(BUY).json
    for event, reason, more in ILLEGAL:
        answer = host.record(event)
        assert answer.status == 422, event
        assert answer.json.pop("sentence")
        assert answer.json == {"reason": reason, **more}, event
    assert host.look().json == before


# Requests that are none


NO_EVENTS = [
    (b"{", 400, "not-json"),
    (b"\xff", 400, "not-json"),
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


def test_errors_of_the_address_are_json_too_and_who_has_no_role_is_told_what_to_send(site: Site, host: Script) -> None:
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
    for token in (None, "", "wrong", "a b", "é"):
        nobody = Script(site.app, token, host.code)
        for answer in (nobody.record(BUY), nobody.look(), nobody.post("/api/nights", {"preset": "michigan-rummy"})):
            assert (answer.status, answer.json["reason"]) == (401, "no-token"), token
            assert set(answer.json) == {"reason", "sentence"}
        assert nobody.look().headers["WWW-Authenticate"] == "Bearer"
        assert nobody.send("GET", "/api/nope").status == 404, token
    assert host.record(BUY, {"Cookie": "a=b"}).status == 401, "a cookie does not ride along with a token"
    assert site.tables.get(host.code).head == 3


# The stream for scripts: every event once, with its number, and the state after it; also after a lost connection.


Message = tuple[str, int | None, Any]


class ScriptStream:
    """A stream that a script reads in this thread; what is new is sent when it is read."""

    def __init__(self, script: Script, **headers: str) -> None:
        sent = {"Host": HOST, "Authorization": f"Bearer {script.token}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        client = script.app.test_client(use_cookies=False)
        self.answer: TestResponse = client.get(f"/api/nights/{script.code}/stream", headers=sent)
        self._chunks = self.answer.iter_encoded() if self.answer.status_code == 200 else iter(())
        self.close = self.answer.close

    def next(self) -> list[Message]:
        """Return the messages that are sent together."""
        return [message_from(text) for text in next(self._chunks).decode().split("\n\n") if text]

    def heads(self) -> list[tuple[str, int | None]]:
        """Return of each of the next messages its kind and its number."""
        return [(kind, number) for kind, number, _ in self.next()]


def message_from(text: str) -> Message:
    """Return the kind, the number and the data of a message."""
    fields = dict(line.split(": ", 1) for line in text.splitlines())
    data = json.loads(fields["data"]) if fields["event"] in ("event", "state", "beat") else fields["data"]
    return fields["event"], int(fields["id"]) if "id" in fields else None, data


def buy(chips: int) -> dict[str, Any]:
    return {"kind": "buy", "seat": "ann", "chips": chips, "id": f"buy-{chips}"}


def test_a_stream_sends_the_state_and_then_each_event_by_number_before_the_next_state(site: Site, host: Script) -> None:
    stream, table = ScriptStream(host), site.tables.get(host.code)
    assert stream.answer.mimetype == "text/event-stream"
    assert stream.next() == [("state", 3, host.look().json)]
    host.record(buy(5))
    table.record(Buy("bob", Amount(7)), id="tap", by="bob")
    host.record({"kind": "undo", "event": "buy-5"})
    *sent, state = stream.next()
    assert [(kind, number, data["id"], data["by"]) for kind, number, data in sent[:2]] == [
        ("event", 4, "buy-5", "host"),
        ("event", 5, "tap", "bob"),
    ]
    told = host.get(f"/api/nights/{host.code}/file").json["events"]
    assert [data for _, _, data in sent] == told[3:], "as in the file, whose events are described"
    assert state == ("state", 6, host.look().json)
    elsewhere = Nights(site.tables.store, StreamHub()).get(host.code)
    elsewhere.record(event_from({"kind": "buy", "seat": "bob", "chips": 9}), id="from-elsewhere", by="host")
    site.tables.reload([host.code])
    assert stream.heads() == [("event", 7), ("state", 7)], "none comes twice, and what another process recorded comes"
    stream.close()


def test_a_script_that_comes_back_is_sent_what_it_missed(host: Script) -> None:
    for chips in (5, 6):
        host.record(buy(chips))
    events = [("event", number) for number in range(1, 6)]
    for known, missed in (("4", events[4:]), ("0", events), ("99", [])):
        stream = ScriptStream(host, Last_Event_ID=known)
        assert stream.heads() == [*missed, ("state", 5)]
        if not missed:  # from a number that is not there yet all that follows is sent
            host.record(buy(7))
            assert stream.heads() == [("event", 6), ("state", 6)]
        stream.close()


def test_one_token_may_have_four_streams_and_a_fifth_ends_the_oldest(host: Script) -> None:
    streams = [ScriptStream(host) for _ in range(5)]
    for one in streams:
        one.next()
    assert streams[0].next() == [("closed", None, "replaced")]
    host.record(buy(5))
    assert [one.heads() for one in streams[1:]] == [[("event", 4), ("state", 4)]] * 4
    for one in streams:
        one.close()


def test_scripts_leave_the_streams_that_are_kept_for_players(store: Store) -> None:
    live = StreamHub(limit=4, kept_for_players=2)
    host = host_of_new_night(Site(Nights(store, live)))
    streams = [ScriptStream(host), ScriptStream(host)]
    for one in streams:
        one.next()
    refused = ScriptStream(host).answer
    assert (refused.status_code, refused.get_json()["reason"]) == (503, "too-many-streams")
    assert int(refused.headers["Retry-After"]) > 0
    for one in streams:
        one.close()
    assert ScriptStream(host).answer.status_code == 200
    live.stop()


def test_nothing_is_made_for_scripts_where_none_watches(host: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr("tracker.extras.api.pages.EventMessages.take", lambda *_: calls.append(1))
    assert host.record(buy(5)).status == 201
    assert calls == []
