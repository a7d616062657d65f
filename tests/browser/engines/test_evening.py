"""One evening in each engine that people have: the same steps by the words on the screen, on two phones of one make.

Then a hand by keyboard alone in browsers of other makers, which say themselves what has the focus.
"""

import io
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import zxingcpp
from PIL import Image
from support.browser_engines import ENGINES, LONG_SECONDS, LOOK_SECONDS, Phone, WebDriverPhone
from support.of_extras import functions_of_extras
from support.server_process import Command

pytestmark = pytest.mark.slow


class Evening:
    """Ruth is the host and Ben a guest, each with a phone; Mia has none. Ruth has opened the terminal's link."""

    def __init__(self, command: Command, new_phone: Callable[[str], Phone]) -> None:
        self.command = command
        self.host, self.guest = new_phone("host"), new_phone("guest")
        self.code = ""
        self.host.goto(command.host_link)
        self.host.at("/")

    @property
    def phones(self) -> tuple[Phone, Phone]:
        return self.host, self.guest

    def state(self) -> dict[str, Any]:
        return self.command.state(self.code)

    def everybody_sees(self) -> None:
        """Wait until both pages show the newest event."""
        head = self.state()["head"]
        for phone in self.phones:
            phone.until("(head) => Number(document.querySelector('#live [data-head]').dataset.head) >= head", head)

    def opens(self, game: str) -> None:
        """Have the host open a night, in whose lobby it is then."""
        host = self.host
        host.goto(f"{self.command.here}/new/{game}")
        host.fill("Your name", "Ruth")
        host.tap("Open the table")
        host.at("/lobby")
        self.code = host.address().split("/")[-2]

    def adds(self, name: str) -> None:
        """Have the host add somebody without a phone."""
        host = self.host
        host.fill("Add somebody without a phone", name)
        host.tap("Add")
        host.see(name)
        host.until("() => document.querySelector('form[data-add] [name=name]').value === ''")  # all is in its place

    def have(self, **stacks: int) -> None:
        """Wait until these people have so many chips, and both pages show it."""
        self.host.until(CHIPS, stacks)
        assert {name: self.state()["stacks"][name] for name in stacks} == stacks
        self.everybody_sees()


CHIPS = """(stacks) => Object.entries(stacks).every(([seat, chips]) =>
  document.querySelector(`#s-${seat}`).innerText.match(/\\d+/g).includes(String(chips)))"""
KEYS_LISTED = "() => document.activeElement.id === 'keys-list'"
IN_SHEET = "() => Boolean(document.activeElement.closest('.sheet'))"
NO_SHEET = "() => ![...document.querySelectorAll('.sheet')].some((one) => one.getClientRects().length)"
IS_WITHOUT_SIGN = "() => document.querySelector('#net').hidden || !document.querySelector('#net').textContent.trim()"
AT_TABLE = """() => document.readyState === "complete" && /\\/n\\/\\w+$/.test(location.pathname)
  && !!document.querySelector("#live")"""
CODE = """() => {
  const code = document.querySelector("#code");
  code?.scrollIntoView({ block: "center" });
  return !!code;
}"""
TOUCH = """() => {
  for (const kind of ["pointerdown", "pointerup"]) document.dispatchEvent(new Event(kind));
}"""
WIDE = "() => document.scrollingElement.scrollWidth > innerWidth + 1"


def link_in_code(host: Phone) -> str:
    """Return what a camera reads from the screen."""
    host.until(CODE)
    read = zxingcpp.read_barcodes(Image.open(io.BytesIO(host.picture())))
    assert len(read) == 1, "nobody can scan the code"
    return read[0].text


def host_opens_a_night(evening: Evening) -> None:
    evening.opens("michigan-rummy")


def guest_comes_by_the_link(evening: Evening) -> None:
    host, guest = evening.phones
    guest.goto(link_in_code(host))
    guest.fill("Type your name", "Ben")
    guest.tap("Sit down")
    guest.at("/lobby")
    host.see("Ben")
    evening.adds("Mia")
    guest.see("Mia")


