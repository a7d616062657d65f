"""Whole nights on the tablet in the middle, by touches of several fingers at once, to the settlement."""

from collections.abc import Mapping

import pytest
from extras.flat.tablet import Tablet, tablet_at
from playwright.sync_api import Browser
from support.client_phones import Site

from tracker.streaming.hub import StreamHub

PEOPLE = ("ruth", "ben", "mia", "tom", "eva")


def count(tablet: Tablet, left: Mapping[str, int]) -> None:
    """Everybody types the own cards at the own dock, all at once."""
    tablet.tap_together(*(tablet.dock(seat, f".pad [data-key='{cards}']") for seat, cards in left.items()))


def play_hand(tablet: Tablet, taken: Mapping[str, str], winner: str, left: Mapping[str, int]) -> None:
    """Play a hand whose antes are in: everybody pulls what they win to themselves, at once, and one is out."""
    dealer, head = tablet.table.night.dealer or "", tablet.table.head
    if tablet.table.night.deal and tablet.table.night.deal.dummy is None:
        tablet.record(tablet.dock(dealer, "[value=no-sale]"))
        head += 1
    tablet.drag(*((f"#p-{pot}", tablet.dock(seat)) for pot, seat in taken.items()))
    tablet.see_head(head + len(taken))
    tablet.tap(f"#d-{winner}-do-out")
    count(tablet, left)
    tablet.record(f"#d-{winner}-pay:enabled")


def end_night(tablet: Tablet) -> None:
    """Hold a corner until the menu opens, turned to it, and end the night from there."""
    corner = tablet.place_of("[data-corner=sw]")
    tablet.press(0, corner)
    tablet.page.wait_for_selector("#flat-sheet >> visible=true")
    tablet.lift(0)
    tablet.page.tap("#flat-sheet a[href$='/settle']")
    tablet.page.wait_for_url("**/settle")


def test_a_night_of_michigan_rummy(browser: Browser, site: Site, live: StreamHub) -> None:
    with tablet_at(browser, site, live) as (tablet, _host):
        tablet.record(tablet.dock("ben", "[value='deal:ben']"))
        play_hand(
            tablet,
            {"ten-hearts": "ruth", "ace-hearts": "tom", "king-clubs": "mia"},
            "eva",
            {"ruth": 3, "ben": 4, "mia": 5, "tom": 1},
        )
        tablet.record("#d-mia-do-poker")
        assert tablet.table.night.stack("eva") == 91 + 13 + 6
        tablet.record(tablet.dock("mia", "[value='ante:mia']"))
        play_hand(tablet, {"jack-spades": "eva"}, "ruth", {"ben": 2, "mia": 2, "tom": 2, "eva": 2})
        tablet.record(tablet.dock("mia", ".also [value='waive:poker']"), events=0)
        end_night(tablet)
        assert sum(tablet.table.night.stack(seat) for seat in PEOPLE) > 0


def test_a_night_of_kitty(browser: Browser, site: Site, live: StreamHub) -> None:
    with tablet_at(browser, site, live, preset="michigan-kitty", people=("Ben", "Mia")) as (tablet, _host):
        tablet.record(tablet.dock("mia", "[value='deal:mia']"))
        tablet.page.screenshot(path="/tmp/flat/k.png")
        play_hand(tablet, {"ace-spades": "ben", "king-hearts": "mia"}, "ruth", {"ben": 3, "mia": 5})
        end_night(tablet)


def test_a_score_sheet(browser: Browser, site: Site, live: StreamHub) -> None:
    with tablet_at(browser, site, live, preset="score-sheet", people=("Ben", "Mia", "Tom"), size=(1366, 1024)) as (
        tablet,
        _host,
    ):
        tablet.page.screenshot(path="/tmp/flat/c1.png")
        tablet.tap(tablet.dock("ben", "[value=stock]"))
        tablet.tap(tablet.dock("ben", "[data-digit='1']"), tablet.dock("ben", "[data-digit='2']"))
        tablet.page.screenshot(path="/tmp/flat/c2.png")
        tablet.tap("#d-ben-next")
        for seat in ("ruth", "mia", "tom"):
            tablet.tap(tablet.dock(seat, "[data-digit='7']"), f"#d-{seat}-next")
        tablet.page.wait_for_timeout(500)
        tablet.page.screenshot(path="/tmp/flat/c3.png")
        end_night(tablet)
