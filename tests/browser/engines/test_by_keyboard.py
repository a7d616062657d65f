"""A hand by keyboard alone in browsers of other makers, as host and as guest: each says itself what has the focus."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.browser_engines import ENGINES, LONG_SECONDS, LOOK_SECONDS, WebDriverPhone
from support.server_process import Command

from tracker.cli.data_folder import read_token

pytestmark = pytest.mark.slow
READY = """() => document.body.matches(":not(.taps-paused, .dock-paused, .keys-paused)")
  && !document.querySelector(".htmx-request:not(#live)")
  && [...document.querySelectorAll(".dock :is(.btn.act, .undo):enabled")].every((one) => !one.getClientRects().length
    || getComputedStyle(one).pointerEvents !== "none")"""
LINK = "() => document.body.innerHTML.match(/\\/j\\/[\\w-]+/)[0]"
AT_TABLE = """() => document.readyState === "complete" && /\\/n\\/\\w+$/.test(location.pathname)
  && !!document.querySelector(".dock")"""
FURTHEST = 20
"""As many keys nobody needs to come to a control."""


class Keyboard:
    """One browser, used by its keys; after each something has the focus that the browser has a name for."""

    def __init__(self, page: WebDriverPhone) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.until(READY)
            self.page.type(key)
            self.is_on("")

    def is_on(self, name: str) -> None:
        """Wait until what has the focus has a name, one that begins so."""
        end = time.monotonic() + LONG_SECONDS
        while not ((found := self.page.focused()) and found.startswith(name)):
            assert time.monotonic() < end, (name, found, self.page.version())
            time.sleep(LOOK_SECONDS)

    def go(self, name: str, key: str = "ArrowDown") -> None:
        """Press a key until the focus is on a name that begins so, and then Enter."""
        for _ in range(FURTHEST):
            if self.page.focused().startswith(name):
                self.press("Enter")
                return
            self.press(key)
        raise AssertionError(name, self.page.focused(), self.page.version())


@pytest.fixture(name="command")
def _command(tmp_path: Path) -> Iterator[Command]:
    command = Command(tmp_path / "data")
    yield command
    command.kill()


@pytest.fixture(name="players", params=["Firefox", "WebKitGTK"])
def _players(request: pytest.FixtureRequest, tmp_path: Path, command: Command) -> Iterator[tuple[Keyboard, Keyboard]]:
    """Give the keyboards of Ruth, who deals, and of Gus; Mia has none."""
    with ExitStack() as ended:
        pages = []
        for name in ("host", "guest"):
            page = ENGINES[request.param](tmp_path / name)
            ended.callback(page.close)
            assert isinstance(page, WebDriverPhone)
            pages.append(page)
        host, guest = pages
        host.goto(command.host_link)
        host.at("/")
        host.goto(f"{command.here}/new/michigan-rummy")
        host.fill("Your name", "Ruth")
        host.tap("Open the table")
        host.at("/lobby")
        guest.goto(command.phones_url + str(host.until(LINK)))
        guest.fill("Type your name", "Gus")
        guest.tap("Sit down")
        guest.at("/lobby")
        host.fill("Add somebody without a phone", "Mia")
        host.tap("Add")
        host.see("Mia")
        host.tap("Everyone is here")
        host.at("/dealer")
        host.tap("Ruth")
        for page in pages:
            page.until(AT_TABLE)
        yield Keyboard(host), Keyboard(guest)


def test_a_hand_is_played_by_the_keys_of_host_and_guest(players: tuple[Keyboard, Keyboard], command: Command) -> None:
    host, guest = players
    host.press("w")
    host.go("Left alone", "Tab")
    guest.page.until(READY)
    guest.page.see("I am out of cards!")
    guest.press("p")
    guest.go("Ten of hearts: ")
    guest.is_on("I take 4")
    guest.press("Enter")
    host.page.until("() => document.querySelector('#p-ten-hearts.taken')")
    host.press("p")
    host.go("King of clubs: ")
    host.go("Mia")
    host.page.until("() => document.querySelector('#p-king-clubs.taken')")
    host.press("g")
    host.go("Mia")
    for keyboard, cards in ((guest, "4"), (host, "2")):
        keyboard.page.until("() => document.querySelector('.count')")
        keyboard.press(cards, "Enter")
    host.is_on("Pay Mia")
    host.press("Enter")
    host.page.until("() => !document.querySelector('.count')")
    host.go("Gus")
    host.is_on("Ante for hand 2")
    code = host.page.address().split("/n/")[1]
    stacks = command.ask(code, read_token(command.folder))["stacks"]
    assert stacks == {"ruth": 82 - 2, "gus": 91 + 4 - 4 + 4, "mia": 91 + 4 + 4 + 6}