def antes_go_in(evening: Evening) -> None:
    host, guest = evening.phones
    host.tap("Everyone is here")
    host.at("/dealer")
    host.tap("Ruth")
    host.until(AT_TABLE)
    guest.until(AT_TABLE)  # by itself
    evening.have(ruth=82, ben=91, mia=91)


def chips_are_taken_on_both_phones(evening: Evening) -> None:
    host, guest = evening.phones
    host.tap("Left alone")
    guest.see("I am out of cards!")
    guest.tap("King of clubs", "I take 4")
    host.see("Ben took 4")
    host.tap("Ace of hearts", "Mia")
    evening.have(ruth=82, ben=95, mia=95)


def the_last_one_is_taken_back(evening: Evening) -> None:
    evening.host.tap("Undo")
    evening.host.see("Undone: Mia gives back 4")
    evening.have(ruth=82, ben=95, mia=91)


def cards_left_are_typed_and_paid(evening: Evening) -> None:
    host, guest = evening.phones
    host.tap("Someone is out", "Ruth")
    guest.see("How many cards do you hold?")
    guest.tap("3")
    host.see("pays 3")
    host.tap("2")
    host.run(TOUCH)  # what would be paid by itself is not
    host.tap("Pay Ruth 9")
    evening.have(ruth=91, ben=92, mia=89)
    host.tap("Mia")  # the best poker hand
    evening.have(ruth=91, ben=92, mia=93)


def a_phone_that_slept_shows_the_newest(evening: Evening) -> None:
    host, guest = evening.phones
    guest.sleep()
    evening.command.kill()
    evening.command.start()
    host.tap("Ante for hand 2")
    guest.wake()
    evening.everybody_sees()


def back_and_forward_show_the_newest(evening: Evening) -> None:
    host = evening.host
    host.tap("Everything recorded tonight")
    host.at("/log")
    evening.command.record(evening.code, "no-sale")
    host.back()
    host.until(AT_TABLE)
    evening.everybody_sees()
    host.until(IS_WITHOUT_SIGN)
    host.forward()
    host.at("/log")
    host.back()
    host.until(AT_TABLE)
    evening.everybody_sees()


def keys_do_what_taps_do(evening: Evening) -> None:
    host = evening.host
    host.type("?")
    host.until(KEYS_LISTED)
    host.type("Escape")
    host.until(NO_SHEET)
    host.type("m")
    host.until(IN_SHEET)
    host.type("Escape")
    host.until(NO_SHEET)
    host.tap("Someone is out", "Ben")
    host.see("how many?")
    host.type("2", "Enter", "1", "Enter")
    host.tap("Pay Ben 7")
    host.tap("Nobody")
    evening.have(ruth=81, ben=81, mia=82)


def the_night_ends(evening: Evening) -> None:
    host = evening.host
    host.tap("Finish")
    host.at("/settle")
    host.tap("Finish the night")
    host.see("Mia wins the night", "101 chips", "How the night went")


def the_log_says_it_all(evening: Evening) -> None:
    host = evening.host
    host.tap("Everything recorded tonight")
    host.at("/log")
    host.tap("Ruth went out")
    host.see("Ben takes 4: King of clubs", "Ben is out: 4 from the board and 3 for cards left")


STEPS: tuple[Callable[[Evening], None], ...] = (
    host_opens_a_night,
    guest_comes_by_the_link,
    antes_go_in,
    chips_are_taken_on_both_phones,
    the_last_one_is_taken_back,
    cards_left_are_typed_and_paid,
    a_phone_that_slept_shows_the_newest,
    back_and_forward_show_the_newest,
    keys_do_what_taps_do,
    the_night_ends,
    the_log_says_it_all,
    *functions_of_extras("step_after_an_evening"),
)


OF_EACH_RUN = {"WPE WebKit": (), "Chromium 91": (), "Firefox": (), "WebKitGTK": (pytest.mark.long,)}
"""Of two versions of WebKit the older one plays the evening in every run, the newer one the hand by keyboard."""


