"""Whose own answer a page waits for, and what it offers to whoever has too few chips to call a bet."""

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.page_offers import PageReader
from support.table_nights import TableNight

from tracker.core.events import Amount, Move


def own_turn(night: TableNight, phone: str) -> str:
    return HtmlPage(night.page(night.phones[phone])).one("#own-turn").get("data-own-turn")


def test_whoever_has_typed_cards_and_deals_next_is_called_for_the_ante(site: Site) -> None:
    night = TableNight(site, "michigan-kitty").begin("ruth")
    night.tap("out", seat="mia")
    assert own_turn(night, "ben") == "count-1"
    night.tap("say:2", night.phones["ben"], seat="ben")
    assert own_turn(night, "ben") == ""
    night.count(ruth=1, tom=3, ben=2).tap("pay:mia")
    assert night.table.night.next_dealer() == "ben"
    assert own_turn(night, "ben") == "ante-1"


@pytest.fixture(name="bets")
def _bets(site: Site) -> TableNight:
    """Give a poker hand for which Mia has bet more than Ben and Tom have."""
    night = TableNight(site, "hearts-three-stages")
    night.tap("ante:ruth", seat="ruth")
    night.tap("go-on")
    for seat in ("ben", "tom"):
        chips = night.stacks[seat] - 2
        night.record(Move(seat, "bank", Amount(chips)))
    night.tap("bet:5", night.phones["mia"], seat="mia")
    return night


def test_an_own_phone_that_is_short_of_a_call_is_led_to_buy(bets: TableNight) -> None:
    page = HtmlPage(bets.page(bets.phones["ben"]))
    assert page.text(".a-rest a[data-open]") == "You need 3 more buy or borrow, to call"
    assert page.value(".a-rest a[data-open]", "href").endswith("/sheet/ben")
    assert not page.has("[value=call]")


def test_for_others_a_call_is_offered_only_to_who_can_pay_it(bets: TableNight) -> None:
    page = HtmlPage(bets.page())
    calls = [one.form["seat"] for one in PageReader(page).offers() if one.do == "call"]
    assert calls == ["ruth"]
    assert page.value(".a-bettor", "data-calls").split() == ["ben:5", "tom:5", "ruth:5"]
