"""A club with small limits."""

import pytest
from extras.club.club_hosts import club_of, club_site
from support.client_phones import Site

from tracker.app.nights import Nights
from tracker.extras.club.club import Club, ClubLimits
from tracker.web.access.rate_limits import PostRateLimit


@pytest.fixture(name="site")
def _site(tables: Nights) -> Site:
    site = club_site(tables, ClubLimits(hosts=4, live_tables=2, nights=3, phones=6))
    site.access.pace = PostRateLimit(burst=1_000_000)
    return site


@pytest.fixture(name="club")
def _club(site: Site) -> Club:
    return club_of(site)
