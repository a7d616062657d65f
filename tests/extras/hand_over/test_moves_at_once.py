"""Going on with another phone, at many phones at once and in each place where nights are kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from extras.hand_over.states import link_for
from support.at_once import SENDERS, sites_at, statuses, strangers
from support.client_phones import Site
from support.polling import wait_until

from tracker.storage import DataPlace

pytestmark = pytest.mark.every_place


@pytest.fixture(name="sites")
def _sites(place: Path | DataPlace) -> Iterator[list[Site]]:
    with sites_at(place) as sites:
        yield sites


def test_a_seat_moves_to_one_phone(sites: list[Site]) -> None:
    site = sites[0]
    code = site.open_night(site.host())
    site.join(code, "Ben")
    (ben,) = [row for row in site.access.devices.devices_of(code) if row.seat == "ben"]
    token = link_for(site, code, ben.id)[3:]
    assert statuses(strangers(sites), "/m", lambda _: {"token": token}) == {303: 1, 410: SENDERS - 1}
    wait_until(lambda: len(site.access.devices.at_seat(code, "ben")) == 1)  # a process is told what another one did
