"""The lobby: who sits where, what it says of the game, and the first dealer."""

from collections.abc import Mapping

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.sample_nights import record, sample_night

from tracker.app.open_night import OpenNight
from tracker.core.events import Chips, End, Hand, Name, NoSale, Out, SeatId, Sit
from tracker.core.preset import Preset
from tracker.formats.built_in import all_built_in
from tracker.streaming.hub import Frame
from tracker.web.base.snapshot import snapshot_of

# Who sits where


def test_adding_a_name_that_is_here_says_so_and_keeps_what_was_typed(site: Site, host: ClientPhone, code: str) -> None:
    answer = host.post(f"/n/{code}/seats", {"name": "ruth"}, HX_Request="true")
    assert answer.status_code == 422
    assert 'value="ruth"' in answer.text
    assert "Somebody here is called" in answer.text
    assert site.names(code) == ["Ruth"]


def test_a_phone_shows_on_the_others_as_soon_as_it_has_come(site: Site, host: ClientPhone, code: str) -> None:
    def seat() -> str:
        return HtmlPage(host.get(f"/n/{code}/lobby/seats").text).text("#c-mia")

    mia = site.request_join(code, name="Mia")
    stream = site.tables.live.stream(code, "of the host", lambda: Frame(0, seat()), device="host")
    assert b"no phone" in next(stream)
    mia.get(f"/n/{code}/lobby")
    assert b"joined" in next(stream)
    stream.close()


def test_tapping_people_clockwise_puts_them_in_order(host: ClientPhone, code: str, table: OpenNight) -> None:
    add_people(host, code, "Ben", "Mia", "Tom")
    page = host.get(f"/n/{code}/order?o=mia&o=ruth").text
    assert f'href="/n/{code}/order?o=mia&amp;o=ruth&amp;o=ben"' in page
    whole = host.get(f"/n/{code}/order?o=mia&o=ruth&o=tom").text  # the last one needs no tap
    assert "They sit like this" in whole
    host.post(f"/n/{code}/order", {"seat": ["mia", "ruth", "tom", "ben"]})
    assert host.post(f"/n/{code}/order", {"seat": ["ruth", "mia"]}).status_code == 422
    assert table.night.seats == ("mia", "ruth", "tom", "ben")


def test_a_name_is_corrected_by_its_own_person_and_by_the_host(site: Site, host: ClientPhone, code: str) -> None:
    ben = site.join(code, "Bne")
    assert ben.post(f"/n/{code}/seat/bne/name", {"name": "Ben"}).status_code == 303
    assert ben.post(f"/n/{code}/seat/ruth/name", {"name": "Rude"}).status_code == 403
    assert host.post(f"/n/{code}/seat/ruth/name", {"name": "Ruthie"}).status_code == 303
    assert host.post(f"/n/{code}/seat/bne/name", {"name": "ruthie"}).status_code == 422
    assert site.names(code) == ["Ruthie", "Ben"]


