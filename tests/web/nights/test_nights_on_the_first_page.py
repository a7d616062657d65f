"""The first page and the list of all nights: who won, the way to a night, which are shown, found and played again."""

from datetime import date

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage
from support.made_up_nights import add_demo_nights, demo_nights
from support.sample_nights import SampleNight, play_hand, record, sample_night

from tracker import extras
from tracker.app.known_nights import MOST_READ
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.settings import DELETED
from tracker.core import events
from tracker.core.errors import TableError
from tracker.core.events import Chips, Name, SeatId
from tracker.core.log import Entry


def test_the_first_page_and_the_settlement_name_the_same_winner_and_none_where_no_hand_was_played(
    ended: SampleNight, here: SampleNight
) -> None:
    record(here.table, events.End())
    for night, said, podium in ((ended, "Mia won", ["Mia wins the night"]), (here, "The night is over", [])):
        first, settlement = (HtmlPage(night.host.get(page).text) for page in ("/", f"{night.base}/settle"))
        assert first.text(f'a[href="{night.base}/settle"] .nm') == said
        assert [words for words in settlement.texts(".podium h2") if "wins" in words] == podium


# The way to a night


def test_an_open_night_is_carried_on_from_home(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben")
    site.start_first_hand(host, code, "ben")
    page = HtmlPage(host.get("/").text)
    assert "Carry on: " in page.text()
    assert "Hand 1, Ben deals" in page.text()
    assert page.has(f'[href="/n/{code}"]')


def test_a_guest_finds_the_night_and_opens_no_other_and_a_stranger_sees_no_names(site: Site, code: str) -> None:
    page = site.join(code, "Ben").get("/").text
    assert f"/n/{code}" in page
    assert not HtmlPage(page).has("[name=preset], a[href='/new']")
    assert site.phone().get("/").location == "/join"
    assert "Ben" not in site.phone().get("/join").text


def test_a_night_that_is_over_may_be_looked_at_from_the_machine_that_keeps_it(
    site: Site, code: str, table: OpenNight
) -> None:
    record(table, events.End())
    other = site.host()
    assert other.get(f"/n/{code}/settle").status_code == 200
    assert other.post(f"/n/{code}/record", {"do": "undo:1"}).status_code == 403
    assert site.phone().get(f"/n/{code}/settle").status_code == 403


# Lists

NEWEST = date(2026, 3, 28)


@pytest.fixture(name="demo")
def _demo(tables: Nights) -> Nights:
    """Give thirty nights, one a week."""
    add_demo_nights(tables, demo_nights(30, 5, NEWEST, events=12))
    return tables


def rows(phone: ClientPhone) -> list[str]:
    return HtmlPage(phone.get("/").text).values(".past-nights > li > a:first-child", "href")


def test_the_first_page_lists_the_newest_nights_and_reads_no_others(demo: Nights) -> None:
    newest = {row.code for row in demo.nights()[:MOST_READ]}
    listed = rows(Site(demo, without=extras.names()).host())
    assert {address.split("/")[2] for address in listed} == newest
    assert {row.code for row in demo.nights() if demo.if_open(row.code)} == newest


@pytest.mark.usefixtures("demo")
def test_a_guest_sees_its_own_nights_only(site: Site, here: SampleNight) -> None:
    record(here.table, events.End())
    assert rows(here.ben) == [f"/n/{here.table.code}/settle"]
    assert site.phone().get("/").status_code == 303


def test_a_night_is_renamed_and_an_empty_name_changes_nothing(ended: SampleNight) -> None:
    for name in ("Mia’s birthday", "  "):
        assert ended.host.post(f"/nights/{ended.table.code}/name", {"title": name}).status_code == 303
    assert "Mia’s birthday" in HtmlPage(ended.host.get("/").text).text(".past-nights .sub")


def test_play_again_brings_everybodys_phone_along_by_one_tap(site: Site) -> None:
    found = sample_night(site, rules={"ante.dealer": 4})
    play_hand(found.table, "ruth", "ben", "mia")
    host, base, mia = found.host, found.base, site.request_join(found.table.code, seat="mia")
    (join_request,) = site.access.devices.join_requests(found.table.code)
    host.post(f"{base}/knocks/{join_request.id}/in")
    assert mia.post(f"{base}/enter").status_code == 303
    record(found.table, events.Sit(SeatId("zoe"), Name("Zoe")), events.Leave("tom"), events.End())
    names = site.names(found.table.code)
    for phone in (found.ben, mia, found.watcher):
        assert not HtmlPage(phone.get(f"{base}/settle").text).has("form[action$='/again']")
    form = HtmlPage(host.get(f"{base}/settle").text).form("form[action$='/again']")
    sent = [
        host.post(f"/nights/{found.table.code}/again", {"key": key}) for key in (form["key"], form["key"], "other page")
    ]
    (code,) = {answer.location.split("/")[2] for answer in sent}
    table = site.tables.get(code)
    assert table.preset.house_rules.ante_dealer == 4
    assert table.name == f"{found.table.name} (2)"
    assert site.names(code) == names == ["Ruth", "Ben", "Mia", "Zoe"]
    assert found.ben.get(f"{base}/live").status_code == found.ben.get(f"{base}/settle/dues").status_code == 403
    for phone, page in ((found.ben, base), (mia, f"{base}/settle"), (found.watcher, base)):
        assert phone.get(page).location == f"/n/{code}/lobby"
        assert phone.get(f"/n/{code}/lobby").status_code == phone.get(f"{base}/settle").status_code == 200
    devices = {(one.role, one.seat) for one in site.access.devices.devices_of(code)}
    assert devices == {("host", "ruth"), ("seat", "ben"), ("seat", "mia"), ("watcher", None)}
    assert site.phone().get(f"/n/{code}/lobby").status_code == 403


def test_who_was_sent_away_from_the_next_night_does_not_come_back_by_the_one_before(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    record(here.table, events.End())
    code = here.host.post(f"/nights/{here.table.code}/again", {"key": "again"}).location.split("/")[2]
    here.host.post(f"/n/{code}/seat/ben/remove")
    assert here.ben.get(here.base).status_code == 200
    assert here.ben.get(f"/n/{code}/lobby").status_code == 403


def again(found: SampleNight, **typed: str | list[str]) -> OpenNight:
    """Play again from the page of a night, where something else is typed."""
    page = HtmlPage(found.host.get(f"/nights/{found.table.code}").text)
    ticked = page.values("[name=name][checked]", "value")
    form = {**page.form("form[action$='/again']"), "name": ticked, **typed}
    location = found.host.post(f"/nights/{found.table.code}/again", {**form}).location
    return found.site.tables.get(location.split("/")[2])


@pytest.fixture(name="board_left")
def _board_left(site: Site) -> SampleNight:
    """A night that has ended with 31 chips left on the board, after Ben had left."""
    found = sample_night(site, rules={"end": "leave", "money.cents": 10})
    play_hand(found.table, "ruth", "ben", "mia")
    record(found.table, events.Move("tom", "jackpot", events.Amount(1)), events.Leave("ben"), events.End())
    return found


def test_a_board_left_for_next_time_is_filled_again_by_equal_parts_of_who_plays(
    site: Site, board_left: SampleNight
) -> None:
    old, host = board_left.table, board_left.host
    left = {pot: old.night.pot(pot) for pot in old.preset.board}
    assert sum(left.values()) == 31
    assert "“Again!” puts them there" in host.get(f"/n/{old.code}/settle").text
    page = HtmlPage(host.get(f"/nights/{old.code}").text)
    assert "The board keeps its 31 chips" in page.text()
    assert "The 3.10 in the box pays for them" in page.text()
    boxes = {one.get("value"): one.has_attr("checked") for one in page.select(".who input[name=name]")}
    assert boxes == {"Ruth": True, "Mia": True, "Tom": True, "Ben": False}  # who left a board that was kept
    table = again(board_left, name=["Ruth", "Ben", "Tom"])
    assert {pot: table.night.pot(pot) for pot in table.preset.board} == left
    assert site.names(table.code) == ["Ruth", "Tom", "Ben"]
    assert [table.night.net(seat) for seat in table.night.seats] == [-11, -10, -10]
    assert {table.night.stack(seat) for seat in table.night.seats} == {100}
    log = HtmlPage(host.get(f"/n/{table.code}/log").text).text()
    assert "left on the board last time" in log


def test_a_board_left_for_next_time_may_begin_empty_and_one_that_was_shared_out_is_not_offered(
    board_left: SampleNight, ended: SampleNight
) -> None:
    assert "The board keeps" not in ended.host.get(f"/nights/{ended.table.code}").text
    for table in (again(board_left, board=[]), again(ended, board="on")):
        assert not any(table.night.pot(pot) for pot in table.preset.board)


def test_on_a_board_the_next_dealer_is_proposed(site: Site) -> None:
    found = sample_night(site, "michigan-kitty")
    others = {seat: Chips(1) for seat in ("ruth", "ben", "tom")}
    record(found.table, events.Hand("ruth"), events.NoSale(), events.Out("mia", others), events.End())
    table = again(found)
    assert site.names(table.code) == ["Ruth", "Ben", "Mia", "Tom"]
    lobby, page = (HtmlPage(found.host.get(f"/n/{table.code}/{one}").text) for one in ("lobby", "dealer"))
    assert lobby.text("#first-dealer").startswith("Ben deals first.")
    assert page.text('.person[value="ben"] small') == "would deal now"
    found.host.post(f"/n/{table.code}/dealer", {"seat": "mia"})
    assert table.night.dealer == "mia"


def test_entries_that_do_not_fit_begin_no_night(site: Site) -> None:
    before = site.tables.nights()
    with pytest.raises(TableError):
        site.tables.open("michigan-rummy", entries=[Entry(1, events.GoOn())])
    assert site.tables.nights() == before


def test_a_night_nobody_went_on_with_stands_among_those_of_the_past(site: Site, tables: Nights) -> None:
    add_demo_nights(tables, demo_nights(1, 3, NEWEST, events=30))
    assert HtmlPage(site.host().get("/").text).text(".past-nights .nm") == "Not ended"


def test_a_night_that_goes_on_has_its_options_on_its_card_until_it_is_put_away(
    site: Site, host: ClientPhone, code: str
) -> None:
    assert f"/nights/{code}" in HtmlPage(host.get("/").text).values("main a", "href")
    site.tables.get(code).settings.put_away = DELETED
    assert f"/n/{code}/lobby" not in host.get("/").text
