"""What fingers do on the tablet: each is on its own, and what others do moves nothing under a finger."""

from collections.abc import Callable, Iterator

import pytest
from extras.flat.tablet import Tablet, tablet_at
from playwright.sync_api import Browser, expect
from support.client_phones import Site
from support.waiting import lose_contact, until

from tracker.core import events
from tracker.core.events import Amount, Chips, Event, Name, SeatId
from tracker.streaming.hub import StreamHub

LIT = "#live .compartment[aria-pressed=true]"


@pytest.fixture(name="tablet")
def _tablet(browser: Browser, site: Site, live: StreamHub) -> Iterator[Tablet]:
    with tablet_at(browser, site, live, people=("Ben", "Mia", "Tom")) as (tablet, _host):
        for number, event in enumerate((events.Hand("ben"), events.NoSale()), start=1):
            tablet.table.record(event, id=f"begins-{number}", by="ben")
        tablet.see_head(tablet.table.head)
        yield tablet


def kinds(tablet: Tablet) -> list[tuple[str, str | None]]:
    """Return what was recorded after the hand began, and by whom."""
    return [(entry.event.kind, entry.by) for entry in tablet.table.entries[6:]]


def test_an_entry_needs_its_touch_to_begin_and_end_on_it_and_a_place_somebody_to_be_pulled_to(
    tablet: Tablet,
) -> None:
    tablet.press(0, tablet.place_of("#p-ten-hearts"))
    for point in ((500.0, 200.0), (240.0, 200.0)):
        tablet.pull(0, point)
    expect(tablet.page.locator(".pulled")).to_have_text("5")
    tablet.lift(0)  # a place that is pulled to nobody
    expect(tablet.page.locator(".pulled")).to_have_count(0)
    for begin, end in (
        ("#d-ruth-do-out", "#d-mia-do-out"),
        ("#d-ruth-do-out", "#d-ruth-own-bar"),
        (".board", "#d-tom-do-out"),
    ):
        tablet.drag_together((begin, end))
    tablet.page.wait_for_timeout(300)
    assert kinds(tablet) == []
    assert tablet.table.draft.winner is None
    tablet.tap("#d-ruth-do-out")
    tablet.page.wait_for_selector("#s-mia .pad")
    assert tablet.table.draft.winner == "ruth"


def test_a_place_that_is_tapped_lights_up_and_has_a_button_in_each_dock_that_may_take_it(tablet: Tablet) -> None:
    tablet.table.record(events.Penalty(SeatId("tom"), "wrong-lead"), id="tom-led", by="ben")
    tablet.see_head(7)
    tablet.tap("#p-ten-hearts", "#p-king-clubs")
    expect(tablet.page.locator(LIT)).to_have_count(2)
    seats = tablet.page.locator(".takes").evaluate_all("tiles => tiles.map((one) => one.dataset.dock)")
    barred = tablet.table.night.deal and tablet.table.night.deal.barred
    assert sorted(seats) == sorted({"ruth", "ben", "mia", "tom"} - set(barred or ()))
    tablet.record(".takes[data-dock=mia] [data-takes=king-clubs]")  # below it is "I am out of cards!"
    assert kinds(tablet)[-1] == ("collect", "mia")
    expect(tablet.page.locator(LIT)).to_have_count(1)
    expect(tablet.page.locator(LIT)).to_have_count(0, timeout=8000)
    expect(tablet.page.locator(".takes")).to_have_count(0)
    assert len(kinds(tablet)) == 2
    assert tablet.table.draft.winner is None, "a touch does one thing, also where what was touched goes"


def test_who_took_a_place_is_asked_at_their_dock_whether_it_was_another_persons(tablet: Tablet) -> None:
    tablet.drag_together(("#p-ten-hearts", "#s-ruth"))
    tablet.see_head(7)
    tablet.tap("#p-ten-hearts")
    assert tablet.page.locator(".takes[data-dock=ruth]").count() == 0
    tablet.tap(".takes[data-dock=mia] button")
    tablet.record(tablet.dock("ruth", ".asked .btn.act"))
    assert kinds(tablet)[-1] == ("amend", "ruth")
    deal = tablet.table.night.deal
    assert deal
    assert deal.taken["ten-hearts"].part("mia")


