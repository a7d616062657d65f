"""Waiting for a fact on a page that allows no `eval`: Playwright's own wait evaluates text inside the page."""

import time
from collections.abc import Callable

from playwright.sync_api import Error, Page, Route

LONG_SECONDS = 60.0
LOOK_MS = 50
TWO_FRAMES = """(most) => new Promise((done) => {
  setTimeout(done, most);
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def until(page: Page, fact: str, arg: object = None) -> None:
    """Wait until the JavaScript function `fact` is true of `arg` on this page; AssertionError after a minute."""
    end = time.monotonic() + LONG_SECONDS
    while time.monotonic() < end:
        try:
            if page.evaluate(fact, arg):
                return
        except Error as error:
            if "context was destroyed" not in str(error):  # the page is just being replaced: look at the next one
                raise
        page.wait_for_timeout(LOOK_MS)
    raise AssertionError(f"never true: {fact}")


def resize(page: Page, width: int, height: int) -> None:
    """Give a page this size, and wait until it is laid out for it: the size is told first and used a frame later."""
    if page.viewport_size == {"width": width, "height": height}:
        return
    page.set_viewport_size({"width": width, "height": height})
    until(page, "([width, height]) => innerWidth === width && innerHeight === height", [width, height])
    next_frames(page)


def next_frames(page: Page) -> None:
    """Wait until a page has painted once more. A browser that paints nothing just now is not waited for without end."""
    page.evaluate(TWO_FRAMES, int(1000 * LONG_SECONDS))


def meanwhile(page: Page, fact: Callable[[], bool]) -> None:
    """Let this page go on until something is true on our side; AssertionError after a minute."""
    end = time.monotonic() + LONG_SECONDS
    while not fact():
        assert time.monotonic() < end, "it never happened"
        page.wait_for_timeout(LOOK_MS)


def intercept(page: Page, pattern: str, handler: Callable[[Route], object]) -> None:
    """Hand over what an open page asks for at such addresses, from now on.

    Chromium says that it intercepts before it does, and lets a request go by that is made at once: some are made until
    one is caught.
    """
    caught = list[Route]()

    def let_go(route: Route) -> None:
        caught.append(route)
        route.continue_()

    page.route(pattern, handler)
    page.route(f"**{PROBE}", let_go)
    while not caught and page.url != "about:blank":  # where nothing can be asked for yet
        page.evaluate("async (address) => { await (await fetch(address, { cache: 'no-store' })).text(); }", PROBE)
    page.unroute(f"**{PROBE}")


PROBE = "/static/shared/favicon.svg?intercepted"


def lose_contact(page: Page) -> None:
    """Take a page off the network, and end its stream: the browser cuts none, and a beat that comes is contact."""
    page.context.set_offline(True)
    page.evaluate("() => { document.getElementById('live')?._htmx?.sse?.reader?.cancel(); }")


def held_requests(page: Page, pattern: str) -> list[Route]:
    """Keep back what a page asks for at such addresses, and return the list that it comes to."""
    held: list[Route] = []
    intercept(page, pattern, lambda route: held.append(route))  # noqa: PLW0108 - the library marks the function
    return held


def hammer(page: Page, x: float, y: float) -> None:
    """Tap on one spot four times within a fifth of a second, by the page itself: ours come late on a busy machine."""
    page.evaluate(_HAMMER, [x, y])


_HAMMER = """async ([clientX, clientY]) => {
  const where = { clientX, clientY, bubbles: true, cancelable: true, detail: 1 };
  for (const pause of [0, 20, 80, 80]) {
    await new Promise((done) => setTimeout(done, pause));
    const under = document.elementFromPoint(clientX, clientY);
    for (const kind of ["pointerdown", "pointerup", "click"])
      under.dispatchEvent(kind === "click" ? new MouseEvent(kind, where) : new PointerEvent(kind, where));
  }
}"""
