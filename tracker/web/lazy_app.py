"""Answer the first pages from a small app while the modules of all other pages are still to be imported.

The complete app is made after the first answer, half a second after the start, or at the first request for any other
page; from then on it answers everything. Measured (five runs each, interleaved, CPU time up to the first answer):
580 ms with it, 1220 ms without; memory is the same.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.wsgi import ClosingIterator, get_path_info

from tracker.app.nights import Nights
from tracker.archive.summaries import Summaries
from tracker.server.startup import gc_paused, release_free_memory
from tracker.storage import DiskTrouble
from tracker.web import PAGE_MODULES, create_app
from tracker.web.access.permissions import Access
from tracker.web.template_cache import keep_compiled, load

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

FIRST_MODULES = ("nights.home", "nights.app_icons", "join.pages", "notices")
"""The modules of the small app."""
FIRST_PAGES = frozenset(
    {"static", "home.index", "home.host_link", "home.trust", "join.code_form", "join.help_page"}
    | {f"app_icons.{name}" for name in ("favicon", "touch_icon", "manifest")}
)
"""What it answers, to a GET only: pages that record nothing and that lead nowhere but to pages of these modules."""
QUIET_SECONDS = 0.5
MOST_LOADED = 2000
"""Summaries of nights that are read before somebody asks for them: forty years of Saturdays."""
LIBRARIES = ("sqlite_utils", "tracker.formats.validation")
TABLE_PARTS = ("board", "board_defs", "dock", "head", "next_step", "own", "place", "shared", "sheet_frame", "sentences")
TABLE_TEMPLATES = (
    *("shared/layout.html", "shared/_macros.html", "shared/_night_result.html", "shared/_notice.html"),
    "shared/_sprite.html",
    *("join/_join_requests.html", "shared/table_page.html", "table/table.html"),
    *(f"table/_{part}.html" for part in TABLE_PARTS),
)
"""What the first taps at a table would wait for."""


class LazyApp:
    """An app as a server calls it. Any thread may call it at any time."""

    def __init__(self, make: Callable[[Sequence[str]], Flask], load_data: Callable[[], object] = lambda: None) -> None:
        """`make` returns an app with the pages of the named modules; it is called twice.

        `load_data` reads what the host's first page would wait for; it may raise DiskTrouble.
        """
        self._make, self._load_data = make, load_data
        self._first_app: Flask | None = make(FIRST_MODULES)
        self._complete: Flask | None = None
        self._making = threading.Lock()
        self._answered = threading.Event()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        first_app = self._first_app
        if first_app is None or not is_first_page(first_app, environ):
            return self.complete_app()(environ, start_response)
        return ClosingIterator(first_app(environ, start_response), self._answered.set)

    def complete_app(self) -> Flask:
        """Return the app with all pages, once they are loaded."""
        with self._making:
            if self._complete is None:
                with gc_paused():
                    self._complete = self._make(PAGE_MODULES)
                    self._first_app = None
                    gc.collect()  # the small app, before it counts as something that stays
            return self._complete

    def load_when_quiet(self) -> threading.Thread:
        """Load all pages, and what a table needs, in another thread, so that nobody's first tap waits for them."""
        loading = threading.Thread(target=self._load_later, name="page loader", daemon=True)
        loading.start()
        return loading

    def wait_until_answered(self) -> None:
        """Return after the first answer, or half a second without one."""
        self._answered.wait(QUIET_SECONDS)

    def load_pages(self) -> None:
        """Load all pages, and what a table needs, now; `load_when_quiet` has only the data left to read."""
        self._load(lambda: None)

    def _load_later(self) -> None:
        self.wait_until_answered()
        self._load(self._load_data)

    def _load(self, load_data: Callable[[], object]) -> None:
        app = self.complete_app()
        with gc_paused():
            for library in LIBRARIES:
                import_module(library)
            # The host's first page needs the data, a table that is opened after it the templates.
            with suppress(DiskTrouble, RuntimeError):  # RuntimeError: the store is closed, since the server has ended
                load_data()
            load(app, TABLE_TEMPLATES)
            gc.collect()
        release_free_memory()


def lazy_app(tables: Nights, access: Access, compiled: Path, summaries: Summaries | None = None) -> LazyApp:
    """Return the app that serves these tables; its compiled templates are kept in a folder."""
    summaries = summaries or Summaries(tables)

    def make(modules: Sequence[str]) -> Flask:
        app = create_app(tables, access=access, modules=modules, summaries=summaries)
        keep_compiled(app, compiled)
        return app

    return LazyApp(make, lambda: summaries.newest(MOST_LOADED))


def is_first_page(first_app: Flask, environ: WSGIEnvironment) -> bool:
    """Say whether a request is for a page of the small app."""
    if environ["REQUEST_METHOD"] != "GET":
        return False
    try:
        endpoint, _ = first_app.url_map.bind("here").match(get_path_info(environ), "GET")
    except HTTPException:
        return False
    return endpoint in FIRST_PAGES
