"""A child with the host's unlocked phone can't finish the evening, where the table has a PIN."""

from __future__ import annotations

import pytest
from evenings import Evening, played
from phones import Clock, House

from tracker.web.limits import Pins


@pytest.fixture(name="here")
def _here(house: House) -> Evening:
    found = played(house)
    assert found.host.post(f"{found.base}/pin", {"pin": "4711"}).status_code == 303
    return found


def acts(here: Evening) -> list[tuple[str, dict[str, str | list[str]]]]:
    (ben,) = here.house.door.devices.at_seat(here.table.code, "ben")
    return [
        (f"{here.base}/settle", {"key": "k"}),
        (f"{here.base}/seat/tom/remove", {}),
        (f"{here.base}/devices/{ben.id}/away", {}),
        (f"{here.base}/hand-over", {"seat": "ben"}),
        (f"{here.base}/new-code", {}),
        (f"{here.base}/move", {}),
        (f"{here.base}/pin/off", {}),
    ]


def test_without_the_pin_nothing_of_weight_happens_on_the_hosts_phone(here: Evening) -> None:
    store, code = here.house.tables.store, here.table.code
    before = (store.head(code), store.devices(code), store.settings(code), store.invites(code))
    for path, form in acts(here):
        assert here.host.post(path, form).location == f"{here.base}/pin", path
    assert (store.head(code), store.devices(code), store.settings(code), store.invites(code)) == before


def test_play_goes_on_without_it(here: Evening) -> None:
    form: dict[str, str | list[str]] = {"do": "collect", "key": "k", "seat": "tom", "pot": "king-clubs"}
    assert here.host.post(f"{here.base}/record", form).location == here.base


def test_who_has_typed_it_is_not_asked_again_for_five_minutes(here: Evening) -> None:
    clock = Clock()
    here.house.door.pins = Pins(clock)
    assert here.host.post(f"{here.base}/pin", {"pin": "4711"}).status_code == 303
    clock.seconds += 299
    assert here.host.post(f"{here.base}/hand-over", {"seat": "ben"}).location == here.base
    clock.seconds += 2
    assert here.host.post(f"{here.base}/hand-over", {"seat": ""}).location == f"{here.base}/pin"


def test_five_wrong_ones_and_it_takes_none_for_a_minute(here: Evening) -> None:
    clock = Clock()
    here.house.door.pins = Pins(clock)
    heard = [here.host.post(f"{here.base}/pin", {"pin": f"000{n}"}).status_code for n in range(7)]
    assert heard == [422] * 5 + [429] * 2
    assert here.host.post(f"{here.base}/pin", {"pin": "4711"}).status_code == 429
    clock.seconds += 61
    assert here.host.post(f"{here.base}/pin", {"pin": "4711"}).status_code == 303


@pytest.mark.parametrize("pin", ["", "471", "47110", "abcd", "\u0661\u0662\u0663\u0664", "47 1"])
def test_a_pin_is_four_digits(house: House, pin: str) -> None:
    found = played(house)
    assert found.host.post(f"{found.base}/pin", {"pin": pin}).status_code == 422
    assert found.host.post(f"{found.base}/hand-over", {"seat": "ben"}).location == found.base


def test_the_pin_itself_is_not_kept_and_can_be_taken_away(here: Evening) -> None:
    assert "4711" not in here.table.setting("pin")
    here.host.post(f"{here.base}/pin", {"pin": "4711"})
    assert here.host.post(f"{here.base}/pin/off").status_code == 303
    here.house.door.pins = Pins()
    assert here.host.post(f"{here.base}/hand-over", {"seat": "ben"}).location == here.base


def test_it_is_the_hosts_alone(here: Evening) -> None:
    assert f"{here.base}/pin" in here.host.get(f"{here.base}/settings").text
    for phone in (here.ben, here.watcher, here.house.phone()):
        assert phone.get(f"{here.base}/pin").status_code == 403
        assert phone.post(f"{here.base}/pin", {"pin": "4711"}).status_code == 403
