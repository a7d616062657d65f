"""People who play by keyboard and ear: what they press, and what a screen reader says to them, written down.

The browser's accessibility tree says what has the focus; what is added to the live regions is collected as it comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from playwright.sync_api import Browser, ViewportSize
from support.browser_phones import BrowserNight, BrowserPhone
from support.server_process import Command
from support.waiting import until

SCREEN = ViewportSize(width=1280, height=800)
NAMES = {"Down": "ArrowDown", "Up": "ArrowUp", "Left": "ArrowLeft", "Right": "ArrowRight"}
SETTLE_MS = 150
"""After a change a page gives the focus on, and says what is asked, in tasks of their own."""
FARTHEST = 60
"""As many stops of Tab nobody passes by on the way to a control."""
REGIONS = """() => {
  addEventListener("htmx:sse:after:connection", ({ detail }) => { window.stream = detail.connection; }, true);
  const words = (one) => one.textContent.replace(/\\s+/g, " ").trim();
  const alerts = () => [...document.querySelectorAll("[role=alert], #net:not([hidden])")].map(words).filter(Boolean);
  const watch = () => {
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const one of addedNodes) heardNow(words(one));
    }).observe(document.getElementById("happened"), { childList: true });
    let before = alerts();
    const look = () => {
      const now = alerts();
      for (const one of now) if (!before.includes(one)) heardNow(one);
      before = now;
    };
    const all = { childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ["hidden"] };
    new MutationObserver(look).observe(document.body, all);
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", watch); else watch();
}"""
READY = "() => !/paused|pays-soon/.test(document.body.className) && !document.querySelector('.htmx-request')"
ASKED = """() => {
  const asked = document.getElementById("asked").textContent.trim();
  return asked || !document.querySelector("#move") ? { asked } : null;
}"""
"""What is asked, on a page that has said it: at a table something is asked always."""
STATES = {"pressed": "pressed", "checked": "checked", "expanded": "open"}


SHOWN = """(head) => Number(document.querySelector("#live [data-head]")?.dataset.head ?? head) >= head"""
"""Whether a page that follows the night shows so many entries."""
POLITE = """() => Object.fromEntries([...document.querySelectorAll("[aria-live=polite][id]")].map((one) =>
  [one.id, one.innerText.replace(/\\s+/g, " ").trim()]))"""
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

    def __init__(self, night: EarsNight, name: str) -> None:
        context = night.browser.new_context(viewport=SCREEN, locale="en-GB", reduced_motion="reduce")
        super().__init__(context, name)
        self.keys = 0
        self.pressed: list[str] = []
        self.heard_now: list[str] = []
        self.asked = ""
        self.regions: dict[str, str] = {}
        """The texts of other live regions, by their id."""
        self.focus = ""
        self.unnamed: list[str] = []
        """What had the focus after a key and has no name."""
        context.expose_binding("heardNow", lambda _source, text: self.heard_now.append(text))
        context.add_init_script(f"({REGIONS})()")
        self.devtools = context.new_cdp_session(self.page)

    # Keys

    def press(self, *keys: str) -> None:
        """Press keys, each as soon as the page takes one; `Down 3` is a key three times."""
        for one in keys:
            key, _, times = one.partition(" ")
            for _ in range(int(times or 1)):
                until(self.page, READY)
                self.page.keyboard.press(NAMES.get(key, key))
                self.keys += 1
                self.pressed.append(key)
                self.page.wait_for_timeout(30)  # a page gives the focus on in a task of its own
        self._note_focus()

    def write(self, text: str) -> None:
        """Type a text into the field that has the focus."""
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        self.keys += len(text)
        self.pressed.append(f"“{text}”")
        self._note_focus()

    def find(self, name: str, key: str = "Tab") -> None:
        """Press a key until what has the focus has a name that begins so."""
        for _ in range(FARTHEST):
            if self.focused()[0].startswith(name):
                break
            self.press(key)
        assert self.focused()[0].startswith(name), f"{self.name} has not found {name}, but {self.focused()}"

    def walk(self, name: str) -> None:
        """Walk a list by arrows to the one of this name, the shorter way: whoever plays knows the board."""
        until(self.page, STEPS, name)
        steps = int(self.page.evaluate(STEPS, name)["steps"])
        if steps:
            self.press(f"{'Down' if steps > 0 else 'Up'} {abs(steps)}")
        assert self.focused()[0].startswith(name), f"{self.name} has not found {name}, but {self.focused()}"

    def walk_choice(self, name: str) -> None:
        """Press Down among choices of which one is taken until the one of this name is."""
        for _ in range(FARTHEST):
            if self.focused()[0].startswith(name):
                return
            self.press("Down")
        raise AssertionError(f"{self.name} has not found {name}")

    def focused(self) -> tuple[str, str, str]:
        """Return name, role and states of what has the focus, from the accessibility tree."""
        self.page.wait_for_load_state()
        found = self.devtools.send("Runtime.evaluate", {"expression": "document.activeElement || document"})
        node = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
        tree = self.devtools.send("Accessibility.getPartialAXTree", node)["nodes"][0]
        states = [words for name, words in STATES.items() if _property(tree, name) in (True, "true")]
        states += ["not available"] if _property(tree, "disabled") else []
        if value := tree.get("value", {}).get("value"):
            states.append(str(value))
        name = re.sub(r"\s+", " ", tree.get("name", {}).get("value", "")).strip()
        return name, tree.get("role", {}).get("value", ""), ", ".join(states)

    def _note_focus(self) -> None:
        name, role, states = self.focused()
        if role in ("none", "RootWebArea"):
            name, role = self.page.title(), "page"
        if not name:
            self.unnamed.append(f"{role} after {self.pressed[-3:]}")
        role = {"listitem": "", "generic": ""}.get(role, role)
        self.focus = ", ".join(part for part in (name, role, states) if part)

    def take(self) -> list[str]:
        """Return what was heard since the last time: lines of the log, alerts, and at last what is asked now."""
        until(self.page, READY)
        self.page.wait_for_timeout(SETTLE_MS)
        until(self.page, ASKED)
        asked = str(self.page.evaluate(ASKED)["asked"])
        lines = [f"“{text}”" for text in self.heard_now if text]
        self.heard_now = []
        regions = self.page.evaluate(POLITE)
        lines += [f"“{text}”" for name, text in regions.items() if text and self.regions.get(name, text) != text]
        self.regions = regions
        if asked and asked != self.asked:
            lines.append(f"? {asked}")
        self.asked = asked
        return lines


def _property(node: dict[str, Any], name: str) -> object:
    return next((one["value"].get("value") for one in node.get("properties", ()) if one["name"] == name), None)


class EarsNight(BrowserNight):
    """A night whose people play by keyboard and ear, and its transcript."""

    def __init__(self, browser: Browser, command: Command) -> None:
        super().__init__(browser, command)
        self.lines: list[str] = []
        self.spoken: list[str] = []
        """All that a screen reader says, in order."""
        self.keys_of_hand = 0

    def phone(self, name: str, motion: str = "") -> Listener:  # noqa: ARG002
        listener = self.phones[name.lower()] = Listener(self, name)
        return listener

    @property
    def listeners(self) -> list[Listener]:
        return [one for one in self.phones.values() if isinstance(one, Listener)]

    def heading(self, text: str) -> None:
        self.lines += ["", f"### {text}", ""]

    def note(self, text: str) -> None:
        """Write down what happens besides, such as a stream that is cut."""
        self.lines.append(f"- *{text}*")

    @contextmanager
    def act(self, *, is_quiet: bool = False, without: Listener | None = None) -> Iterator[None]:
        """Write down what everybody presses and hears until all pages show the newest entry.

        `is_quiet` is where no page follows the night, as before it is open; `without` leaves out whoever is cut off.
        """
        focus = {one.name: one.focus for one in self.listeners}
        yield
        there = [one for one in self.listeners if one is not without]
        for one in there:
            until(one.page, READY)
            one.page.wait_for_timeout(SETTLE_MS if one.pressed else 0)
            until(one.page, READY)
        head = 0 if is_quiet else self.head()
        for one in there:
            if head:
                until(one.page, SHOWN, head)
        for one in sorted(there, key=lambda one: not one.pressed):  # who has done it comes first
            self._write_down(one, focus.get(one.name, ""))

    def _write_down(self, one: Listener, focus: str) -> None:
        heard, keys = one.take(), _together(one.pressed)
        if one.pressed:
            one._note_focus()
        one.pressed = []
        said = [f"» {one.focus}"] if keys and one.focus != focus else []
        said += heard
        self.spoken += said
        if keys or said:
            self.lines.append(f"- **{one.name}** {keys}".rstrip())
        self.lines += [re.sub(r"\b\w+day at ", "Saturday at ", f"    - {line}") for line in said]


def _together(keys: Sequence[str]) -> str:
    """Return keys as people read them: `Down` three times is one with its number."""
    shown = []
    for key, group in groupby(keys):
        count = len(list(group))
        shown.append(key if key.startswith("“") else f"`{key}`" + (f" ×{count}" if count > 1 else ""))
    return " ".join(shown)


def open_page(one: Listener, address: str) -> None:
    """Open an address, as a link in a message does."""
    one.page.goto(address)
    one._note_focus()
