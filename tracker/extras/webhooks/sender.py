"""Outgoing webhooks, each by its own thread, signed as WebSub has it; dropped after the last attempt."""

import hashlib
import hmac
import http.client
import logging
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from tracker.core.errors import NotAllowed

logger = logging.getLogger(__name__)

SECONDS = 5.0
"""How long an attempt may take: until the receiver has accepted the connection, read all, and begun to answer."""
LONGEST_STATUS_LINE = 1000
PAUSES = (1.0, 5.0, 25.0)
"""Seconds before each further attempt."""
MOST_WAITING = 200
"""Requests that wait for one receiver; the oldest is dropped for a newer one."""
IDLE_SECONDS = 60.0
LONGEST_URL = 500
ALL, POT, HAND, END = REASONS = ("all", "pot", "hand", "end")
"""What is sent: every entry; that somebody took a pot; that a hand or round is over; that the night is."""


@dataclass(frozen=True)
class Webhook:
    """An address that is sent what is recorded."""

    url: str
    secret: str
    """The key of the signature."""
    reasons: tuple[str, ...] = (ALL,)
    lang: str = "en"
    """The language of its sentences."""
    is_anywhere: bool = False
    """Whether its address may be outside of this network."""

    def wants(self, reasons: tuple[str, ...]) -> bool:
        return ALL in self.reasons or not {*reasons}.isdisjoint(self.reasons)


def split_url(url: str) -> SplitResult:
    """Return the parts of an address that a request can be sent to. Raises NotAllowed for any other text."""
    with suppress(ValueError):
        parts = urlsplit(url)
        is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= LONGEST_URL
        if is_plain and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and not parts.username:
            return parts
    raise NotAllowed("a webhook’s address begins with http:// or https:// and names a machine")


IsOwn = Callable[[str, int], bool]
"""Returns whether an IP address and a port are those of this server."""
METADATA = frozenset(map(ip_address, ("fd00:ec2::254", "100.100.100.200", "192.0.0.192", "168.63.129.16")))
"""Where clouds answer a machine of theirs with its keys; the best known address of them is a link-local one."""
NAT64 = ip_network("64:ff9b::/96")


def find_address(url: str, *, is_anywhere: bool, is_own: IsOwn = lambda _ip, _port: False) -> tuple[str, int]:
    """Return the IP address and the port that an address leads to now.

    Raises NotAllowed for this server and for what is never a program of the house; unless `is_anywhere`, also where it
    is not in this network. Raises OSError for an unknown name.
    """
    parts = split_url(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if any(is_own(str(parsed(one)), port) or not is_receiver(one) for one in found):
        raise NotAllowed("nothing can be sent to {host}", host=host)
    if not is_anywhere and not all(map(is_of_this_network, found)):
        raise NotAllowed("{host} is not in this network", host=host)
    return found[0], port


def parsed(address: str) -> IPv4Address | IPv6Address:
    """Return an IP address without its scope; the IPv4 address of one that only carries it."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv4Address):
        return ip
    carried = IPv4Address(int(ip) & 0xFFFFFFFF) if ip in NAT64 else None
    return ip.ipv4_mapped or ip.sixtofour or carried or ip


def is_receiver(address: str) -> bool:
    """Return whether a program of the house may be there: no address of the link, which clouds give their own, none
    that stands for several or for none.
    """
    ip = parsed(address)
    return not (ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip in METADATA)


def is_of_this_network(address: str) -> bool:
    """Return whether an IP address is this machine's or a private one."""
    return parsed(address).is_private


def post(hook: Webhook, body: bytes, is_own: IsOwn = lambda _ip, _port: False) -> int:
    """Send a body once and return the answer's status; redirects are not followed.

    Raises OSError also when `SECONDS` have passed, whatever the receiver has sent until then; NotAllowed.
    """
    deadline, parts = time.monotonic() + SECONDS, split_url(hook.url)
    ip, port = find_address(hook.url, is_anywhere=hook.is_anywhere, is_own=is_own)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Board-Tracker",
        "X-Hub-Signature-256": "sha256=" + hmac.new(hook.secret.encode(), body, hashlib.sha256).hexdigest(),
    }
    host = parts.hostname or ""
    with closing(http.client.HTTPConnection(host, port)) as connection:
        # Connected here, to the address that was checked: by its name it could be another one a moment later.
        connection.sock = socket.create_connection((ip, port), timeout=_left(deadline))
        if parts.scheme == "https":
            connection.sock.settimeout(_left(deadline))
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        connection.sock.settimeout(_left(deadline))
        connection.request("POST", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body, headers)
        return _status(connection.sock, deadline)


