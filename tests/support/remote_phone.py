"""A phone as a bare HTTP client: an address of its own on this machine, its cookies, the headers of a browser."""

import json
import re
import ssl
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlencode

from support.of_extras import needs


@dataclass(frozen=True)
class Answer:
    """An answer that has been read to its end."""

    status: int
    headers: Message
    body: bytes

    @property
    def location(self) -> str:
        return self.headers.get("Location", "")

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


@dataclass
class RemotePhone:
    """One browser at a port of this machine, by TLS if there is something that it trusts."""

    port: int
    address: str = "127.0.0.7"
    cookies: dict[str, str] = field(default_factory=dict)
    host: str = ""
    """By which name it knows the site, if not as 127.0.0.1 with the port."""
    trusting: ssl.SSLContext | None = None
    set_cookies: list[str] = field(default_factory=list)
    """Each cookie with its attributes, as it was set."""

    @property
    def site(self) -> str:
        return f"http{'s' if self.trusting else ''}://{self.host or f'127.0.0.1:{self.port}'}"

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, None, headers)

    def post(self, path: str, form: Mapping[str, str] | None = None, **headers: str) -> Answer:
        encoded = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return self.ask("POST", path, urlencode(form or {}), encoded)

    def upload(self, path: str, field_name: str, content: str) -> Answer:
        """Send a file as a page's form does."""
        part = f'--x\r\nContent-Disposition: form-data; name="{field_name}"; filename="file"\r\n\r\n{content}'
        return self.ask("POST", path, f"{part}\r\n--x--\r\n", {"Content-Type": "multipart/form-data; boundary=x"})

    def become_host(self, host_link: str) -> None:
        """Redeem the link from the terminal."""
        assert self.post("/host", {"token": host_link.rpartition("/")[2]}).status == 303

    def ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        """Send a request with the site's cookies and return the answer, whose cookies are kept."""
        with ExitStack() as stack:
            answer = self._request(stack, method, path, body, headers)
            for cookie in answer.headers.get_all("Set-Cookie", []):
                self.set_cookies.append(cookie)
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            return Answer(answer.status, answer.headers, answer.read())

    def open(self, stack: ExitStack, path: str) -> HTTPResponse:
        """Return an answer that is still to be read, such as a stream, over a connection that the stack closes."""
        return stack.enter_context(self._request(stack, "GET", path, None, {}))

    def _request(
        self, stack: ExitStack, method: str, path: str, body: str | None, headers: Mapping[str, str]
    ) -> HTTPResponse:
        line = HTTPConnection("127.0.0.1", self.port, timeout=300, source_address=(self.address, 0))
        stack.enter_context(closing(line))
        line.connect()
        if self.trusting:
            name = self.host.partition(":")[0] or "127.0.0.1"
            line.sock = self.trusting.wrap_socket(line.sock, server_hostname=name)
        own = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        own |= {"Host": self.host} if self.host else {}
        own |= {"Origin": self.site} if method == "POST" else {}
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        line.request(method, path, body.encode() if body else None, {**own, **sent})
        return line.getresponse()


def api(port: int, token: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return what the API of a server answers a script, to a POST if there is a body; skip the test without an API."""
    needs("api")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    sent = json.dumps(body) if body else None
    answer = RemotePhone(port, "127.0.0.1").ask("POST" if body else "GET", path, sent, headers)
    assert answer.status in (200, 201), answer.text
    told = json.loads(answer.body)
    assert isinstance(told, dict)
    return told


@dataclass
class RemoteNight:
    """A night at a running server, with its host's phone and the way in for others."""

    code: str
    host: RemotePhone
    token: str

    @property
    def base(self) -> str:
        return f"/n/{self.code}"

    def join(self, address: str, **target: str) -> RemotePhone:
        """Return a phone that scanned the code and asked for a seat, a name, or to watch."""
        phone = RemotePhone(self.host.port, address)
        phone.post("/join", {"token": self.token, **target})
        return phone


def open_night(port: int, host_link: str, name: str = "Ruth", preset: str = "michigan-rummy") -> RemoteNight:
    """Return a new night, opened by the browser that opened the link from the terminal."""
    host = RemotePhone(port, "127.0.0.5")
    host.become_host(host_link)
    return another_night(host, name, preset)


def another_night(host: RemotePhone, name: str = "Ruth", preset: str = "michigan-rummy") -> RemoteNight:
    """Return a new night of somebody who has opened the link before."""
    opened = host.post("/new", {"preset": preset, "host": name})
    found = re.fullmatch(r"/n/(\w+)/lobby", opened.location)
    assert found, opened
    way_in = re.search(r"/j/(\w+)", host.get(f"/n/{found[1]}/share").text)
    assert way_in
    return RemoteNight(found[1], host, way_in[1])
