"""A child with the host's unlocked phone can't finish the evening, where the table has a PIN."""

from typing import Any

import pytest
from extras._shared.api_scripts import Script
from support.client_phones import HOST, Clock, Site
from support.of_extras import needs
from support.sample_nights import Form, SampleNight, night_in_third_hand, play_hand, record, sample_night
from werkzeug.test import TestResponse

from tracker import extras
from tracker.core.events import Amend, End, Event, Leave, Name, SeatId, Sit
from tracker.extras.pin.lock import PinLimits, PinLock, PinSettings

PIN: Form = {"pin": "4711"}


@pytest.fixture(name="here")
def _here(site: Site) -> SampleNight:
    found = night_in_third_hand(site)
    assert found.host.post(f"{found.base}/pin", PIN).status_code == 303
    return found


def lock_of(here: SampleNight) -> PinLock:
    lock = here.site.access.lock
    assert isinstance(lock, PinLock)
    return lock


def between_hands(site: Site) -> SampleNight:
    """Return a table with a PIN after its first hand."""
    found = sample_night(site)
    play_hand(found.table, "ruth", "ben", "mia")
    found.host.post(f"{found.base}/pin", PIN)
    return found


def record_by_api(here: SampleNight, event: dict[str, Any]) -> TestResponse:
    """Record an event by the API with the cookies of the host's phone."""
    needs("api")
    path, headers = f"/api/nights/{here.table.code}/events", {"Host": HOST, "Origin": f"http://{HOST}"}
    return here.host.client.post(path, json=event, headers=headers)


def test_without_the_pin_nothing_of_weight_happens_on_the_hosts_phone(here: SampleNight) -> None:
    store, code = here.site.tables.store, here.table.code
    before = (store.head(code), store.devices.of(code), store.settings(code), store.typed_code(code))
    (ben,) = here.site.access.devices.at_seat(code, "ben")
    ways: list[tuple[str, Form]] = [(f"{here.base}/settle", {"key": "k"})]
    ways += [
        (f"{here.base}{path}", {}) for path in ("/seat/tom/remove", f"/devices/{ben.id}/away", "/new-code", "/pin/off")
    ]
    if "hand_over" in extras.names():
        ways += [(f"{here.base}/hand-over", {"seat": "ben"}), (f"{here.base}/move", {})]
    for path, form in ways:
        assert here.host.post(path, form).location == f"{here.base}/pin", path
    assert (store.head(code), store.devices.of(code), store.settings(code), store.typed_code(code)) == before
    collect: Form = {"do": "collect", "key": "k", "seat": "tom", "pot": "king-clubs"}
    assert here.host.post(f"{here.base}/record", collect).location == here.base, "play goes on"


def test_typed_it_is_good_for_five_minutes_and_after_five_wrong_ones_none_is_for_one(here: SampleNight) -> None:
    clock = Clock()
    lock_of(here).limits = PinLimits(clock)
    assert f"{here.base}/pin" in here.host.get(f"{here.base}/settings").text
    assert here.host.post(f"{here.base}/pin", PIN).status_code == 303
    clock.seconds += 299
    assert here.host.post(f"{here.base}/new-code").location == f"{here.base}/share"
    clock.seconds += 2
    assert here.host.post(f"{here.base}/new-code").location == f"{here.base}/pin"
    heard = [here.host.post(f"{here.base}/pin", {"pin": f"000{n}"}).status_code for n in range(7)]
    assert heard == [422] * 5 + [429] * 2
    assert here.host.post(f"{here.base}/pin", PIN).status_code == 429
    clock.seconds += 61
    assert [here.host.post(f"{here.base}/pin", PIN).status_code for _ in range(6)] == [303] * 6, "all tries are back"


def test_a_pin_is_four_digits(site: Site) -> None:
    found = night_in_third_hand(site)
    for pin in ("", "471", "47110", "abcd", "\u0661\u0662\u0663\u0664", "47 1"):
        assert found.host.post(f"{found.base}/pin", {"pin": pin}).status_code == 422, pin
        assert found.host.post(f"{found.base}/new-code").location == f"{found.base}/share"


def test_the_pin_itself_is_not_kept_and_can_be_taken_away(here: SampleNight) -> None:
    assert "4711" not in lock_of(here).settings_of(here.table.code).pin_hash
    here.host.post(f"{here.base}/pin", PIN)
    assert here.host.post(f"{here.base}/pin/off").status_code == 303
    for led in ("pin", "share"):  # a new one is asked of whoever has typed the old one
        here.host.post(f"{here.base}/pin", {"pin": "2222"})
        assert here.host.post(f"{here.base}/new-code").location == f"{here.base}/{led}"
    assert here.host.post(f"{here.base}/pin/off").status_code == 303
    lock_of(here).limits = PinLimits()
    assert here.host.post(f"{here.base}/new-code").location == f"{here.base}/share"


def test_the_api_records_nothing_of_weight_without_the_pin(here: SampleNight) -> None:
    """A script that runs the night can't type the PIN, so what needs it is done on the host's phone."""
    needs("api")
    script, head = Script(here.site.app, here.site.script_token(here.code, "host"), here.code), here.table.head
    for event in ({"kind": "leave", "seat": "tom"}, {"kind": "end"}, {"kind": "undo", "event": 1}):
        statuses = (script.record(event).status, record_by_api(here, event).status_code)
        assert (statuses, here.table.head) == ((403, 403), head), event


