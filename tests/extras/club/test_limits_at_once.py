"""What a club gives once, or so often, it gives no more often to those who send at once, or very often."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from extras.club.club_hosts import become_host, club_of, club_site, owner_id
from support.at_once import SENDERS, same_browser, sites_at, statuses, strangers
from support.client_phones import Clock, Site
from support.floods import FLOODS, HONEST, Flooded, Form, flooded_place

from tracker.app.event_rows import new_id
from tracker.extras.club.club import ClubLimits
from tracker.storage import DataPlace, Store
from tracker.web.access.devices import MOST_WAITING_PER_SENDER
from tracker.web.access.rate_limits import GuessLimit

LIMITS = ClubLimits(hosts=4, live_tables=2, nights=50, phones=60)


@pytest.fixture(name="sites")
def _sites(place: Path | DataPlace) -> Iterator[list[Site]]:
    """A club at two processes over a database, at one over a file."""
    with sites_at(place, lambda nights: club_site(nights, LIMITS)) as sites:
        for site in sites:
            club_of(site).new_hosts = GuessLimit(1_000_000, 1_000_000)
        yield sites


@pytest.mark.every_place
def test_a_link_to_another_browser_of_a_host_gives_the_tables_to_one(sites: list[Site]) -> None:
    club = club_of(sites[0])
    anna = become_host(sites[0], "Anna")
    code = sites[0].open_night(anna, "Anna")
    for _ in range(3):
        token = club.new_link(owner_id(club, "Anna"))
        heard = statuses(strangers(sites), "/club/move", lambda _, token=token: {"token": token})  # type: ignore[misc]
        assert heard == {303: 1, 410: SENDERS - 1}
        assert len([row for row in sites[0].access.devices.devices_of(code) if row.role == "host"]) == 1
        assert len(club.hosts()) == 1


@pytest.mark.every_place
def test_a_host_of_the_club_has_as_many_tables_as_it_may(sites: list[Site]) -> None:
    club = club_of(sites[0])
    phones = same_browser(sites, become_host(sites[0], "Anna"))
    statuses(phones, "/new", lambda _: {"preset": "michigan-rummy", "host": "Anna", "key": new_id()})
    assert [*club.owners().values()] == [owner_id(club, "Anna")] * LIMITS.live_tables


@pytest.mark.every_place
def test_the_club_has_one_host_of_a_name_and_as_many_as_it_may(sites: list[Site]) -> None:
    club = club_of(sites[0])
    for number, phone in enumerate(strangers(sites)[:2]):
        name = ("Anna", "anna")[number]
        assert phone.post("/club", {"token": club.token, "name": name}).status_code == (303, 422)[number]
    statuses(strangers(sites), "/club", lambda _: {"token": club.token, "name": "Ben"})
    assert [row.name for row in club.hosts()] == ["Anna", "Ben"]
    heard = statuses(strangers(sites), "/club", lambda number: {"token": club.token, "name": f"Host {number}"})
    assert heard == {303: LIMITS.hosts - 2, 429: SENDERS + 2 - LIMITS.hosts}


@pytest.mark.every_place
def test_one_address_asks_the_house_as_often_as_it_may(sites: list[Site]) -> None:
    statuses(strangers(sites, "192.168.1.251"), "/club/ask", lambda number: {"name": f"Guest {number}"})
    assert len(sites[0].tables.store.devices.of(None, "knock")) == MOST_WAITING_PER_SENDER


# Under a flood from one network honest browsers get through, whatever their addresses are.


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
