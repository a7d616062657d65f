"""What the table asks is in sight: on the smallest phone, with large text, nothing of it lies under the dock."""

from collections.abc import Callable, Iterator

from playwright.sync_api import Browser
from support.layout_faults import COVERED, enlarge
from support.page_states import MOMENTS, ServedStates, State
from support.waiting import resize

UNDER_DOCK = """() => {
  const dock = document.getElementById("dock"), edge = dock?.getBoundingClientRect();
  if (!dock || scrollY) return scrollY ? ["scrolled"] : [];
  const isShown = (one) => one.getClientRects().length && one.checkVisibility({ visibilityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const ask = document.body.dataset.question || document.getElementById("move").dataset.ask || "rest";
  const asksPerson = !["rest", "price", "bet", "answer", "bids", "joker"].includes(ask) && ask !== "stakes";
  const most = all(".announced").length ? 1 : 2;
  const people = asksPerson ? all(`button.seat:not([data-no~="${ask}"])`).slice(0, most) : [];
  const counted = all(".count-row.now, .hand.now, .pad .key");
  const isAbove = ({ top, bottom }) => bottom <= edge.top + 1 && top >= 0;
  const hidden = [...people, ...counted].filter((one) => !isAbove(one.getBoundingClientRect()));
  const found = hidden.map((one) => `under the dock: ${one.innerText.trim()}`);
  const inDock = all("#dock :is(button, a)").filter((one) => one.getBoundingClientRect().bottom > innerHeight + 1);
  if (dock.scrollHeight > dock.clientHeight + 1) found.push("the dock scrolls");
  return [...found, ...inDock.map((one) => `below the screen: ${one.innerText.trim()}`)];
}"""
"""What is asked now and lies under the dock or below the screen before a swipe: two people who can be the answer (one
below what the house announces), whose number is typed and its keys, and every control of the dock."""


def asking(served: ServedStates) -> Iterator[State]:
    """Yield the table of every moment, as the host and a guest on the own phone see it."""
    for moment in MOMENTS:
        yield from (State(moment, person, "") for person in ("host", "ben") if (moment, person) in served.visitors)


def test_nothing_that_is_asked_lies_under_the_dock_on_the_smallest_phone_with_large_text(
    browser: Browser, served: ServedStates, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    """Each question, before a swipe; and each sheet, in which everything can be reached."""
    context = browser.new_context(viewport={"width": 320, "height": 568}, has_touch=True, reduced_motion="reduce")
    page, wrong, count = context.new_page(), list[str](), 0
    enlarge(page, 200)
    for address in [*asking(served)][:: short_or_long(3, 1)]:
        served.log_in(context, address.moment, address.person, "en")
        for state in served.opened(page, address):
            if page.locator("#dock").count():
                found = page.evaluate(COVERED if state.sheet else UNDER_DOCK)
                wrong += [f"{state}: {fault}" for fault in found]
                count += 1
    context.close()
    figure(f"in sight: {count} questions and sheets, {len(wrong)} faults")
    assert wrong == []


OVER_OWN = """() => {
  document.dispatchEvent(new CustomEvent("say", { detail: "+24 in all: Ace of hearts +12, Jack of spades +12" }));
  const bubble = document.getElementById("bubble").getBoundingClientRect();
  const own = ".strip li, .own-bar, .count-row, .hand, .pad .key, #dock :is(button, a)";
  return [...document.querySelectorAll(own)].filter((one) => one.getClientRects().length).filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < bubble.right && right > bubble.left && top < bubble.bottom - 2 && bottom > bubble.top + 2;
  }).map((one) => one.innerText.trim());
}"""


def test_what_is_said_for_a_moment_lies_over_no_row_of_the_own_phone_and_over_nothing_to_tap(
    browser: Browser, served: ServedStates
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    page, covered = context.new_page(), list[str]()
    for moment in ("play", "between", "count", "points", "score sheet count"):
        served.log_in(context, moment, "ben", "en")
        served.show(page, State(moment, "ben", ""))
        for width, height in ((390, 844), (320, 568)):
            resize(page, width, height)
            covered += [f"{moment}, {width}: {row}" for row in page.evaluate(OVER_OWN)]
    context.close()
    assert covered == []
