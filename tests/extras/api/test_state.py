"""Opening nights, tokens for seats, and whose event a token may record."""

import json
import urllib.error
import urllib.request
from collections import Counter
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from support.api_scripts import Script, host_of_new_night, with_command_token
from support.at_once import SENDERS, at_once, sites_at
from support.client_phones import Site
from support.night_commands import run
from support.of_extras import needs
from support.server_process import Command
from support.transcripts import VARIETIES, expected_state, transcript_id

from tracker.app.nights import Nights
from tracker.cli.data_folder import read_token
from tracker.storage import DataPlace

RUMMY = {"preset": "michigan-rummy"}
BUY = {"kind": "buy", "seat": "ann", "chips": 1}

# Opening


def test_a_night_is_opened_with_the_token_of_the_server(site: Site) -> None:
    made = with_command_token(site).post(
        "/api/nights", {"preset": "michigan-kitty", "options": {"ante.each": 2, "ante.dealer": 2}, "name": "Friday"}
    )
    assert made.status == 201
    assert made.headers["Location"] == f"/api/nights/{made.json['code']}"
    table = site.tables.get(made.json["code"])
    assert (table.name, table.options, table.preset["ante.each"]) == ("Friday", {"ante.each": 2, "ante.dealer": 2}, 2)
    assert Script(site.app, made.json["token"], table.code).look().json["phase"] == "lobby"


def test_phones_can_join_a_night_that_a_script_opened(site: Site, host: Script) -> None:
    phone = site.join(host.code, "Dan")
    assert phone.get(f"/n/{host.code}/lobby").status_code == 200
    assert host.look().json["seats"] == ["ann", "bob", "cara", "dan"]


UNFIT: list[tuple[Any, str, str | None]] = [
    ({"preset": "chess"}, "unknown", None),
    ({}, "bad-preset", None),
    ({"preset": {"id": "x"}}, "bad-preset", None),
    ({**RUMMY, "options": {"ante": 1}}, "bad-preset", None),
    ({**RUMMY, "options": []}, "bad-event", "options"),
    ({**RUMMY, "name": "a\nb"}, "bad-event", "name"),
    ({**RUMMY, "name": 5}, "bad-event", "name"),
    ({**RUMMY, "id": 5}, "bad-event", "id"),
    ({**RUMMY, "id": "x" * 101}, "bad-event", "id"),
    ({**RUMMY, "stack": 5}, "bad-event", "stack"),
    ([], "bad-event", None),
]


def test_a_night_that_cannot_be_is_not_opened(site: Site) -> None:
    for body, reason, field in UNFIT:
        answer = with_command_token(site).post("/api/nights", body)
        assert (answer.status, answer.json["reason"], answer.json.get("field")) == (422, reason, field), body
        assert site.tables.nights() == []


@pytest.mark.every_place
def test_an_id_of_a_script_opens_one_night_and_only_that_answer_says_that_it_is_new(place: Path | DataPlace) -> None:
    with sites_at(place) as sites:
        scripts = [with_command_token(sites[number % len(sites)]) for number in range(SENDERS)]
        body = {**RUMMY, "id": "from-a-script"}
        answers = at_once([partial(script.post, "/api/nights", body) for script in scripts])
        assert Counter(answer.status for answer in answers) == {201: 1, 200: SENDERS - 1}
        assert len({answer.json["code"] for answer in answers}) == len(sites[0].tables.nights()) == 1


def test_a_nights_own_tokens_open_no_night(site: Site, host: Script) -> None:
    for script in (host, host.seat("ann"), Script(site.app, None)):
        assert script.post("/api/nights", RUMMY).status in (401, 403)
    assert len(site.tables.nights()) == 1


# Whose token it is


def test_a_token_is_good_for_its_own_night_only(site: Site, host: Script) -> None:
    other = host_of_new_night(site)
    for stranger in (Script(site.app, host.token, other.code), Script(site.app, host.seat("ann").token, other.code)):
        assert stranger.look().status == 401
        assert stranger.record(BUY).status == 401
    assert Script(site.app, "command", other.code).look().status == 200


