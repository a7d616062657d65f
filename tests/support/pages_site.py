"""The edition that runs in one browser: its site, written as the command does it, and a phone that opens it."""

from __future__ import annotations

import functools
import http.server
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import BrowserContext, ConsoleMessage, Frame, Page
from support.paths import ROOT

from tracker.cli import main

START_MS = 120_000
"""A start from nothing takes 10 seconds of a processor, and the machine may be busy."""


def write_site(folder: Path) -> Path:
    """Write the site into a folder and return it; the engine comes by npm, as the lock pins it, where it is missing."""
    if not (ROOT / "node_modules/pyodide/pyodide.asm.wasm").exists():
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=ROOT, check=True)
    done = CliRunner().invoke(main, ["pages", str(folder)])
    assert done.exit_code == 0, done.output
    return folder


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files as they are; counts what it sent."""

    sent: list[tuple[str, int]]

    def log_message(self, *_: Any) -> None: ...

    def send_response(self, code: int, message: str | None = None) -> None:
        """Note the path of each answer."""
        self.sent.append((self.path, code))
        super().send_response(code, message)


class WebHost:
    """A plain web host on this machine that can be taken away."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.sent: list[tuple[str, int]] = []
        handler = type("Handler", (QuietHandler,), {"sent": self.sent})
        self._server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", port), functools.partial(handler, directory=folder)
        )
        self.url = f"http://localhost:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Take the host away: every later connection is refused."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def web_host(folder: Path) -> Iterator[WebHost]:
    """Serve a folder until the end of `with`."""
    host = WebHost(folder)
    try:
        yield host
    finally:
        host.stop()


class SitePhone:
    """A phone with the site open; what a page or worker complains of is kept."""

    def __init__(self, context: BrowserContext, url: str, page: Page | None = None) -> None:
        self.page, self.url = page or context.new_page(), url
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._note)

    def _note(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.complaints.append(said.text)

    def open(self, rest: str = "/") -> str:
        """Open the site and return how it started: `plain` or `snapshot`."""
        self.page.goto(self.url + rest)
        self.page.wait_for_selector("html[data-started]", timeout=START_MS)
        self.page.wait_for_selector("#pages:not([hidden])", timeout=START_MS)
        return str(self.page.get_attribute("html", "data-started"))

    @property
    def frame(self) -> Frame:
        """The frame with the tracker's own pages."""
        found = self.page.query_selector("#pages")
        assert found
        frame = found.content_frame()
        assert frame
        return frame

    def go(self, address: str) -> None:
        """Open one of the tracker's addresses in the frame."""
        self.frame.goto(self.url + address)

    def ask(
        self, method: str, target: str, body: str = "", kind: str = "application/x-www-form-urlencoded"
    ) -> dict[str, Any]:
        """Send a request by the one function that everything passes; return its status, headers and text."""
        answer: dict[str, Any] = self.page.evaluate(
            """async ([method, target, text, kind]) => {
              const headers = text ? [["content-type", kind], ["hx-request", "true"]] : [];
              const body = text ? new TextEncoder().encode(text).buffer : null;
              const { status, headers: sent, body: bytes } = await boardTracker.ask({ method, target, headers, body });
              return { status, headers: Object.fromEntries(sent), text: new TextDecoder().decode(bytes) };
            }""",
            [method, target, body, kind],
        )
        return answer
