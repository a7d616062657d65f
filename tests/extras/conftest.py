"""The fixtures of tests of pages, and four phones for those of score games."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from support.four_phones import FourPhones, at_one_night, four_phones
from support.web_fixtures import _code, _ended, _here, _host, _table, _third

__all__ = ["_code", "_ended", "_here", "_host", "_table", "_third"]


@pytest.fixture(name="kept", scope="module")
def _kept(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FourPhones]:
    with four_phones(browser, tmp_path_factory.mktemp("data")) as phones:
        yield phones


@pytest.fixture(name="phones")
def _phones(kept: FourPhones) -> Iterator[FourPhones]:
    yield from at_one_night(kept)
