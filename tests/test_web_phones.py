"""The phones of a night: the host's list of them, going on with another one, and a new token with every new role."""

from __future__ import annotations

import re
import threading

from phones import Clock, House, Phone

from tracker.store import DeviceRow
from tracker.web.devices import hashed
from tracker.web.limits import PhoneLinks


def code_on(phone: Phone, code: str) -> str:
    """The link that a phone shows when its owner wants to go on with another one."""
    answer = phone.post(f"/n/{code}/move")
    assert answer.status_code == 200
    found = re.search(r"http://[0-9.:]+(/m/[\w-]+)", answer.text)
    assert found
    return found[1]


def scan(house: House, link: str) -> Phone:
    """A new phone that scanned such a code and tapped."""
    phone = house.phone()
    assert phone.get(link).status_code == 200
    assert phone.post("/m", {"token": link[3:]}).status_code == 303
    return phone


def rows(house: House, code: str, seat: str) -> list[DeviceRow]:
    return house.door.devices.at_seat(code, seat)


# Who is in


def test_the_host_sees_every_phone_that_is_in_and_sends_any_away(house: House) -> None:
    host = house.host()
    code = house.open_night(host)
    ben, watcher = house.join(code, "Ben"), house.ask(code, watch="1")
    page = host.get(f"/n/{code}/phones")
    assert page.status_code == 200
    assert [name for name in ("Ruth", "Ben", "Watching") if name in page.text] == ["Ruth", "Ben", "Watching"]
    ways = re.findall(rf'action="(/n/{code}/devices/\d+/away)"', page.text)
    assert len(ways) == 2
    for way in ways:
        assert host.post(way, {"from": "phones"}).location == f"/n/{code}/phones"
    for phone in (ben, watcher):
        assert phone.get(f"/n/{code}/lobby").status_code == 403
    assert host.get(f"/n/{code}/lobby").status_code == 200


def test_only_the_host_sees_the_list(house: House) -> None:
    host = house.host()
    code = house.open_night(host)
    assert f"/n/{code}/phones" in host.get(f"/n/{code}/lobby").text
    for phone in (house.join(code, "Ben"), house.ask(code, watch="1"), house.phone()):
        assert phone.get(f"/n/{code}/phones").status_code == 403


# Going on with another phone


def test_a_seat_moves_to_the_phone_that_scans_its_code(house: House) -> None:
    host = house.host()
    code = house.open_night(host)
    old = house.join(code, "Ben")
    house.begin(host, code)
    new = scan(house, code_on(old, code))
    assert new.get(f"/n/{code}").status_code == 200
    assert old.get(f"/n/{code}").status_code == 403
    assert len(rows(house, code, "ben")) == 1
    assert [entry.event.kind for entry in house.tables.get(code).entries] == ["sit", "sit", "hand"]


def test_the_table_moves_with_its_hosts_phone(house: House) -> None:
    old = house.host()
    code = house.open_night(old)
    new = scan(house, code_on(old, code))
    assert new.get(f"/n/{code}/settings").status_code == 200
    assert old.get(f"/n/{code}/settings").status_code == 403
    assert new.get("/new").status_code == 403  # the door of the house stays with the browser that opened the link


def test_a_code_works_once_and_looking_uses_nothing_up(house: House) -> None:
    host = house.host()
    code = house.open_night(host)
    link = code_on(house.join(code, "Ben"), code)
    for _ in range(3):
        assert house.phone().get(link).status_code == 200
    scan(house, link)
    assert house.phone().get(link).status_code == 410
    assert house.phone().post("/m", {"token": link[3:]}).status_code == 410
    assert house.phone().post("/m").status_code == 410


def test_the_newest_code_of_a_phone_is_the_only_one(house: House) -> None:
    code = house.open_night(house.host())
    ben = house.join(code, "Ben")
    first = code_on(ben, code)
    second = code_on(ben, code)
    assert house.phone().get(first).status_code == 410
    scan(house, second)


def test_a_code_is_worthless_after_ten_minutes_and_when_its_phone_was_sent_away(house: House) -> None:
    host = house.host()
    code = house.open_night(host)
    ben = house.join(code, "Ben")
    clock = Clock()
    house.door.phone_links = PhoneLinks(clock=clock)
    link = code_on(ben, code)
    clock.seconds += 601
    assert house.phone().get(link).status_code == 410
    link = code_on(ben, code)
    (row,) = rows(house, code, "ben")
    host.post(f"/n/{code}/devices/{row.id}/away")
    assert house.phone().get(link).status_code == 410
    assert house.phone().post("/m", {"token": link[3:]}).status_code == 410


def test_of_twenty_that_scan_at_once_one_gets_the_seat(house: House) -> None:
    code = house.open_night(house.host())
    link = code_on(house.join(code, "Ben"), code)
    phones, heard, gate = [house.phone() for _ in range(20)], [], threading.Barrier(20)

    def take(phone: Phone) -> None:
        gate.wait()
        heard.append(phone.post("/m", {"token": link[3:]}).status_code)

    threads = [threading.Thread(target=take, args=(phone,)) for phone in phones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(heard) == [303] + [410] * 19
    assert len(rows(house, code, "ben")) == 1


def test_watchers_and_strangers_show_no_such_code(house: House) -> None:
    code = house.open_night(house.host())
    for phone in (house.ask(code, watch="1"), house.phone()):
        assert phone.post(f"/n/{code}/move").status_code == 403


# A new token with every new role


def gave_the_table_away(house: House) -> tuple[Phone, str, str, str]:
    """A phone that was host until Ben took the table, the night, and its cookie: the name, and what it held as host."""
    host = house.host()
    code = house.open_night(host)
    ben = house.join(code, "Ben")
    name = f"{house.door.devices.cookie_name}_{code}"
    before = host.cookies[name]
    host.post(f"/n/{code}/hand-over", {"seat": "ben"})
    ben.post(f"/n/{code}/take-table")
    return host, code, name, before


def test_a_host_who_gave_the_table_away_gets_a_new_token_and_the_old_one_ends(house: House) -> None:
    host, code, name, before = gave_the_table_away(house)
    assert host.get(f"/n/{code}/settings").status_code == 403
    after = host.cookies[name]
    assert after != before
    assert house.tables.store.device(hashed(before)) is not None  # until the new one has come back
    assert host.get(f"/n/{code}/lobby").status_code == 200
    assert house.tables.store.device(hashed(before)) is None
    assert len(rows(house, code, "ruth")) == 1


def test_an_answer_that_was_lost_on_the_way_locks_nobody_out(house: House) -> None:
    host, code, name, before = gave_the_table_away(house)
    for _ in range(3):
        assert host.get(f"/n/{code}/lobby").status_code == 200
        host.client.set_cookie(name, before, domain="192.168.1.23")
    assert host.get(f"/n/{code}/lobby").status_code == 200
