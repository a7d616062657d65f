"""The fixtures of tests of pages, phones for those of score games, and the time zone."""

import time
from collections.abc import Callable, Iterator

import pytest
from support.browser_phones import at_table
from support.web_fixtures import _code, _ended, _here, _host, _table, _third

__all__ = ["_code", "_ended", "_here", "_host", "_table", "_third"]

_night = at_table("night")


@pytest.fixture(name="in_zone")
def _in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """A function that sets the time zone of this machine until the test ends."""
    with monkeypatch.context() as changed:

        def set_zone(zone: str) -> None:
            changed.setenv("TZ", zone)
            time.tzset()

        yield set_zone
    time.tzset()
