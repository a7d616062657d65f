"""A phone as a bare HTTP client: an address of its own on this machine, its cookies, the headers of a browser."""

import http.client
import re
from contextlib import closing
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import urlencode


@dataclass(frozen=True)
class Answer:
    """An answer that has been read to its end."""

    status: int
    location: str
    text: str


@dataclass
class RemotePhone:
    """One browser at a running server."""

    port: int
    address: str = "127.0.0.7"
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

    def get(self, path: str) -> Answer:
        return self._ask("GET", path, None, {})

    def post(self, path: str, form: dict[str, str] | None = None) -> Answer:
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, urlencode(form or {}), headers)

    def upload(self, path: str, field_name: str, content: str) -> Answer:
        """Send a file as a page's form does."""
        part = f'--x\r\nContent-Disposition: form-data; name="{field_name}"; filename="file"\r\n\r\n{content}'
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "multipart/form-data; boundary=x"}
        return self._ask("POST", path, f"{part}\r\n--x--\r\n", headers)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        source = (self.address, 0)
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=300, source_address=source)) as line:
            line.request(method, path, body.encode() if body else None, {**self.headers, **headers})
            answer = line.getresponse()
            for header in answer.headers.get_all("Set-Cookie", []):
                self.cookies.update({name: morsel.value for name, morsel in SimpleCookie(header).items()})
            return Answer(answer.status, answer.headers.get("Location", ""), answer.read().decode(errors="replace"))


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
    assert host.post("/host", {"token": host_link.rsplit("/", 1)[1]}).status == 303
    opened = host.post("/new", {"preset": preset, "host": name})
    found = re.fullmatch(r"/n/(\w+)/lobby", opened.location)
    assert found, opened
    way_in = re.search(r"/j/(\w+)", host.get(f"/n/{found[1]}/share").text)
    assert way_in
    return RemoteNight(found[1], host, way_in[1])
