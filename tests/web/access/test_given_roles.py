"""An offer, a yes and a code name a device and a time: somebody else, or later, they give no role."""

# ruff: noqa: ARG001 - whatever changes before a role is taken gets the same

import time
from collections.abc import Callable

import pytest
from support.admission_table import Table, new_table
from support.client_phones import ClientPhone, Clock, Site
from support.sample_nights import Form

from tracker.core.events import Leave
from tracker.storage import NotSaved
from tracker.web.access.admission import OFFER_SECONDS
from tracker.web.access.devices import ADMISSION_SECONDS, WAITING_SECONDS, Arrivals


@pytest.fixture(name="clock")
def _clock(site: Site) -> Clock:
    clock = Clock()
    clock.seconds = time.time()
    site.access.devices.clock, site.access.devices.arrivals = clock, Arrivals(clock)
    return clock


@pytest.fixture(name="table")
def _table(site: Site, clock: Clock) -> Table:
    return new_table(site)


def is_host(phone: ClientPhone, table: Table) -> bool:
    return phone.get(f"{table.base}/settings").status_code == 200


# The table is offered to the phone that holds the seat now


def offered(table: Table) -> None:
    assert table.host.post(f"{table.base}/hand-over", {"seat": "mia"}).status_code == 303


def leaves(table: Table, clock: Clock) -> ClientPhone:
    """Mia's phone leaves, and another one takes her free seat with somebody's yes."""
    table.mia.post(f"{table.base}/devices/{table.device(table.mia).id}/away")
    other = table.site.request_join(table.code, seat="mia")
    table.ben.post(f"{table.base}/knocks/{table.device(other).id}/in")
    other.post(f"{table.base}/enter")
    assert other.get(table.base).status_code == 200
    return other


def is_joined(table: Table, clock: Clock) -> ClientPhone:
    """Another phone is admitted to Mia's seat beside hers."""
    other = table.site.request_join(table.code, seat="mia")
    table.admit(other)
    return other


def waits_too_long(table: Table, clock: Clock) -> ClientPhone:
    clock.seconds += OFFER_SECONDS
    return table.mia


@pytest.mark.parametrize("change", [leaves, is_joined, waits_too_long])
def test_an_offered_table_is_taken_by_no_other_phone_and_not_later(
    table: Table, clock: Clock, change: Callable[[Table, Clock], ClientPhone]
) -> None:
    offered(table)
    phone = change(table, clock)
    assert "take-table" not in phone.get(table.base).text
    assert phone.post(f"{table.base}/take-table").status_code == 403
    assert is_host(table.host, table)


def test_an_offer_ends_with_the_person_also_where_another_one_gets_the_seat(site: Site) -> None:
    host = site.host()
    code = site.open_night(host)
    site.join(code, "Cara")
    host.post(f"/n/{code}/hand-over", {"seat": "cara"})
    host.post(f"/n/{code}/seat/cara/remove")
    stranger = site.join(code, "Cara")
    assert stranger.post(f"/n/{code}/take-table").status_code == 403


def test_the_table_is_offered_to_nobody_without_a_phone(table: Table) -> None:
    answer = table.host.post(f"{table.base}/hand-over", {"seat": "tom"})
    assert answer.status_code == 422
    assert "Tom has no phone here" in answer.text
    other = table.site.request_join(table.code, seat="tom")
    table.admit(other)
    assert other.post(f"{table.base}/take-table").status_code == 403


def test_a_restart_right_after_the_table_changed_hands_leaves_it_with_its_new_host(table: Table, site: Site) -> None:
    offered(table)
    name = f"{site.access.devices.cookie_name}_{table.code}"
    before = table.mia.cookies[name]
    assert table.mia.post(f"{table.base}/take-table").status_code == 303
    restarted = Site(site.tables)
    for phone in (table.mia, table.host):
        phone.client = restarted.app.test_client(use_cookies=True)
    table.mia.client.set_cookie(name, before, domain="192.168.1.23")  # the answer got lost, too
    assert table.mia.get(table.base).status_code == 200
    assert is_host(table.mia, table)
    assert [row.role for row in restarted.access.devices.at_seat(table.code, "ruth")] == ["seat", "seat"]


# A yes


def admitted(table: Table, seat: str) -> ClientPhone:
    phone = table.site.request_join(table.code, seat=seat)
    assert table.ben.post(f"{table.base}/knocks/{table.device(phone).id}/in").status_code == 303
    return phone


def takes_it_back(table: Table, phone: ClientPhone, clock: Clock) -> None:
    """The host takes the yes back, on the page of the phones."""
    page, device = table.host.get(f"{table.base}/phones").text, table.device(phone).id
    assert "may come in, and has not yet" in page
    assert f"/devices/{device}/away" in page
    table.host.post(f"{table.base}/devices/{device}/away", {"from": "phones"})


def comes_too_late(table: Table, phone: ClientPhone, clock: Clock) -> None:
    clock.seconds += ADMISSION_SECONDS


def removes_the_person(table: Table, phone: ClientPhone, clock: Clock) -> None:
    table.site.tables.get(table.code).record(Leave("sam"), id="gone", by="ruth")