def test_a_seat_reads_everything_and_records_its_own(host: Script) -> None:
    ann = host.seat("ann")
    assert ann.look().json == host.look().json
    assert host.record({"kind": "hand", "dealer": "cara"}).status == 201
    for event, status in (
        ({"kind": "bid", "seat": "ann", "chips": 3}, 201),
        ({"kind": "pass", "seat": "bob"}, 403),
        ({"kind": "no-sale"}, 403),
        ({"kind": "move", "source": "bob", "target": "ann", "chips": 5}, 403),
        ({"kind": "end"}, 403),
        ({"kind": "amend", "event": 1, "change": {"chips": 500}}, 403),
        ({"kind": "count", "stacks": {"bob": 1}}, 403),
        ({"kind": "count", "stacks": {"ann": 88}}, 201),
    ):
        answer = ann.record(event)
        assert answer.status == status, event
        assert answer.json.get("reason") == ("not-yours" if status == 403 else None)
    assert host.record({"kind": "pass", "seat": "bob"}).status == 201


def test_an_event_names_the_seat_that_recorded_it(site: Site, host: Script) -> None:
    host.seat("ann").record({"kind": "count", "stacks": {"ann": 5}, "by": "bob"})
    assert site.tables.get(host.code).entries[-1].by == "ann"


def test_where_everyone_records_for_everyone_a_seats_token_does_too(site: Site, host: Script) -> None:
    borrow = {"kind": "borrow", "seat": "bob", "source": "cara", "chips": 5}
    ann = host.seat("ann")
    assert ann.record(borrow).status == 403
    site.tables.get(host.code).settings.is_open_to_all = True
    assert ann.record(borrow).status == 201
    assert ann.record({"kind": "end"}).status == 403


def test_a_seat_takes_back_its_own_newest_event_only(host: Script) -> None:
    host.record({"kind": "hand", "dealer": "cara"})
    ann, bob = host.seat("ann"), host.seat("bob")
    assert ann.record({"kind": "bid", "seat": "ann", "chips": 3, "id": "a1"}).status == 201
    assert bob.record({"kind": "undo", "event": "a1"}).status == 403
    assert ann.record({"kind": "undo", "event": 1}).status == 403
    undo = {"kind": "undo", "event": "a1", "id": "u1"}
    assert ann.record(undo).status == 201
    assert ann.record(undo).status == 200
    assert host.record({"kind": "undo", "event": "u1"}).status == 201


def test_watchers_read_and_join_requests_do_not(site: Site, host: Script) -> None:
    for role, may_look in (("watcher", 200), ("knock", 403)):
        script = Script(site.app, site.access.devices.issue(host.code, role), host.code)
        assert (script.look().status, script.record(BUY).status) == (may_look, 403), role


# Tokens for seats


def test_only_the_host_makes_tokens_and_only_for_people_at_the_table(host: Script) -> None:
    path = f"/api/nights/{host.code}/seats"
    assert host.seat("ann").post(path, {"seat": "ann"}).status == 403
    for body, reason in (
        ({"seat": "zoe"}, "unknown"),
        ({"seat": 5}, "bad-event"),
        ({}, "bad-event"),
        ({"seat": "ann", "role": "host"}, "bad-event"),
        ("ann", "bad-event"),
    ):
        answer = host.post(path, body)
        assert (answer.status, answer.json["reason"]) == (422, reason)


def test_a_seat_has_three_devices_at_most(host: Script) -> None:
    for _ in range(3):
        host.seat("ann")
    answer = host.post(f"/api/nights/{host.code}/seats", {"seat": "ann"})
    assert (answer.status, answer.json["reason"]) == (422, "not-allowed")
    assert host.seat("bob").look().status == 200


# Whole nights


@pytest.mark.parametrize("file", VARIETIES, ids=transcript_id)
def test_a_transcript_played_through_the_api_ends_as_it_says(site: Site, file: Any) -> None:
    raw = json.loads(file.read_text("utf-8"))
    made = with_command_token(site).post("/api/nights", {"preset": raw["preset"], "options": raw.get("options", {})})
    host = Script(site.app, made.json["token"], made.json["code"])
    for number, event in enumerate(raw["events"], start=1):
        answer = host.record(event)
        if number == expected_state(file).get("refused"):
            assert answer.status == 422
            return
        assert (answer.status, answer.json["head"]) == (201, number)
    state = host.look().json
    assert {key: state[key] for key in expected_state(file)} == expected_state(file)
    again = Nights(site.tables.store, site.tables.live).get(host.code)
    assert again.night == site.tables.get(host.code).night


# A whole hand of Michigan Rummy through the API, by a client that was written from docs/api.md and
# docs/night-file.md.


PEOPLE = ("Ann", "Bob", "Cara", "Dan")


