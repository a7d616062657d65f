"""Whole nights on the tablet in the middle, by touches of several fingers at once; and a hand in other browsers."""

from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from extras.flat.tablet import SPOT, Tablet, tablet_at
from playwright.sync_api import Browser, expect
from support.browser_engines import ENGINES, WebDriverPhone
from support.client_phones import Site
from support.server_process import Command
from support.waiting import meanwhile

from tracker.streaming.hub import StreamHub

ALL_TAKEN = {
    "ten-hearts": "ruth",
    "ace-hearts": "ruth",
    "jack-spades": "ben",
    "king-clubs": "mia",
    "king-queen-hearts": "mia",
    "queen-hearts": "tom",
    "seven-eight-nine": "eva",
}


def count(tablet: Tablet, left: Mapping[str, int]) -> None:
    """Everybody types the own cards at the own dock, all at once."""
    tablet.tap_together(*(tablet.dock(seat, f".pad [data-key='{cards}']") for seat, cards in left.items()))


def play_hand(tablet: Tablet, taken: Mapping[str, str], winner: str, left: Mapping[str, int]) -> None:
    """Play a hand whose antes are in: everybody pulls what they win to themselves, at once, and one is out."""
    tablet.record(tablet.dock(tablet.table.night.dealer or "", "[value=no-sale]"))
    head = tablet.table.head
    tablet.drag_together(*((f"#p-{pot}", tablet.dock(seat)) for pot, seat in taken.items()))
    tablet.see_head(head + len(taken))
    night = tablet.table.night
    assert night.deal
    assert all(night.deal.taken[pot].part(seat) for pot, seat in taken.items())
    tablet.tap(f"#d-{winner}-do-out")
    count(tablet, left)
    tablet.record(f"#d-{winner}-pay:enabled")


def end_night(tablet: Tablet) -> None:
    """End the night from the menu."""
    tablet.open_menu()
    tablet.page.tap("#flat-sheet a[href$='/settle']")
    tablet.page.tap(".stackup button.act")
    meanwhile(tablet.page, lambda: tablet.table.night.is_over)


def test_a_night_of_michigan_rummy(browser: Browser, site: Site, live: StreamHub) -> None:
    with tablet_at(browser, site, live) as (tablet, _host):
        tablet.record(tablet.dock("ben", "[value='deal:ben']"))
        taken = {"ten-hearts": "ruth", "ace-hearts": "tom", "king-clubs": "mia"}
        play_hand(tablet, taken, "eva", {"ruth": 3, "ben": 4, "mia": 5, "tom": 1})
        assert tablet.table.night.stack("eva") == 91 + 13 + 6
        tablet.record("#d-mia-do-poker")
        tablet.record(tablet.dock("mia", "[value='ante:mia']"))
        play_hand(tablet, {"jack-spades": "eva"}, "ruth", {"ben": 2, "mia": 2, "tom": 2, "eva": 2})
        tablet.tap(tablet.dock("mia", ".also [value='waive:poker']"))
        tablet.record(tablet.dock("tom", "[value='ante:tom']"))
        play_hand(tablet, ALL_TAKEN, "eva", {"ruth": 1, "ben": 1, "mia": 1, "tom": 1})
        tablet.record("#d-ben-do-poker")
        assert tablet.most_fingers() == 7
        end_night(tablet)
        tablet.page.wait_for_selector("text=wins the night")


def test_a_score_sheet(browser: Browser, site: Site, live: StreamHub) -> None:
    size, people = (1366, 1024), ("Ben", "Mia", "Tom")
    with tablet_at(browser, site, live, preset="score-sheet", people=people, size=size) as (tablet, _host):
        for round_number in (1, 2):
            tablet.tap(tablet.dock("ben", "[value=stock]"))
            seats = tablet.table.night.seats
            tablet.tap_together(*(tablet.dock(seat, "[data-digit='1']") for seat in seats))
            tablet.tap(tablet.dock("ben", "[data-digit='2']"))
            tablet.tap_together(*(f"#d-{seat}-next" for seat in seats))
            tablet.record(".also [value=pay]")
            points = {"ruth": 1, "ben": 12, "mia": 1, "tom": 1}
            assert tablet.table.night.points == {seat: round_number * one for seat, one in points.items()}
        assert tablet.most_fingers() == 4
        end_night(tablet)
        tablet.page.wait_for_selector("text=wins the night")


