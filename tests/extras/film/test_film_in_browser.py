"""The film of a night as one file, opened with the network off: it plays to the end and shows the nets."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from support.client_phones import Site
from support.layout_faults import enlarge
from support.sample_nights import SampleNight, play_hand, record, sample_night
from support.served_app import screens_at
from support.waiting import resize, until

from tracker.app.nights import Nights
from tracker.core import events
from tracker.core.payment_list import nets
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.wording.texts import signed

FILM = "document.querySelector('night-film')"
OVERFLOWING = """() => [...document.querySelectorAll(".film-seat .n, .film-nets b, .film-bar button, .film-words b")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })).filter((one) => {
    const box = one.getBoundingClientRect(), around = one.parentElement.getBoundingClientRect();
    return box.left < around.left - 1 || box.right > around.right + 1 || box.right > innerWidth + 1;
  }).map((one) => one.outerHTML)"""

CHIPS = """(at) => {
  const film = document.querySelector("night-film"), wide = (one) => one.getBoundingClientRect().width;
  film.seek(film.seconds * at);
  const face = 2 * document.querySelector("#k0 circle[fill]").r.baseVal.value;
  const lying = [...film.querySelectorAll(".pile")].filter((one) => one.querySelector("use").href.baseVal.length > 1);
  const inPile = (pile) => {
    const drawn = document.querySelector(pile.querySelector("use").href.baseVal);
    const zoom = drawn.querySelector("g[transform]")?.transform.baseVal[0].matrix.a || 1;
    return (wide(pile) * face * zoom) / drawn.viewBox.baseVal.width;
  };
  const flying = [...film.querySelectorAll(".film-chips [visibility=visible]")].map((one) => {
    const turned = one.getAttribute("transform");
    one.setAttribute("transform", turned.replace(/rotate.*/, ""));  // the box around a chip that is turned is wider
    const width = wide(one);
    one.setAttribute("transform", turned);
    return width;
  });
  return { flying, lying: lying.map(inPile), board: wide(film.querySelector(".board")) };
}"""
"""How wide chips are at a moment of the film, as drawn on this screen: those in flight, and one of each pile."""


@pytest.fixture(name="night", scope="module")
def _night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleNight]:
    store, live = Store(tmp_path_factory.mktemp("data") / "nights.db"), StreamHub()
    here = sample_night(Site(Nights(store, live)))
    play_hand(here.table, "ruth", "ben", "mia", left=5)
    play_hand(here.table, "ben", "tom", "mia", left=3)
    record(here.table, events.End())
    yield here
    live.stop()
    store.close()


@pytest.fixture(name="file", scope="module")
def _file(night: SampleNight, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("film") / "film.html"
    file.write_bytes(night.host.get(f"{night.base}/film.html").data)
    return file


@pytest.fixture(name="page")
def _page(browser: Browser, file: Path) -> Iterator[Page]:
    """The film's page, opened from its file; whatever it fetches or complains about fails the test."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    fetched: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert wrong == []
    assert [url for url in fetched if not url.startswith(("file:", "data:"))] == []


def shown_nets(page: Page) -> dict[str, str]:
    rows = page.locator(".film-nets li")
    return {
        str(rows.nth(at).get_attribute("data-seat")): rows.nth(at).locator("b.num").inner_text()
        for at in range(rows.count())
    }


def shown_balances(page: Page) -> dict[str, int]:
    found = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('[data-account]')].map((one) =>"
        " [one.dataset.account, Number(one.querySelector('.n').textContent)]))"
    )
    assert isinstance(found, dict)
    return found


def test_it_plays_to_the_end_and_shows_the_nets(page: Page, night: SampleNight) -> None:
    assert not page.locator(".film-end").is_visible()
    page.click(".film-start")
    until(page, f"() => {FILM}.now > 0.2")
    assert page.locator("night-film[data-playing]").count() == 1
    page.evaluate(f"{FILM}.seek({FILM}.seconds - 0.4)")
    page.wait_for_selector("night-film[data-ended]:not([data-playing])")
    page.wait_for_selector(".film-end >> visible=true")
    assert shown_nets(page) == {seat: signed(net) for seat, net in nets(night.table.night).items()}
    assert shown_balances(page) == {
        account: night.table.night.ledger.balance(account)
        for account in (*night.table.night.all_seats, *night.table.night.preset.board)
    }


def test_steps_show_each_event_with_its_sentence_and_go_back(page: Page, night: SampleNight) -> None:
    page.focus(".film-slider")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".film-hand") == "Hand 1"
    caption = page.inner_text(".film-caption")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".film-caption") != caption
    page.click(".film-back")
    assert page.inner_text(".film-caption") == caption
    shown = page.evaluate(f"{FILM}.frames[{FILM}.frameAt({FILM}.now)].balances")
    accounts = [*night.table.night.all_seats, *(pot.id for pot in night.table.night.preset.pots)]
    balances = dict(zip(accounts, shown, strict=False))
    assert {account: balances[account] for account in shown_balances(page)} == shown_balances(page)


def test_chips_fly_unless_less_motion_is_asked_for(page: Page) -> None:
    flying = "() => document.querySelectorAll('.film-chips [visibility=visible]').length"
    in_flight = f"{FILM}.seek({FILM}.frames.find((one) => one.transfers.length > 1).start + 0.3)"
    page.evaluate(in_flight)
    assert page.evaluate(flying) > 3
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(in_flight)
    assert page.evaluate(flying) == 0


SCREENS = [(390, 844), (320, 568), (1024, 768), (1920, 1080)]


def check_chips_in_flight(page: Page) -> None:
    """A chip in flight is as large as one that lies there, at every moment of the film."""
    seen = 0
    for moment in range(1, 120):
        chips = page.evaluate(CHIPS, moment / 120)
        for width in chips["flying"]:
            seen += 1
            assert width < chips["board"] / 6, moment
            assert all(0.5 < width / lying < 1.6 for lying in chips["lying"]), (moment, chips)
    assert seen > 50


@pytest.mark.parametrize("size", SCREENS)
def test_a_chip_in_flight_is_as_large_as_one_that_lies_there(page: Page, size: tuple[int, int]) -> None:
    resize(page, *size)
    check_chips_in_flight(page)


def test_so_it_is_in_the_page_of_the_film(browser: Browser, night: SampleNight) -> None:
    with screens_at(browser, night.site.app, night.site.tables.live) as screens:
        page = screens.open(night.host, f"{night.base}/film")
        page.emulate_media(reduced_motion="no-preference")
        check_chips_in_flight(page)


def test_nothing_leaves_its_place_on_any_screen_or_with_large_text(page: Page) -> None:
    sizes = [(320, 568, 100), (390, 844, 100), (844, 390, 100), (1280, 800, 100), (320, 568, 200), (390, 844, 200)]
    for width, height, percent in sizes:
        enlarge(page, percent)
        resize(page, width, height)
        for at in ("0", "0.5", "1"):
            page.evaluate(f"{FILM}.seek({FILM}.seconds * {at})")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, percent, at)
            assert page.evaluate(OVERFLOWING) == [], (width, percent, at)
