"""One page to print: the result, or a score sheet to play on with a pen."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import SampleNight, play_hand, record, sample_night, visible_text
from support.served_app import Screens, screens_at

from tracker.core import events
from tracker.core.events import Amount, Name, SeatId
from tracker.streaming.hub import StreamHub


@pytest.fixture(name="screens")
def _screens(browser: Browser, site: Site, live: StreamHub) -> Iterator[Screens]:
    with screens_at(browser, site.app, live) as screens:
        yield screens


def test_a_sheet_printed_in_mid_night_has_the_board_the_stacks_and_empty_hands_to_play_on(third: SampleNight) -> None:
    page = third.ben.get(f"{third.base}/print")
    said = visible_text(page)
    assert "Ten of hearts5" in said
    assert f"chips now {third.table.night.stack('ruth')}" in said
    assert page.text.count('<tr class="p-empty">') >= 6


def test_the_result_of_a_usual_night_prints_on_one_page(screens: Screens, site: Site) -> None:
    here = sample_night(site)
    record(here.table, *(events.Buy(seat, Amount(200)) for seat in here.table.night.seats))
    for hand in range(12):
        play_hand(here.table, "ruth", "ben", "mia" if hand % 2 else "tom", left=1)
    page = screens.open(here.host, f"{here.base}/print")
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == 1
    record(here.table, events.End())
    page.reload()
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == 1


def test_every_page_of_a_night_that_keeps_it_leads_to_paper(third: SampleNight, ended: SampleNight) -> None:
    for here, pages in ((third, ("log", "settle", "files", "sheet")), (ended, ("log", "settle", "files"))):
        for page in pages:
            assert HtmlPage(here.host.get(f"{here.base}/{page}").text).has(f'a[href="{here.base}/print"]'), page


def test_who_came_late_has_empty_cells_and_no_chip_is_missing(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "tom")
    record(here.table, events.Sit(SeatId("zoe"), Name("Zoe")))
    play_hand(here.table, "ben", "mia", "tom")
    record(here.table, events.End())
    page = HtmlPage(here.host.get(f"{here.base}/print").text)
    cells = [[cell.get_text().strip() for cell in row.select("td, th")] for row in page.select(".p-hands tbody tr")]
    assert [bool(row[-1]) for row in cells if row[0].isdigit()] == [False, True]
    assert "Nothing missing." in page.text("main")
    assert "shared/chart.css" in page.html
