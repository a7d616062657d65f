"""The phones of a night: the host's list of them, going on with another one, and a new token with every new role."""

import re

from support.client_phones import ClientPhone, Clock, Site
from support.html_page import HtmlPage

from tracker.storage import DeviceRow
from tracker.web.access.devices import hash_token
from tracker.web.access.links import TransferLinks


def code_on(phone: ClientPhone, code: str) -> str:
    """The link that a phone shows when its owner wants to go on with another one."""
    answer = phone.post(f"/n/{code}/move")
    assert answer.status_code == 200
    found = re.search(r"http://[0-9.:]+(/m/[\w-]+)", HtmlPage(answer.text).value("svg.qr", "data-link"))
    assert found
    return found[1]


def scan(site: Site, link: str) -> ClientPhone:
    """A new phone that scanned such a code and tapped."""
    phone = site.phone()
    assert phone.get(link).status_code == 200
    assert phone.post("/m", {"token": link[3:]}).status_code == 303
    return phone


def rows(site: Site, code: str, seat: str) -> list[DeviceRow]:
    return site.access.devices.at_seat(code, seat)


# Who is in


def test_the_host_sees_every_phone_that_is_in_and_sends_any_away(site: Site, host: ClientPhone, code: str) -> None:
    ben, watcher = site.join(code, "Ben"), site.request_join(code, watch="1")
    page = host.get(f"/n/{code}/phones")
    assert page.status_code == 200
    assert [name for name in ("Ruth", "Ben", "Watching") if name in page.text] == ["Ruth", "Ben", "Watching"]
    ways = HtmlPage(page.text).values(f'form[action^="/n/{code}/devices/"][action$="/away"]', "action")
    assert len(ways) == 2
    for way in ways:
        assert host.post(way, {"from": "phones"}).location == f"/n/{code}/phones"
    for phone in (ben, watcher):
        assert phone.get(f"/n/{code}/lobby").status_code == 403
    assert host.get(f"/n/{code}/lobby").status_code == 200


# Going on with another phone


def test_a_seat_moves_to_the_phone_that_scans_its_code(site: Site, host: ClientPhone, code: str) -> None:
    old = site.join(code, "Ben")
    site.start_first_hand(host, code)
    new = scan(site, code_on(old, code))
    assert new.get(f"/n/{code}").status_code == 200
    assert old.get(f"/n/{code}").status_code == 403
    assert len(rows(site, code, "ben")) == 1
    assert [entry.event.kind for entry in site.tables.get(code).entries] == ["sit", "sit", "hand"]


def test_the_table_moves_with_its_hosts_phone(site: Site) -> None:
    old = site.host()
    code = site.open_night(old)
    new = scan(site, code_on(old, code))
    assert new.get(f"/n/{code}/settings").status_code == 200
    assert old.get(f"/n/{code}/settings").status_code == 403
    assert new.get("/new").status_code == 403  # new nights stay with the browser that opened the link


def test_a_code_is_worthless_after_ten_minutes(site: Site) -> None:
    code = site.open_night(site.host())
    clock = Clock()
    site.access.phone_links = TransferLinks(clock=clock)
    link = code_on(site.join(code, "Ben"), code)
    clock.seconds += 601
    assert site.phone().get(link).status_code == 410


# A new token with every new role


def gave_the_table_away(site: Site) -> tuple[ClientPhone, str, str, str]:
    """A phone that was host until Ben took the table, the night, and its cookie: the name, and what it held as host."""
    host = site.host()
    code = site.open_night(host)
    ben = site.join(code, "Ben")
    name = f"{site.access.devices.cookie_name}_{code}"
    before = host.cookies[name]
    host.post(f"/n/{code}/hand-over", {"seat": "ben"})
    ben.post(f"/n/{code}/take-table")
    return host, code, name, before


def test_a_host_who_gave_the_table_away_gets_a_new_token_and_the_old_one_ends(site: Site) -> None:
    host, code, name, before = gave_the_table_away(site)
    assert host.get(f"/n/{code}/settings").status_code == 403
    after = host.cookies[name]
    assert after != before
    assert site.access.devices._by_old_token(code, before) is not None  # until the new one has come back
    assert host.get(f"/n/{code}/lobby").status_code == 200
    assert site.access.devices._by_old_token(code, before) is None
    assert site.tables.store.devices.by_token(hash_token(before)) is None
    assert len(rows(site, code, "ruth")) == 1


def test_an_answer_that_was_lost_on_the_way_locks_nobody_out(site: Site) -> None:
    host, code, name, before = gave_the_table_away(site)
    for _ in range(3):
        assert host.get(f"/n/{code}/lobby").status_code == 200
        host.client.set_cookie(name, before, domain="192.168.1.23")
    assert host.get(f"/n/{code}/lobby").status_code == 200