class Client:
    """Sends JSON with a token."""

    def __init__(self, server: str, token: str) -> None:
        self.server, self.token = server, token

    def send(self, path: str, body: Any = None) -> Any:
        """Return what the tracker answers to a GET, or with a body to a POST."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


class Table:
    """One night, and what its state asks for."""

    def __init__(self, client: Client, code: str, preset: dict[str, Any]) -> None:
        self._client, self._code, self._ids = client, code, count(1)
        self.of_cards = [pot["id"] for pot in preset["pots"] if pot.get("won_by", "card") == "card"]
        self.state: dict[str, Any] = client.send(f"/api/nights/{code}")

    def record(self, kind: str, **fields: Any) -> None:
        event = {"kind": kind, **fields, "id": f"mine-{next(self._ids)}"}
        self.state = self._client.send(f"/api/nights/{self._code}/events", event)

    def answer_prompt(self) -> None:
        """Do what the table asks for now, as a script that plays on its own."""
        prompt = self.state["prompt"]
        getattr(self, f"on_{prompt['name']}")(prompt)

    def on_ante(self, prompt: dict[str, Any]) -> None:
        for seat, chips in prompt["short"].items():
            self.record("buy", seat=seat, chips=chips)
        self.record("hand", dealer=prompt["dealer"] or self.state["seats"][-1])

    def on_dummy(self, prompt: dict[str, Any]) -> None:
        self.record("bid", seat=prompt["turn"], chips=prompt["least"])

    def on_auction(self, prompt: dict[str, Any]) -> None:
        self.record("pass", seat=prompt["turn"])

    def on_play(self, _: dict[str, Any]) -> None:
        full = [pot for pot in self.of_cards if self.state["pots"][pot]]
        players = [seat for seat in self.state["seats"] if seat not in self.state["barred"]]
        if len(full) > 4:
            self.record("collect", seat=players[len(full) % len(players)], pot=full[0])
        else:
            winner, *others = players
            self.record("out", seat=winner, cards={seat: left for left, seat in enumerate(others)})

    def on_poker(self, _: dict[str, Any]) -> None:
        self.record("poker", winners=[self.state["seats"][-1]])


def test_a_client_written_from_the_pages_plays_a_hand_to_its_settlement(command: Command, tmp_path: Path) -> None:
    own = Client(command.here, read_token(command.folder))
    assert any(one["id"] == "michigan-rummy" for one in own.send("/api/presets")["presets"])
    preset = own.send("/api/presets/michigan-rummy")
    options = {"money.cents": 10, "money.chips": 1}
    made = own.send("/api/nights", {"preset": "michigan-rummy", "options": options, "name": "By the book", "id": "b1"})
    table = Table(Client(command.here, made["token"]), made["code"], preset)
    for name in PEOPLE:
        table.record("sit", seat=name.lower(), name=name)

    table.answer_prompt()
    for _ in range(40):
        if table.state["prompt"]["name"] == "ante":
            break
        table.answer_prompt()
    assert (table.state["phase"], table.state["hand"]) == ("showdown", 1)
    table.record("end")

    assert sum(table.state["net"].values()) == 0
    owed = dict(table.state["net"])
    for payment in table.state["payments"]:
        owed[payment["debtor"]] += payment["chips"]
        owed[payment["creditor"]] -= payment["chips"]
        table.record("paid", source=payment["debtor"], target=payment["creditor"], cents=payment["chips"] * 10)
    assert set(owed.values()) == {0}

    listed = own.send("/api/nights")["nights"][0]
    assert (listed["name"], listed["phase"]) == ("By the book", "ended")
    assert (listed["winners"], listed["net"]) == (table.state["winners"], table.state["net"])
    file = own.send(f"/api/nights/{made['code']}/file")
    assert file["events"][-1]["kind"] == "paid"
    again = own.send("/api/import", file)
    copy = Client(command.here, again["token"]).send(f"/api/nights/{again['code']}")
    assert copy == table.state
    saved = tmp_path / "night.json"
    saved.write_text(json.dumps(file), encoding="utf-8")
    needs("commands")
    said = run("replay", saved, "--json").stdout
    assert json.loads(said) == {key: value for key, value in copy.items() if key not in ("head", "prompt")}


def test_a_refusal_says_to_such_a_client_what_to_mend(command: Command) -> None:
    own = Client(command.here, read_token(command.folder))
    made = own.send("/api/nights", {"preset": "michigan-rummy"})
    host = Client(command.here, made["token"])
    with pytest.raises(urllib.error.HTTPError) as refused:
        host.send(f"/api/nights/{made['code']}/events", {"kind": "sit", "seat": "Ann", "name": "Ann"})
    assert refused.value.code == 422
    refusal = json.load(refused.value)
    assert (refusal["reason"], refusal["field"]) == ("bad-event", "seat")
