"""The lobby: who sits where, the first dealer, and the table given to somebody else."""

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage
from support.of_extras import EXTRA_BY_PRESET, of_extras

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.events import End, NoSale
from tracker.formats.built_in import all_built_in
from tracker.streaming.hub import Frame


def names(table: OpenNight) -> list[str]:
    return [table.night.people[seat].name for seat in table.night.seats]


# Who sits where


def test_the_host_seats_people_who_have_no_phone(host: ClientPhone, code: str, table: OpenNight) -> None:
    add_people(host, code, "Tom", "Ana")
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


def test_a_phone_shows_on_the_others_as_soon_as_it_has_come(site: Site, host: ClientPhone, code: str) -> None:
    def seat() -> str:
        return HtmlPage(host.get(f"/n/{code}/lobby/seats").text).text("#c-mia")

    mia = site.request_join(code, name="Mia")
    stream = site.tables.live.stream(code, "of the host", lambda: Frame(0, seat()), device="host")
    assert b"no phone" in next(stream)
    mia.get(f"/n/{code}/lobby")
    assert b"joined" in next(stream)
    stream.close()


def test_the_same_people_as_last_time_sit_down_with_one_tap(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben", "Mia", "Tom")
    site.tables.get(code).record(End(), id="the-end", by="ruth")
    again = site.open_night(host)
    assert "Ben, Mia, Tom" in host.get(f"/n/{again}/lobby").text
    host.post(f"/n/{again}/same-people", {"key": "a" * 32})
    host.post(f"/n/{again}/same-people", {"key": "a" * 32})
    assert names(site.tables.get(again)) == ["Ruth", "Ben", "Mia", "Tom"]


def test_tapping_people_clockwise_puts_them_in_order(host: ClientPhone, code: str, table: OpenNight) -> None:
    add_people(host, code, "Ben", "Mia", "Tom")
    page = host.get(f"/n/{code}/order?o=mia&o=ruth").text
    assert f'href="/n/{code}/order?o=mia&amp;o=ruth&amp;o=ben"' in page
    whole = host.get(f"/n/{code}/order?o=mia&o=ruth&o=tom").text  # the last one needs no tap
    assert "They sit like this" in whole
    host.post(f"/n/{code}/order", {"seat": ["mia", "ruth", "tom", "ben"]})
    assert table.night.seats == ("mia", "ruth", "tom", "ben")


def test_an_order_that_leaves_somebody_out_is_refused(host: ClientPhone, code: str, table: OpenNight) -> None:
    add_people(host, code, "Ben", "Mia")
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
    add_people(host, code, "Ben", "Mia")
    site.start_first_hand(host, code)
    assert host.post(f"/n/{code}/seat/ben/remove").status_code == 422
    assert names(table) == ["Ruth", "Ben", "Mia"]


def test_changing_the_start_in_the_lobby_changes_it_for_everybody(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    site.join(code, "Ben")
    host.post(f"/n/{code}/settings", {"title": "Friday", "stack": "40", "everyone": "on"})
    assert [table.night.stack(seat) for seat in table.night.seats] == [40, 40]
    site.join(code, "Mia")
    assert table.night.stack("mia") == 40
    assert table.name == "Friday"
    assert table.settings.is_open_to_all


# The first hand


def test_the_dealer_is_drawn_when_nobody_is_tapped(host: ClientPhone, code: str, table: OpenNight) -> None:
    add_people(host, code, "Ben", "Mia")
    host.post(f"/n/{code}/dealer")
    assert table.night.hand == 1
    assert table.night.dealer in ("ruth", "ben", "mia")
    assert "drawn by lot" in host.get(f"/n/{code}/log").text
    for page in ("", *of_extras("watched")):
        assert f'data-drawn="{table.night.dealer}"' in host.get(f"/n/{code}{page}").text
    table.record(NoSale(), id="a", by="host")
    assert "data-drawn" not in host.get(f"/n/{code}").text


def test_a_dealer_who_cannot_pay_is_left_to_the_table_that_everybody_goes_to(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    ben = site.join(code, "Ben")
    host.post(f"/n/{code}/settings", {"stack": "12"})
    assert host.post(f"/n/{code}/dealer", {"seat": "ben"}).location == f"/n/{code}"
    assert table.night.hand == 0
    assert host.get(f"/n/{code}").status_code == 200
    assert HtmlPage(ben.get(f"/n/{code}/lobby/seats").text).value("[data-begun]", "data-begun") == f"/n/{code}"
    assert ben.get(f"/n/{code}").status_code == 200


def test_one_person_alone_is_told_that_it_takes_two(host: ClientPhone, code: str) -> None:
    assert "It takes two" in host.get(f"/n/{code}/dealer").text


SCORE_GAMES = [preset.id for preset in all_built_in() if not preset.is_pot_game] or [*EXTRA_BY_PRESET]


@pytest.mark.parametrize("preset", SCORE_GAMES)
def test_in_a_score_game_every_phone_goes_to_the_table_when_everyone_is_here(
    site: Site, host: ClientPhone, preset: str
) -> None:
    code = site.open_night(host, preset=preset)
    ben = site.join(code, "Ben")
    assert HtmlPage(ben.get(f"/n/{code}/lobby/seats").text).value("[data-begun]", "data-begun") == ""
    version = site.tables.get(code).version
    assert f'action="/n/{code}/dealer"' in host.get(f"/n/{code}/lobby").text
    assert host.post(f"/n/{code}/dealer", {}).location == f"/n/{code}"
    assert site.tables.get(code).version > version  # which sends it to every phone
    assert HtmlPage(ben.get(f"/n/{code}/lobby/seats").text).value("[data-begun]", "data-begun") == f"/n/{code}"
    assert "To the table" in ben.get(f"/n/{code}/lobby").text
    assert f'href="/n/{code}"' in host.get("/").text
    late = site.phone()
    answer = late.post("/join", {"token": site.join_link(code)[3:], "name": "Jo"})
    assert "Jo" not in site.names(code)  # somebody at the table is asked, as after the first hand
    assert answer.status_code == 303


def test_a_score_game_does_not_begin_with_one_person(site: Site, host: ClientPhone) -> None:
    code = site.open_night(host, preset="score-sheet")
    host.post(f"/n/{code}/dealer", {})
    assert "Everyone is here" in host.get(f"/n/{code}/lobby").text
    site.join(code, "Ben")
    assert site.names(code) == ["Ruth", "Ben"]


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


def test_after_the_end_the_lobby_offers_nothing_that_would_be_refused(
    host: ClientPhone, code: str, table: OpenNight
) -> None:
    add_people(host, code, "Ben", "Mia", "Tom")
    offers = f"[action='/n/{code}/seats'], [href='/n/{code}/order']"
    assert HtmlPage(host.get(f"/n/{code}/lobby").text).has(offers)
    table.record(End(), id="end", by="host")
    assert not HtmlPage(host.get(f"/n/{code}/lobby").text).has(offers)
