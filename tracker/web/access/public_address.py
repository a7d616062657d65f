"""The address to put into the QR code: never localhost, and rather one by which a phone has really reached us."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from flask import Request

from tracker.web.access.request_guards import HOST, is_loopback


@dataclass
class Addresses:
    """This machine's addresses as phones may type them, best first. Any thread may call any method."""

    candidates: Callable[[], Sequence[str]] = list
    """The machine's own addresses, without a port, best guess first."""
    names: frozenset[str] = frozenset()
    public: str = ""
    """Where people open the tracker, as `https://name` or `https://name:port`; then no other address is offered."""
    likely: Callable[[], Sequence[str]] = list
    """Those of the candidates that are of a network with phones, as far as one can tell."""
    port: int = 0
    """The port of this server; 0 where there is none."""
    _reached: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Answer to the public name as well."""
        if self.public:
            self.names |= {split_port(self.public_host)[0]}

    @property
    def public_host(self) -> str:
        """What stands behind `https://` in the public address; empty where there is none."""
        return self.public.partition("://")[2]

    @property
    def reached(self) -> list[str]:
        """Addresses, the latest first, by which another device has reached us and that are still ours."""
        own = self._own()
        return [host for host in self._reached if host in own]

    def _own(self) -> set[str]:
        return {*self.candidates(), *self.names}

    def note(self, request: Request) -> None:
        """Remember how another device came in; only an own address counts, whatever a Host header says."""
        if is_loopback(request.remote_addr or ""):
            return
        host, _ = split_port(request.headers.get("Host", ""))
        if self._reached[:1] != [host] and host in self._own():
            self._reached = [host, *(other for other in self._reached if other != host)]

    def is_own(self, ip: str, port: int) -> bool:
        """Return whether an IP address and a port lead to this server, maybe by the proxy that makes it public."""
        ports = {self.port, *([int(split_port(self.public_host)[1] or 443)] if self.public else [])}
        return port in ports and (is_loopback(ip) or ip in self.candidates())

    def is_in_doubt(self, chosen: Sequence[str] = ()) -> bool:
        """Whether phones may come by one of several addresses, and no phone has shown and no host said by which."""
        own = self._own()
        return not self.public and len(self.likely()) > 1 and not self.reached and own.isdisjoint(chosen)

    def choices(self, request: Request, chosen: Sequence[str] = ()) -> list[str]:
        """Return every address to offer as `host:port`: what hosts chose (`chosen`, latest first), then what has
        worked.
        """
        if self.public:
            return [self.public_host]
        came_by, port = split_port(request.headers.get("Host", ""))
        found = [host for host in (*self.reached, came_by, *self.candidates()) if host and not is_loopback(host)]
        latest = next((host for host in chosen if host in found), "")
        found.sort(key=lambda host: host != latest)
        return [with_port(host, port) for host in dict.fromkeys(found)]


def split_port(host: str) -> tuple[str, str]:
    """Return a Host header's address and its port ("" for the usual one)."""
    found = HOST.fullmatch(host.lower())
    return (found["six"] or found["name"], found["port"] or "") if found else ("", "")


def with_port(host: str, port: str) -> str:
    """Return an address as it stands in a link."""
    literal = f"[{host}]" if ":" in host else host
    return f"{literal}:{port}" if port and port != "80" else literal
