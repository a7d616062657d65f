"""The server that strangers on the internet reach: fair between their networks, with as many streams as it can."""

from __future__ import annotations

import select
import socket
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waitress.proxy_headers import proxy_headers_middleware

from tracker.extras.internet.connection import PublicConnection, QuietStreams
from tracker.extras.internet.fair_threads import FairThreadPool
from tracker.formats.sender import THIS_MACHINE, network_of, sender_of
from tracker.server.connection import HttpConnection
from tracker.server.server import Server, close_idlest

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

BODY_BUDGET = 8 * 1024 * 1024  # bytes of all bodies together that are not served yet
WAITING = 40  # connections above their limit with which no other is accepted: they wait in the system's queue

HAS_POLL = hasattr(select, "poll")
MOST_STREAMS = 8000
MOST_OTHERS = 600  # connections besides streams: a browser opens six, and keeps them for a minute
FILES_BESIDE = 100  # that the process has open besides connections
FILES_OF_A_CONNECTION = 2  # itself, and a file that its client has not read yet; a stream sends none

BELIEVED = {"x-forwarded-for", "x-forwarded-proto"}
"""The address of the client and its scheme; the name of the host is the request's own header Host."""


@dataclass(frozen=True)
class Capacity:
    """How many streams there may be, and how many connections besides them."""

    streams: int
    others: int

    @classmethod
    def of_system(cls) -> Capacity:
        """Return what this process may have, after asking the system for as many open files as are of use."""
        if not HAS_POLL:
            return cls(streams=240, others=200)  # on Windows select() watches 512 sockets, whatever else is allowed
        return cls.for_files(files_allowed(MOST_STREAMS + FILES_OF_A_CONNECTION * MOST_OTHERS + FILES_BESIDE))

    @classmethod
    def for_files(cls, files: int) -> Capacity:
        """Return how many of each there may be with so many open files: half of few are for streams."""
        left = max(0, files - FILES_BESIDE)
        others = min(MOST_OTHERS, left // 2 // FILES_OF_A_CONNECTION)
        return cls(min(MOST_STREAMS, left - FILES_OF_A_CONNECTION * others), others)


def files_allowed(wanted: int) -> int:
    """Return how many files this process may have open, after asking the system for so many."""
    try:
        import resource  # noqa: PLC0415 - not on Windows, which has no such limit
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(
                resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
            )
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if soft == resource.RLIM_INFINITY else soft


def believe_proxies(app: WSGIApplication, proxies: Collection[str]) -> WSGIApplication:
    """Return an app that believes a proxy's headers of client and scheme, and removes them from other addresses."""
    from_stranger: WSGIApplication = proxy_headers_middleware(app)
    if not proxies:
        return from_stranger
    from_proxy: WSGIApplication = proxy_headers_middleware(
        app, trusted_proxy="*", trusted_proxy_count=1, trusted_proxy_headers=BELIEVED
    )

    def app_behind_proxies(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        is_proxy = environ.get("REMOTE_ADDR") in proxies
        return (from_proxy if is_proxy else from_stranger)(environ, start_response)

    return app_behind_proxies


class PublicServer(Server):
    """Serves networks by turns, believes its proxies, and ends what takes too much of all connections and memory."""

    channel_class = PublicConnection
    thread_pool: FairThreadPool
    active_channels: dict[int, PublicConnection]

    def __init__(
        self,
        app: WSGIApplication,
        sock: socket.socket,
        *,
        proxies: Collection[str] = (),
        most_open: int = MOST_OTHERS,
        **options: Any,
    ) -> None:
        """`proxies` are the addresses of proxies before this server, which are believed where a client comes from."""
        self.proxies = proxies
        # This machine's own connections are not counted, nor are those of proxies.
        self.unlimited = THIS_MACHINE | set(map(sender_of, proxies))
        super().__init__(app, sock, **options)
        self.most_open = most_open
        self.application = believe_proxies(app, proxies)  # waitress's own believes one address
        self.streams: set[PublicConnection] = set()
        self.quiet_streams = QuietStreams(self._map, self.active_channels)

    def new_thread_pool(self) -> FairThreadPool:
        return FairThreadPool(self.unlimited)

    def connections(self) -> list[HttpConnection]:
        return [*super().connections(), *self.quiet_streams.streams.values()]

    def readable(self) -> bool:
        return super().readable() and self.count_others() < self.most_open + WAITING

    def count_others(self) -> int:
        """Return how many connections there are besides streams."""
        return len(self.active_channels) + len(self.quiet_streams.streams) - len(self.streams)

    def make_room_for_all(self, others: Sequence[HttpConnection]) -> None:
        """Close one of the network with the most connections.

        A flood by many addresses of a network, with few connections each, takes none from a browser with six.
        """
        networks = {channel: network_of(sender_of(channel.addr[0])) for channel in others}
        ((network, _),) = Counter(networks.values()).most_common(1)
        same = [channel for channel in others if networks[channel] == network]
        if sender_of(same[0].addr[0]) not in self.unlimited or not all(channel.requests for channel in same):
            close_idlest(same)

    def keep_bodies_in_budget(self) -> None:
        """Close connections with unfinished bodies while all bodies together are larger than the budget."""
        channels = list(self.active_channels.values())
        while sum(channel.body_bytes for channel in channels if channel.connected) > BODY_BUDGET:
            if not close_largest_body([channel for channel in channels if channel.connected]):
                return


def close_largest_body(connections: Sequence[PublicConnection]) -> bool:
    """Close the oldest request of the network with the most bytes of bodies, but no import; return whether one was."""
    held: Counter[str] = Counter()
    for connection in connections:
        held[network_of(sender_of(connection.addr[0]))] += connection.body_bytes
    unfinished = [
        connection
        for connection in connections
        if connection.body_bytes
        and not connection.requests
        and not (connection.request and connection.request.is_import)
    ]
    if not unfinished:
        return False
    now = time.monotonic()
    max(
        unfinished, key=lambda one: (held[network_of(sender_of(one.addr[0]))], now - (one.heard_at or now))
    ).handle_close()
    return True
