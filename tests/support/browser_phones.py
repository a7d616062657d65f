"""Phones at a table, as people use them: each is a browser of its own, and every method is a tap on what a page shows.

Nothing here waits for time to pass: a tap waits until its button can be tapped, and a look waits until it is shown.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import APIResponse, Browser, BrowserContext, ConsoleMessage, Page, ViewportSize
from support.client_phones import Site
from support.of_extras import needs_preset
from support.served_app import NOT_DRAWN, SiteServer, serving
from support.server_process import Command
from support.waiting import until

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

PHONE = ViewportSize(width=390, height=844)
RUMMY = "michigan-rummy"

# What must never be used in play is noted by every page before its own scripts run.
TELL_TALES = """
window.heard = [];
for (const name of ["alert", "confirm", "prompt"]) window[name] = () => { heard.push(name); };
for (const name of ["Audio", "AudioContext", "SpeechSynthesisUtterance"])
  window[name] = class { constructor() { heard.push(name); } };
const later = setTimeout;  // what would be paid by itself while a slow machine looks for the button
window.setTimeout = (go, wait, ...rest) => (wait === 2100 && !window.paysByItself ? 0 : later(go, wait, ...rest));
HTMLMediaElement.prototype.play = function () { heard.push("play"); return Promise.resolve(); };
"""

NO_SUBMITTER = 'Object.defineProperty(SubmitEvent.prototype, "submitter", { get: () => null });'
"""As in Safari before 15.4: no form tells which button sends it."""

# A real finger that waits for another phone is a long press, and the page waits for no finger longer than six seconds.
FINGER_DOWN = """(one) => {
  window.realSetTimeout = setTimeout;
  window.setTimeout = (go, wait, ...rest) => (wait === 6000 ? 0 : realSetTimeout(go, wait, ...rest));
  one.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, cancelable: true }));
}"""
FINGER_UP = """(one) => {
  window.setTimeout = realSetTimeout;
  one.dispatchEvent(new PointerEvent("pointerup", { bubbles: true, cancelable: true }));
  one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
}"""

HEAR = """() => {
  window.said = [];
  const bubble = document.querySelector("#bubble");
  new MutationObserver(() => { if (bubble.textContent) said.push(bubble.textContent); })
    .observe(bubble, { childList: true });
}"""
"""Notes on a page what its bubble says from now on."""


def word_on_control(word: str) -> str:
    return f":is(button, a, summary):has-text('{word}')"


class BrowserPhone:
    """One phone: its page, the taps made on it, and everything its browser complained about."""

    def __init__(self, context: BrowserContext, name: str) -> None:
        self.context, self.name, self.seat = context, name, name.lower()
        self.taps = 0
        self.errors: list[str] = []
        self.excused: list[str] = []
        context.set_default_timeout(60_000)
        context.add_init_script(TELL_TALES)
        context.on("page", self._watch)
        self.page = context.new_page()

    def _watch(self, page: Page) -> None:
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.errors.append(f"{self.name}: {error}"))

    def _note(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            self.errors.append(f"{self.name}: {said.text} ({said.location.get('url', '')})")

    def excuse(self, *patterns: str) -> None:
        """Expect these complaints: a refusal, or a server that is away on purpose."""
        self.excused += patterns

    def complaints(self) -> list[str]:
        return [one for one in self.errors if not any(re.search(pattern, one) for pattern in self.excused)]

    def send(self, address: str, **form: str) -> APIResponse:
        """Send a form as a page of ours would, without opening one; the cookies of the answer are this phone's."""
        place = urlsplit(address)
        headers = {"Origin": f"{place.scheme}://{place.netloc}"}
        answer = self.context.request.post(address, form=dict(form), headers=headers)
        assert answer.ok, answer.text()
        return answer

    # Tapping

    def tap(self, *selectors: str) -> None:
        """Tap one thing after the other, each as soon as it can be tapped."""
        for selector in selectors:
            self.page.tap(f"{selector} >> visible=true")
            self.taps += 1

    def drag(self, what: str, onto: str) -> None:
        """Drag one thing onto another, and wait until the page shows what that has recorded."""
        head = self.head
        self.see("body:not(.taps-paused)")
        self.page.drag_and_drop(what, onto)
        self.taps += 1
        if what not in ("#p-jackpot", "#p-kitty"):  # which ask for the cards left first
            self.see_head(head + 1)

    def tap_word(self, *words: str) -> None:
        self.tap(*(word_on_control(word) for word in words))

    def record(self, *selectors: str) -> None:
        """Tap, and wait until this phone shows that one more event is recorded."""
        head = self.head
        self.tap(*selectors)
        self.see_head(head + 1)

    def record_word(self, *words: str) -> None:
        self.record(*(word_on_control(word) for word in words))

    def collect(self, pot: str) -> None:
        """The own chips of a place: the place, then the big button."""
        self.see(f"#p-{pot}[data-ask]")
        self.record(f"#p-{pot}", ".a-collect [data-mine]")

    def collect_for(self, pot: str, seat: str) -> None:
        self.see(f"#p-{pot}[data-ask]")
        self.record(f"#p-{pot}", f"#s-{seat}")

    def cards(self, *counts: int) -> None:
        """Type how many cards are left, on the pad."""
        self.tap(*(f".pad [data-key='{count}']" for count in counts))

    # Looking

    def see(self, selector: str) -> None:
        self.page.wait_for_selector(f"{selector} >> visible=true")

    def see_word(self, word: str) -> None:
        self.see(f"text={word}")

    def see_head(self, head: int) -> None:
        """Wait until the page shows the night as it is after so many events."""
        shown = "head => Number(document.querySelector('#live [data-head]')?.dataset.head) >= head"
        until(self.page, shown, head)

    @property
    def origin(self) -> str:
        """Return how this phone has come to the server."""
        found = urlsplit(self.page.url)
        return f"{found.scheme}://{found.netloc}"

    @property
    def head(self) -> int:
        return int(self.page.get_attribute("#live [data-head]", "data-head") or -1)

    @property
    def last(self) -> str:
        """What the first row of the dock says."""
        return self.page.inner_text("#last")

    def shown(self) -> dict[str, dict[str, int]]:
        """Return the chips as a person reads them from this page: `stacks` by seat and `pots` by place."""
        found = self.page.evaluate(
            """me => {
              const numbers = (all, id, number) => Object.fromEntries([...document.querySelectorAll(all)].map((one) =>
                [one.id.slice(2), Number(one.querySelector(number).textContent)]));
              const stacks = numbers("#live .seat[data-seat]", "s-", ".pop-n");
              const mine = document.querySelector("#own-stack .pop-n");
              if (mine) stacks[me] = Number(mine.textContent);
              return { stacks, pots: numbers("#live [data-pot]", "p-", ".n") };
            }""",
            self.seat,
        )
        assert isinstance(found, dict)
        return found

    @contextmanager
    def finger_on(self, selector: str) -> Iterator[None]:
        """Hold a finger on something until the block ends, by the page itself."""
        spot = self.page.locator(f"{selector} >> visible=true").first
        spot.tap(trial=True)  # waits until it can be tapped
        finger = spot.element_handle()
        self.page.evaluate(FINGER_DOWN, finger)
        yield
        self.page.evaluate(FINGER_UP, finger)

    def meet(self, name: str) -> None:
        """Count the page's events of this name from now on; `met` waits for the first."""
        count = "name => { window.met = 0; document.addEventListener(name, () => { met += 1; }, true); }"
        self.page.evaluate(count, name)

    def met(self) -> None:
        until(self.page, "() => met > 0")

    def heard(self) -> list[str]:
        """Return which sounds and questions of the browser's own this page has used."""
        found = self.page.evaluate("window.heard")
        assert isinstance(found, list)
        return found


