"""The edition that runs in one browser: its site as the command writes it, a plain web host, and a phone that opens it.

The phone's browser has a profile of its own and can be killed, all its processes at once.
"""

import functools
import gzip
import http.server
import json
import os
import signal
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Error, Page
from support import chromium
from support.browser_phones import PHONE, BrowserPhone
from support.node_packages import node_file
from support.process_time import processor_seconds
from support.served_app import NOT_DRAWN

from tracker.cli import main

START_MS = 120_000
"""A start from nothing takes 10 seconds of a processor, and the machine may be busy."""
ASK = """async ([method, target, text, kind]) => {
  const headers = text === null ? [] : [["content-type", kind]];
  const body = text === null ? null : new TextEncoder().encode(text).buffer;
  const { status, headers: sent, body: bytes } = await boardTracker.ask({ method, target, headers, body });
  return { status, headers: Object.fromEntries(sent), text: new TextDecoder().decode(bytes) };
}"""
TAP = """([code, first, pause = 0]) => {
  window.stored = 0;
  const target = `/api/nights/${code}/events`, headers = [["content-type", "application/json"]];
  (async () => {
    for (let number = first; ; number += 1) {
      const id = `tap-${number}`, text = JSON.stringify({ kind: "buy", id, seat: "ann", chips: 1 });
      const body = new TextEncoder().encode(text).buffer, begin = performance.now();
      const { status } = await boardTracker.ask({ method: "POST", target, headers, body });
      if (status === 201 && (window.stored += 1)) console.log(id, performance.now() - begin);
      if (pause) await new Promise((done) => setTimeout(done, pause));
    }
  })();
}"""
"""Taps one time after the other, and says of each when it is stored."""
QUICK = "--js-flags=--liftoff-only"
"""To have WebAssembly compiled once and not again for speed, which takes a fifth of a start from a snapshot."""
FORM, JSON = "application/x-www-form-urlencoded", "application/json"


def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site, written once for all workers of pytest-xdist: it takes ten seconds of a processor."""
    import fcntl  # noqa: PLC0415 - Windows has none, nor the /proc that these tests read

    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # that of the run, in which each worker has one of its own
    site = folder / "site"
    with (folder / "site.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return site if (site / "index.html").exists() else write_site(site)  # which is written last


def write_site(folder: Path) -> Path:
    """Write the site into a folder and return it; the engine comes by npm, as the lock pins it, where it is missing."""
    node_file("pyodide/pyodide.asm.wasm")
    done = CliRunner().invoke(main, ["pages", str(folder)])
    assert done.exit_code == 0, done.output
    return folder


def frame_says(page: Page, word: str) -> str:
    """Wait until the frame in a tab says a sentence of its own, known by its word; return it and what it offers."""
    page.wait_for_selector(f"html[data-said={word}]", timeout=START_MS)
    return page.inner_text("#state")


def limit_storage(page: Page, origin: str, quota_bytes: int | None) -> None:
    """Leave a site so many bytes of storage until the browser of a tab is closed; None: as many as there are."""
    quota = {} if quota_bytes is None else {"quotaSize": quota_bytes}
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", {"origin": origin, **quota})


def as_version(site: Path, version: str, folder: Path) -> Path:
    """Write the site once more into a folder, as another version of sixteen hex digits: the same in all else."""
    old = str(json.loads((site / "site/version.json").read_text("utf-8"))["version"])

    def renamed(content: bytes) -> bytes:
        return content.replace(old.encode(), version.encode())

    for path in sorted(one for one in site.rglob("*") if one.is_file()):
        target = folder / path.relative_to(site).as_posix().replace(old, version)
        target.parent.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes()
        is_library = path.name.startswith("library")
        target.write_bytes(gzip.compress(renamed(gzip.decompress(content)), 1) if is_library else renamed(content))
    return folder


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files as they are, and notes what it has sent."""

    sent: list[str]

    def log_message(self, *_: Any) -> None: ...

    def send_response(self, code: int, message: str | None = None) -> None:
        """Note the path of a file that is sent."""
        if code == 200:
            self.sent.append("index.html" if self.path == "/" else self.path[1:])
        super().send_response(code, message)


