"""People who play by keyboard and ear: what they press, and what a screen reader says to them, written down.

The browser's accessibility tree says what has the focus; what is added to the live regions is collected as it comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, ViewportSize
from support.browser_phones import BrowserNight, BrowserPhone, site_server
from support.served_app import SiteServer
from support.waiting import meanwhile, until

from tracker.web.base.snapshot import snapshot_of

SCREEN = ViewportSize(width=1280, height=800)
NAMES = {"Down": "ArrowDown", "Up": "ArrowUp", "Left": "ArrowLeft", "Right": "ArrowRight"}
FARTHEST = 60
"""As many stops of Tab nobody passes by on the way to a control."""
REGIONS = """() => {
  // Nobody plays so fast that the moment matters for which a page takes no tap after one.
  const now = performance.now.bind(performance), later = setTimeout, real = fetch;
  performance.now = () => 10 * now();
  window.setTimeout = (go, wait, ...rest) => later(go, [350, 500].includes(wait) ? wait / 10 : wait, ...rest);
  const quick = new CSSStyleSheet();
  // Nobody looks at these pages, and what has no opacity is not drawn, which took a fifth of the processor time.
  quick.replaceSync("* { animation-duration: 1ms !important; } html { opacity: 0; }");
  document.adoptedStyleSheets = [quick];
  window.unanswered = 0;
  window.fetch = async (...call) => {
    unanswered += 1;
    try { return await real(...call); } finally { unanswered -= 1; }
  };
  const words = (one) => one.textContent.replace(/\\s+/g, " ").trim();
  const hear = (text) => { sessionStorage.heard = `${sessionStorage.heard || ""}${text}\\n`; };  // outlives the page
  // What is said of the contact counts where it is cut on purpose: on a busy machine it may be said at any time.
  const net = () => sessionStorage.isCut && document.querySelector("#net:not([hidden], .slow)");
  const signs = () => { const now = net(); return now && words(now) !== now.dataset.gone ? [now] : []; };
  const alerts = () => [...document.querySelectorAll("[role=alert]"), ...signs()].map(words).filter(Boolean);
  const watch = () => {
    const log = document.getElementById("happened");
    if (!log) return;  // on a page that is not of ours
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const one of addedNodes) hear(words(one));
    }).observe(log, { childList: true });
    let before = alerts();
    const look = () => {
      const now = alerts();
      for (const one of now) if (!before.includes(one)) hear(one);
      before = now;
    };
    const all = { childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ["hidden"] };
    new MutationObserver(look).observe(document.body, all);
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", watch); else watch();
}"""
SOON = """async ([fact, arg]) => {
  const pause = (wait) => new Promise((done) => setTimeout(done, wait));
  for (let looks = 0; !FACTS[fact](arg); looks += 1) {
    if (looks === 50) return false;
    await pause(10);
  }
  for (const wait of [0, 0, 0, 1]) await pause(wait);
  return true;
}"""
"""Looks for half a second. After a change a page gives the focus on, and says what is asked, in tasks of their own."""
FACTS = """window.FACTS = {
  ready: () => document.readyState === "complete" && !/paused|pays-soon/.test(document.body.className)
    && !document.querySelector(".htmx-request") && !unanswered
    && !document.getAnimations().some((one) => ["tap-pause", "still-closed"].includes(one.animationName)),
  tells: (at) => {
    const own = document.querySelector("#live [data-head]")?.dataset.at, number = (one) => Number(one.split(":")[1]);
    if (own && at && number(own) < number(at)) return false;
    return document.getElementById("asked").textContent.trim() || !document.querySelector("#move");
  },
}"""
"""What is waited for: that a page takes a key and all that it has sent is answered; that it shows this moment of the
night, if it follows one, and has said what is asked, which a table always does."""
STATES = {"pressed": "pressed", "checked": "checked", "expanded": "open"}
HEARD = """() => {
  const regions = [...document.querySelectorAll("[aria-live=polite][id]")].map((one) => {
    const copy = one.cloneNode(true);
    for (const unsaid of copy.querySelectorAll("[aria-hidden=true], [aria-live=off]")) unsaid.remove();
    for (const end of copy.querySelectorAll("p, li")) end.append(". ");
    return [one.id, copy.textContent.replace(/\\s+/g, " ").replace(/ (?=\\.)|(?<=:)\\./g, "").trim()];
  });
  const { heard = "" } = sessionStorage;
  delete sessionStorage.heard;
  return [document.getElementById("asked").innerText.trim(), heard, Object.fromEntries(regions)];
}"""
"""What is asked now, what was heard since the last time, and the texts of the other live regions."""
STEPS = """(name) => {
  const walk = document.activeElement.closest("[role=grid], #people, .pad, .keys, .count-rows");
  if (!walk) return null;
  const items = [...walk.querySelectorAll("button, a[href]")].filter((one) => one.getClientRects().length
    && !one.closest("[aria-hidden=true]") && !one.disabled);
  const nameOf = (one) => one.getAttribute("aria-label") || one.textContent.trim();
  const at = items.indexOf(document.activeElement), to = items.findIndex((one) => nameOf(one).includes(name));
  return at < 0 || to < 0 ? null : { steps: to - at };
}"""


class Listener(BrowserPhone):
    """Somebody at a keyboard, without a screen. What is heard is kept until `EarsNight.act` writes it down."""

    def __init__(self, browser: Browser, name: str) -> None:
        context = browser.new_context(viewport=SCREEN, locale="en-GB", reduced_motion="reduce")
        super().__init__(context, name)
        self.keys = 0
        self.pressed: list[str] = []
        self.asked = ""
        self.regions: dict[str, str] = {}
        """The texts of other live regions, by their id."""
        self.focus = ""
        self.unnamed: list[str] = []
        """What had the focus after a key and has no name."""
        context.add_init_script(f"({REGIONS})(); {FACTS}")
        self.devtools = context.new_cdp_session(self.page)

    # Keys

    def press(self, *keys: str) -> str:
        """Press keys, each as soon as the page takes one; `Down 3` is a key three times. Return what has the focus."""
        self.soon("ready")
        for one in keys:
            key, _, times = one.partition(" ")
            for _ in range(int(times or 1)):
                self.page.keyboard.press(NAMES.get(key, key))
                self.keys += 1
                self.pressed.append(key)
                self.soon("ready")
        return self.note_focus()

    def soon(self, fact: str, arg: object = None) -> None:
        """Wait until one of FACTS is true on a page that is there, and its tasks are done."""
        until(self.page, SOON, [fact, arg])

    def does(self, *steps: str) -> None:
        """Press keys; `~Mia` walks by arrows to Mia, `?Pass` presses Tab until Pass has the focus."""
        for step in steps:
            name = step[1:]
            if name and step[0] == "~":
                self.walk(name)
            elif name and step[0] == "?":
                self.find(name)
            else:
                self.press(step)

    def opens(self, address: str) -> None:
        """Open an address, as a link in a message does."""
        self.page.goto(address)
        self.note_focus()

    def write(self, text: str) -> None:
        """Type a text into the field that has the focus."""
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        self.keys += len(text)
        self.pressed.append(f"“{text}”")
        self.note_focus()

    def find(self, name: str, key: str = "Tab") -> None:
        """Press a key until what has the focus has a name that begins so."""
        focused, *_ = self.focused()
        for _ in range(FARTHEST):
            if focused.startswith(name):
                return
            focused = self.press(key)
        raise AssertionError(f"{self.name} has not found {name}, but {self.focused()}")

    def is_on(self, name: str) -> None:
        """Wait until what has the focus has a name, one that begins so."""
        meanwhile(self.page, lambda: bool(focused := self.focused()[0]) and focused.startswith(name))

    def walk(self, name: str) -> None:
        """Walk a list by arrows to the one of this name, the shorter way: whoever plays knows the board."""
        try:
            until(self.page, STEPS, name)
        except AssertionError as error:
            raise AssertionError(f"{self.name} finds no {name} in the list of {self.focused()}") from error
        steps = int(self.page.evaluate(STEPS, name)["steps"])
        focused = self.press(f"{'Down' if steps > 0 else 'Up'} {abs(steps)}") if steps else self.focused()[0]
        assert focused.startswith(name), f"{self.name} has not found {name}, but {self.focused()}"

    def focused(self) -> tuple[str, str, str]:
        """Return name, role and states of what has the focus, from the accessibility tree."""
        try:
            found = self.devtools.send("Runtime.evaluate", {"expression": "document.activeElement || document"})
            node = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
            tree = self.devtools.send("Accessibility.getPartialAXTree", node)["nodes"][0]
        except Error:  # the page is just being replaced: look at the next one
            self.soon("ready")
            return self.focused()
        states = [words for name, words in STATES.items() if _property(tree, name) in (True, "true")]
        states += ["not available"] if _property(tree, "disabled") else []
        if value := tree.get("value", {}).get("value"):
            states.append(str(value))
        name = " ".join(tree.get("name", {}).get("value", "").split())
        name = re.sub(r" (?=[,:])", "", name)  # a space before a sign is not spoken
        return name, tree.get("role", {}).get("value", ""), ", ".join(states)

    def note_focus(self) -> str:
        """Keep what is said of what has the focus now, and return its name."""
        name, role, states = self.focused()
        if role in ("none", "RootWebArea") and not self.page.title():  # the next page is just coming
            self.soon("ready")
            name, role, states = self.focused()
        if role in ("none", "RootWebArea"):
            name, role = self.page.title(), "page"
        if not name:
            self.unnamed.append(f"{role} after {self.pressed[-3:]}")
        role = {"listitem": "", "generic": ""}.get(role, role)
        self.focus = ", ".join(part for part in (name, role, states) if part)
        return name

    def take(self, moment: str) -> list[str]:
        """Return what was heard until this moment: lines of the log, alerts, and at last what is asked now."""
        self.soon("tells", moment)
        asked, heard, regions = self.page.evaluate(HEARD)
        lines = [f"“{text}”" for text in heard.splitlines() if text]
        lines += [f"“{text}”" for name, text in regions.items() if text and self.regions.get(name, text) != text]
        self.regions = regions
        if asked and asked != self.asked:
            lines.append(f"*{asked}*")
        self.asked = asked
        return lines


def _property(node: dict[str, Any], name: str) -> object:
    return next((one["value"].get("value") for one in node.get("properties", ()) if one["name"] == name), None)


class EarsNight(BrowserNight):
    """A night whose people play by keyboard and ear, and its transcript."""

    def __init__(self, browser: Browser, server: SiteServer) -> None:
        super().__init__(browser, server)
        self.sections: list[tuple[str, list[tuple[str, list[str]]]]] = []
        """What is written down, by headings; and in each by parts, of which some have names."""
        self.spoken: list[str] = []
        """All that a screen reader says, in order."""
        self.keys_before: list[int] = []
        """For each section, how many keys were pressed before it."""
        self.keys_of_hand = 0

    def phone(self, name: str) -> Listener:
        listener = Listener(self.browser, name)
        self.phones[listener.seat] = self._all_phones[listener.seat] = listener
        return listener

    @property
    def listeners(self) -> list[Listener]:
        return [one for one in self.phones.values() if isinstance(one, Listener)]

    def heading(self, text: str) -> None:
        self.sections.append((text, [("", [])]))
        self.keys_before.append(self.keys)

    @property
    def keys(self) -> int:
        """How many keys all have pressed."""
        return sum(one.keys for one in self.listeners)

    def keys_of_sections(self) -> dict[str, int]:
        """Return by its heading how many keys all have pressed in each section."""
        ends = [*self.keys_before[1:], self.keys]
        titles = [title for title, _parts in self.sections]
        return {title: after - before for title, before, after in zip(titles, self.keys_before, ends, strict=True)}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Write down what happens in the block as a part of this name, which may be heard as one before it."""
        self.sections[-1][1].append((name, []))
        yield
        self.sections[-1][1].append(("", []))

    @property
    def lines(self) -> list[str]:
        """The lines of the newest part."""
        return self.sections[-1][1][-1][1]

    def note(self, text: str) -> None:
        """Write down what happens besides, such as a stream that is cut."""
        self.lines.append(f"- {text}")

    def turn(self, one: Listener, *steps: str, without: Listener | None = None) -> None:
        """Write down what somebody does, and what everybody hears of it."""
        with self.act(without=without):
            one.does(*steps)

    def moment(self) -> str:
        """Return the mark of the night as it stands now; empty before there is one."""
        return snapshot_of(self.table).at if self.code else ""

    @contextmanager
    def act(self, *, without: Listener | None = None) -> Iterator[None]:
        """Write down what everybody presses and hears until all pages show the newest moment.

        `without` leaves out whoever is cut off.
        """
        focus = {one.name: one.focus for one in self.listeners}
        yield
        there = [one for one in self.listeners if one is not without]
        for one in there:
            one.soon("ready")
        moment = self.moment()
        for one in sorted(there, key=lambda one: not one.pressed):  # who has done it comes first
            self._write_down(one, focus.get(one.name, ""), moment)

    def _write_down(self, one: Listener, focus: str, moment: str) -> None:
        heard, keys = one.take(moment), _together(one.pressed)
        if one.pressed:
            one.note_focus()
        one.pressed = []
        said = [f"» {one.focus}"] if keys and one.focus != focus else []
        said += heard
        self.spoken += said
        if keys or said:
            line = " ".join(part for part in (f"- **{one.name}**", keys, *said) if part)
            self.lines.append(re.sub(r"\b\w+day at ", "Saturday at ", line))


@contextmanager
def ears_night(browser: Browser, folder: Path) -> Iterator[EarsNight]:
    """Give a night of a server of its own that is not open yet."""
    with site_server(folder) as server, closing(EarsNight(browser, server)) as night:
        yield night


def _together(keys: Sequence[str]) -> str:
    """Return keys as people read them: `Down` three times is one with its number."""
    shown = []
    for key, group in groupby(keys):
        count = len(list(group))
        shown.append(key if key.startswith("“") else f"`{key}`" + (f" ×{count}" if count > 1 else ""))
    return " ".join(shown)
