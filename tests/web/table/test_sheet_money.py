"""A person's sheet where chips are worth money: what they cost to buy, and are worth to somebody who leaves."""

from support.client_phones import Site
from support.core_nights import rummy
from support.sample_nights import TableNight

from tracker.core.events import Rule
from tracker.core.settlement import price_of


def with_money(site: Site) -> TableNight:
    night = TableNight(site)
    night.record(Rule({"money.chips": 10, "money.cents": 25}))
    night.begin()
    night.tap("out", seat="mia")
    night.count(ruth=0, tom=0, ben=0).tap("pay:mia")
    return night


def test_chips_to_buy_have_their_price_and_those_of_a_leaver_their_worth(site: Site) -> None:
    night = with_money(site)
    page = night.sheet("ben")
    prices = dict(zip(page.values("[value^='buy:']", "value"), page.texts("[value^='buy:'] small"), strict=True))
    assert prices == {"buy:10": "0.25", "buy:20": "0.50", "buy:50": "1.25", "buy:100": "2.50"}
    assert night.stacks["ben"] == 91
    assert "They are worth 2.28." in page.text("details:has([value=leave])")


def test_without_money_no_price_is_said(site: Site) -> None:
    night = TableNight(site)
    page = night.sheet("ben")
    assert page.texts("[value^='buy:'] small") == []
    assert "worth" not in page.text("details:has([value=leave])")


def test_any_number_of_chips_is_bought(site: Site) -> None:
    night = TableNight(site)
    before = night.stacks["ben"]
    assert night.sheet("ben").has("form:has([name=chips]) [name=do][value=buy]")
    assert night.tap("buy", seat="ben", chips="37").status_code == 200
    assert night.stacks["ben"] == before + 37
    assert night.tap("buy", seat="ben", chips="many").status_code == 422
    assert night.stacks["ben"] == before + 37


def test_a_price_is_rounded_to_the_nearest_cent() -> None:
    for chips, cents in ((0, 0), (1, 3), (2, 5), (91, 228), (100, 250)):
        assert price_of(rummy(money__chips=10, money__cents=25).night, chips) == cents
        assert price_of(rummy().night, chips) == 0
