"""The limits of a club under a flood from one network: honest browsers get through, whatever their addresses are."""

import pytest
from extras.club.club_hosts import club_of
from support.client_phones import Clock
from support.floods import FLOODS, HONEST, Flooded, Form, flooded_place

from tracker.extras.club.club import ClubLimits
from tracker.storage import Store
from tracker.web.access.rate_limits import GuessLimit


@pytest.fixture(name="here", params=FLOODS, ids=lambda flood: flood.__name__)
def _here(request: pytest.FixtureRequest, store: Store) -> Flooded:
    here = flooded_place(store, request.param, {"club": True})
    club = club_of(here.site)
    club.limits = ClubLimits(hosts=500)
    club.new_hosts = GuessLimit(30, 60, 600, clock=Clock(), kind="new-host")
    return here


def test_new_hosts_of_a_club(here: Flooded) -> None:
    form: Form = {"token": club_of(here.site).token}
    for number, phone in enumerate(here.phones(80)):
        phone.post("/club", {**form, "name": f"Eve {number}"})
    assert len(club_of(here.site).hosts()) == 30
    for number, phone in enumerate(here.honest()):
        assert phone.post("/club", {**form, "name": f"Ann {number}"}).status_code == 303


def test_browsers_that_ask_the_house(here: Flooded) -> None:
    for number, phone in enumerate(here.phones(40)):
        phone.post("/club/ask", {"name": f"Eve {number}"})
    for number, phone in enumerate(here.honest()):
        assert phone.post("/club/ask", {"name": f"Ann {number}"}).status_code == 303
    names = {row.name for row in here.site.access.devices.join_requests(None)}
    assert {f"Ann {number}" for number in range(len(HONEST))} <= names
