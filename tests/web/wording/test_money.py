"""Money of 0, 2 and 3 decimals, as every page of a night shows it in each language."""

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.sample_nights import ended_night, visible_text

from tracker.core.payment_list import payment_list
from tracker.web.wording.texts import amount, in_language

AMOUNTS = {
    ("en", 0): "1,234,500",
    ("en", 2): "12,345.00",
    ("en", 3): "1,234.500",
    ("de", 0): "1.234.500",
    ("de", 2): "12.345,00",
    ("de", 3): "1.234,500",
}


@pytest.mark.parametrize(("lang", "decimals"), [*AMOUNTS])
def test_a_sum_has_as_many_decimals_as_its_money(lang: str, decimals: int) -> None:
    with in_language(lang):
        assert amount(1_234_500, decimals) == AMOUNTS[lang, decimals]
        assert amount(-1_234_500, decimals) == f"\N{MINUS SIGN}{AMOUNTS[lang, decimals]}"


def test_no_sum_loses_a_unit_however_large() -> None:
    assert amount(123_456_789_012_345_678) == "1,234,567,890,123,456.78"
    assert [amount(one, 3) for one in (0, 1, -1, 999)] == ["0.000", "0.001", "\N{MINUS SIGN}0.001", "0.999"]


@pytest.mark.parametrize("decimals", [0, 2, 3])
def test_every_page_of_a_night_shows_its_payments_in_its_money(site: Site, decimals: int) -> None:
    night = ended_night(site, {"money.cents": 125, "money.decimals": decimals})
    owed = {one.event.cents for one in payment_list(night.table.night)}
    assert owed
    host = night.host
    for address in ("/settle", "/rules", *of_extras("result_text"), *of_extras("night"), *of_extras("watched")):
        said = visible_text(host.get(night.base + address))
        worth = amount(125, decimals)
        assert worth in said or any(amount(one, decimals) in said for one in owed), address
        if decimals != 2:
            assert not [one for one in owed if amount(one) in said.split()], address


def test_what_a_cent_is_can_be_chosen_where_a_night_is_set_up(site: Site) -> None:
    host = site.host()
    page = HtmlPage(host.get("/new/michigan-rummy").text)
    assert page.texts("#f-decimals option") == ["a hundredth", "a whole: yen, won, forint", "a thousandth: dinars"]
    opened = host.post("/new", {"preset": "michigan-rummy", "host": "Ann", "full": "1", "money.decimals": "0"})
    assert site.tables.get(opened.location.split("/")[2]).preset["money.decimals"] == 0