class BrowserNight:
    """A night with a host and guests, each on a phone of their own; every page runs a script before its own.

    `phones` has those of the present night. People keep their phones for the next one.
    """

    def __init__(
        self, browser: Browser, server: Command | SiteServer, script: str = "", *, is_drawn: bool = False
    ) -> None:
        """`is_drawn` is for tests that take pictures of a page."""
        self.browser, self.server, self.script = browser, server, script if is_drawn else f"{NOT_DRAWN}\n{script}"
        self.phones: dict[str, BrowserPhone] = {}
        self._all_phones: dict[str, BrowserPhone] = {}
        self.code = ""
        self.guests_url = server.phones_url
        """Where the guests of `play` find the server."""

    def phone(self, name: str) -> BrowserPhone:
        # At one dot a pixel: what tests read is laid out the same, and drawn with a twelfth less work.
        # Motion takes half as much processor time again.
        context = self.browser.new_context(
            viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB", reduced_motion="reduce"
        )
        phone = BrowserPhone(context, name)
        self.phones[phone.seat] = self._all_phones[phone.seat] = phone
        if self.script:
            context.add_init_script(self.script)
        return phone

    def host_phone(self, name: str) -> BrowserPhone:
        """A phone that has the power of the terminal's link, which works once, and shows no page yet."""
        phone = self.phone(name)
        if kept := self.server.host_cookies:
            phone.context.add_cookies(kept)
        else:
            phone.send(f"{self.server.here}/host", token=self.server.host_link.rpartition("/")[2])
            self.server.host_cookies = phone.context.cookies()
        return phone

    @property
    def host(self) -> BrowserPhone:
        return next(iter(self.phones.values()))

    def play(
        self,
        host: str,
        *guests: str,
        others: Sequence[str] = (),
        watcher: str = "",
        preset: str = RUMMY,
        options: Mapping[str, str] | None = None,
        is_begun: bool = True,
    ) -> BrowserPhone:
        """Have everybody at the table of a new night, whose first hand the host deals: by requests, without a tap.

        `others` have no phone; a watcher has one and no seat. Return the host's phone.
        """
        needs_preset(preset)
        phone = self._all_phones.get(host.lower()) or self.host_phone(host)
        self.phones = {phone.seat: phone}
        made = phone.send(f"{self.server.here}/new", preset=preset, host=host, full="1", **options or {})
        self.code = made.url.split("/")[-2]
        night = f"{self.server.here}/n/{self.code}"
        way_in = re.findall(r"/j/([\w-]+)", made.text())[0]
        for name in guests:
            guest = self.phones[name.lower()] = self._all_phones.get(name.lower()) or self.phone(name)
            guest.send(f"{self.guests_url}/join", token=way_in, name=name)
        if watcher:
            self.phone(watcher).send(f"{self.guests_url}/join", token=way_in, watch="1")
        for name in others:
            phone.send(f"{night}/seats", name=name)
        if is_begun:
            phone.send(f"{night}/dealer", seat=phone.seat)
        for one in self.phones.values():
            one.page.goto(night if one is phone else f"{self.guests_url}/n/{self.code}")
            one.see("#move")
        self.everybody_sees()
        return phone

    def add(self, *names: str) -> None:
        """People without a phone."""
        for name in names:
            self.host.page.fill("#add-name", name)
            with self.host.page.expect_response("**/seats"):
                self.host.tap_word("Add")
            self.host.see(f"#live bdi:text-is('{name}')")

    def begin(self, dealer: str) -> None:
        """The first antes go in; every phone that waited in the lobby goes to the table by itself."""
        self.host.tap_word("Everyone is here")
        self.host.tap(f"button.person:has-text('{dealer}')")
        self.everybody_sees()

    @property
    def command(self) -> Command:
        """The server, where it is a process of its own."""
        assert isinstance(self.server, Command)
        return self.server

    @property
    def table(self) -> OpenNight:
        """The night itself, where the server runs in this process."""
        assert isinstance(self.server, SiteServer)
        return self.server.site.tables.get(self.code)

    def state(self) -> dict[str, Any]:
        return self.server.state(self.code)

    def record(self, kind: str, **fields: Any) -> None:
        """Record an event from elsewhere: to come quickly to the moment that a test is about."""
        self.server.record(self.code, kind, **fields)

    def fresh_hand(self) -> None:
        """Have everybody look at the table in a new hand that is being played, with chips in all places."""
        state = self.state()
        if state["phase"] == "dummy":
            self.record("no-sale")
        if state["phase"] in ("dummy", "play"):
            others = [seat for seat in state["seats"] if seat != state["dealer"]]
            self.record("out", seat=state["dealer"], cards=dict.fromkeys(others, 0))
        self.record("hand", dealer=self.host.seat)
        self.record("no-sale")
        for phone in self.phones.values():
            if phone.page.url.rpartition("/")[2] != self.code:
                phone.page.goto(f"{phone.origin}/n/{self.code}")
        self.everybody_sees()

    def tap(self, seat: str, *selectors: str) -> None:
        """Tap on a phone that shows the newest."""
        self.phones[seat].see_head(self.head())
        self.phones[seat].tap(*selectors)

    def head(self) -> int:
        head = self.state()["head"]
        assert isinstance(head, int)
        return head

    def everybody_sees(self) -> None:
        """Wait until every phone shows the newest event."""
        head = self.head()
        for phone in self.phones.values():
            phone.see_head(head)

    def check_chips(self) -> None:
        """Every phone shows the chips that the API tells, and none is lost."""
        self.everybody_sees()
        state = self.state()
        told = {"stacks": state["stacks"], "pots": state["pots"]}
        for phone in self.phones.values():
            assert phone.shown() == told, phone.name

    def close(self) -> None:
        for phone in self._all_phones.values():
            phone.context.close()

    def complaints(self) -> list[str]:
        return [one for phone in self._all_phones.values() for one in phone.complaints()]


