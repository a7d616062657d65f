"""A script with the host's token of a new night."""

import pytest
from extras._shared.api_scripts import Script, host_of_new_night
from support.client_phones import Site


@pytest.fixture(name="host")
def _host(site: Site) -> Script:
    return host_of_new_night(site)
