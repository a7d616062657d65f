"""Lists, days and sums as each language writes them, the same as by the tables of all the world's languages.

And money of 0, 2 and 3 decimals, as every page of a night shows it.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal

import pytest
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.sample_nights import ended_night, visible_text

from tracker.core.payment_list import payment_list
from tracker.web.wording import texts
from tracker.web.wording.dates import day_words, weekday
from tracker.web.wording.texts import MINUS, amount, in_language, listed

LOCALES = {**{lang: lang for lang in texts.LANGUAGES}, "en": "en_GB", "en-US": "en_US"}
LANGUAGES = tuple(lang for lang in texts.LANGUAGES if lang != "en-US")
NO_BREAK = "\N{NO-BREAK SPACE}"
NAMES = ("Ann", "Ben", "Cleo", "100% Dan")


@pytest.fixture(name="lang", params=LANGUAGES)
def _lang(request: pytest.FixtureRequest) -> Iterator[str]:
    with in_language(request.param):
        yield request.param


@pytest.mark.parametrize("lang", LOCALES)
@pytest.mark.parametrize("count", range(len(NAMES) + 1))
def test_names_are_listed_as_the_language_does(lang: str, count: int) -> None:
    with in_language(lang):
        assert listed(NAMES[:count]) == format_list(NAMES[:count], locale=LOCALES[lang])


@pytest.mark.parametrize("decimals", [0, 2, 3])
def test_sums_have_the_signs_of_the_language_and_the_decimals_of_their_money(lang: str, decimals: int) -> None:
    pattern = f"#,##0{'.' * bool(decimals)}{'0' * decimals}"
    for cents in (0, 1, -5, 99, 100, -999, -1250, 123456, 100_000_000):
        said = format_decimal(Decimal(cents).scaleb(-decimals), format=pattern, locale=lang)
        assert amount(cents, decimals) == said.replace("-", MINUS)


def test_no_sum_loses_a_unit_however_large() -> None:
    assert amount(123_456_789_012_345_678) == "1,234,567,890,123,456.78"


def test_every_day_of_the_week_and_month_of_the_year_has_its_name(lang: str) -> None:
    for number in range(366):
        day = date(2028, 1, 1) + timedelta(days=number)
        pattern = "d. MMM y" if lang == "de" else "d MMM y"
        assert weekday(day) == format_date(day, "EEEE", locale=lang)
        assert day_words(day) == format_date(day, pattern, locale=lang).replace(" ", NO_BREAK)


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
