"""A whole hand of Michigan Rummy through the API, by a client that was written from docs/api.md and docs/night-file.md.

It uses nothing but what these pages say: the addresses, the prompt, the kinds of events, the presets' pots.
"""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from support.of_extras import needs
from support.paths import ROOT
from support.server_process import Command

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
    own = Client(command.here, command.token())
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
    replayed = [sys.executable, "-m", "tracker", "replay", str(saved), "--json"]
    said = subprocess.run(replayed, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=True).stdout
    assert json.loads(said) == {key: value for key, value in copy.items() if key not in ("head", "prompt")}


def test_a_refusal_says_to_such_a_client_what_to_mend(command: Command) -> None:
    own = Client(command.here, command.token())
    made = own.send("/api/nights", {"preset": "michigan-rummy"})
    host = Client(command.here, made["token"])
    with pytest.raises(urllib.error.HTTPError) as refused:
        host.send(f"/api/nights/{made['code']}/events", {"kind": "sit", "seat": "Ann", "name": "Ann"})
    assert refused.value.code == 422
    refusal = json.load(refused.value)
    assert (refusal["reason"], refusal["field"]) == ("bad-event", "seat")
