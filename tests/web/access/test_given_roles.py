"""An offer, a yes and a code name a device and a time: somebody else, or later, they give no role."""

from collections.abc import Callable

import pytest
from support.admission_table import Table, new_table
from support.client_phones import ClientPhone, Site
from support.sample_nights import Form

from tracker.core.events import Leave
from tracker.storage import NotSaved


@pytest.fixture(name="table")
def _table(site: Site) -> Table:
    return new_table(site)


def is_host(phone: ClientPhone, table: Table) -> bool:
    return phone.get(f"{table.base}/settings").status_code == 200


# The table is offered to the phone that holds the seat now


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
    table.host.post(f"{table.base}/hand-over", {"seat": "mia"})
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


# Links and codes


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
