"""A tablet in the middle of a table: a real browser, touched by several fingers at once."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, CDPSession
from support.browser_phones import BrowserPhone
from support.client_phones import ClientPhone, Site, add_people
from support.served_app import AWAY, NOT_DRAWN, give_cookies, serving
from support.waiting import until

from tracker.app.open_night import OpenNight
from tracker.extras.flat.places import sit_down
from tracker.streaming.hub import StreamHub

Point = tuple[float, float]
COUNT_FINGERS = """window.mostFingers = 0;
addEventListener("touchstart", ({ touches }) => { mostFingers = Math.max(mostFingers, touches.length); }, true);"""
SPOT = """selector => {
  const found = [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length);
  if (!found || found.disabled || getComputedStyle(found).pointerEvents === "none") return null;
  const { left, top, width, height } = found.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
"""Where the middle is of the first such thing that is shown; nothing while it can't be touched."""
AROUND = {
    3: ("a2", "d1", "b1"),
    4: ("a2", "d1", "c2", "b1"),
    5: ("a3", "a1", "d1", "c2", "b1"),
    6: ("a3", "a1", "d1", "c1", "c3", "b1"),
    8: ("a3", "a2", "a1", "d1", "c1", "c2", "c3", "b1"),
}
"""Where so many people sit, in the order of their seats, which goes clockwise."""


class Tablet(BrowserPhone):
    """The page of the tablet, and the fingers on it."""

    def __init__(self, context: BrowserContext, table: OpenNight) -> None:
        super().__init__(context, "Ruth")
        self.table = table
        self.touch: CDPSession = context.new_cdp_session(self.page)
        self.down: dict[int, Point] = {}

    # Fingers

    def _send(self, kind: str, finger: int) -> None:
        """Tell the browser what one finger does; all others stay as they are."""
        x, y = self.down[finger]
        self.touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": finger}]})

    def press(self, finger: int, point: Point) -> None:
        self.down[finger] = point
        self._send("touchStart", finger)

    def pull(self, finger: int, point: Point) -> None:
        self.down[finger] = point
        self._send("touchMove", finger)

    def lift(self, *fingers: int) -> None:
        for finger in fingers:
            self._send("touchEnd", finger)
            del self.down[finger]

    def tap(self, *selectors: str, finger: int = 0) -> None:
        """Tap one thing after the other, each as soon as it can be tapped; others' fingers may rest meanwhile."""
        for selector in selectors:
            self.press(finger, self.place_of(selector))
            self.lift(finger)

    def tap_together(self, *selectors: str) -> None:
        """Put a finger on each of these things, then lift them all."""
        points = [self.place_of(selector) for selector in selectors]
        for finger, point in enumerate(points):
            self.press(finger, point)
        self.lift(*range(len(points)))

    def drag_together(self, *ways: tuple[str, str]) -> None:
        """Pull things to others, all at once, each by a finger of its own."""
        points = [(self.place_of(begin), self.place_of(end)) for begin, end in ways]
        for finger, (begin, _end) in enumerate(points):
            self.press(finger, begin)
        for step in (0.4, 1.0):
            for finger, ((x, y), (to_x, to_y)) in enumerate(points):
                self.pull(finger, (x + (to_x - x) * step, y + (to_y - y) * step))
        self.lift(*range(len(points)))

    def most_fingers(self) -> int:
        """Return how many fingers this page has felt at once."""
        most: int = self.page.evaluate("() => mostFingers")
        return most

    def place_of(self, selector: str) -> Point:
        until(self.page, SPOT, selector)
        x, y = self.page.evaluate(SPOT, selector)
        return x, y

    # What people do

    def open_menu(self) -> None:
        """Hold a corner until the menu opens, turned to it."""
        self.press(0, self.place_of("[data-corner=sw]"))
        self.see("#flat-sheet")
        self.lift(0)

    def dock(self, seat: str, selector: str = "") -> str:
        return f"#s-{seat} {selector}" if selector else f"#s-{seat}"

    def record(self, *selectors: str, events: int = 1) -> None:
        """Tap, and wait until the tablet shows that so many more events are recorded."""
        head = self.table.head
        self.tap(*selectors)
        self.see_head(head + events)


@contextmanager
def tablet_at(
    browser: Browser,
    site: Site,
    live: StreamHub,
    *,
    preset: str = "michigan-rummy",
    people: tuple[str, ...] = ("Ben", "Mia", "Tom", "Eva"),
    size: tuple[int, int] = (1024, 600),
    around: tuple[str, ...] | None = None,
) -> Iterator[tuple[Tablet, ClientPhone]]:
    """Open a night on a tablet, with everybody in front of a dock; its page has complained of nothing at the end."""
    host = site.host()
    code = site.open_night(host, preset=preset)
    add_people(host, code, *people)
    table = site.tables.get(code)
    with site.app.app_context():
        for place, seat in zip(AROUND[len(people) + 1] if around is None else around, table.night.seats, strict=False):
            sit_down(table, place, seat)
    with serving(site.app, live) as url:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, has_touch=True, locale="en-GB", reduced_motion="reduce"
        )
        give_cookies(context, url, host.cookies)
        tablet = Tablet(context, table)
        tablet.excuse(AWAY, "status of 4(09|22)")
        tablet.page.add_init_script(f"{NOT_DRAWN}\n{COUNT_FINGERS}")
        tablet.page.goto(f"{url}/n/{code}/flat")
        yield tablet, host
        context.close()
    assert tablet.complaints() == []