class WebHost:
    """A plain web host on this machine that can be taken away."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.sent: list[str] = []
        self.port, self._folder = port, folder
        self.start()

    def start(self) -> None:
        """Serve, after a stop at the same port."""
        handler = type("Handler", (QuietHandler,), {"sent": self.sent})
        self._server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", self.port), functools.partial(handler, directory=self._folder)
        )
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Take the host away: every later connection is refused."""
        self._server.shutdown()
        self._server.server_close()


class SitePhone(BrowserPhone):
    """A phone with the site open. What it taps and sees is in the frame; `top` is the page around it."""

    def __init__(self, browser: Browser, profile: Path, port: int) -> None:
        self.origin_of_site, self._browser, self._profile = f"http://localhost:{port}", browser, profile
        self.started = ""
        self.first_visit: Any = None
        self.launch()

    def launch(self) -> None:
        """Start the browser, with what its profile has stored."""
        context = self._browser.browser_type.launch_persistent_context(
            str(self._profile), executable_path=chromium.program(), args=[*chromium.ARGUMENTS, QUICK], viewport=PHONE,
            has_touch=True, is_mobile=True, locale="en-GB", reduced_motion="reduce", accept_downloads=True,
        )  # fmt: skip
        super().__init__(context, "Ann")
        context.add_init_script(NOT_DRAWN)
        self.excuse(r"site/version\.json")  # it asks for a newer version, and may find no network
        self.top = self.page

    def open(self, rest: str = "/", *, is_forced: bool = False) -> str:
        """Open the site, or force its reload, and return how it started: `plain` or `snapshot`."""
        if is_forced:
            with self.top.expect_navigation():
                self.top.context.new_cdp_session(self.top).send("Page.reload", {"ignoreCache": True})
        else:
            self.top.goto(self.origin_of_site + rest)
        self.top.wait_for_selector("html[data-started], html[data-said=broken]", timeout=START_MS)
        assert self.top.get_attribute("html", "data-said") != "broken", self.complaints()
        element = self.top.wait_for_selector("#pages:not([hidden])", timeout=START_MS)
        frame = element.content_frame() if element else None
        assert frame
        self.page = cast(Page, frame)  # taps and looks are the same in a frame
        self.started = str(self.top.get_attribute("html", "data-started"))
        return self.started

    def newest(self) -> str:
        """Wait until the site has looked for a newer version, and return which its host has."""
        self.top.wait_for_selector("html[data-newest]", timeout=START_MS)
        return str(self.top.get_attribute("html", "data-newest"))

    def go(self, address: str) -> None:
        """Open one of the tracker's addresses."""
        self.page.goto(self.origin_of_site + address)

    def ask(self, method: str, target: str, body: str | None = None, kind: str = FORM) -> dict[str, Any]:
        """Send a request by the one function that everything passes; return its status, headers and text."""
        answer: dict[str, Any] = self.top.evaluate(ASK, [method, target, body, kind])
        return answer

    def api(self, target: str, raw: object = None) -> dict[str, Any]:
        """Ask the JSON API, and return what it answers."""
        method, body = ("GET", None) if raw is None else ("POST", json.dumps(raw))
        answer: dict[str, Any] = json.loads(self.ask(method, f"/api/{target}", body, JSON)["text"])
        return answer

    def night_of_ann(self) -> str:
        """Return the code of a new night at which Ann sits."""
        code = str(self.api("nights", {"preset": "michigan-rummy"})["code"])
        self.api(f"nights/{code}/events", {"kind": "sit", "seat": "ann", "name": "Ann"})
        return code

    def processor_seconds(self) -> float:
        """Return the processor time that all processes of this phone's browser have taken so far."""
        return sum(processor_seconds(process) for process in self.processes())

    def processes(self) -> list[int]:
        """Return the processes of this phone's browser: the one with its profile, and all that come of it."""
        parents, found = dict[int, int](), set[int]()
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has just ended
                number = int(folder.name)
                parents[number] = int((folder / "stat").read_text("utf-8").rpartition(")")[2].split()[1])
                if f"--user-data-dir={self._profile}".encode() in (folder / "cmdline").read_bytes():
                    found.add(number)
        while more := {number for number, parent in parents.items() if parent in found} - found:
            found |= more
        return sorted(found)

    def kill(self) -> None:
        """End the browser at once, as a phone does that runs out of memory or power, and start it again."""
        for process in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:  # with its parent
                continue
        with suppress(Error):  # it is gone
            self.context.close()
        self.launch()
