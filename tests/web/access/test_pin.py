"""A child with the host's unlocked phone can't finish the evening, where the table has a PIN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.client_phones import HOST, Clock, Site
from support.sample_nights import SampleNight, night_in_third_hand, play_hand, record, sample_night
from werkzeug.test import TestResponse

from tracker.core.events import Amend, End, Leave, Name, SeatId, Sit, Undo
from tracker.formats.codec import event_to
from tracker.web.access.rate_limits import PinLimits

PIN: dict[str, str | list[str]] = {"pin": "4711"}


@pytest.fixture(name="here")
def _here(site: Site) -> SampleNight:
    found = night_in_third_hand(site)
    assert found.host.post(f"{found.base}/pin", {"pin": "4711"}).status_code == 303
    return found


def between_hands(site: Site) -> SampleNight:
    """Return a table with a PIN after its first hand."""
    found = sample_night(site)
    play_hand(found.table, "ruth", "ben", "mia")
    found.host.post(f"{found.base}/pin", PIN)
    return found


def record_by_api(here: SampleNight, event: dict[str, Any]) -> TestResponse:
    """Record an event by the API with the cookies of the host's phone."""
    path, headers = f"/api/nights/{here.table.code}/events", {"Host": HOST, "Origin": f"http://{HOST}"}
    return here.host.client.post(path, json=event, headers=headers)


def acts(here: SampleNight) -> list[tuple[str, dict[str, str | list[str]]]]:
    (ben,) = here.site.access.devices.at_seat(here.table.code, "ben")
    return [
        (f"{here.base}/settle", {"key": "k"}),
        (f"{here.base}/seat/tom/remove", {}),
        (f"{here.base}/devices/{ben.id}/away", {}),
        (f"{here.base}/hand-over", {"seat": "ben"}),
        (f"{here.base}/new-code", {}),
        (f"{here.base}/move", {}),
        (f"{here.base}/pin/off", {}),
    ]


def test_without_the_pin_nothing_of_weight_happens_on_the_hosts_phone(here: SampleNight) -> None:
    store, code = here.site.tables.store, here.table.code
    before = (store.head(code), store.devices.of(code), store.settings(code), store.invites(code))
    for path, form in acts(here):
        assert here.host.post(path, form).location == f"{here.base}/pin", path
    assert (store.head(code), store.devices.of(code), store.settings(code), store.invites(code)) == before


def test_play_goes_on_without_it(here: SampleNight) -> None:
    form: dict[str, str | list[str]] = {"do": "collect", "key": "k", "seat": "tom", "pot": "king-clubs"}
    assert here.host.post(f"{here.base}/record", form).location == here.base


def test_a_person_who_has_typed_it_is_not_asked_again_for_five_minutes(here: SampleNight) -> None:
    clock = Clock()
    here.site.access.pins = PinLimits(clock)
    assert here.host.post(f"{here.base}/pin", {"pin": "4711"}).status_code == 303
    clock.seconds += 299
    assert here.host.post(f"{here.base}/hand-over", {"seat": "ben"}).location == here.base
    clock.seconds += 2
    assert here.host.post(f"{here.base}/hand-over", {"seat": ""}).location == f"{here.base}/pin"


def test_five_wrong_ones_and_it_takes_none_for_a_minute(here: SampleNight) -> None:
    clock = Clock()
    here.site.access.pins = PinLimits(clock)
    heard = [here.host.post(f"{here.base}/pin", {"pin": f"000{n}"}).status_code for n in range(7)]
    assert heard == [422] * 5 + [429] * 2
    assert here.host.post(f"{here.base}/pin", {"pin": "4711"}).status_code == 429
    clock.seconds += 61
    assert here.host.post(f"{here.base}/pin", {"pin": "4711"}).status_code == 303


@pytest.mark.parametrize("pin", ["", "471", "47110", "abcd", "\u0661\u0662\u0663\u0664", "47 1"])
def test_a_pin_is_four_digits(site: Site, pin: str) -> None:
    found = night_in_third_hand(site)
    assert found.host.post(f"{found.base}/pin", {"pin": pin}).status_code == 422
    assert found.host.post(f"{found.base}/hand-over", {"seat": "ben"}).location == found.base


def test_the_pin_itself_is_not_kept_and_can_be_taken_away(here: SampleNight) -> None:
    assert "4711" not in here.table.settings.pin_hash
    here.host.post(f"{here.base}/pin", {"pin": "4711"})
    assert here.host.post(f"{here.base}/pin/off").status_code == 303
    here.site.access.pins = PinLimits()
    assert here.host.post(f"{here.base}/hand-over", {"seat": "ben"}).location == here.base


def test_it_is_the_hosts_alone(here: SampleNight) -> None:
    assert f"{here.base}/pin" in here.host.get(f"{here.base}/settings").text
    for phone in (here.ben, here.watcher, here.site.phone()):
        assert phone.get(f"{here.base}/pin").status_code == 403
        assert phone.post(f"{here.base}/pin", {"pin": "4711"}).status_code == 403


