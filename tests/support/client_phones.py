"""Phones as clients of a real app: each has its own address and cookies and sends what a browser would send."""

import re
import secrets
from collections.abc import Collection, Mapping
from functools import partial
from itertools import count

from flask import Flask
from support.of_extras import needs_preset
from werkzeug.test import TestResponse

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.web.access.devices import SCRIPT, hash_token
from tracker.web.access.permissions import Access
from tracker.web.access.public_address import Addresses
from tracker.web.app import create_app

HERE = "192.168.1.23"
HOST = f"{HERE}:8000"
NAME = "cards.example"
PUBLIC = f"https://{NAME}"
"""Where a tracker is opened by its public name, and an address from which somebody comes there."""
CLIENT = "203.0.113.7"
_addresses = count(30)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self, seconds: float = 1000.0) -> None:
        self.seconds = seconds

    def __call__(self) -> float:
        return self.seconds


class ClientPhone:
    """One browser; `post` carries the Origin that browsers send with a form of our own page."""

    def __init__(self, app: Flask, address: str = "", host: str = HOST, scheme: str = "http") -> None:
        self.address = address or f"192.168.1.{next(_addresses) % 220 + 30}"
        self.host, self.scheme = host, scheme
        self.client = app.test_client()

    def get(self, path: str, **headers: str) -> TestResponse:
        return self._open("GET", path, {}, headers)

    def post(self, path: str, form: dict[str, str | list[str]] | None = None, **headers: str) -> TestResponse:
        return self._open("POST", path, form or {}, {"Origin": f"{self.scheme}://{self.host}", **headers})

    def _open(self, method: str, path: str, form: dict[str, str | list[str]], headers: dict[str, str]) -> TestResponse:
        sent = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return self.client.open(
            path,
            method=method,
            data=form if method == "POST" else None,
            headers=sent,
            environ_overrides={"REMOTE_ADDR": self.address, "wsgi.url_scheme": self.scheme},
        )

    @property
    def cookies(self) -> dict[str, str]:
        """The tracker's cookies by name."""
        jar = (self.client._cookies or {}).values()
        return {cookie.key: cookie.value for cookie in jar if cookie.key.startswith("board_")}

    def take(self, cookies: Mapping[str, str]) -> None:
        """Have this browser send these cookies, too."""
        for name, value in cookies.items():
            self.client.set_cookie(name, value, domain=self.host.partition(":")[0])


PublicPhone = partial(ClientPhone, host=NAME, scheme="https")
"""A browser somewhere, whose requests come encrypted."""


class Site:
    """A tracker app with its stored nights; makes browsers in every role, and nights."""

    def __init__(
        self,
        tables: Nights,
        *,
        without: Collection[str] = (),
        options: Mapping[str, object] | None = None,
        public: str = "",
    ) -> None:
        """`without` names extras to leave out, `options` has what is given for those of the others."""
        self.tables = tables
        access = Access(tables, Addresses(lambda: [HERE, "10.8.0.6"], public=public))
        self.app = create_app(tables, access=access, without=without, options=options)

    @property
    def access(self) -> Access:
        found = self.app.extensions["access"]
        assert isinstance(found, Access)
        return found

    def phone(self) -> ClientPhone:
        """A browser that nobody knows."""
        return ClientPhone(self.app)

    def host(self, address: str = "", host: str = HOST) -> ClientPhone:
        """A browser that opened the link from the terminal."""
        phone = ClientPhone(self.app, address, host)
        token = self.access.mint_host_link().rsplit("/", 1)[1]
        assert phone.post("/host", {"token": token}).status_code == 303
        return phone

    def open_night(self, host: ClientPhone, name: str = "Ruth", preset: str = "michigan-rummy", **options: str) -> str:
        """Open a night as its host, who sits down under `name` unless that is empty; returns its code."""
        needs_preset(preset)
        answer = host.post("/new", {"preset": preset, "host": name, **options})
        assert answer.status_code == 303, answer.text
        found = re.fullmatch(r"/n/(\w+)/lobby", answer.location)
        assert found
        return found[1]

    def join_link(self, code: str) -> str:
        """The path that a night's QR code leads to."""
        shown = self.access.invites.shown(code)
        assert shown
        return f"/j/{shown[0]}"

    def typed_code(self, code: str) -> str:
        shown = self.access.invites.shown(code)
        assert shown
        return shown[1]

    def request_join(self, code: str, **target: str) -> ClientPhone:
        """A phone that scanned the code and tapped: `name`, `seat` or `watch`."""
        phone = self.phone()
        assert phone.get(self.join_link(code)).status_code == 200
        phone.post("/join", {"token": self.join_link(code)[3:], **target})
        return phone

    def join(self, code: str, name: str) -> ClientPhone:
        """A phone that scanned the code in the lobby and sat down under a name; it has seen the lobby."""
        phone = self.request_join(code, name=name)
        assert phone.get(f"/n/{code}/lobby").status_code == 200
        return phone

    def script_token(self, code: str, role: str, *, seat: str | None = None) -> str:
        """Return the token of a new device of no browser, as scripts are given them."""
        token = secrets.token_urlsafe(32)
        at = "2026-11-20T20:00:00Z"
        self.access.devices.store.devices.add(hash_token(token), code=code, role=role, at=at, seat=seat, label=SCRIPT)
        return token

    def phones_of(self, table: OpenNight, host: str, guest: str) -> dict[str, ClientPhone]:
        """Return phones at a night that no browser has opened: of the host's seat, of another one, and a watcher."""
        code, phone = table.code, self.phone()
        phone.take({f"{self.access.devices.cookie_name}_{code}": self.script_token(code, "host", seat=host)})
        self.access.invites.renew(code)
        watcher = self.request_join(code, watch="1")
        return {host: phone, guest: self.request_join(code, seat=guest), "watcher": watcher}

    def start_first_hand(self, host: ClientPhone, code: str, dealer: str = "ruth") -> None:
        """The host says who deals first, and the antes go in."""
        assert host.post(f"/n/{code}/dealer", {"seat": dealer}).status_code == 303
        assert self.tables.get(code).night.hand == 1

    def names(self, code: str) -> list[str]:
        """Who sits at a night, in the order of the seats."""
        night = self.tables.get(code).night
        return [night.people[seat].name for seat in night.seats]

    def role(self, cookies: dict[str, str], code: str) -> str | None:
        """What these cookies make a phone at a night; None for nobody."""
        row = self.tables.store.devices.by_token(
            hash_token(cookies.get(f"{self.access.devices.cookie_name}_{code}", ""))
        )
        return row.role if row else None


def add_people(host: ClientPhone, code: str, *people: str) -> None:
    """Seat people who have no phone."""
    for name in people:
        assert host.post(f"/n/{code}/seats", {"name": name}).status_code == 303