def test_it_says_that_the_server_is_away_and_a_tap_counts_once_when_it_is_back(tablet: Tablet) -> None:
    lose_contact(tablet.page)
    expect(tablet.page.locator("#net")).to_have_text("Looking for the table. Play on.")
    tablet.drag_together(("#p-ten-hearts", "#s-mia"))
    expect(tablet.page.locator("#net")).to_have_text("No contact. Your tap is kept and sent later.")
    tablet.page.context.set_offline(False)
    tablet.see_head(7)
    expect(tablet.page.locator("#net")).to_be_hidden()
    assert kinds(tablet) == [("collect", "mia")]


def test_it_is_dark_and_awake_and_its_menu_opens_only_where_a_corner_is_held(tablet: Tablet) -> None:
    assert tablet.page.locator("html[data-theme=dark] body.awake").count() == 1, "until the device has chosen"
    tablet.tap("[data-corner=ne]")
    tablet.page.wait_for_timeout(300)
    expect(tablet.page.locator("#flat-sheet")).to_be_hidden()
    tablet.press(0, tablet.place_of("[data-corner=ne]"))
    expect(tablet.page.locator("#flat-sheet")).to_be_visible()
    tablet.lift(0)
    assert tablet.page.locator("#flat-sheet").get_attribute("data-place") == "c"
    tablet.tap("#d-ruth-do-out")  # beside the sheet the others go on
    until(tablet.page, "() => document.querySelector('#s-mia .pad')")


def test_somebody_else_deals_after_the_menu_has_asked_who(tablet: Tablet) -> None:
    tablet.table.record(events.Out("mia", {"ruth": Chips(1), "ben": Chips(1), "tom": Chips(1)}), id="mia-out", by="mia")
    tablet.table.record(events.Poker(("tom",)), id="tom-wins", by="tom")
    tablet.see_head(8)
    assert tablet.page.locator(".own-dock .also .btn >> visible=true").count() == 0
    tablet.open_menu()
    tablet.page.tap("#flat-sheet summary:has-text('This hand')")
    tablet.page.tap("#flat-sheet [data-go=dealer]")
    tablet.record("#s-tom [value='deal:tom']")
    assert tablet.table.night.dealer == "tom"


# What an event by somebody else does to what fingers rest on


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
    """While one acts, a finger of each other one rests on what their dock asks, and one pulls a place."""
    faults, kept, place = list[str](), 0, "#live .board [data-pot=ace-hearts][data-ask=collect]"
    with tablet_at(browser, site, live, people=("Ben", "Mia", "Tom")) as (tablet, _host):
        tablet.page.evaluate(SOONER)
        for actor, event in EVENING:
            head, pulls = tablet.table.head, tablet.page.locator(place).count() > 0
            if pulls:
                tablet.press(RESTING, tablet.place_of(place))
                tablet.pull(RESTING, (250.0, 200.0))
            for finger, point in enumerate(tablet.page.evaluate(CONTROLS, actor)):
                tablet.press(finger, tuple(point))
            kept += tablet.page.evaluate(KEEP, actor)
            made = event if isinstance(event, Event) else event(head)
            tablet.table.record(made, id=f"made-{head}", by="ruth" if actor == "host" else actor)
            tablet.see_head(head + 1)
            faults += [f"{made.kind}, {said}" for said in tablet.page.evaluate(MOVED)]
            expect(tablet.page.locator(".pulled")).to_have_count(int(pulls))
            for finger in list(tablet.down):
                tablet.pull(finger, AWAY)
            tablet.lift(*tablet.down)
        assert faults == []
        assert kept > len(EVENING) * 20
        assert tablet.table.head == len(tablet.table.entries) == 4 + len(EVENING)


def test_a_control_that_has_become_another_one_under_a_finger_does_nothing(tablet: Tablet) -> None:
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
        tablet.tap("#s-ben [data-digit='7']", "#d-ben-next", finger=1)
        expect(tablet.page.locator("#s-ben")).to_contain_text("Your points: 7")
        assert tablet.page.evaluate(MOVED) == []
        tablet.lift(0)
        expect(tablet.page.locator("#d-mia-next")).to_contain_text("42")
