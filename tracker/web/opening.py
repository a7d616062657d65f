"""The first pages come before the other rooms are loaded: most of a start is spent on pages that nobody asks for yet.

A small app answers who comes to the door. The whole one is made when that first answer is out, or a moment after the
start, or by whoever asks for anything else before; from then on it answers everything.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.wsgi import ClosingIterator, get_path_info

from tracker.imports import kept
from tracker.memory import give_memory_back
from tracker.tables import Tables
from tracker.web import ROOMS, create_app
from tracker.web.access import Door
from tracker.web.compiled import keep_compiled, load

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

DOOR = ("home", "join", "trouble")
"""The rooms of the small app."""
PAGES = frozenset({"static", "home.index", "home.host_link", "home.trust", "join.typed"})
"""What it answers, to a GET only: pages that record nothing and that lead nowhere but to pages of these rooms."""
QUIET_SECONDS = 0.5
LIBRARIES = ("sqlite_utils", "tracker.structure")
PARTS = ("board", "board_defs", "dock", "head", "next", "parts", "place", "sheets", "sprite", "table", "words")
TEMPLATES = ("layout.html", "table.html", *(f"partials/_{part}.html" for part in PARTS))
"""What the first taps at a table would wait for."""


class Opening:
    """An app as a server calls it. Any thread may call it at any time."""

    def __init__(self, make: Callable[[Sequence[str]], Flask]) -> None:
        """`make` returns an app with the rooms that are named; it is called twice."""
        self._make = make
        self._door: Flask | None = make(DOOR)
        self._whole: Flask | None = None
        self._making = threading.Lock()
        self._has_answered = threading.Event()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        door = self._door
        if door is None or not is_at_door(door, environ):
            return self.whole()(environ, start_response)
        return ClosingIterator(door(environ, start_response), self._has_answered.set)

    def whole(self) -> Flask:
        """Return the app with all rooms, once they are loaded."""
        with self._making:
            if self._whole is None:
                with kept():
                    self._whole = self._make(ROOMS)
                    self._door = None
                    gc.collect()  # the small app, before it counts as something that stays
            return self._whole

    def load_when_quiet(self) -> threading.Thread:
        """Load the rooms, and what a table needs, in a thread of its own, so that nobody's first tap waits for them."""
        loading = threading.Thread(target=self._load, name="rooms", daemon=True)
        loading.start()
        return loading

    def _load(self) -> None:
        self._has_answered.wait(QUIET_SECONDS)
        app = self.whole()
        with kept():
            for library in LIBRARIES:
                import_module(library)
            load(app, TEMPLATES)
            gc.collect()
        give_memory_back()


def opening(tables: Tables, door: Door, compiled: Path) -> Opening:
    """Return the app that serves these tables; its compiled templates are kept in a folder."""

    def make(rooms: Sequence[str]) -> Flask:
        app = create_app(tables, door=door, rooms=rooms)
        keep_compiled(app, compiled)
        return app

    return Opening(make)


def is_at_door(door: Flask, environ: WSGIEnvironment) -> bool:
    """Say whether a request is for a page of the small app."""
    if environ["REQUEST_METHOD"] != "GET":
        return False
    try:
        endpoint, _ = door.url_map.bind("here").match(get_path_info(environ), "GET")
    except HTTPException:
        return False
    return endpoint in PAGES
