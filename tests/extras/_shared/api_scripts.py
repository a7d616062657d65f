"""Scripts that use the JSON API of a real app: a token, no cookies, and JSON both ways."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask
from support.client_phones import HOST, Site
from support.of_extras import needs
from werkzeug.test import TestResponse

from tracker.web.access.devices import hash_token


@dataclass(frozen=True)
class Answer:
    """What a script heard; `json` is empty when it was no JSON object."""

    status: int
    json: dict[str, Any]
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Script:
    """Somebody with a token (or none), at one night."""

    app: Flask
    token: str | None
    code: str = ""

    def send(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        """Send a request as it is; headers that are given replace the usual ones, empty ones leave them out."""
        usual = {"Host": HOST, "Content-Type": "application/json" if method == "POST" else ""}
        usual["Authorization"] = f"Bearer {self.token}" if self.token is not None else ""
        sent = {name: value for name, value in {**usual, **(headers or {})}.items() if value}
        answer: TestResponse = self.app.test_client(use_cookies=False).open(
            path, method=method, data=body, headers=sent
        )
        said = answer.get_json(silent=True)
        return Answer(answer.status_code, said if isinstance(said, dict) else {}, dict(answer.headers))

    def post(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
        """Send a body: bytes as they are, anything else as JSON."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.send("POST", path, raw, headers)

    def record(self, event: Any, headers: Mapping[str, str] | None = None) -> Answer:
        return self.post(f"/api/nights/{self.code}/events", event, headers)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self.send("GET", path, headers=headers)

    def look(self) -> Answer:
        return self.get(f"/api/nights/{self.code}")

    def seat(self, seat: str) -> Script:
        """Return a script that the host gave the token of a seat."""
        made = self.post(f"/api/nights/{self.code}/seats", {"seat": seat})
        assert made.status == 201, made
        return Script(self.app, made.json["token"], self.code)


def with_command_token(site: Site) -> Script:
    """Return a script with the token that `board-tracker token` prints; skip the test where there is no API."""
    needs("api")
    store = site.tables.store
    if store.devices.by_token(hash_token("command")) is None:
        store.devices.add(hash_token("command"), code=None, role="host", at="2026-11-20T20:00:00Z", label="scripts")
    return Script(site.app, "command")


def host_of_new_night(site: Site, preset: str = "michigan-rummy") -> Script:
    """Return the host's script of a new night with Ann, Bob and Cara."""
    made = with_command_token(site).post("/api/nights", {"preset": preset})
    assert made.status == 201, made
    host = Script(site.app, made.json["token"], made.json["code"])
    for name in ("Ann", "Bob", "Cara"):
        assert host.record({"kind": "sit", "seat": name.lower(), "name": name}).status == 201
    return host