def _left(deadline: float) -> float:
    """Return how many seconds are left. Raises TimeoutError."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _status(sock: socket.socket, deadline: float) -> int:
    """Return the status of an answer. Raises OSError where there is none in time; http.client would wait per byte."""
    got = b""
    while b"\n" not in got and len(got) < LONGEST_STATUS_LINE:
        sock.settimeout(_left(deadline))
        data = sock.recv(LONGEST_STATUS_LINE)
        if not data:
            break
        got += data
    found = re.match(rb"HTTP/1\.[01] ([1-5][0-9]{2})\b", got)
    if not found:
        raise OSError("this was no answer of HTTP")
    return int(found[1])


@dataclass(frozen=True)
class Delivery:
    """How the newest request to a receiver ended."""

    at: float
    """In seconds since 1970."""
    status: int = 0
    """The answer's status; 0 when there was none."""
    is_waiting: bool = False
    """Whether it is tried again."""

    @property
    def is_accepted(self) -> bool:
        return 200 <= self.status < 300


LookUp = Callable[[str, str], Webhook | None]
"""Returns the webhook of an id that is told of the night of a code; None once one of them is no more."""


class Pending(NamedTuple):
    """What one receiver is to be sent of a night."""

    code: str
    body: Callable[[Webhook], bytes]
    """Makes the body, for each attempt anew."""


class WebhookSender:
    """Sends what is put in, by a thread for each receiver, which is looked up again before each attempt."""

    def __init__(
        self,
        look_up: LookUp,
        *,
        is_own: IsOwn = lambda _ip, _port: False,
        pauses: tuple[float, ...] = PAUSES,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._look_up, self._is_own = look_up, is_own
        self._pauses, self._idle_seconds = pauses, idle_seconds
        self._lock = threading.Lock()
        self._waiting: dict[str, queue.Queue[Pending]] = {}
        self.newest: dict[str, Delivery] = {}

    def put(self, names: Iterable[str], pending: Pending) -> None:
        """Have something sent to the receivers of these ids."""
        for name in names:
            with self._lock:
                waiting = self._waiting.get(name)
                if waiting is None:
                    waiting = queue.Queue(MOST_WAITING)
                    thread = threading.Thread(target=self._run, args=(name, waiting), name="webhook", daemon=True)
                    with suppress(RuntimeError):  # the system gives no more threads: the next entry tries again
                        thread.start()
                        self._waiting[name] = waiting
                if waiting.full():
                    with suppress(queue.Empty):
                        waiting.get_nowait()
                waiting.put_nowait(pending)

    def _run(self, name: str, waiting: queue.Queue[Pending]) -> None:
        while True:
            try:
                pending = waiting.get(timeout=self._idle_seconds)
            except queue.Empty:
                with self._lock:
                    if waiting.empty():
                        del self._waiting[name]
                        return
            else:
                try:
                    self._send(name, pending)
                except Exception:  # a thread that ended would be missed for good
                    logger.exception("a webhook could not be sent")

    def _send(self, name: str, pending: Pending) -> None:
        """Send a body; again after each pause while the receiver can't be reached or has an error of its own."""
        for pause in (*self._pauses, None):
            hook = self._look_up(name, pending.code)
            if hook is None:
                return
            status, body = 0, pending.body(hook)
            with suppress(OSError, NotAllowed):
                status = post(hook, body, self._is_own)
            is_waiting = pause is not None and (status == 0 or status >= 500)
            self.newest[name] = Delivery(time.time(), status, is_waiting)
            if pause is None or not is_waiting:
                return
            time.sleep(pause)
