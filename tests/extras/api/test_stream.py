"""The stream for scripts: every event once, with its number, and the state after it; also after a lost connection."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from support.api_scripts import Script, host_of_new_night
from support.client_phones import HOST, Site
from werkzeug.test import TestResponse

from tracker.app.nights import Nights
from tracker.core.events import Amount, Buy
from tracker.formats.codec import event_from
from tracker.storage import Store
from tracker.streaming.hub import StreamHub


@dataclass(frozen=True)
class Message:
    kind: str
    id: int | None
    data: Any


class ScriptStream:
    """A stream that a script reads in this thread; what is new is sent when it is read."""

    def __init__(self, script: Script, **headers: str) -> None:
        sent = {"Host": HOST, "Authorization": f"Bearer {script.token}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        client = script.app.test_client(use_cookies=False)
        self.answer: TestResponse = client.get(f"/api/nights/{script.code}/stream", headers=sent)
        self._chunks = self.answer.iter_encoded() if self.answer.status_code == 200 else iter(())

    def next(self) -> list[Message]:
        """Return the messages that are sent together."""
        return [message_from(text) for text in next(self._chunks).decode().split("\n\n") if text]

    def close(self) -> None:
        self.answer.close()


def message_from(text: str) -> Message:
    fields: dict[str, str] = {}
    for line in text.splitlines():
        name, _, value = line.partition(": ")
        fields[name] = value
    number = int(fields["id"]) if "id" in fields else None
    data = json.loads(fields["data"]) if fields["event"] in ("event", "state", "beat") else fields["data"]
    return Message(fields["event"], number, data)


@pytest.fixture(name="stream")
def _stream(host: Script) -> Iterator[ScriptStream]:
    stream = ScriptStream(host)
    yield stream
    stream.close()


def buy(chips: int) -> dict[str, Any]:
    return {"kind": "buy", "seat": "ann", "chips": chips, "id": f"buy-{chips}"}


def test_a_stream_begins_with_the_state(host: Script, stream: ScriptStream) -> None:
    assert stream.answer.mimetype == "text/event-stream"
    assert stream.next() == [Message("state", 3, host.look().json)]


def test_every_event_comes_with_its_number_and_then_the_state(host: Script, stream: ScriptStream) -> None:
    stream.next()
    host.record(buy(5))
    event, state = stream.next()
    assert (event.kind, event.id, event.data["kind"], event.data["chips"]) == ("event", 4, "buy", 5)
    assert (event.data["id"], event.data["by"]) == ("buy-5", "host")
    assert state == Message("state", 4, host.look().json)


def test_no_event_is_left_out_where_many_are_recorded_before_the_script_reads(
    host: Script, stream: ScriptStream
) -> None:
    stream.next()
    for chips in (5, 6, 7):
        host.record(buy(chips))
    host.record({"kind": "undo", "event": "buy-6"})
    messages = stream.next()
    assert [(one.kind, one.id) for one in messages] == [*(("event", number) for number in range(4, 8)), ("state", 7)]
    assert messages[-1].data["bought"]["ann"] == 112


def test_a_script_that_comes_back_is_sent_what_it_missed(host: Script, stream: ScriptStream) -> None:
    stream.next()
    stream.close()
    for chips in (5, 6):
        host.record(buy(chips))
    back = ScriptStream(host, Last_Event_ID="4")
    assert [(one.kind, one.id) for one in back.next()] == [("event", 5), ("state", 5)]
    back.close()
    all_of_it = ScriptStream(host, Last_Event_ID="0")
    assert [one.data["kind"] for one in all_of_it.next()[:-1]] == ["sit"] * 3 + ["buy"] * 2
    all_of_it.close()


def test_a_number_that_is_not_there_yet_brings_the_state_and_all_that_follows(host: Script) -> None:
    stream = ScriptStream(host, Last_Event_ID="99")
    assert [(one.kind, one.id) for one in stream.next()] == [("state", 3)]
    host.record(buy(5))
    assert [(one.kind, one.id) for one in stream.next()] == [("event", 4), ("state", 4)]
    stream.close()


def test_a_last_event_that_is_no_number_is_refused(host: Script) -> None:
    for number in ("x", "-1", "1.5", "9" * 20):
        answer = ScriptStream(host, Last_Event_ID=number).answer
        assert (answer.status_code, answer.get_json()["field"]) == (400, "Last-Event-ID"), number


def test_a_change_that_is_no_event_sends_the_state_alone(site: Site, host: Script) -> None:
    host.record({"kind": "hand", "dealer": "cara"})
    host.record({"kind": "no-sale"})
    stream = ScriptStream(host)
    stream.next()
    site.tables.get(host.code).set_draft_winner("bob")
    (state,) = stream.next()
    assert (state.kind, state.id, state.data["prompt"]["winner"]) == ("state", 5, "bob")
    stream.close()


def test_an_event_of_a_log_that_was_read_again_is_sent_to_who_watches(site: Site, host: Script) -> None:
    stream = ScriptStream(host)
    stream.next()
    elsewhere = Nights(site.tables.store, StreamHub()).get(host.code)
    elsewhere.record(event_from({"kind": "buy", "seat": "bob", "chips": 9}), id="from-elsewhere", by="host")
    site.tables.reload([host.code])
    event, _ = stream.next()
    assert (event.id, event.data["seat"]) == (4, "bob")
    stream.close()


# Who watches


def test_a_stream_of_a_token_that_was_sent_away_ends_at_once(site: Site, host: Script) -> None:
    ann = host.seat("ann")
    stream = ScriptStream(ann)
    stream.next()
    device = site.access.devices.at_seat(host.code, "ann")[0]
    browser = site.host()
    browser.post("/take-over", {"night": host.code})
    assert browser.post(f"/n/{host.code}/devices/{device.id}/away").status_code == 303
    host.record(buy(5))
    assert stream.next() == [Message("closed", None, "revoked")]
    with pytest.raises(StopIteration):
        stream.next()
    assert ScriptStream(ann).answer.status_code == 401


def test_one_token_may_have_four_streams_and_a_fifth_ends_the_oldest(host: Script) -> None:
    streams = [ScriptStream(host) for _ in range(4)]
    for one in streams:
        one.next()
    fifth = ScriptStream(host)
    fifth.next()
    assert streams[0].next() == [Message("closed", None, "replaced")]
    host.record(buy(5))
    for one in (*streams[1:], fifth):
        assert [message.id for message in one.next()] == [4, 4]
        one.close()
    streams[0].close()


def test_scripts_leave_the_streams_that_are_kept_for_players(store: Store) -> None:
    live = StreamHub(limit=4, kept_for_players=2)
    site = Site(Nights(store, live))
    host = host_of_new_night(site)
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


def test_a_stream_that_ended_leaves_nothing_behind(site: Site, host: Script) -> None:
    for _ in range(3):
        stream = ScriptStream(host)
        stream.next()
        stream.close()
    assert site.tables.live.count() == 0
    assert not site.tables.live._audiences


def test_an_event_that_a_phone_records_reaches_the_script(site: Site, host: Script, stream: ScriptStream) -> None:
    stream.next()
    table = site.tables.get(host.code)
    table.record(Buy("bob", Amount(7)), id="tap", by="bob")
    assert stream.next()[0].data["by"] == "bob"
