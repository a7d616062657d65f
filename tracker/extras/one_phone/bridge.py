"""The tracker in a browser's worker: no server, no threads, one phone. The worker's script calls what is here, and only
this module knows of it; everything that pages ask goes through `Bridge.answer`."""

import gc
import json
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr
from io import StringIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from flask import Request
from jinja2 import DictLoader, Environment, Template, TemplateNotFound
from werkzeug.test import create_environ, run_wsgi_app

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE, open_repaired
from tracker.extras._night_summaries.summaries import Summaries, SummaryWriter
from tracker.storage import Store
from tracker.streaming.hub import HAND_OVER, StreamHandle, StreamHub
from tracker.web.access.devices import SCRIPT, Devices, Identity
from tracker.web.access.permissions import Access
from tracker.web.access.public_address import Addresses
from tracker.web.app import create_app
from tracker.web.base.context import is_running
from tracker.web.resources import PACKAGE

UNFRAMED = "frame-ancestors 'none'"
LOOPBACK = "127.0.0.1"
MADE_TEMPLATES = "templates.json"
"""Beside the program: what `MadeTemplates` loads from."""
Message = tuple[int, bytes | None]
"""The number of a stream and what it is sent; None ends it."""


class PageAnswer(NamedTuple):
    """What a request is answered: the worker gives it to the page once the data file is stored."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    stream: int
    """The number of the stream that goes on after the body; 0 for none."""


class StreamPort:
    """The sink of one stream: what is pushed waits until the worker sends it, together with the answers."""

    is_free = True

    def __init__(self, number: int, outbox: list[Message]) -> None:
        self._number, self._outbox = number, outbox

    def push(self, data: bytes) -> None:
        self._outbox.append((self._number, data))

    def end(self, data: bytes) -> None:
        self._outbox.extend([(self._number, data), (self._number, None)])


class OnlyPhone(Devices):
    """Where nobody else can ask, whoever does is the host of everything."""

    def identity_of(self, _asked: Request, code: str | None) -> Identity:
        """Return the host, at the seat that this phone took at the night."""
        rows = [row for row in self.devices_of(code) if row.role == "host" and row.label != SCRIPT] if code else []
        if not rows:
            return Identity(role="host", code=code)
        return Identity(role="host", seat=rows[-1].seat, device=rows[-1].id, name=rows[-1].name, code=code)

    def nights_of(self, _asked: Request) -> list[str]:
        """Return the codes of all nights."""
        return [night.code for night in self.store.nights()]


class Bridge:
    """The app of this browser's nights."""

    def __init__(self, store: Store, origin: str) -> None:
        """`origin` is where the browser has the site, as `https://name`."""
        self.origin = urlsplit(origin)
        self.outbox: list[Message] = []
        self._numbers, self._streams = count(1), dict[int, StreamHandle]()
        self.nights = Nights(store, StreamHub())
        addresses = Addresses(list, frozenset({self.origin.hostname or ""}))
        access = Access(self.nights, addresses, has_others=False)
        access.devices = OnlyPhone(store, clock=self.nights.seconds, publish=self.nights.live.publish)
        self.app = create_app(self.nights, access=access, options={"pages": f"{origin}/"})
        self._summaries: Summaries = self.app.extensions["known_nights"]
        self._writer = SummaryWriter(self.nights, self._summaries)

    def answer(self, method: str, target: str, headers: Iterable[tuple[str, str]], body: bytes) -> PageAnswer:
        """Answer a request of this browser's own pages, as the server does."""
        handles: list[StreamHandle] = []
        of_worker = {
            "REMOTE_ADDR": LOOPBACK,
            "HTTP_ORIGIN": self.origin.geturl(),  # the service worker has checked whose page asks
            HAND_OVER: handles.append,
        }
        environ = create_environ(
            target, self.origin.geturl(), method=method, headers=headers, data=body, environ_overrides=of_worker
        )
        parts, status, sent = run_wsgi_app(self.app.wsgi_app, environ, buffered=True)
        kept = [_framed(name, value) for name, value in sent]
        return PageAnswer(int(status.split()[0]), kept, b"".join(parts), self._follow(handles))

    def _follow(self, handles: list[StreamHandle]) -> int:
        """Have what comes of a stream put into the outbox; return its number, 0 where there is none."""
        if not handles:
            return 0
        number = next(self._numbers)
        self._streams[number] = handles[0]
        handles[0].attach(StreamPort(number, self.outbox))
        return number

    def leave(self, number: int) -> None:
        """Forget a stream: its page is gone."""
        if handle := self._streams.pop(number, None):
            handle.leave()

    def do_due(self) -> None:
        """Do what a server's threads do: heartbeats, pages of what changed by itself, summaries, the jobs of extras."""
        for do in self.app.extensions["due"]:
            do()
        self._writer.write()
        self.nights.live.send_due()

    def take_outbox(self) -> list[Message]:
        """Return what streams are to be sent, and empty the list."""
        taken = self.outbox[:]
        self.outbox.clear()
        return taken

    def close(self) -> None:
        self._writer.close()
        self.nights.store.close()

    def has_open_night(self) -> bool:
        """Return whether a night goes on that was used lately: then the version of the program stays."""
        with self.app.app_context():
            return any(is_running(one) and not one.put_away for one in self._summaries.all())


def _framed(name: str, value: str) -> tuple[str, str]:
    """Return a header as the frame of the site needs it, which shows the pages within its own."""
    if name == "Content-Security-Policy":
        return name, value.replace(UNFRAMED, "frame-ancestors 'self'")
    return (name, "SAMEORIGIN") if name == "X-Frame-Options" else (name, value)


class MadeTemplates(DictLoader):
    """Loads templates from the Python that Jinja makes of each: making it took a third of a browser's first start."""

    def load(self, environment: Environment, name: str, globals: Any = None) -> Template:  # noqa: A002
        if name not in self.mapping:
            raise TemplateNotFound(name)
        code = compile(self.mapping[name], name, "exec")
        return environment.template_class.from_code(environment, code, globals or {})


def warm_up() -> None:
    """Open a data file with a night once and drop it, so that a snapshot of the memory has what that loads."""
    with TemporaryDirectory() as folder:
        bridge = start(folder, "https://localhost", print)
        bridge.app.jinja_env.loader = MadeTemplates(json.loads((PACKAGE / MADE_TEMPLATES).read_bytes()))
        for name in bridge.app.jinja_env.list_templates():
            bridge.app.jinja_env.get_template(name)
        made = bridge.answer(
            "POST", "/api/nights", [("content-type", "application/json")], b'{"preset": "michigan-rummy"}'
        )
        for address in ("/", f"/n/{json.loads(made.body)['code']}"):
            bridge.answer("GET", address, [], b"")
        bridge.close()
    del bridge
    gc.collect()


def start(folder: str, origin: str, report: Callable[[str], None]) -> Bridge:
    """Return the bridge to the nights of a folder, each proved by its hashes; what was repaired is reported."""
    with redirect_stderr(StringIO()) as said:
        store = open_repaired(Path(folder) / DATA_FILE)
    for sentence in said.getvalue().splitlines():
        report(sentence)
    return Bridge(store, origin)
