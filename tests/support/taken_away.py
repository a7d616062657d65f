"""A house where much is given and taken away again: each use of it afterwards has to be refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import pytest
from support.client_phones import ClientPhone, Site
from support.of_extras import functions_of_extras


@dataclass
class House:
    """A house with a table of Anna, at which Ben and Mia sit with their phones, and Zoe watches."""

    site: Site
    anna: ClientPhone
    ben: ClientPhone
    zoe: ClientPhone
    code: str

    @property
    def base(self) -> str:
        return f"/n/{self.code}"

    def device(self, seat: str) -> int:
        return self.site.access.devices.at_seat(self.code, seat)[0].id

    def allows(self, phone: ClientPhone, path: str = "") -> bool:
        return phone.get(self.base + path).status_code < 400

    def send(self, phone: ClientPhone, path: str, **fields: str | list[str]) -> None:
        """Send a form that is answered."""
        answer = phone.post(path, fields)
        assert answer.status_code == 303, answer.text


T = TypeVar("T")
Use = Callable[[], bool]
"""Uses what was given, and returns whether that was allowed."""
Give = Callable[[House], Use]
Take = Callable[[House], object]


def house_of(site: Site, anna: ClientPhone) -> House:
    code = site.open_night(anna, "Anna")
    ben = site.join(code, "Ben")
    site.join(code, "Mia")
    zoe = site.request_join(code, watch="1")
    site.start_first_hand(anna, code, "anna")
    return House(site, anna, ben, zoe, code)


def hosts_phone(here: House) -> Use:
    return lambda: here.allows(here.anna, "/settings")


def use_it_up(here: House) -> None:
    """Somebody else was faster; `is_refused_after` uses it once before."""


def take_seat_with_another_phone(here: House) -> None:
    """What was given to a phone is not given to another one that is admitted to its seat."""
    other = here.site.request_join(here.code, seat="ben")
    (row,) = here.site.access.devices.join_requests(here.code)
    here.send(here.anna, f"{here.base}/knocks/{row.id}/in")
    here.send(other, f"{here.base}/enter")
    assert here.allows(other)
    here.ben = other


def given_by_extras() -> dict[Give, tuple[Take, ...]]:
    """Return what extras give to somebody at a night, each with the ways in which they take it away."""
    return {give: ways for given in functions_of_extras("given") for give, ways in given().items()}


def pairs(given: Mapping[Callable[[House], T], tuple[Take, ...]]) -> list[object]:
    """Return a case for each way in which something that can be given is taken away, named by both."""
    return [
        pytest.param(give, take, id=f"{give.__name__}-{take.__name__}") for give, ways in given.items() for take in ways
    ]


def is_refused_after(here: House, give: Give, take: Take) -> bool:
    """Return whether what is given can't be used any more after it was taken away."""
    use = give(here)
    if take is use_it_up:
        assert use()
    take(here)
    return not use()