def test_the_tables_sheet_and_the_log_send_to_the_pin(here: SampleNight) -> None:
    head = here.table.head
    form: Form = {"do": "leave:tom", "seat": "tom", "key": "k"}
    assert here.host.post(f"{here.base}/record", form).location == f"{here.base}/pin"
    answer = here.host.post(f"{here.base}/record", form, HX_Request="true")
    assert answer.headers["HX-Redirect"] == f"{here.base}/pin"
    assert undo(here, "log", here.number("sit", 3)).location == f"{here.base}/pin"
    assert here.table.head == head


# What sends somebody away or ends the night by way of another event

TOM, ZOE = SeatId("tom"), SeatId("zoe")
EVENTS: dict[str, Event] = {"end": End(), "leave": Leave(TOM), "sit": Sit(ZOE, Name("Zoe"))}
AMENDMENTS: dict[str, list[Form]] = {
    "end": [{"winners": []}, {"winners": []}],
    "leave": [{"seat": "mia"}, {"seat": "ruth"}],
    "sit": [{"seat": "yan"}, {"seat": "xaver"}],
}
"""A kind of event, and two corrections of it: of the event, and of the first correction."""


def needs_it_to_be_undone(kind: str, undos: int) -> bool:
    """Return whether one more undo sends somebody away or ends the night: it takes a person out, or brings back."""
    return undos % 2 == 0 if kind == "sit" else undos % 2 == 1


def undo(here: SampleNight, way: str, number: int) -> TestResponse:
    """Take an entry back in the log, at the table, or by the API, which names it by its number or its id."""
    if way in ("log", "table"):
        path, said = {"log": ("undo", {"event": f"{number}"}), "table": ("record", {"do": f"undo:{number}"})}[way]
        return here.host.post(f"{here.base}/{path}", {**said, "key": f"k{number}"})
    return record_by_api(here, {"kind": "undo", "event": here.table.entries[number - 1].id if way == "id" else number})


@pytest.mark.parametrize("way", ["log", "table", "number", "id"])
@pytest.mark.parametrize("kind", EVENTS)
def test_taking_or_bringing_back_needs_the_pin_where_it_ends_or_sends_away(site: Site, kind: str, way: str) -> None:
    here = between_hands(site)
    record(here.table, EVENTS[kind])
    for undos in range(4):  # the entry is taken back, then that …
        head = here.table.head
        lock_of(here).limits = PinLimits()
        if needs_it_to_be_undone(kind, undos):
            answer = undo(here, way, head)
            assert answer.status_code == 403 or answer.location == f"{here.base}/pin"
            assert here.table.head == head
            here.host.post(f"{here.base}/pin", PIN)
        assert undo(here, way, head).location != f"{here.base}/pin"
        assert here.table.head == head + 1


@pytest.mark.parametrize("made", [0, 1])
@pytest.mark.parametrize("kind", EVENTS)
def test_correcting_it_and_taking_that_back_or_bringing_it_back_needs_the_pin(site: Site, kind: str, made: int) -> None:
    here = between_hands(site)

    def named(number: int) -> int | str:  # by number and by id of each
        return (here.table.entries[number - 1].id or "") if (made == 0) == (kind == "leave") else number

    record(here.table, EVENTS[kind])
    for change in AMENDMENTS[kind][:made]:
        record(here.table, Amend(named(here.table.head), change))
    change = AMENDMENTS[kind][made]
    said: dict[str, Any] = {"kind": "amend", "change": change}
    for _ in range(4):  # the correction, its undo, the undo of that …
        head = here.table.head
        said["event"] = named(head)
        lock_of(here).limits = PinLimits()
        assert record_by_api(here, said).status_code == 403
        assert here.table.head == head
        here.host.post(f"{here.base}/pin", PIN)
        assert record_by_api(here, said).status_code == 201, "with the PIN it is recorded"
        said = {"kind": "undo"}


def test_a_name_and_chips_are_corrected_without_it_and_what_names_nothing_is_refused(site: Site) -> None:
    here = between_hands(site)
    number = record(here.table, EVENTS["sit"])
    for change in ({"name": "Thomas"}, {"chips": 50}):
        assert record_by_api(here, {"kind": "amend", "event": number, "change": change}).status_code == 201, change
    for event in (0, 999, "nobody", -1):
        for kind, more in (("undo", {}), ("amend", {"change": {"seat": "mia"}})):
            answer = record_by_api(here, {"kind": kind, "event": event, **more})
            assert answer.status_code in (409, 422), (kind, event)
    left = record(here.table, Leave(TOM))
    assert here.host.post(f"{here.base}/change/{left}", {"seat": "mia", "key": "k"}).location == f"{here.base}/pin"
    assert "mia" in here.table.night.seats


def test_a_copy_that_is_put_back_has_the_pin_of_now() -> None:
    needs("copies")
    from tracker.extras.copies.command import ways_in  # noqa: PLC0415

    assert PinSettings.pin_hash.key in ways_in()