def test_somebody_taken_from_the_lobby_never_bought_chips_and_nobody_is_taken_in_mid_hand(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    ben = site.join(code, "Ben")
    assert host.post(f"/n/{code}/seat/ben/remove").status_code == 303
    assert site.names(code) == ["Ruth"]
    assert "ben" not in table.night.people
    assert ben.get(f"/n/{code}/lobby").status_code == 403
    site.join(code, "Ben")
    assert table.night.stack("ben") == 100
    site.start_first_hand(host, code)
    assert host.post(f"/n/{code}/seat/ben/remove").status_code == 422
    assert site.names(code) == ["Ruth", "Ben"]


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


# What it says of the game


def said_of_money(site: Site, preset: str = "michigan-rummy", rules: Mapping[str, int | str] | None = None) -> str:
    found = sample_night(site, preset, rules)
    return " ".join(HtmlPage(found.ben.get(f"{found.base}/lobby").text).texts("#chip-values, #money"))


def test_each_colour_and_the_money_are_said_to_everybody_where_there_are_some(site: Site) -> None:
    said = said_of_money(site, rules={"money.chips": 20, "money.cents": 100})
    assert "Chips count: white 1, red 5, blue 10 and gold 25." in said
    assert "20 chips are worth 1.00." in said
    assert "worth" not in said_of_money(site)


WARNING = "This game is meant for"


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_the_lobby_and_the_question_for_the_dealer_warn_of_a_number_of_people_that_does_not_fit(
    site: Site, host: ClientPhone, preset: Preset
) -> None:
    least, most = preset.seats.min, preset.seats.max
    code = site.open_night(host, preset=preset.id)
    pages = ["/lobby", "/dealer"] if preset.is_pot_game else ["/lobby"]
    for people in range(2, most + 3):
        record(site.tables.get(code), Sit(SeatId(f"p-{people}"), Name(f"P{people}")))
        if people in (2, least - 1, least, most, most + 1):
            warned = [WARNING in host.get(f"/n/{code}{page}").text for page in pages]
            assert warned == [not least <= people <= most] * len(pages), people
    said = f"{WARNING} {least} to {most} people, and {most + 2} sit here."
    assert [said in host.get(f"/n/{code}{page}").text for page in pages] == [True] * len(pages)
    ben = site.join(code, "Ben")
    assert WARNING in ben.get(f"/n/{code}/lobby").text
    record(site.tables.get(code), End())
    assert WARNING not in ben.get(f"/n/{code}/lobby").text


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


def begun(phone: ClientPhone, code: str) -> str:
    """Return where a phone in the lobby is led to."""
    return HtmlPage(phone.get(f"/n/{code}/lobby/seats").text).value("[data-begun]", "data-begun")


def test_a_dealer_who_cannot_pay_is_left_to_the_table_that_everybody_goes_to(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    ben = site.join(code, "Ben")
    host.post(f"/n/{code}/settings", {"stack": "12"})
    assert host.post(f"/n/{code}/dealer", {"seat": "ben"}).location == f"/n/{code}"
    assert table.night.hand == 0
    assert host.get(f"/n/{code}").status_code == 200
    assert begun(ben, code) == f"/n/{code}"
    assert ben.get(f"/n/{code}").status_code == 200


def test_one_person_alone_is_told_that_it_takes_two(host: ClientPhone, code: str) -> None:
    assert "It takes two" in host.get(f"/n/{code}/dealer").text


def test_after_the_end_the_lobby_offers_nothing_that_would_be_refused(
    host: ClientPhone, code: str, table: OpenNight
) -> None:
    add_people(host, code, "Ben", "Mia", "Tom")
    offers = f"[action='/n/{code}/seats'], [href='/n/{code}/order']"
    assert HtmlPage(host.get(f"/n/{code}/lobby").text).has(offers)
    table.record(End(), id="end", by="host")
    assert not HtmlPage(host.get(f"/n/{code}/lobby").text).has(offers)


# Who sits down while a night is played deals after the others


def finish_hand(table: OpenNight) -> None:
    dealer, deal = str(table.night.dealer), table.night.current_deal()
    record(table, NoSale(), Out(dealer, {seat: Chips(0) for seat in deal.seats if seat != dealer}))


@pytest.mark.parametrize(
    ("during", "between", "chosen", "dealers"),
    [
        ("Lena", (), "", "ruth ben mia lena ruth"),
        ("", ("Lena", "Tom"), "", "ruth ben mia lena tom ruth"),
        ("", ("Lena",), "ben", "ben"),
    ],
)
def test_who_comes_during_a_hand_or_between_hands_deals_last_and_whom_the_table_has_chosen_stays_chosen(
    host: ClientPhone, table: OpenNight, during: str, between: tuple[str, ...], chosen: str, dealers: str
) -> None:
    add_people(host, table.code, "Ben", "Mia")
    record(table, Hand("mia"))
    add_people(host, table.code, *filter(None, [during]))
    finish_hand(table)
    if chosen:
        table.choose(type(table.settings).plan, {"dealer": chosen})
    add_people(host, table.code, *between)
    for dealer in dealers.split():
        if snapshot_of(table).moment.name != "ante":
            table.choose(type(table.settings).waived, {"poker": "on"})
        assert snapshot_of(table).moment.dealer == dealer
        record(table, Hand(SeatId(dealer)))
        finish_hand(table)
