"""Outgoing webhooks: programs of the house that are sent what is recorded, each by a thread of its own.

A request is signed as WebSub has it: `X-Hub-Signature-256` holds the HMAC of the body. What could not be sent is
dropped after the last attempt, and nothing waits for it: whoever may miss nothing reads the API's stream.
"""

import hashlib
import hmac
import http.client
import json
import logging
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from ipaddress import IPv6Address, ip_address
from typing import Self
from urllib.parse import SplitResult, urlsplit

from tracker.core.errors import NotAllowed

logger = logging.getLogger(__name__)

SECONDS = 5.0
"""How long a receiver may take to accept a connection, and for each part of its answer."""
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

    @classmethod
    def read(cls, text: str) -> Self:
        raw = json.loads(text)
        return cls(raw["url"], raw["secret"], tuple(raw["reasons"]), raw["lang"], raw["is_anywhere"] is True)

    def text(self) -> str:
        return json.dumps(asdict(self))

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


def find_address(url: str, *, is_anywhere: bool) -> tuple[str, int]:
    """Return the IP address and the port that an address leads to now.

    Raises NotAllowed unless it is in this network or `is_anywhere`, OSError for an unknown name.
    """
    parts = split_url(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = [str(one[4][0]) for one in socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)]
    if not is_anywhere and not all(map(is_of_this_network, found)):
        raise NotAllowed("{host} is not in this network", host=parts.hostname or "")
    return found[0], port


def is_of_this_network(address: str) -> bool:
    """Return whether an IP address is this machine's or a private one."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return ip.is_private and not ip.is_unspecified


def post(hook: Webhook, body: bytes) -> int:
    """Send a body once and return the answer's status; redirects are not followed. Raises OSError, NotAllowed."""
    parts = split_url(hook.url)
    ip, port = find_address(hook.url, is_anywhere=hook.is_anywhere)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Board-Tracker",
        "X-Hub-Signature-256": "sha256=" + hmac.new(hook.secret.encode(), body, hashlib.sha256).hexdigest(),
    }
    host = parts.hostname or ""
    with closing(http.client.HTTPConnection(host, port, timeout=SECONDS)) as connection:
        # Connected here, to the address that was checked: by its name it could be another one a moment later.
        connection.sock = socket.create_connection((ip, port), timeout=SECONDS)
        if parts.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        try:
            connection.request("POST", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body, headers)
            return connection.getresponse().status
        except http.client.HTTPException as error:
            raise OSError(str(error) or type(error).__name__) from error


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


Pending = tuple[Webhook, Callable[[Webhook], bytes]]
"""A receiver, and what makes the body it is sent."""


class WebhookSender:
    """Sends what is put in to the receivers, by one thread for each, which ends when there was nothing for a while."""

    def __init__(self, *, pauses: tuple[float, ...] = PAUSES, idle_seconds: float = IDLE_SECONDS) -> None:
        self._pauses, self._idle_seconds = pauses, idle_seconds
        self._lock = threading.Lock()
        self._waiting: dict[str, queue.Queue[Pending]] = {}
        self.newest: dict[str, Delivery] = {}
        """By the id of a webhook."""

    def put(self, hooks: Mapping[str, Webhook], body: Callable[[Webhook], bytes]) -> None:
        """Have a body sent to each of these receivers; it is made by the thread that sends it."""
        for name, hook in hooks.items():
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
                waiting.put_nowait((hook, body))

    def _run(self, name: str, waiting: queue.Queue[Pending]) -> None:
        while True:
            try:
                hook, body = waiting.get(timeout=self._idle_seconds)
            except queue.Empty:
                with self._lock:
                    if waiting.empty():
                        del self._waiting[name]
                        return
            else:
                try:
                    self._send(name, hook, body(hook))
                except Exception:  # a thread that ended would be missed for good
                    logger.exception("a webhook could not be sent")

    def _send(self, name: str, hook: Webhook, body: bytes) -> None:
        """Send a body; again after each pause while the receiver can't be reached or has an error of its own."""
        for pause in (*self._pauses, None):
            status = 0
            with suppress(OSError, NotAllowed):
                status = post(hook, body)
            is_waiting = pause is not None and (status == 0 or status >= 500)
            self.newest[name] = Delivery(time.time(), status, is_waiting)
            if pause is None or not is_waiting:
                return
            time.sleep(pause)
