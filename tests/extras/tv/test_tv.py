"""What a big screen shows: the table, the count, the last hand, the end, in every game, and nothing to tap."""

import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
import zxingcpp
from extras._shared.qr_pictures import text_in_qr
from extras._shared.score_nights import ScoreNight, round_won
from playwright.sync_api import Browser, BrowserContext, Page, expect
from support.browser_engines import CHROMIUM_64, FELT, PAPER, RED_WASH, picture_of, share
from support.browser_phones import BrowserNight, at_table
from support.cards_left import COVERS, Shown, by_the_draft
from support.client_phones import HOST, ClientPhone, Site
from support.core_nights import CoreNight
from support.html_page import HtmlPage
from support.layout_faults import layout_faults
from support.of_extras import needs
from support.offer_walk import numbers_in, numbers_of_seats
from support.random_nights import every_preset, legal_event, random_night, random_options
from support.sample_nights import (
    SampleNight,
    TableNight,
    ended_night,
    night_in_third_hand,
    play_hand,
    record,
    sample_night,
    visible_text,
)
from support.served_app import Screens, serving
from support.told_evenings import GAMES as NIGHTS, PLACES, Evening, faults_in
from support.waiting import resize
from support.well_formed import faults

from tracker.app.open_night import OpenNight
from tracker.core import events, log
from tracker.core.errors import TableError
from tracker.core.events import Amount, Chips, Name, SeatId
from tracker.core.house_rules import rule_faults
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries.summary import ranking
from tracker.extras._night_files.codes import code_text
from tracker.extras.tv.pages import big_win, columns, fragment
from tracker.streaming.hub import StreamHub
from tracker.web.base.snapshot import SNAPSHOTS, NightSnapshot, Viewer
from tracker.web.night_result import NightResult
from tracker.web.table.view import BoardView, TableView


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: str(preset.id))
def test_every_game_shows_complete_pages_that_are_as_if_rendered_anew(site: Site, preset: Preset) -> None:
    chance = Random(preset.id)
    table = site.tables.open(preset, random_options(preset, chance))
    for event in random_night(table.preset, chance, 4, people=4):
        table.record(event, id=f"e{table.head}", by="host")
    with site.app.app_context():
        for _step in range(12):
            with suppress(TableError):
                table.record(legal_event(table.night, chance), id=f"e{table.head}", by="host")
            shown = str(fragment(table))
            assert faults(shown) == []
            assert "<button" not in shown
            snapshot = SNAPSHOTS.pop(table, None)
            assert str(fragment(table)) == shown
            if snapshot:
                SNAPSHOTS[table] = snapshot
            if not table.night.is_over:
                check_numbers(HtmlPage(shown), table.night)


def check_numbers(page: HtmlPage, night: Night) -> None:
    """Compare chips, debts and what the hand has won, or the points, with those of the night."""
    if not night.preset.is_pot_game:
        points = {one.get("id")[3:]: numbers_in(one)[0] for one in page.select("[id^=tv-]")}
        assert points == {seat: night.points.get(seat, 0) for seat in night.seats}
        return
    won = {seat: night.deal.won[seat] for seat in night.deal.seats if seat in night.seats} if night.deal else {}
    assert numbers_of_seats(page, ".pop-n") == {seat: night.stack(seat) for seat in night.seats}
    assert numbers_of_seats(page, ".n small span") == won
    owed = {seat: night.ledger.owed_by(seat) for seat in night.seats if night.ledger.owed_by(seat)}
    assert numbers_of_seats(page, ".iou, .owes") == owed
    pots = {one.get("data-pot"): int(one.get("data-n")) for one in page.select("[data-pot][data-n]")}
    assert pots == {pot: night.pot(pot) for pot in night.preset.board}


def test_a_stack_stands_in_columns_of_twenty() -> None:
    assert [columns(chips) for chips in (47, 0)] == [[20, 20, 7], []]
    assert len(columns(10_000)) == 12


def test_only_a_great_win_fills_the_screen() -> None:
    played = CoreNight("michigan-rummy").hand().record("collect", seat="b", pot="ace-hearts")
    assert big_win(board(played)) is None
    played.record("move", source="a", target="ten-hearts", chips=30).record("collect", seat="b", pot="ten-hearts")
    assert big_win(board(played)) == ("b", 35)


def board(played: CoreNight) -> BoardView:
    undone = log.find_undone(played.entries)
    snapshot = NightSnapshot(played.night, played.entries, undone, played.steps.of_last_hand())
    return TableView(snapshot, Viewer()).board


