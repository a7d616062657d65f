"""Whatever a club gives, and each way in which it is taken away: at its next use it is refused."""

import pytest
from extras.club.club_hosts import become_assistant, become_host, become_screen, club_of, club_site, owner_id
from support.of_extras import functions_of_extras
from support.public_site import CLIENT, PUBLIC, PublicPhone, PublicSite
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

from tracker.app.nights import Nights


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
    public = PublicSite(tables, {"club": True})
    host = PublicPhone(public.app, CLIENT)
    host.post("/host", {"token": public.access.mint_host_link().rsplit("/", 1)[1]})
    assert f"{PUBLIC}/club/link/" in host.get("/house").text
    asking = [PublicPhone(public.app, CLIENT) for _ in range(10)]
    heard = [phone.post("/club/ask", {"name": f"Eve {number}"}).status_code for number, phone in enumerate(asking)]
    assert heard == [303] * 8 + [429] * 2
    assert PublicPhone(public.app, "203.0.113.8").post("/club/ask", {"name": "Ada"}).status_code == 303