def test_chips_are_placed_at_one_dock_and_a_loan_is_answered_at_another(
    browser: Browser, site: Site, live: StreamHub
) -> None:
    with tablet_at(browser, site, live, preset="newmarket", people=("Ben", "Mia")) as (tablet, _host):
        tablet.record(tablet.dock("ben", "[value='deal:ben']"))
        tablet.tap(tablet.dock("mia", "[data-go=stakes]"), "#p-ace-hearts", "#p-ace-hearts")
        tablet.page.wait_for_selector(tablet.dock("mia", "[data-place]:has-text('2 to go')"))
        tablet.tap("#p-king-clubs", "#p-jack-spades")
        tablet.record(tablet.dock("mia", "[data-place]"))
        assert [tablet.table.night.pot(pot) for pot in ("ace-hearts", "king-clubs", "jack-spades")] == [2, 1, 1]
        tablet.tap(tablet.dock("ben", ".own-bar a"))
        tablet.page.tap("#flat-sheet summary:has-text('Borrow')")
        tablet.page.select_option("#flat-sheet [name=source]", "ruth")
        tablet.page.locator("#flat-sheet [value^='borrow:']").first.tap()
        stack = tablet.table.night.stack("ben")
        expect(tablet.page.locator("#flat-sheet")).to_be_hidden()
        tablet.record(tablet.dock("ruth", ".asked .btn.act"))
        assert tablet.table.night.stack("ben") > stack


# In browsers of other makers: people sit down, pull a place to themselves, and are paid


TAKEN = "(pot) => !document.querySelector(`#p-${pot}[data-ask=collect]`)"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["Firefox", "WebKitGTK"])
def test_people_sit_down_pull_a_place_to_themselves_and_are_paid(engine: str, tmp_path: Path) -> None:
    with ExitStack() as ended:
        command = Command(tmp_path / "data")
        ended.callback(command.kill)
        page = ended.enter_context(closing(ENGINES[engine](tmp_path / "tablet")))
        assert isinstance(page, WebDriverPhone)
        page.resize(1200, 900)

        def tap(*selectors: str) -> None:
            for selector in selectors:
                page.press(*page.until(SPOT, selector))

        page.goto(command.host_link)
        page.at("/")
        page.fill("Your name", "Ruth")
        page.tap("Michigan Rummy")
        page.at("/lobby")
        for name in ("Ben", "Mia"):
            page.fill("Add somebody without a phone", name)
            page.tap("Add")
            page.see(name)
        page.tap("On a tablet in the middle", "This device is the tablet")
        page.at("/flat")
        page.see("Tap the place where you sit.")
        for place, seat in (("a2", "ruth"), ("d1", "ben"), ("b1", "mia")):
            tap(f"#free-{place} .sit", f"#free-{place} [name=seat][value={seat}]")
            page.until(SPOT, f"#s-{seat}[data-place={place}]")
        tap("#s-ben [value='deal:ben']", "#s-ben [value=no-sale]")
        page.drag(page.until(SPOT, "#p-king-clubs[data-ask=collect]"), page.until(SPOT, "#s-mia"))
        page.until(TAKEN, "king-clubs")
        tap("#d-ruth-do-out", "#s-ben .pad [data-key='3']", "#s-mia .pad [data-key='2']", "#d-ruth-pay:enabled")
        page.until(SPOT, "#s-mia [id^=d-mia-do-poker], #s-ben [value^='waive:']")
        code = page.address().split("/n/")[1].split("/")[0]
        assert command.state(code)["stacks"] == {"ruth": 91 + 4 + 5, "ben": 82 - 3, "mia": 91 + 4 - 2}
