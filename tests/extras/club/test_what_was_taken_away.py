"""Whatever a club gives, and each way in which it is taken away: at its next use it is refused."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from extras.club.club_hosts import become_assistant, become_host, become_screen, club_of, club_site, owner_id
from flask import request
from support.client_phones import ClientPhone, Site
from support.of_extras import needs
from support.public_site import CLIENT, PUBLIC, PublicPhone, PublicSite
from support.taken_away import Use, pairs, works_after

from tracker.app.nights import Nights


@dataclass
class House:
    """A club with a table of Anna, at which Ben sits with his phone."""

    site: Site
    house: ClientPhone
    anna: ClientPhone
    ben: ClientPhone
    code: str

    @property
    def base(self) -> str:
        return f"/n/{self.code}"

    @property
    def owner(self) -> str:
        return owner_id(club_of(self.site), "Anna")

    def allows_script(self, token: str) -> bool:
        """Return whether a script is somebody at the night."""
        with self.site.app.test_request_context(headers={"Authorization": f"Bearer {token}"}):
            return self.site.access.devices.identify_script(request, self.code).role is not None


@pytest.fixture(name="here")
def _here(tables: Nights) -> House:
    site = club_site(tables)
    house, anna = site.host(), become_host(site, "Anna")
    code = site.open_night(anna, "Anna")
    ben = site.join(code, "Ben")
    site.start_first_hand(anna, code, "anna")
    return House(site, house, anna, ben, code)


# What is given. Each returns a function that uses it and returns whether that was allowed.


def hosts_other_browser(here: House) -> Use:
    token = club_of(here.site).new_link(here.owner)
    return lambda: here.site.phone().post("/club/move", {"token": token}).status_code == 303


def club_link(here: House) -> Use:
    token = club_of(here.site).token
    return lambda: here.site.phone().post("/club", {"token": token, "name": "Otto"}).status_code == 303


def club_host(here: House) -> Use:
    return lambda: here.anna.get("/new").status_code == 200


def assistant_link(here: House) -> Use:
    become_assistant(here.site, here.house)
    token = club_of(here.site).settings.assistant_token
    return lambda: here.site.phone().post("/club/assist", {"token": token}).status_code == 303


def assistant(here: House) -> Use:
    phone = become_assistant(here.site, here.house)
    return lambda: phone.get("/house").status_code == 200


def rooms_screen(here: House) -> Use:
    phone = become_screen(here.site, here.house)
    return lambda: phone.get("/house/screen").status_code == 200 and phone.get("/house/screen/live").status_code == 200


def hosts_phone(here: House) -> Use:
    return lambda: here.anna.get(f"{here.base}/settings").status_code == 200


def seats_script(here: House) -> Use:
    token = here.site.access.devices.issue(here.code, "seat", seat="ben")
    return lambda: here.allows_script(token)


def hosts_script(here: House) -> Use:
    token = here.site.access.devices.issue(here.code, "host")
    return lambda: here.allows_script(token)


def typed_pin(here: House) -> Use:
    """What the PIN opens: the host's phone hands the table over without typing it again."""
    needs("pin")
    for _typed_twice in range(2):
        here.anna.post(f"{here.base}/pin", {"pin": "4711"})
    return lambda: here.anna.post(f"{here.base}/hand-over", {"seat": "ben"}).location == here.base


def offered_table(here: House) -> Use:
    here.anna.post(f"{here.base}/hand-over", {"seat": "ben"})
    return lambda: (
        here.ben.post(f"{here.base}/take-table").status_code == 303
        and here.site.role(here.ben.cookies, here.code) == "host"
    )


# How it is taken away


def use_it_up(here: House) -> None:
    """Somebody else was faster; `test_whatever_was_taken_away_is_refused` uses it once before."""


def make_newer_link(here: House) -> None:
    club_of(here.site).new_link(here.owner)


def dismiss_host(here: House) -> None:
    assert here.house.post(f"/house/hosts/{here.owner}/dismiss").status_code == 303


def renew_club_link(here: House) -> None:
    assert here.house.post("/house/link").status_code == 303


def withdraw_assistants(here: House) -> None:
    assert here.house.post("/house/assistant/withdraw").status_code == 303


def end_screens(here: House) -> None:
    assert here.house.post("/house/screen/end").status_code == 303


Take = Callable[[House], None]
GIVEN: dict[Callable[[House], Use], tuple[Take, ...]] = {
    hosts_other_browser: (use_it_up, make_newer_link, dismiss_host),
    club_link: (renew_club_link,),
    club_host: (dismiss_host,),
    assistant_link: (withdraw_assistants,),
    assistant: (withdraw_assistants,),
    rooms_screen: (end_screens,),
    **dict.fromkeys((hosts_phone, seats_script, hosts_script, typed_pin, offered_table), (dismiss_host,)),
}
"""What can be given, and every way in which it is taken away."""


@pytest.mark.parametrize("give", GIVEN, ids=lambda give: give.__name__)
def test_whatever_was_given_works(here: House, give: Callable[[House], Use]) -> None:
    assert give(here)()


@pytest.mark.parametrize(("give", "take"), pairs(GIVEN))
def test_whatever_was_taken_away_is_refused(here: House, give: Callable[[House], Use], take: Take) -> None:
    assert not works_after(here, give, take, is_used_up=take is use_it_up)


# A club behind a proxy: its link leads to the public address, and who waits is counted by the client's address.


@pytest.fixture(name="public")
def _public(tables: Nights) -> PublicSite:
    return PublicSite(tables, {"club": True})


def test_the_clubs_link_leads_to_the_public_address(public: PublicSite) -> None:
    host = PublicPhone(public.app, CLIENT)
    host.post("/host", {"token": public.access.mint_host_link().rsplit("/", 1)[1]})
    assert f"{PUBLIC}/club/link/" in host.get("/house").text


def test_who_waits_is_counted_by_the_clients_address(public: PublicSite) -> None:
    heard = [
        PublicPhone(public.app, CLIENT).post("/club/ask", {"name": f"Eve {number}"}).status_code for number in range(10)
    ]
    assert heard == [303] * 8 + [429] * 2
    assert PublicPhone(public.app, "203.0.113.8").post("/club/ask", {"name": "Ada"}).status_code == 303
