"""Lists, days and sums as each language writes them, the same as by the tables of all the world's languages."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal

from tracker.web.wording import texts
from tracker.web.wording.dates import day_words, weekday
from tracker.web.wording.texts import MINUS, amount, in_language, listed

pytestmark = pytest.mark.usefixtures("compiled_texts")

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


@pytest.mark.parametrize("cents", [0, 1, -5, 99, 100, -1250, 123456, 100_000_000])
def test_sums_have_the_signs_of_the_language(lang: str, cents: int) -> None:
    assert amount(cents) == format_decimal(cents / 100, format="#,##0.00", locale=lang).replace("-", MINUS)


def test_every_day_of_the_week_and_month_of_the_year_has_its_name(lang: str) -> None:
    for number in range(366):
        day = date(2028, 1, 1) + timedelta(days=number)
        pattern = "d. MMM y" if lang == "de" else "d MMM y"
        assert weekday(day) == format_date(day, "EEEE", locale=lang)
        assert day_words(day) == format_date(day, pattern, locale=lang).replace(" ", NO_BREAK)
