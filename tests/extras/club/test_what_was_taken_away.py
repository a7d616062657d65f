"""Whatever a club gives is refused once it was taken away, and given no more often to those who send at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from extras.club.club_hosts import become_assistant, become_host, become_screen, club_of, club_site, owner_id
from support.at_once import SENDERS, same_browser, sites_at, statuses, strangers
from support.client_phones import CLIENT, PUBLIC, Clock, PublicPhone, Site
from support.floods import FLOODS, HONEST, Flooded, Form, flooded_place
from support.of_extras import functions_of_extras
from support.taken_away import (
    Give,
    House,
    Take,
    Use,
    given_by_extras,
    hosts_phone,
    house_of,
    is_refused_after,
    pairs,
    use_it_up,
)

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.extras.club.club import ClubLimits
from tracker.storage import DataPlace, Store
from tracker.web.access.devices import MOST_WAITING_PER_SENDER
from tracker.web.access.rate_limits import GuessLimit


@pytest.fixture(name="here")
def _here(tables: Nights) -> House:
    site = club_site(tables)
    return house_of(site, become_host(site, "Anna"))


def owner(here: House) -> str:
    return owner_id(club_of(here.site), "Anna")


# What is given. Each returns a function that uses it and returns whether that was allowed.


def hosts_other_browser(here: House) -> Use:
    token = club_of(here.site).new_link(owner(here))
    return lambda: here.site.phone().post("/club/move", {"token": token}).status_code == 303


def club_link(here: House) -> Use:
    token = club_of(here.site).token
    return lambda: here.site.phone().post("/club", {"token": token, "name": "Otto"}).status_code == 303


def club_host(here: House) -> Use:
    return lambda: here.anna.get("/new").status_code == 200


def assistant_link(here: House) -> Use:
    become_assistant(here.site, here.site.host())
    token = club_of(here.site).settings.assistant_token
    return lambda: here.site.phone().post("/club/assist", {"token": token}).status_code == 303


def assistant(here: House) -> Use:
    phone = become_assistant(here.site, here.site.host())
    return lambda: phone.get("/house").status_code == 200


def rooms_screen(here: House) -> Use:
    phone = become_screen(here.site, here.site.host())
    return lambda: phone.get("/house/screen").status_code == 200 and phone.get("/house/screen/live").status_code == 200


# How it is taken away


def make_newer_link(here: House) -> None:
    club_of(here.site).new_link(owner(here))


def dismiss_host(here: House) -> None:
    here.send(here.site.host(), f"/house/hosts/{owner(here)}/dismiss")


def renew_club_link(here: House) -> None:
    here.send(here.site.host(), "/house/link")


def withdraw_assistants(here: House) -> None:
    here.send(here.site.host(), "/house/assistant/withdraw")


def end_screens(here: House) -> None:
    here.send(here.site.host(), "/house/screen/end")


OF_PLAYERS: list[Give] = functions_of_extras("seats_moving_link")
GIVEN: dict[Give, tuple[Take, ...]] = {
    hosts_other_browser: (use_it_up, make_newer_link, dismiss_host),
    club_link: (renew_club_link,),
    club_host: (dismiss_host,),
    assistant_link: (withdraw_assistants,),
    assistant: (withdraw_assistants,),
    rooms_screen: (end_screens,),
    **dict.fromkeys((hosts_phone, *(one for one in given_by_extras() if one not in OF_PLAYERS)), (dismiss_host,)),
}
"""What can be given, and every way in which it is taken away."""


@pytest.mark.parametrize("give", GIVEN, ids=lambda give: give.__name__)
def test_whatever_was_given_works(here: House, give: Give) -> None:
    assert give(here)()


@pytest.mark.parametrize(("give", "take"), pairs(GIVEN))
def test_whatever_was_taken_away_is_refused(here: House, give: Give, take: Take) -> None:
    assert is_refused_after(here, give, take)


# A club behind a proxy: its link leads to the public address, and who waits is counted by the client's address.


def test_behind_a_proxy_the_link_is_public_and_who_waits_is_counted_by_address(tables: Nights) -> None:
    public = Site(tables, options={"club": True}, public=PUBLIC)
    host = PublicPhone(public.app, CLIENT)
    host.post("/host", {"token": public.access.mint_host_link().rsplit("/", 1)[1]})
    assert f"{PUBLIC}/club/link/" in host.get("/house").text
    asking = [PublicPhone(public.app, CLIENT) for _ in range(10)]
    heard = [phone.post("/club/ask", {"name": f"Eve {number}"}).status_code for number, phone in enumerate(asking)]
    assert heard == [303] * 8 + [429] * 2
    assert PublicPhone(public.app, "203.0.113.8").post("/club/ask", {"name": "Ada"}).status_code == 303


# What a club gives once, or so often, it gives no more often to those who send at once, or very often


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


@pytest.fixture(name="flooded", params=FLOODS, ids=lambda flood: flood.__name__)
def _flooded(request: pytest.FixtureRequest, store: Store) -> Flooded:
    flooded = flooded_place(store, request.param, {"club": True})
    club = club_of(flooded.site)
    club.limits = ClubLimits(hosts=500)
    club.new_hosts = GuessLimit(30, 60, 600, clock=Clock(), kind="new-host")
    return flooded


def test_new_hosts_of_a_club(flooded: Flooded) -> None:
    form: Form = {"token": club_of(flooded.site).token}
    for number, phone in enumerate(flooded.phones(80)):
        phone.post("/club", {**form, "name": f"Eve {number}"})
    assert len(club_of(flooded.site).hosts()) == 30
    for number, phone in enumerate(flooded.honest()):
        assert phone.post("/club", {**form, "name": f"Ann {number}"}).status_code == 303


def test_browsers_that_ask_the_house(flooded: Flooded) -> None:
    for number, phone in enumerate(flooded.phones(40)):
        phone.post("/club/ask", {"name": f"Eve {number}"})
    for number, phone in enumerate(flooded.honest()):
        assert phone.post("/club/ask", {"name": f"Ann {number}"}).status_code == 303
    names = {row.name for row in flooded.site.access.devices.join_requests(None)}
    assert {f"Ann {number}" for number in range(len(HONEST))} <= names
