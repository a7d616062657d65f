from __future__ import annotations

import pytest
from support.api_scripts import with_command_token
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage

from tracker.app import open_night
from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.settings import ARCHIVED, DELETED
from tracker.core.events import End, Hand, Sit
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.queries.chip_supply import box_advice
from tracker.formats.built_in import all_built_in


def names(table: OpenNight) -> list[str]:
    return [table.night.people[seat].name for seat in table.night.seats]


@pytest.fixture(name="host")
def _host(site: Site) -> ClientPhone:
    return site.host()


@pytest.fixture(name="code")
def _code(site: Site, host: ClientPhone) -> str:
    return site.open_night(host)


@pytest.fixture(name="table")
def _table(site: Site, code: str) -> OpenNight:
    return site.tables.get(code)


def add(host: ClientPhone, code: str, *people: str) -> None:
    for name in people:
        assert host.post(f"/n/{code}/seats", {"name": name}).status_code == 303


# Who sits where


def test_the_host_seats_people_who_have_no_phone(host: ClientPhone, code: str, table: OpenNight) -> None:
    add(host, code, "Tom", "Ana")
    assert names(table) == ["Ruth", "Tom", "Ana"]
    assert "no phone" in host.get(f"/n/{code}/lobby").text


def test_until_a_phone_has_come_the_host_is_told_of_networks_that_keep_phones_apart(site: Site) -> None:
    host = site.host("127.0.0.1", "127.0.0.1:8000")
    code = site.open_night(host)
    hint = "No phone has reached this machine yet"
    assert hint in host.get(f"/n/{code}/lobby").text
    site.join(code, "Mia")
    assert hint not in host.get(f"/n/{code}/lobby").text


def test_a_lobby_notices_that_the_machine_has_joined_another_network(tables: Nights) -> None:
    addresses = ["192.168.1.23"]
    site = Site(tables)
    site.access.addresses.candidates = lambda: addresses
    host = site.host("127.0.0.1", "127.0.0.1:8000")
    code = site.open_night(host)
    seats, before = f"/n/{code}/lobby/seats", host.get(f"/n/{code}/lobby").text
    mark = HtmlPage(before).value("[data-code]", "data-code")
    assert HtmlPage(host.get(seats).text).value("[data-code]", "data-code") == mark
    addresses[:] = ["10.42.0.1"]
    assert HtmlPage(host.get(seats).text).value("[data-code]", "data-code") != mark
    assert "10.42.0.1:8000" in host.get(f"/n/{code}/lobby").text


def test_adding_a_name_that_is_here_says_so_and_keeps_what_was_typed(
    host: ClientPhone, code: str, table: OpenNight
) -> None:
    answer = host.post(f"/n/{code}/seats", {"name": "ruth"}, HX_Request="true")
    assert answer.status_code == 422
    assert 'value="ruth"' in answer.text
    assert "Somebody here is called" in answer.text
    assert names(table) == ["Ruth"]


def test_the_same_people_as_last_time_sit_down_with_one_tap(site: Site, host: ClientPhone, code: str) -> None:
    add(host, code, "Ben", "Mia", "Tom")
    site.tables.get(code).record(End(), id="the-end", by="ruth")
    again = site.open_night(host)
    assert "Ben, Mia, Tom" in host.get(f"/n/{again}/lobby").text
    host.post(f"/n/{again}/same-people", {"key": "a" * 32})
    host.post(f"/n/{again}/same-people", {"key": "a" * 32})
    assert names(site.tables.get(again)) == ["Ruth", "Ben", "Mia", "Tom"]


def test_tapping_people_clockwise_puts_them_in_order(host: ClientPhone, code: str, table: OpenNight) -> None:
    add(host, code, "Ben", "Mia", "Tom")
    page = host.get(f"/n/{code}/order?o=mia&o=ruth").text
    assert f'href="/n/{code}/order?o=mia&amp;o=ruth&amp;o=ben"' in page
    whole = host.get(f"/n/{code}/order?o=mia&o=ruth&o=tom").text  # the last one needs no tap
    assert "They sit like this" in whole
    host.post(f"/n/{code}/order", {"seat": ["mia", "ruth", "tom", "ben"]})
    assert table.night.seats == ("mia", "ruth", "tom", "ben")


def test_an_order_that_leaves_somebody_out_is_refused(host: ClientPhone, code: str, table: OpenNight) -> None:
    add(host, code, "Ben", "Mia")
    assert host.post(f"/n/{code}/order", {"seat": ["mia", "ruth"]}).status_code == 422
    assert table.night.seats == ("ruth", "ben", "mia")


