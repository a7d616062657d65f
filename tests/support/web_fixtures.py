"""The host's phone and a night that it has opened, and tables of four with phones, for tests of pages."""

import pytest
from support.client_phones import ClientPhone, Site
from support.sample_nights import SampleNight, ended_night, night_in_third_hand, sample_night

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


@pytest.fixture(name="here")
def _here(site: Site) -> SampleNight:
    """Give a table of four in its lobby."""
    return sample_night(site)


@pytest.fixture(name="third")
def _third(site: Site) -> SampleNight:
    """Give a table of four in its third hand."""
    return night_in_third_hand(site)


@pytest.fixture(name="ended")
def _ended(site: Site) -> SampleNight:
    """Give a table of four that has ended after two hands."""
    return ended_night(site)
