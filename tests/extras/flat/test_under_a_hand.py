"""What an event by somebody else does to what fingers rest on: nothing moves, nothing is another thing in its place."""

from collections.abc import Callable

from extras.flat.tablet import Tablet, tablet_at
from playwright.sync_api import Browser, expect
from support.client_phones import Site

from tracker.core import events
from tracker.core.events import Amount, Chips, Event, Name, SeatId
from tracker.streaming.hub import StreamHub

KEEP = """(actor) => {
  window.isShown = (one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden";
  window.meaning = (one) => [one.id, one.value, one.getAttribute("href"), JSON.stringify(one.dataset)].join(" ");
  const all = [...document.querySelectorAll(
    "#live :is([data-dock], .own-bar, .board [data-pot], [data-dock] :is(button, a[href])), .corner")];
  window.kept = all.filter((one) => isShown(one) && !one.closest("h1")
    && (one.matches("[data-dock]") || one.closest("[data-dock]")?.dataset.dock !== actor))
    .map((one) => ({ one, box: one.getBoundingClientRect(), was: one.matches(".board *") ? one.id : meaning(one) }));
  return window.kept.length;
}"""
"""Remember where everything is that a finger can rest on, but for what is in the dock of whoever acts."""
MOVED = """() => {
  const names = ["left", "top", "right", "bottom"], all = [...document.querySelectorAll("#live *")];
  return window.kept.flatMap(({ one, box, was }) => {
    const now = one.getBoundingClientRect(), isSame = [one.id, meaning(one)].includes(was);
    if (one.isConnected && isShown(one) && isSame)
      return names.some((name) => Math.abs(now[name] - box[name]) > 0.5) ? [`moved: ${was}`] : [];
    const other = all.find((each) => isShown(each) && meaning(each) === was);
    return other ? [`replaced: ${was}`] : [];
  });
}"""
CONTROLS = """(actor) => [...document.querySelectorAll("[data-dock][id]")]
  .filter((dock) => dock.dataset.dock !== actor)
  .map((dock) => [...dock.querySelectorAll(".row .btn, .pad .key, .also .btn, .own-bar .iconb")]
    .find((one) => one.getClientRects().length && !one.disabled && getComputedStyle(one).pointerEvents !== "none"))
  .map((one) => one.getBoundingClientRect())
  .map(({ left, top, width, height }) => [left + width / 2, top + height / 2])"""
"""Where the first control is of each dock but one."""
SOONER = """() => {
  const later = setTimeout;
  window.setTimeout = (go, wait, ...rest) => later(go, wait === 6000 ? 300 : wait, ...rest);
}"""
"""A finger that lies on the page holds news back for six seconds: here for less, since each event waits for it."""
AWAY = (250.0, 300.0)
"""Beside the board, where nothing is."""
RESTING = 9
"""The finger that pulls a place."""


class Walk:
    """Events by one person while a finger of each other one rests on what their dock asks, and one pulls a place."""

    def __init__(self, tablet: Tablet) -> None:
        self.tablet, self.faults, self.kept = tablet, [""], 0
        tablet.page.evaluate(SOONER)

    def record(self, actor: str, event: Event | Callable[[int], Event]) -> None:
        tablet, head = self.tablet, self.tablet.table.head
        place = "#live .board [data-pot=ace-hearts][data-ask=collect]"
        pulls = tablet.page.locator(place).count() > 0
        if pulls:
            tablet.press(RESTING, tablet.place_of(place))
            tablet.pull(RESTING, (250.0, 200.0))
        for finger, point in enumerate(tablet.page.evaluate(CONTROLS, actor)):
            tablet.press(finger, tuple(point))
        self.kept += tablet.page.evaluate(KEEP, actor)
        made = event if isinstance(event, Event) else event(head)
        tablet.table.record(made, id=f"made-{head}", by="ruth" if actor == "host" else actor)
        tablet.see_head(head + 1)
        self.faults += [f"{made.kind}, {said}" for said in tablet.page.evaluate(MOVED)]
        if pulls:
            expect(tablet.page.locator(".pulled")).to_have_count(1)
        for finger in list(tablet.down):
            tablet.pull(finger, AWAY)
        tablet.lift(*tablet.down)


PAYS = {seat: Chips(2) for seat in ("ruth", "mia", "tom")}
EVENING: tuple[tuple[str, Event | Callable[[int], Event]], ...] = (
    ("tom", events.Buy("tom", Amount(20))),
    ("host", events.Sit(SeatId("zoe"), Name("Zoe"))),
    ("host", events.Leave("zoe")),
    ("ben", events.Hand("ben")),
    ("ben", events.NoSale()),
    ("tom", events.Collect("tom", "ten-hearts")),
    ("tom", events.Undo),
    ("tom", events.Collect("tom", "ten-hearts")),
    ("ruth", events.Collect("ruth", "king-clubs")),
    ("tom", events.Borrow("tom", "ben", Amount(5))),
    ("tom", events.Repay("tom", "ben", Amount(5))),
    ("ben", events.Penalty("tom", "wrong-lead")),
    ("host", events.Rule({"out.per_card": 2})),
    ("ben", events.Out("ben", PAYS)),
    ("mia", events.Poker(("mia",))),
    ("mia", events.Hand("mia")),
    ("mia", events.Exchange()),
    ("host", events.Move("bank", "tom", Amount(3))),
    ("host", events.Abandon()),
    ("host", events.End()),
)


def test_an_event_by_somebody_else_moves_and_replaces_nothing_under_a_finger(
    browser: Browser, site: Site, live: StreamHub
) -> None:
    with tablet_at(browser, site, live, people=("Ben", "Mia", "Tom")) as (tablet, _host):
        walk = Walk(tablet)
        for actor, event in EVENING:
            walk.record(actor, event)
        assert walk.faults == [""]
        assert walk.kept > len(EVENING) * 20
        assert tablet.table.head == len(tablet.table.entries) == 4 + len(EVENING)


def test_a_control_that_has_become_another_one_under_a_finger_does_nothing(
    browser: Browser, site: Site, live: StreamHub
) -> None:
    with tablet_at(browser, site, live, people=("Ben", "Mia", "Tom")) as (tablet, _host):
        for number, event in enumerate((events.Hand("ben"), events.NoSale())):
            tablet.table.record(event, id=f"begins-{number}", by="ben")
        tablet.see_head(tablet.table.head)
        tablet.page.evaluate(SOONER)
        tablet.press(0, tablet.place_of("#d-mia-do-out"))
        tablet.table.set_draft_winner("ruth")
        tablet.page.wait_for_selector("#s-mia .pad")
        tablet.lift(0)
        tablet.page.wait_for_timeout(300)
        assert (tablet.table.draft.winner, tablet.table.draft.counts) == ("ruth", {})


def test_keys_stay_where_they_are_while_others_say_their_points(browser: Browser, site: Site, live: StreamHub) -> None:
    with tablet_at(browser, site, live, preset="score-sheet", people=("Ben", "Mia", "Tom")) as (tablet, _host):
        tablet.tap("#s-ben [value=stock]", "#s-mia [data-digit='4']")
        tablet.press(0, tablet.place_of("#s-mia [data-digit='2']"))
        tablet.page.evaluate(KEEP, "ben")
        tablet.tap_beside("#s-ben [data-digit='7']", "#d-ben-next")
        expect(tablet.page.locator("#s-ben")).to_contain_text("Your points: 7")
        assert tablet.page.evaluate(MOVED) == []
        tablet.lift(0)
        expect(tablet.page.locator("#d-mia-next")).to_contain_text("42")
