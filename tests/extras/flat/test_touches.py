"""What fingers do on the tablet: each is on its own, and what does not end where it has to does nothing."""

from collections.abc import Iterator

import pytest
from extras.flat.tablet import Tablet, tablet_at
from playwright.sync_api import Browser, Route, expect
from support.client_phones import Site
from support.waiting import intercept, lose_contact, until

from tracker.core import events
from tracker.core.events import Chips, SeatId
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


def test_two_places_pulled_at_the_same_time_by_two_people_are_two_entries(tablet: Tablet) -> None:
    tablet.drag_together(("#p-ten-hearts", "#s-mia"), ("#p-king-clubs", "#s-tom"))
    tablet.see_head(8)
    assert sorted(kinds(tablet), key=str) == [("collect", "mia"), ("collect", "tom")]


def test_a_place_that_is_pulled_to_nobody_is_not_taken(tablet: Tablet) -> None:
    tablet.press(0, tablet.place_of("#p-ten-hearts"))
    for point in ((500.0, 200.0), (240.0, 200.0)):
        tablet.pull(0, point)
    expect(tablet.page.locator(".pulled")).to_have_text("5")
    tablet.lift(0)
    expect(tablet.page.locator(".pulled")).to_have_count(0)
    assert kinds(tablet) == []


def test_an_entry_needs_its_touch_to_begin_and_to_end_on_it(tablet: Tablet) -> None:
    for begin, end in (
        ("#d-ruth-do-out", "#d-mia-do-out"),
        ("#d-ruth-do-out", "#d-ruth-own-bar"),
        (".board", "#d-tom-do-out"),
    ):
        tablet.drag_together((begin, end))
    tablet.page.wait_for_timeout(300)
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
    tablet.record(".takes[data-dock=mia] [data-takes=king-clubs]")
    assert kinds(tablet)[-1] == ("collect", "mia")
    expect(tablet.page.locator(LIT)).to_have_count(1)
    expect(tablet.page.locator(LIT)).to_have_count(0, timeout=8000)
    expect(tablet.page.locator(".takes")).to_have_count(0)


def test_a_touch_does_one_thing_also_where_what_was_touched_goes(tablet: Tablet) -> None:
    tablet.tap("#p-king-clubs")
    tablet.record(".takes[data-dock=mia] button")  # below it is "I am out of cards!"
    tablet.page.wait_for_timeout(300)
    assert kinds(tablet) == [("collect", "mia")]
    assert tablet.table.draft.winner is None


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


def test_a_refusal_is_said_in_the_dock_whose_tap_came_second(tablet: Tablet) -> None:
    def tom_takes_it_first(route: Route) -> None:
        tablet.table.record(events.Collect("tom", "ten-hearts"), id="tom-takes", by="tom")
        route.continue_()

    intercept(tablet.page, "**/flat/mia/record", tom_takes_it_first)
    tablet.drag_together(("#p-ten-hearts", "#s-mia"))
    tablet.page.wait_for_selector("#s-mia .notice")
    assert tablet.page.locator(".notice").count() == 1


def test_it_says_that_the_server_is_away_and_a_tap_counts_once_when_it_is_back(tablet: Tablet) -> None:
    lose_contact(tablet.page)
    expect(tablet.page.locator("#net")).to_have_text("Looking for the table. Play on.")
    tablet.drag_together(("#p-ten-hearts", "#s-mia"))
    expect(tablet.page.locator("#net")).to_have_text("No contact. Your tap is kept and sent later.")
    tablet.page.context.set_offline(False)
    tablet.see_head(7)
    expect(tablet.page.locator("#net")).to_be_hidden()
    assert kinds(tablet) == [("collect", "mia")]


def test_the_menu_opens_only_where_a_corner_is_held(tablet: Tablet) -> None:
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
    tablet.press(0, tablet.place_of("[data-corner=sw]"))
    tablet.page.wait_for_selector("#flat-sheet >> visible=true")
    tablet.lift(0)
    tablet.page.tap("#flat-sheet summary:has-text('This hand')")
    tablet.page.tap("#flat-sheet [data-go=dealer]")
    tablet.record("#s-tom [value='deal:tom']")
    assert tablet.table.night.dealer == "tom"


def test_a_sheet_of_a_dock_records_for_it_and_closes(tablet: Tablet) -> None:
    tablet.tap("#s-tom .own-bar a")
    tablet.page.wait_for_selector("#flat-sheet >> visible=true")
    tablet.page.tap("#flat-sheet summary:has-text('Played wrongly')")
    tablet.page.tap("#flat-sheet button:has-text('Led too high')")
    tablet.see_head(7)
    assert kinds(tablet) == [("penalty", "tom")]
    expect(tablet.page.locator("#flat-sheet")).to_be_hidden()


def test_it_is_dark_until_the_device_has_chosen_and_asks_to_stay_awake(tablet: Tablet) -> None:
    assert tablet.page.evaluate("() => document.documentElement.dataset.theme") == "dark"
    assert tablet.page.locator("body.awake").count() == 1