@pytest.mark.parametrize("event", [{"kind": "leave", "seat": "tom"}, {"kind": "end"}, {"kind": "undo", "event": 1}])
@pytest.mark.parametrize("holder", ["phone", "script"])
def test_the_api_records_nothing_of_weight_without_the_pin(
    here: SampleNight, event: dict[str, str | int], holder: str
) -> None:
    """A script that runs the night can't type the PIN, so what needs it is done on the host's phone."""
    code, head = here.table.code, here.table.head
    token = here.site.access.devices.issue(code, "host")
    proof = {"Authorization": f"Bearer {token}"} if holder == "script" else {"Origin": f"http://{HOST}"}
    client = here.site.app.test_client() if holder == "script" else here.host.client
    answer = client.post(f"/api/nights/{code}/events", json=event, headers={"Host": HOST, **proof})
    assert answer.status_code == 403
    assert here.table.head == head


def test_the_tables_sheet_sends_to_the_pin_before_somebody_leaves(here: SampleNight) -> None:
    form: dict[str, str | list[str]] = {"do": "leave:tom", "seat": "tom", "key": "k"}
    head = here.table.head
    assert here.host.post(f"{here.base}/record", form).location == f"{here.base}/pin"
    answer = here.host.post(f"{here.base}/record", form, HX_Request="true")
    assert answer.headers["HX-Redirect"] == f"{here.base}/pin"
    assert here.table.head == head


def test_the_log_sends_to_the_pin_before_a_sitting_down_is_undone(here: SampleNight) -> None:
    head = here.table.head
    answer = here.host.post(f"{here.base}/undo", {"event": str(here.number("sit", 3)), "key": "k"})
    assert answer.location == f"{here.base}/pin"
    assert here.table.head == head


# What sends somebody away or ends the night by way of another event


def ended_and_undone(here: SampleNight) -> Undo:
    return Undo(record(here.table, End(), Undo(here.table.head + 1)))


def left_and_undone(here: SampleNight) -> Undo:
    return Undo(record(here.table, Leave(SeatId("tom")), Undo(here.table.head + 1)))


def left_and_undone_three_times(here: SampleNight) -> Undo:
    return Undo(record(here.table, left_and_undone(here), Undo(here.table.head + 1)))


def sat_down(here: SampleNight) -> Undo:
    return Undo(record(here.table, Sit(SeatId("zoe"), Name("Zoe"))))


def sat_down_and_brought_back(here: SampleNight) -> Undo:
    first = sat_down(here)
    return Undo(record(here.table, first, Undo(here.table.head + 1)))


def left_and_amended(here: SampleNight) -> Amend:
    return Amend(record(here.table, Leave(SeatId("tom"))), {"seat": "mia"})


def left_and_amended_twice(here: SampleNight) -> Amend:
    return Amend(record(here.table, left_and_amended(here)), {"seat": "ruth"})


def left_and_amendment_undone(here: SampleNight) -> Undo:
    return Undo(record(here.table, left_and_amended(here)))


NEEDS_PIN = [
    ended_and_undone,
    left_and_undone,
    left_and_undone_three_times,
    sat_down,
    sat_down_and_brought_back,
    left_and_amended,
    left_and_amended_twice,
    left_and_amendment_undone,
]


@pytest.mark.parametrize("is_by_id", [False, True], ids=["by number", "by id"])
@pytest.mark.parametrize("prepared", NEEDS_PIN)
def test_nobody_is_sent_away_and_no_night_ended_by_correcting_without_the_pin(
    site: Site, prepared: Callable[[SampleNight], Undo | Amend], is_by_id: bool
) -> None:
    here = between_hands(site)
    event = prepared(here)
    assert isinstance(event.event, int)
    named = here.table.entries[event.event - 1].id if is_by_id else event.event
    said, head = {**event_to(event), "event": named}, here.table.head
    assert record_by_api(here, said).status_code == 403
    assert here.table.head == head
    here.host.post(f"{here.base}/pin", PIN)
    assert record_by_api(here, said).status_code == 201, "with the PIN it is recorded"


def test_the_log_sends_to_the_pin_before_an_end_is_restored(site: Site) -> None:
    here = between_hands(site)
    number = ended_and_undone(here).event
    answer = here.host.post(f"{here.base}/undo", {"event": str(number), "key": "k"})
    assert answer.location == f"{here.base}/pin"
    assert not here.table.night.is_over


def test_what_takes_an_end_or_a_leaving_back_needs_no_pin(site: Site) -> None:
    here = between_hands(site)
    for event in (Leave(SeatId("tom")), End()):
        number = record(here.table, event)
        assert record_by_api(here, {"kind": "undo", "event": number}).status_code == 201
