"""A dummy hand that is passed round for payment: whoever is offered it buys or passes by one tap."""

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.table_nights import TableNight

from tracker.core.events import Amount, Hand, Move, Rule, SeatId

PRICE = 2


@pytest.fixture(name="offered")
def _offered(site: Site) -> TableNight:
    """Give a night in which Ruth has dealt, and the dummy hand goes round from her left for 2 chips."""
    night = TableNight(site)
    night.record(Rule({"dummy": "passed_round", "auction.min": PRICE}))
    night.record(Hand(SeatId("ruth")))
    return night


def turn(night: TableNight) -> str:
    return HtmlPage(night.page()).value("#move [name=turn]", "value")


def test_who_is_offered_the_dummy_buys_it_by_one_tap_on_the_own_phone(offered: TableNight) -> None:
    first, before = turn(offered), dict(offered.stacks)
    phone = offered.phones[first]
    assert HtmlPage(offered.page(phone)).text("#last b") == "The dummy for 2?"
    assert HtmlPage(offered.page(phone)).text(".a-rest [name=do][value='bid:2']") == "Buy for 2"
    assert offered.tap("bid:2", phone).status_code == 200
    assert offered.table.night.current_deal().buyer == first
    assert offered.stacks == before | {first: before[first] - PRICE, "ruth": before["ruth"] + PRICE}


def test_a_pass_offers_it_to_the_next_one_and_others_are_offered_nothing(offered: TableNight) -> None:
    first = turn(offered)
    assert offered.tap(f"pass:{first}", offered.phones[first]).status_code == 200
    second = turn(offered)
    assert second not in (first, "ruth")
    waiting = next(seat for seat in offered.phones if seat not in (first, second, "ruth"))
    page = HtmlPage(offered.page(offered.phones[waiting]))
    assert not page.has(".a-rest [name=do][value='bid:2']")
    assert "Wait until it is offered to you" in page.text(".a-rest")


def test_the_host_says_by_one_tap_that_nobody_wants_it(offered: TableNight) -> None:
    assert HtmlPage(offered.page()).text(".a-rest #do-dead") == "Nobody"
    assert offered.tap("no-sale").status_code == 200
    assert offered.table.night.current_deal().dummy == "dead"


def test_a_buyer_who_is_short_is_told_how_many_chips_are_missing(offered: TableNight) -> None:
    first = turn(offered)
    offered.record(Move(first, "bank", Amount(offered.stacks[first] - 1)))
    answer = offered.tap("bid:2", offered.phones[first])
    assert answer.status_code == 422
    assert "1 short" in HtmlPage(answer.text).text("#notice")
    assert offered.stacks[first] == 1
    assert offered.table.night.current_deal().buyer is None


def test_the_log_names_the_sale_once(offered: TableNight) -> None:
    first = turn(offered)
    offered.tap("bid:2")
    name = offered.table.night.name(first)
    assert f"{name} buys the dummy hand from Ruth for 2" in offered.host.get(f"/n/{offered.code}/log").text
