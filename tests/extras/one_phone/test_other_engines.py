"""The site in Firefox and WebKit: it starts styled, without a network or with one that is silent, and loses nothing."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from extras.one_phone.pages_site import TAP, WebHost, shared_site
from support.browser_engines import ENGINES, Phone, WebKitGtkPhone
from support.of_extras import needs
from support.polling import START_SECONDS

pytestmark = pytest.mark.slow

# A Firefox that was killed may not find its caches at once: a person taps "Try again". A first visit on a busy machine
# is offered that, too, and goes on by itself.
STARTED = """(isTapped) => {
  const pages = document.querySelector("#pages"), { started, said } = document.documentElement.dataset;
  const again = document.querySelector("#buttons button");
  if (isTapped && again && ["offline", "start"].includes(said) && !window.isTriedAgain) {
    window.isTriedAgain = true;
    setTimeout(() => again.click());
  }
  if (said === "stuck") return said;
  if (!pages) return null;
  return started && !pages.hidden && pages.contentDocument.readyState === "complete" && started;
}"""
RELOAD = """() => {
  document.documentElement.removeAttribute("data-started");
  setTimeout(() => location.reload());
}"""
ASK = """(method, target, raw) => {
  window.answered = null;
  const body = raw === null ? null : new TextEncoder().encode(JSON.stringify(raw)).buffer;
  const headers = raw === null ? [] : [["content-type", "application/json"]];
  boardTracker.ask({ method, target, headers, body })
    .then(({ status, body: bytes }) => { window.answered = [status, new TextDecoder().decode(bytes)]; });
}"""
ANSWERED = "() => window.answered"
OPEN = "(path) => { document.querySelector('#pages').src = path; }"
SHOWS = "(text) => document.querySelector('#pages').contentDocument.body.innerText.includes(text)"
PAINTED = """(path) => caches.match("/painted")
  .then((found) => { window.paintedPage = found && found.headers.get("X-Page"); })
  && new RegExp(`^${path}$`).test(window.paintedPage)"""
SHOW_PAINTED = """() => {
  const frame = document.createElement("iframe");
  frame.id = "seen";
  frame.src = "/painted";
  frame.onload = () => { window.fontSeen = getComputedStyle(frame.contentDocument.body).fontFamily; };
  document.body.append(frame);
}"""
HAS_SNAPSHOT = "() => caches.match('/snapshot').then((one) => { window.isKept = !!one; }) && window.isKept"
PRESS = """(word) => {
  const all = [...document.querySelector("#pages").contentDocument.querySelectorAll("a, button")];
  const found = all.find((one) => one.textContent.includes(word));
  setTimeout(() => found.click());
}"""


class Site:
    """The site in one browser, which can be ended and started again."""

    def __init__(self, new_phone: Callable[[Path], Phone], folder: Path, host: WebHost) -> None:
        self._new_phone, self._folder, self.host = new_phone, folder, host
        self.phone = new_phone(folder)

    def open(self, *, is_first: bool = False) -> str:
        """Open the site, and return how it started."""
        self.phone.goto(f"http://localhost:{self.host.port}/")
        return self.started(is_tapped=not is_first)

    def started(self, *, is_tapped: bool = True) -> str:
        return str(self.phone.until(STARTED, is_tapped, seconds=START_SECONDS))

    def again(self) -> str:
        """Load the page anew, without waiting for anything that the network has not answered."""
        self.phone.run(RELOAD)
        return self.started()

    def says_stuck(self) -> bool:
        """Return whether the page says that only the end of the browser helps; a Firefox that has ended never does."""
        is_stuck = bool(self.phone.run("() => document.documentElement.dataset.said === 'stuck'"))
        assert not is_stuck or isinstance(self.phone, WebKitGtkPhone)
        assert not is_stuck or "nothing is lost" in self.phone.text()
        return is_stuck

    def ask(self, method: str, target: str, raw: object = None) -> Any:
        self.phone.run(ASK, method, target, raw)
        status, text = self.phone.until(ANSWERED)
        assert status < 400, text
        return json.loads(text)

    def show(self, path: str, text: str) -> None:
        """Open one of the tracker's pages, and wait until it is the painted one."""
        self.phone.run(OPEN, path)
        self.phone.until(SHOWS, text)
        self.phone.until(PAINTED, path)

    def end(self) -> None:
        """End the browser at once and open the site again.

        WebKit keeps nothing when it is driven, and its driver ends with the tab: of it only the page is ended.
        """
        if isinstance(self.phone, WebKitGtkPhone):
            self.again()
            return
        self.phone.kill()
        self.phone = self._new_phone(self._folder)
        self.open()