@contextmanager
def browser_night(
    browser: Browser, place: Path | Command, script: str = "", *, is_drawn: bool = False
) -> Iterator[BrowserNight]:
    """Give a night with browsers and close it; whatever a browser complained about fails the test.

    It is at a running command, or at an app of this process that keeps its data in a folder.
    """
    with ExitStack() as ended:
        server = place if isinstance(place, Command) else ended.enter_context(site_server(place))
        night = BrowserNight(browser, server, script, is_drawn=is_drawn)
        ended.callback(night.close)
        yield night
        complaints = night.complaints()
        assert not complaints, "\n".join(complaints)


@contextmanager
def site_server(folder: Path) -> Iterator[SiteServer]:
    """Serve an app of this process that keeps its nights in a folder."""
    live = StreamHub(heartbeat_seconds=1.0)  # so that contact that is there again is soon noticed
    folder.mkdir(exist_ok=True)
    with closing(Store(folder / "nights.db")) as store:
        site = Site(Nights(store, live))
        with serving(site.app, live, "") as url:
            yield SiteServer(site, live, url)


def at_table(name: str, *people: str, script: str = "", **table: Any) -> object:
    """Return the fixture `name` for all tests of a file: a night of these people, or one that is not open yet."""

    @pytest.fixture(name=name, scope="module")
    def _at_table(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserNight]:
        with browser_night(browser, tmp_path_factory.mktemp("data"), script) as night:
            if people:
                night.play(*people, **table)
            yield night

    return _at_table
