"""A night whose table's page is tapped."""

import pytest
from support.client_phones import Site
from support.sample_nights import TableNight


@pytest.fixture(name="night")
def _night(site: Site) -> TableNight:
    return TableNight(site)