@pytest.fixture(name="pages", scope="module")
def _pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_site(tmp_path_factory)


@pytest.fixture(name="site", params=["Firefox", "WebKitGTK"], scope="module")
def _site(request: pytest.FixtureRequest, pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site open in a browser, which has a snapshot of the started Python."""
    host = WebHost(pages)
    site = Site(ENGINES[request.param], tmp_path_factory.mktemp("browser"), host)
    try:
        site.open(is_first=True)
        site.phone.until(HAS_SNAPSHOT)
        yield site
    finally:
        site.phone.close()
        host.stop()


def night_of_ann(site: Site) -> str:
    code = str(site.ask("POST", "/api/nights", {"preset": "michigan-rummy"})["code"])
    site.ask("POST", f"/api/nights/{code}/events", {"kind": "sit", "seat": "ann", "name": "Ann"})
    return code


def test_it_starts_with_its_look_and_its_night_when_the_host_is_gone_or_silent(site: Site) -> None:
    code = night_of_ann(site)
    site.show(f"/n/{code}/lobby", "Ann")
    site.host.stop()
    site.phone.run(SHOW_PAINTED)
    assert "Atkinson" in site.phone.until("() => window.fontSeen")
    assert site.again() == "snapshot"
    site.phone.until(SHOWS, "Ann")
    # It accepts every connection and never answers, as behind the sign-in page of a Wi-Fi.
    with closing(socket.create_server(("127.0.0.1", site.host.port), backlog=128)):
        assert site.again() == "snapshot"
        site.phone.until(SHOWS, "Ann")
    site.host.start()


def test_a_night_that_is_gone_with_the_tab_leads_to_the_first_page(site: Site) -> None:
    needs("rehearsal")
    site.phone.run(OPEN, "/new")
    site.phone.until(SHOWS, "Try it with pretend guests")
    site.phone.run(PRESS, "Try it with pretend guests")
    site.phone.until(PAINTED, "/n/\\w+")
    for _ in range(2):
        site.again()
        site.phone.until(SHOWS, "Files and machine")


def test_a_browser_that_is_ended_while_taps_are_stored_keeps_every_tap_that_was_answered(site: Site) -> None:
    code = night_of_ann(site)
    for _ in range(2):
        site.phone.run(TAP, [code, 0])
        stored = site.phone.until("() => window.stored > 4 && window.stored")
        site.end()
        if site.says_stuck():
            return  # WebKit keeps the database locked for the page that was ended, as long as it runs
        events = site.ask("GET", f"/api/nights/{code}/file")["events"]
        taps = [one["id"] for one in events if one["id"].startswith("tap-")]
        assert taps == [f"tap-{number}" for number in range(len(taps))]
        assert len(taps) >= stored


def test_a_browser_of_2022_says_before_the_first_tap_that_it_cannot_run_it(pages: Path, tmp_path: Path) -> None:
    host = WebHost(pages)
    phone = ENGINES["WPE WebKit"](tmp_path)
    try:
        phone.goto(f"http://localhost:{host.port}/")
        phone.see("This browser can’t run the tracker: open this page in a newer one.")
    finally:
        phone.close()
        host.stop()