def test_the_newest_entries_stand_in_words_the_newest_first(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    record(here.table, events.Hand("ben"), events.NoSale(), events.Collect("mia", "ace-hearts"))
    lines = HtmlPage(here.watcher.get(f"{here.base}/tv").text).texts(".tv-lines li")
    assert lines[0].startswith("Mia ")
    assert len(lines) == 3


@pytest.mark.parametrize("game", NIGHTS)
def test_a_screen_reader_is_told_every_kind_of_event_once(site: Site, game: str) -> None:
    evening = Evening(site, NIGHTS[game])
    evening.paths["watcher"] = "tv/live"
    assert faults_in(evening, PLACES[NIGHTS[game]]) == []


def test_a_score_game_says_the_round_and_whose_hand_is_still_to_come(site: Site) -> None:
    rounds, night = ScoreNight(site, "eight-round-rummy"), ScoreNight(site, "michigan-rummy-snake")
    rounds.tap("round", seat="ben")
    assert "<h1>Round 2</h1>" in rounds.host.get(f"/n/{rounds.code}/tv").text
    night.tap("out", seat="ben")
    night.tap("say:12", seat="mia")
    page = night.host.get(f"/n/{night.code}/tv/live").text
    assert "Ben: Rummy!" in page
    assert "Still to come: <bdi>Ruth</bdi>" in page


# The count of the cards left


def shown_count(page: HtmlPage) -> Shown | None:
    if not page.has("#sum-total"):
        return None
    jackpot, total = re.fullmatch(r"(\d+) \+ \d+ = (\d+)", page.text("#sum-total")).groups()  # type: ignore[union-attr]
    cards, cover = {}, {}
    for seat in page.select(".seat-tv"):
        said = " ".join(seat.select("small")[0].get_text().split())
        if found := re.search(r"(\d+) left|how many\?", said):
            cards[seat.get("id")[2:]] = found[1] or ""
        if found := re.search("|".join(COVERS), said):
            cover[seat.get("id")[2:]] = COVERS[found[0]]
    return Shown(page.text("h1").split()[0].lower(), cards, cover, jackpot, total)


@pytest.mark.parametrize(("shortage", "covers"), [("buy_in", "bank tom"), ("iou", "tom bank"), ("cap", "bank  tom")])
def test_the_count_is_that_of_the_draft_after_every_entry(site: Site, shortage: str, covers: str) -> None:
    night = TableNight(site, rules={"shortage": shortage}).begin()
    night.record(events.Move("ben", "bank", Amount(night.stacks["ben"] - 2)))
    taps = ["out", "say:6", *(f"cover:ben:{source}" for source in covers.split(" ")), "excuse:ben", "say:", "not-out"]
    for do in taps:
        assert night.tap(do, seat="tom" if do == "out" else "ben").status_code == 200, do
        expected = by_the_draft(night.table)
        assert shown_count(HtmlPage(night.host.get(f"/n/{night.code}/tv/live").text)) == expected
        assert (expected is None) == (do == "not-out")


def test_a_rule_that_changes_is_said_until_the_next_hand(site: Site, host: ClientPhone, code: str) -> None:
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    table = site.tables.get(code)
    record(table, events.Rule({"out.per_card": 3}))
    assert "<b>From the next hand on:</b> Chips for every card left: 3" in host.get(f"/n/{code}/tv").text
    record(table, events.NoSale(), events.Out("ruth", {"ben": Chips(2)}), events.Hand("ben"))
    assert 'id="news"' not in host.get(f"/n/{code}/tv").text


# The end


def test_the_end_names_the_winner_and_the_places_and_holds_the_night_as_one_code(site: Site) -> None:
    needs("copies")
    running, here = night_in_third_hand(site), ended_night(site)
    assert "The night in one code" not in visible_text(running.host.get(f"{running.base}/tv/live"))
    page = HtmlPage(here.watcher.get(f"{here.base}/tv/live").text)
    result = NightResult(here.table.history())
    assert page.text(".crown h2") == result.headline
    assert page.texts(".tv-ranks .nm bdi") == [here.table.night.name(one.seat) for one in ranking(here.table.night)]
    assert page.texts(".tv-ranks .place") == [str(one.place or "–") for one in ranking(here.table.night)]
    assert text_in_qr(page.html) == code_text(here.table)


# The next night


def test_it_comes_along_to_the_next_night_and_follows_every_time_in_the_hosts_own_browser(site: Site) -> None:
    found = sample_night(site)
    play_hand(found.table, "ruth", "ben", "mia")
    base, screen = found.base, site.request_join(found.table.code, tv="1")
    for knock in site.access.devices.join_requests(found.table.code):
        assert found.host.post(f"{base}/knocks/{knock.id}/in").status_code == 303
    assert screen.post(f"{base}/enter?tv=1").location == f"{base}/tv"
    record(found.table, events.End())
    assert "every phone and the TV come along" in visible_text(found.host.get(f"{base}/settle"))
    code = found.host.post(f"/nights/{found.table.code}/again", {"key": "again"}).location.split("/")[2]
    assert screen.get(f"{base}/tv/live").status_code == 403
    assert screen.get(f"{base}/tv").location == f"/n/{code}/lobby/tv"
    assert screen.get(f"/n/{code}/lobby/tv").status_code == 200
    assert (None, "watcher", "TV") in {(row.seat, row.role, row.label) for row in site.access.devices.devices_of(code)}
    for _ in range(2):
        assert found.host.get(f"{base}/tv").location == f"/n/{code}/lobby/tv"
    assert found.host.get(f"{base}/settle").status_code == 200


# How a big screen finds its page, and that the phone that shows it there keeps its own.


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_big_screen_that_types_the_code_gets_the_big_page_and_no_seat(
    site: Site, host: ClientPhone, code: str, *, has_begun: bool
) -> None:
    if has_begun:
        site.join(code, "Ben")
        site.start_first_hand(host, code)
    seats = site.names(code)
    tv = site.phone()
    wrong = tv.post("/join", {"typed": "AAA-AAA", "tv": "1"})
    assert wrong.status_code == 422
    assert not HtmlPage(wrong.text).has('[name="name"]')
    assert [HtmlPage(page.text).has('button[name="tv"]') for page in (tv.get("/tv"), wrong)] == [True] * 2
    answer = tv.post("/join", {"typed": site.typed_code(code), "tv": "1"})
    assert answer.location.startswith(f"/n/{code}/knock?tv=1")
    assert "/knock/answer?" in tv.get(answer.location).text
    lobby = HtmlPage(host.get(f"/n/{code}/lobby").text)
    assert "A TV wants to show the table" in lobby.text("#asks")
    assert host.post(lobby.value('form[action$="/in"]', "action")).status_code in (204, 303)
    enter = HtmlPage(tv.get(f"/n/{code}/knock/answer?tv=1").text).value("form", "action")
    page = tv.post(enter).location
    assert page == (f"/n/{code}/tv" if has_begun else f"/n/{code}/lobby/tv")
    assert tv.get(page).status_code == 200
    assert site.role(tv.cookies, code) == "watcher"
    assert site.names(code) == seats


def test_a_big_screen_that_scans_gets_the_big_page_at_once(site: Site, code: str) -> None:
    tv = site.phone()
    assert 'name="tv"' in tv.get(site.join_link(code)).text
    answer = tv.post("/join", {"token": site.join_link(code)[3:], "tv": "1"})
    assert answer.location == f"/n/{code}/lobby/tv"
    assert site.role(tv.cookies, code) == "watcher"


def test_a_phone_at_a_table_scans_the_code_of_a_big_screen_which_shows_the_table(
    site: Site, host: ClientPhone, code: str
) -> None:
    tv, ben, watcher = site.phone(), site.join(code, "Ben"), site.request_join(code, watch="1")
    page = tv.get("/tv").text
    shown, asks = urlsplit(text_in_qr(page)).path, HtmlPage(page).value("[hx-get]", "hx-get")
    for phone in (site.phone(), watcher):
        assert not HtmlPage(phone.get(shown).text).has("button[name=night]")
        assert phone.post(shown, {"night": code}).status_code == 403
    assert tv.get(asks).status_code == 204
    assert HtmlPage(ben.get(shown).text).value("button[name=night]", "value") == code
    assert ben.post(shown, {"night": code}).location.startswith(f"/n/{code}")
    thief = site.phone()
    assert thief.post("/tv/scanned", {"secret": shown.rpartition("/")[2]}).location == "/tv", "a picture of the code"
    assert site.role(thief.cookies, code) is None
    secret = HtmlPage(tv.get(asks).text).form("form[data-go]")["secret"]
    assert tv.post("/tv/scanned", {"secret": secret}).location == f"/n/{code}/lobby/tv"
    assert site.role(tv.cookies, code) == "watcher"
    assert "TV" in host.get(f"/n/{code}/phones").text
    assert site.phone().post("/tv/scanned", {"secret": secret}).location == "/tv", "it is good once"


def test_the_lobby_and_the_menu_say_what_to_type_on_a_tv(site: Site, host: ClientPhone, code: str) -> None:
    assert f"{HOST}/tv" in host.get(f"/n/{code}/lobby").text
    guest = site.join(code, "Ben")
    site.start_first_hand(host, code)
    for phone in (host, guest):
        menu = phone.get(f"/n/{code}/sheet", HX_Request="true").text
        assert f'href="/n/{code}/on-tv"' in menu
        assert f'href="/n/{code}/tv"' not in menu
        page = phone.get(f"/n/{code}/on-tv").text
        assert f"{HOST}/tv" in page
        assert site.typed_code(code) in page


@pytest.mark.parametrize("preset", ["michigan-rummy", "eight-round-rummy"])
def test_a_phone_that_shows_the_big_page_itself_has_a_way_back_and_its_lobby_leads_to_the_table(
    site: Site, host: ClientPhone, preset: str
) -> None:
    code = site.open_night(host, preset=preset)
    guest, screen = site.join(code, "Ben"), site.request_join(code, watch="1")
    for phone in (host, guest):
        for page, back in ((f"/n/{code}/lobby/tv", f"/n/{code}/lobby"), (f"/n/{code}/tv", f"/n/{code}")):
            assert HtmlPage(phone.get(page).text).value(".tv-back", "href") == back
    assert "narrow" in HtmlPage(screen.get(f"/n/{code}/tv").text).value(".tv-back", "class")
    for page in ("", f"/n/{code}/tv"):
        seats = HtmlPage(host.get(f"/n/{code}/lobby/tv/seats").text)
        assert seats.value("[data-begun]", "data-begun") == page
        host.post(f"/n/{code}/dealer", {})


# The big screen when a night is over, in every kind of game: it is shown whole, whoever was there and however many.


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
GAMES = {"michigan-rummy": 12, "eight-round-rummy": 6}
"""With how many people most play it."""


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
        else:
            record(table, round_won("ruth"))
        if number == 1 and others > 1:
            record(table, events.Leave(SeatId("ben")))
    record(table, events.End())
    return table


@pytest.mark.parametrize("preset", GAMES)
def test_the_end_on_a_big_screen_shows_everybody_and_who_pays_whom(screens: Screens, site: Site, preset: str) -> None:
    for people in (2, GAMES[preset]):
        table = ended(site, preset, people - 1, with_money=people > 2)
        page = screens.open(site.host(), f"/n/{table.code}/tv", 1280, 720)
        assert page.locator(".tv-ranks li").count() == people
        assert bool(page.locator(".tv-dues li").count()) == (people > 2 and preset == "michigan-rummy")
        assert ("Ben has left" in page.inner_text(".tv-ranks")) == (people > 2)
        for size in SCREENS:
            page.emulate_media(color_scheme="light" if size == SCREENS[0] else "dark")
            resize(page, *size)
            assert page.evaluate(BEYOND) == []
            assert layout_faults(page) == [], (people, size)
        page.context.close()


# The board on a TV whose browser runs no script, or cannot read ours: it follows the game by coming anew.


_night = at_table("night", "Ruth", others=["Mia", "Tom"])


def tv(night: BrowserNight, context: BrowserContext) -> Page:
    """Return a big screen that may see the night."""
    cookies: list[Any] = night.host.context.cookies()
    context.add_cookies(cookies)
    screen = context.new_page()
    screen.goto(f"{night.host.origin}/n/{night.code}/tv")
    return screen


@pytest.mark.parametrize("has_script", [False, True], ids=["no-script", "old-script"])
def test_the_board_follows_the_game(night: BrowserNight, browser: Browser, has_script: bool) -> None:
    night.fresh_hand()
    context = browser.new_context(java_script_enabled=has_script)
    if has_script:  # an old browser stops at the first line of what it cannot read
        context.route(
            "**/*.js*", lambda route: route.continue_() if "reload.js" in route.request.url else route.abort()
        )
    screen = tv(night, context)
    seat = screen.locator("#live", has_text="Mia")
    expect(seat).to_be_visible()
    before = seat.inner_text()
    night.record("collect", seat="mia", pot="ten-hearts")
    expect(seat).not_to_have_text(before, use_inner_text=True)
    expect(screen.locator("#live")).to_contain_text("Mia takes")
    context.close()


def test_where_our_scripts_run_the_page_is_not_loaded_anew(night: BrowserNight, browser: Browser) -> None:
    context = browser.new_context()
    screen = tv(night, context)
    screen.evaluate("() => { window.isFirst = true; }")
    screen.clock.install()
    screen.clock.run_for(30_000)
    assert screen.evaluate("() => window.isFirst && Boolean(window.htmx)")
    context.close()


@pytest.mark.parametrize("page", ["tv", "lobby/tv"])
def test_in_a_browser_of_2017_it_is_styled_and_its_code_can_be_scanned(
    site: Site, live: StreamHub, tmp_path: Path, page: str
) -> None:
    """Such as TVs of 2018 have."""
    CHROMIUM_64.unpacked()
    here = night_in_third_hand(site) if page == "tv" else sample_night(site)
    with serving(site.app, live) as url:
        picture = picture_of(here.watcher.get(f"{here.base}/{page}").text, url, (1280, 720), tmp_path)
    if page == "tv":
        assert 0.1 < share(picture.crop((0, 0, 640, 720)), FELT) < 0.6
        assert share(picture, PAPER) > 0.3
        assert share(picture, RED_WASH) < 0.01  # nobody plays on it: it is not too old
    else:
        assert [found.text.startswith("http") for found in zxingcpp.read_barcodes(picture)] == [True]
