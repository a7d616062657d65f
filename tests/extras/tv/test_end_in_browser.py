"""The big screen when a night is over, in every kind of game: it is shown whole, whoever was there and however many."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from support.client_phones import Site
from support.layout_faults import layout_faults
from support.sample_nights import record
from support.score_events import round_won, rummy, scores
from support.served_app import Screens, screens_at
from support.waiting import resize

from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Chips, Name, Score, SeatId
from tracker.core.house_rules import rule_faults
from tracker.streaming.hub import StreamHub
from tracker.web.night_result import NightResult

PEOPLE = (
    *("Ben", "Großmama Wilhelmine", "Mia", "Opa Hans", "Zoe", "Tom", "Leo"),
    *("Hanna", "Maximilian-Alexander", "Ada", "Ida"),
)
MONEY = {"money.chips": 1, "money.cents": 5}
SCREENS = ((1280, 720), (1920, 1080))
BEYOND = """() => [...document.querySelectorAll(".tv-end *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
}).map((one) => one.outerHTML.slice(0, 90))"""
GAMES = {"michigan-rummy": 12, "eight-round-rummy": 6, "michigan-rummy-snake": 6, "score-sheet": 12}
"""With how many people most play it."""


@pytest.fixture(name="screens")
def _screens(browser: Browser, site: Site, live: StreamHub) -> Iterator[Screens]:
    with screens_at(browser, site.app, live) as screens:
        yield screens


def ended(site: Site, preset: str, others: int, *, with_money: bool) -> OpenNight:
    """Return a night that is over: Ruth was the first to go out, and Ben has left before the last hand."""
    table = site.tables.get(site.open_night(site.host(), "Ruth", preset))
    for name in PEOPLE[:others]:
        record(table, events.Sit(SeatId(name[:3].lower()), Name(name)))
    if with_money and not list(rule_faults(table.preset.game, MONEY)):
        record(table, events.Rule(MONEY))
    for number in (1, 2):
        lost = {seat: Chips(at + number) for at, seat in enumerate(table.night.seats) if seat != "ruth"}
        if table.preset.is_pot_game:
            record(table, events.Hand("ruth"), events.NoSale(), events.Out("ruth", lost))
            record(table, events.Poker((next(iter(lost)),)))
        elif table.preset.game == "rounds":
            record(table, round_won("ruth"))
        elif table.preset.game == "points":
            record(table, scores({seat: Score(lost.get(seat, 0)) for seat in table.night.seats}))
        else:
            record(table, rummy("ruth", lost))
        if number == 1 and others > 1:
            record(table, events.Leave(SeatId("ben")))
    record(table, events.End())
    return table


@pytest.mark.parametrize("preset", GAMES)
def test_the_end_on_a_big_screen_shows_everybody_and_who_pays_whom(screens: Screens, site: Site, preset: str) -> None:
    for people in (2, 5, GAMES[preset]):
        table = ended(site, preset, people - 1, with_money=people != 5)
        result = NightResult(table.history())
        page = screens.open(site.host(), f"/n/{table.code}/tv", 1280, 720)
        assert page.inner_text(".crown h2") == result.headline
        shown = [page.locator(selector).count() for selector in (".tv-ranks li", ".tv-dues li")]
        assert shown == [people, len(result.dues)]
        assert result.dues or not result.has_money
        assert ("Ben has left" in page.inner_text(".tv-ranks")) == (people > 2)
        for size in SCREENS:
            page.emulate_media(color_scheme="light" if size == SCREENS[0] else "dark")
            resize(page, *size)
            assert page.evaluate(BEYOND) == []
            assert layout_faults(page) == [], (people, size)
        page.context.close()
