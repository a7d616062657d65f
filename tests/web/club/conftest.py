"""A club with small limits."""

import pytest
from support.client_phones import Site

from tracker.app.club import Club, ClubLimits
from tracker.app.nights import Nights
from tracker.web.access.rate_limits import PostRateLimit


@pytest.fixture(name="club")
def _club(tables: Nights) -> Club:
    return Club(tables.store, ClubLimits(hosts=4, live_tables=2, nights=3, phones=6))


@pytest.fixture(name="site")
def _site(tables: Nights, club: Club) -> Site:
    site = Site(tables, club)
    site.access.pace = PostRateLimit(burst=1_000_000)
    return site