@pytest.mark.parametrize("end", [takes_it_back, comes_too_late, removes_the_person])
def test_a_yes_ends(table: Table, clock: Clock, end: Callable[[Table, ClientPhone, Clock], None]) -> None:
    devices = table.site.access.devices
    for row in devices.at_seat(table.code, "sam"):
        devices.dismiss(row.id)
    phone = admitted(table, "sam")
    end(table, phone, clock)
    phone.post(f"{table.base}/enter")
    assert phone.get(table.base).status_code == 403


def test_whoever_has_left_admits_nobody(table: Table) -> None:
    night = table.site.tables.get(table.code)
    sam = table.site.request_join(table.code, seat="sam")
    table.admit(sam)
    night.record(Leave("sam"), id="gone", by="ruth")
    waiting = table.device(table.waiting).id
    assert f"knocks/{waiting}" not in sam.get(table.base).text
    assert sam.post(f"{table.base}/knocks/{waiting}/in").status_code == 403
    assert table.ben.post(f"{table.base}/knocks/{waiting}/in").status_code == 303


# One browser, one person; one address, a few


def test_a_browser_that_sits_down_again_under_another_name_is_one_person(site: Site) -> None:
    code = site.open_night(site.host())
    phone = site.phone()
    form: Form = {"token": site.join_link(code)[3:]}
    for number in range(30):
        assert phone.post("/join", {**form, "name": f"Eve {number}"}).status_code == 303
    night = site.tables.get(code).night
    assert [night.name(seat) for seat in night.seats] == ["Ruth", "Eve 29"]


def test_somebody_whom_the_host_has_added_stays_when_a_browser_tries_another_name(site: Site) -> None:
    host = site.host()
    code = site.open_night(host)
    host.post(f"/n/{code}/seats", {"name": "Tom"})
    phone = site.phone()
    form: Form = {"token": site.join_link(code)[3:]}
    phone.post("/join", {**form, "seat": "tom"})
    phone.post("/join", {**form, "name": "Eve"})
    night = site.tables.get(code).night
    assert [night.name(seat) for seat in night.seats] == ["Ruth", "Tom", "Eve"]


def test_a_seat_whose_phone_has_not_loaded_its_page_yet_is_taken_from_its_own_address_only(site: Site) -> None:
    code = site.open_night(site.host())
    form: Form = {"token": site.join_link(code)[3:]}
    lost = ClientPhone(site.app, "192.168.1.70")
    assert lost.post("/join", {**form, "name": "Cara"}).location == f"/n/{code}/lobby"
    thief, again = site.phone(), ClientPhone(site.app, "192.168.1.70")
    assert thief.post("/join", {**form, "seat": "cara"}).location.partition("?")[0] == f"/n/{code}/knock"
    assert again.post("/join", {**form, "seat": "cara"}).location == f"/n/{code}/lobby"
    assert len(site.access.devices.at_seat(code, "cara")) == 1


# Who waits


def test_a_join_request_ends_when_nobody_has_answered_it_for_long(table: Table, clock: Clock) -> None:
    clock.seconds += WAITING_SECONDS + 1
    assert table.site.access.devices.join_requests(table.code) == []
    assert "Not this time" in table.waiting.get(f"{table.base}/knock").text
    assert table.waiting.get(table.base).status_code == 403
    assert "waits" not in table.waiting.get(f"{table.base}/knock/answer").text


# Links and codes


def test_a_move_code_moves_what_the_phone_was_when_it_made_it(table: Table) -> None:
    token = table.mia.post(f"{table.base}/move").text.partition("/m/")[2][:43]
    offered(table)
    assert table.mia.post(f"{table.base}/take-table").status_code == 303
    table.mia.get(table.base)
    child = table.site.phone()
    assert child.get(f"/m/{token}").status_code == 410
    assert child.post("/m", {"token": token}).status_code == 410
    assert is_host(table.mia, table)


def fails_once(site: Site, monkeypatch: pytest.MonkeyPatch, send: Callable[[], int]) -> tuple[int, int]:
    """Return how a form is answered while nothing can be saved, and when it is sent again."""

    def add(*_: object, **__: object) -> None:
        raise NotSaved("full", certain=True)

    with monkeypatch.context() as patch:
        patch.setattr(site.tables.store.devices, "add", add)
        first = send()
    return first, send()


def test_a_link_that_could_not_be_used_for_the_disk_works_when_it_is_sent_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, token = table.site, table.site.access.mint_host_link().rsplit("/", 1)[1]
    browser = site.phone()
    form: Form = {"token": token, "night": table.code}
    assert fails_once(site, monkeypatch, lambda: browser.post("/host", form).status_code) == (503, 303)
    assert site.phone().post("/host", form).status_code == 410
    moving: Form = {"token": table.mia.post(f"{table.base}/move").text.partition("/m/")[2][:43]}
    other = site.phone()
    assert fails_once(site, monkeypatch, lambda: other.post("/m", moving).status_code) == (503, 303)
    assert site.phone().post("/m", moving).status_code == 410
