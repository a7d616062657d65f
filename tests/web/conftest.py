"""The host's phone and a night that it has opened, for tests of pages."""

import pytest
from support.client_phones import ClientPhone, Site

from tracker.app.open_night import OpenNight


@pytest.fixture(name="host")
def _host(site: Site) -> ClientPhone:
    return site.host()


@pytest.fixture(name="code")
def _code(site: Site, host: ClientPhone) -> str:
    return site.open_night(host)


@pytest.fixture(name="table")
def _table(site: Site, code: str) -> OpenNight:
    return site.tables.get(code)