def test_a_name_is_corrected_by_its_own_person_and_by_the_host(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    ben = site.join(code, "Bne")
    assert ben.post(f"/n/{code}/seat/bne/name", {"name": "Ben"}).status_code == 303
    assert ben.post(f"/n/{code}/seat/ruth/name", {"name": "Rude"}).status_code == 403
    assert host.post(f"/n/{code}/seat/ruth/name", {"name": "Ruthie"}).status_code == 303
    assert host.post(f"/n/{code}/seat/bne/name", {"name": "ruthie"}).status_code == 422
    assert names(table) == ["Ruthie", "Ben"]


def test_somebody_taken_from_the_lobby_never_bought_chips(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    ben = site.join(code, "Ben")
    assert host.post(f"/n/{code}/seat/ben/remove").status_code == 303
    assert names(table) == ["Ruth"]
    assert "ben" not in table.night.people
    assert ben.get(f"/n/{code}/lobby").status_code == 403
    site.join(code, "Ben")
    assert table.night.stack("ben") == 100


def test_nobody_is_taken_from_the_table_in_mid_hand(site: Site, host: ClientPhone, code: str, table: OpenNight) -> None:
    add(host, code, "Ben", "Mia")
    site.start_first_hand(host, code)
    assert host.post(f"/n/{code}/seat/ben/remove").status_code == 422
    assert names(table) == ["Ruth", "Ben", "Mia"]


# What the table agreed on


def test_a_new_night_takes_its_stack_and_money_from_the_set_up_page(site: Site, host: ClientPhone) -> None:
    form: dict[str, str | list[str]] = {
        "preset": "michigan-rummy", "full": "1", "host": "Ruth", "title": "Grandma’s birthday", "stack": "60",
        "money.chips": "10", "money.cents": "50", "money.coin": "5", "everyone": "on",
    }  # fmt: skip
    location = host.post("/new", form).location
    code = location.split("/")[2]
    table = site.tables.get(code)
    assert table.name == "Grandma’s birthday"
    assert table.night.stack("ruth") == 60
    assert (table.preset["money.chips"], table.preset["money.cents"], table.preset["money.coin"]) == (10, 50, 5)
    assert table.settings.is_open_to_all
    site.join(code, "Ben")
    assert table.night.stack("ben") == 60


@pytest.mark.parametrize(
    ("field", "value"),
    [("stack", "0"), ("stack", "lots"), ("stack", "-5"), ("stack", "1٢"), ("money.cents", "0.5"), ("money.chips", "0")],
)
def test_a_wrong_number_on_the_set_up_page_comes_back_with_a_sentence(
    site: Site, host: ClientPhone, field: str, value: str
) -> None:
    answer = host.post("/new", {"preset": "michigan-rummy", "full": "1", "host": "Ruth", field: value})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert site.tables.nights() == []


def test_a_form_sent_twice_opens_one_night(site: Site, host: ClientPhone) -> None:
    for page in ("", "full"):
        form: dict[str, str | list[str]] = {"preset": "michigan-rummy", "host": "Ruth", "key": new_id()}
        if page:
            form[page] = "1"
        before = len(site.tables.nights())
        first, second = host.post("/new", form), host.post("/new", form)
        assert first.location == second.location
        assert len(site.tables.nights()) == before + 1
        assert site.names(first.location.split("/")[2]) == ["Ruth"]
        assert host.get(second.location).status_code == 200
        assert host.post("/new", {**form, "key": new_id()}).location != first.location
        assert host.post("/new", {**form, "preset": "pope-joan"}).location != first.location


def test_a_night_may_be_run_by_a_machine_that_has_no_seat(site: Site, host: ClientPhone) -> None:
    code = site.open_night(host, "")
    table = site.tables.get(code)
    assert table.night.seats == ()
    assert host.get(f"/n/{code}/lobby").status_code == 200
    site.join(code, "Ben")
    site.join(code, "Mia")
    site.start_first_hand(host, code, "mia")


def test_changing_the_start_in_the_lobby_changes_it_for_everybody(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    site.join(code, "Ben")
    host.post(f"/n/{code}/settings", {"title": "Friday", "stack": "40"})
    assert [table.night.stack(seat) for seat in table.night.seats] == [40, 40]
    site.join(code, "Mia")
    assert table.night.stack("mia") == 40
    assert table.name == "Friday"


def test_a_box_of_96_chips_that_is_too_small_is_reported_with_advice(host: ClientPhone, code: str) -> None:
    add(host, code, "Ben", "Mia", "Tom", "Ana", "Jo")
    page = host.get(f"/n/{code}/lobby").text
    assert "Only 96 chips in the box?" in page
    assert "4 of each colour" in page


@pytest.mark.parametrize(("people", "is_short"), [(3, False), (4, False), (5, True), (6, True), (8, True)])
def test_equal_shares_of_96_chips_reach_for_four_players(site: Site, people: int, is_short: bool) -> None:
    advice = box_advice(site.tables.library.find("michigan-rummy"), 100, people)
    assert (advice is not None) == is_short
    if advice:
        assert advice.each == 96 // people
        assert advice.dealer == 18
        assert advice.worth >= 54


def test_a_stack_under_the_dealers_ante_is_warned_about(host: ClientPhone, code: str) -> None:
    add(host, code, "Ben", "Mia")
    host.post(f"/n/{code}/settings", {"stack": "16"})
    page = host.get(f"/n/{code}/lobby").text
    assert "too few" in page
    assert "puts 18" in page


def test_house_rules_are_chosen_on_the_set_up_page(site: Site, host: ClientPhone) -> None:
    page = host.get("/new/michigan-rummy").text
    assert 'name="poker.when"' in page
    form: dict[str, str | list[str]] = {
        "preset": "michigan-rummy",
        "full": "1",
        "poker.when": "off",
        "ante.dealer": "3",
    }
    code = host.post("/new", form).location.split("/")[2]
    table = site.tables.get(code)
    assert table.options == {"poker.when": "off", "ante.dealer": 3}
    assert host.post("/new", {"preset": "michigan-rummy", "full": "1", "ante.dealer": "x"}).status_code == 422


def test_every_rule_on_the_set_up_page_may_be_sent_as_it_stands(site: Site, host: ClientPhone) -> None:
    for game in all_built_in():
        page = host.get(f"/new/{game.id}").text
        names = HtmlPage(page).values("select, input", "name")
        rules = {name: str(game[name]) for name in names if name in HOUSE_RULES[game.game]}
        assert rules or game.game == "rounds"
        code = host.post("/new", {"preset": game.id, "full": "1", **rules}).location.split("/")[2]
        assert site.tables.get(code).options == {}


# The first hand


def test_the_dealer_is_drawn_when_nobody_is_tapped(host: ClientPhone, code: str, table: OpenNight) -> None:
    add(host, code, "Ben", "Mia")
    host.post(f"/n/{code}/dealer")
    assert table.night.hand == 1
    assert table.night.dealer in ("ruth", "ben", "mia")


def test_a_double_tap_on_the_dealer_begins_one_hand(host: ClientPhone, code: str, table: OpenNight) -> None:
    add(host, code, "Ben")
    for _ in range(2):
        assert host.post(f"/n/{code}/dealer", {"seat": "ben", "key": "b" * 32}).status_code == 303
    assert [entry.event for entry in table.entries if isinstance(entry.event, Hand)] == [Hand("ben")]


def test_a_dealer_who_cannot_pay_is_left_to_the_table(host: ClientPhone, code: str, table: OpenNight) -> None:
    add(host, code, "Ben")
    host.post(f"/n/{code}/settings", {"stack": "12"})
    assert host.post(f"/n/{code}/dealer", {"seat": "ben"}).location == f"/n/{code}"
    assert table.night.hand == 0
    assert host.get(f"/n/{code}").status_code == 200


def test_one_person_alone_is_told_that_it_takes_two(host: ClientPhone, code: str) -> None:
    assert "It takes two" in host.get(f"/n/{code}/dealer").text


def test_a_game_without_a_dealer_goes_straight_to_its_table(site: Site, host: ClientPhone) -> None:
    code = site.open_night(host, preset="eight-round-rummy")
    add(host, code, "Ben")
    assert f'href="/n/{code}"' in host.get(f"/n/{code}/lobby").text
    assert host.get(f"/n/{code}").status_code == 200


# Giving the table to somebody else


def test_the_table_changes_hands_when_it_is_taken_and_is_never_without_a_host(
    site: Site, host: ClientPhone, code: str
) -> None:
    ben, mia = site.join(code, "Ben"), site.join(code, "Mia")
    host.post(f"/n/{code}/hand-over", {"seat": "mia"})
    assert "Take it" in mia.get(f"/n/{code}/lobby").text
    assert "Take it" not in ben.get(f"/n/{code}/lobby").text
    assert host.get(f"/n/{code}/settings").status_code == 200
    assert ben.post(f"/n/{code}/take-table").status_code == 403
    assert mia.post(f"/n/{code}/take-table").status_code == 303
    assert mia.get(f"/n/{code}/settings").status_code == 200
    assert host.get(f"/n/{code}/settings").status_code == 403
    assert host.get(f"/n/{code}/lobby").status_code == 200
    assert ben.post(f"/n/{code}/take-table").status_code == 403  # the offer is used up


def test_a_double_tap_that_takes_the_table_leaves_it_a_host(site: Site, host: ClientPhone, code: str) -> None:
    mia = site.join(code, "Mia")
    host.post(f"/n/{code}/hand-over", {"seat": "mia"})
    (name, before), *_ = mia.cookies.items()
    assert mia.post(f"/n/{code}/take-table").status_code == 303
    mia.client.set_cookie(name, before, domain="192.168.1.23")  # the browser gave the first answer up for the second
    assert mia.post(f"/n/{code}/take-table").status_code == 303
    assert mia.get(f"/n/{code}/settings").status_code == 200
    mia.client.set_cookie(name, before, domain="192.168.1.23")
    assert mia.get(f"/n/{code}").status_code == 403  # the token it had as a seat ended with the new one's first use


def test_somebody_at_the_table_is_led_back_to_it_from_a_page_of_the_host(site: Site, code: str) -> None:
    page = site.join(code, "Mia").get(f"/n/{code}/settings")
    assert page.status_code == 403
    assert "You are not at this table" not in page.text
    assert f'href="/n/{code}">To the table</a>' in page.text
    assert "You are not at this table" in site.phone().get(f"/n/{code}/settings").text


def test_an_offer_can_be_taken_back(site: Site, host: ClientPhone, code: str) -> None:
    mia = site.join(code, "Mia")
    host.post(f"/n/{code}/hand-over", {"seat": "mia"})
    host.post(f"/n/{code}/hand-over", {"seat": ""})
    assert mia.post(f"/n/{code}/take-table").status_code == 403


# Home


def test_an_open_night_is_carried_on_from_home(site: Site, host: ClientPhone, code: str) -> None:
    add(host, code, "Ben")
    site.start_first_hand(host, code, "ben")
    page = host.get("/").text
    assert "Carry on: " in page
    assert "Hand 1, Ben deals" in page
    assert f'href="/n/{code}"' in page


def test_home_shows_a_stranger_the_way_to_the_table_and_no_names(site: Site, host: ClientPhone, code: str) -> None:
    add(host, code, "Ben")
    answer = site.phone().get("/")
    assert answer.location == "/join"
    assert "Ben" not in site.phone().get("/join").text
    assert site.phone().get(f"/n/{code}").status_code == 403


def test_a_guest_finds_the_night_on_the_first_page_and_cannot_open_another(site: Site, code: str) -> None:
    ben = site.join(code, "Ben")
    page = ben.get("/").text
    assert f"/n/{code}" in page
    assert "New game night" not in page
    assert ben.post("/new", {"preset": "michigan-rummy", "host": "Ben"}).status_code == 403


def test_the_game_played_last_is_on_top(site: Site, host: ClientPhone) -> None:
    site.open_night(host, preset="michigan-kitty")
    page = host.get("/new").text
    assert page.index("michigan-kitty") < page.index("michigan-rummy")


def test_the_hosts_name_is_remembered(site: Site, host: ClientPhone) -> None:
    site.open_night(host, "Ruth")
    assert 'value="Ruth"' in host.get("/new").text


def test_a_night_that_is_over_may_be_looked_at_from_the_machine_that_keeps_it(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    add(host, code, "Ben")
    table.record(End(), id="the-end", by="ruth")
    other = site.host()
    assert other.get(f"/n/{code}/settle").status_code == 200
    assert other.post(f"/n/{code}/record", {"do": "undo:1"}).status_code == 403
    assert site.phone().get(f"/n/{code}/settle").status_code == 403


@pytest.mark.parametrize("where", ["", ARCHIVED, DELETED])
@pytest.mark.parametrize("how", ["new", "again", "script"])
def test_phones_of_a_night_long_over_are_strangers_once_the_next_begins(
    site: Site, host: ClientPhone, monkeypatch: pytest.MonkeyPatch, where: str, how: str
) -> None:
    over_now, long_over = site.open_night(host), site.open_night(host)
    ben, mia = site.join(over_now, "Ben"), site.join(long_over, "Mia")
    site.tables.get(over_now).record(End(), id="the-end", by="ruth")
    with monkeypatch.context() as clock:
        clock.setattr(open_night, "now", lambda: "2020-01-01T00:00:00Z")
        site.tables.get(long_over).record(End(), id="the-end", by="ruth")
    for code in (over_now, long_over):
        assert host.post(f"/nights/{code}/put-away", {"where": where}).status_code == 303
    assert mia.get(f"/n/{long_over}/settle").status_code == 200
    if how == "new":
        site.open_night(host)
    elif how == "script":
        assert with_command_token(site).post("/api/nights", {"preset": "michigan-rummy"}).status == 201
    else:
        assert host.post(f"/nights/{over_now}/again", {"key": new_id()}).status_code == 303
    assert mia.get(f"/n/{long_over}/settle").status_code == 403
    assert ben.get(f"/n/{over_now}/settle").status_code == 200


def test_everybody_sat_down_through_the_log(table: OpenNight, site: Site, code: str) -> None:
    site.join(code, "Ben")
    assert [type(entry.event) for entry in table.entries] == [Sit, Sit]