@pytest.fixture(
    name="evening", params=[pytest.param(name, marks=OF_EACH_RUN[name]) for name in ENGINES], scope="module"
)
def _evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """Two browsers of an engine, whose start takes as long as a hand, for all tests of this file."""
    folder = tmp_path_factory.mktemp("evening")
    command = Command(folder / "data")
    begun: list[Phone] = []

    def new_phone(name: str) -> Phone:
        begun.append(ENGINES[request.param](folder / name))
        return begun[-1]

    try:
        yield Evening(command, new_phone)
    finally:
        for phone in begun:
            phone.close()
        command.kill()


def test_an_evening_goes_by_its_steps(evening: Evening, figure: Callable[[str], None]) -> None:
    begin = time.monotonic()
    for step in STEPS:
        try:
            step(evening)
            for phone in evening.phones:
                assert not phone.run(WIDE), phone.text()
        except Exception as error:
            error.add_note(f"{evening.host.version()}, {step.__name__}")
            raise
    figure(f"{evening.host.version()}: {len(STEPS)} steps in {time.monotonic() - begin:.0f} s")


# By keyboard

READY = """() => document.body.matches(":not(.taps-paused, .dock-paused, .keys-paused)")
  && !document.querySelector(".htmx-request:not(#live)")
  && [...document.querySelectorAll(".dock :is(.btn.act, .undo):enabled")].every((one) => !one.getClientRects().length
    || getComputedStyle(one).pointerEvents !== "none")"""
FURTHEST = 20
"""As many keys nobody needs to come to a control."""


class Keyboard:
    """One browser, used by its keys; after each something has the focus that the browser has a name for."""

    def __init__(self, phone: Phone) -> None:
        assert isinstance(phone, WebDriverPhone)
        self.phone = phone

    def press(self, *keys: str) -> None:
        for key in keys:
            self.phone.until(READY)
            self.phone.type(key)
            self.is_on("")

    def is_on(self, name: str) -> None:
        """Wait until what has the focus has a name, one that begins so."""
        end = time.monotonic() + LONG_SECONDS
        while not ((found := self.phone.focused()) and found.startswith(name)):
            assert time.monotonic() < end, (name, found, self.phone.version())
            time.sleep(LOOK_SECONDS)

    def go(self, name: str, key: str = "ArrowDown") -> None:
        """Press a key until the focus is on a name that begins so, and then Enter."""
        for _ in range(FURTHEST):
            if self.phone.focused().startswith(name):
                self.press("Enter")
                return
            self.press(key)
        raise AssertionError(name, self.phone.focused(), self.phone.version())


@pytest.mark.parametrize("evening", ["Firefox", "WebKitGTK"], indirect=True)
def test_a_hand_is_played_by_the_keys_of_host_and_guest(evening: Evening) -> None:
    for step in (host_opens_a_night, guest_comes_by_the_link, antes_go_in):
        step(evening)
    host, guest = map(Keyboard, evening.phones)
    host.press("w")
    host.go("Left alone", "Tab")
    guest.phone.until(READY)
    guest.phone.see("I am out of cards!")
    guest.press("p")
    guest.go("Ten of hearts: ")
    guest.is_on("I take 4")
    guest.press("Enter")
    host.phone.until("() => document.querySelector('#p-ten-hearts.taken')")
    host.press("p")
    host.go("King of clubs: ")
    host.go("Mia")
    host.phone.until("() => document.querySelector('#p-king-clubs.taken')")
    host.press("g")
    host.go("Mia")
    for keyboard, cards in ((guest, "4"), (host, "2")):
        keyboard.phone.until("() => document.querySelector('.count')")
        keyboard.press(cards, "Enter")
        host.phone.see(f"pays {cards}")  # else the focus goes to who seems to be counted next
    host.is_on("Pay Mia")
    host.press("Enter")
    host.phone.until("() => !document.querySelector('.count')")
    host.go("Ben")
    host.is_on("Ante for hand 2")
    assert evening.state()["stacks"] == {"ruth": 82 - 2, "ben": 91 + 4 - 4 + 4, "mia": 91 + 4 + 4 + 6}
