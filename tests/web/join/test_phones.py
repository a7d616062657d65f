"""The phones of a night: the host's list of them, going on with another one, and giving the table away."""

import re

import pytest
from support.client_phones import HERE, ClientPhone, Clock, Site
from support.html_page import HtmlPage

from tracker.web.access.devices import hash_token
from tracker.web.access.links import TransferLinks


def test_the_host_sees_every_phone_that_is_in_and_sends_any_away(site: Site, host: ClientPhone, code: str) -> None:
    ben, watcher = site.join(code, "Ben"), site.request_join(code, watch="1")
    page = host.get(f"/n/{code}/phones").text
    assert [name in page for name in ("Ruth", "Ben", "Watching")] == [True] * 3
    ways = HtmlPage(page).values(f'form[action^="/n/{code}/devices/"][action$="/away"]', "action")
    assert len(ways) == 2
    for way in ways:
        assert host.post(way, {"from": "phones"}).location == f"/n/{code}/phones"
    assert [phone.get(f"/n/{code}/lobby").status_code for phone in (ben, watcher, host)] == [403, 403, 200]


# Going on with another phone


def link_on(phone: ClientPhone, code: str) -> str:
    """Return the link that a phone shows when its owner wants to go on with another one."""
    link = HtmlPage(phone.post(f"/n/{code}/move").text).value("svg.qr", "data-link")
    found = re.fullmatch(r"http://[0-9.:]+(/m/[\w-]+)", link)
    assert found, link
    return found[1]


def test_the_table_moves_with_its_hosts_phone(site: Site, host: ClientPhone, code: str) -> None:
    link, new = link_on(host, code), site.phone()
    assert new.get(link).status_code == 200
    assert new.post("/m", {"token": link[3:]}).status_code == 303
    assert new.get(f"/n/{code}/settings").status_code == 200
    assert host.get(f"/n/{code}/settings").status_code == 403
    assert new.get("/new").status_code == 403  # new nights stay with the browser that opened the link


def test_a_code_is_worthless_after_ten_minutes(site: Site, code: str) -> None:
    clock = Clock()
    site.access.phone_links = TransferLinks(clock=clock)
    link = link_on(site.join(code, "Ben"), code)
    clock.seconds += 601
    assert site.phone().get(link).status_code == 410


# Giving the table away


def test_the_table_changes_hands_when_it_is_taken_and_is_never_without_a_host(
    site: Site, host: ClientPhone, code: str
) -> None:
    ben, mia = site.join(code, "Ben"), site.join(code, "Mia")
    host.post(f"/n/{code}/hand-over", {"seat": "mia"})
    assert ["Take it" in phone.get(f"/n/{code}/lobby").text for phone in (ben, mia)] == [False, True]
    assert host.get(f"/n/{code}/settings").status_code == 200
    assert [phone.post(f"/n/{code}/take-table").status_code for phone in (ben, mia, ben)] == [403, 303, 403]
    assert [phone.get(f"/n/{code}/settings").status_code for phone in (host, mia)] == [403, 200]
    assert host.get(f"/n/{code}/lobby").status_code == 200


def test_an_offer_can_be_taken_back(site: Site, host: ClientPhone, code: str) -> None:
    mia = site.join(code, "Mia")
    for seat in ("mia", ""):
        host.post(f"/n/{code}/hand-over", {"seat": seat})
    assert mia.post(f"/n/{code}/take-table").status_code == 403


@pytest.mark.parametrize("is_restarted", [False, True])
def test_whichever_answer_gets_lost_both_phones_stay_in_and_old_tokens_end_once_the_new_ones_are_used(
    site: Site, host: ClientPhone, code: str, *, is_restarted: bool
) -> None:
    mia = site.join(code, "Mia")
    (name, hosts_old), (_, seats_old) = [*host.cookies.items()][-1], *mia.cookies.items()
    host.post(f"/n/{code}/hand-over", {"seat": "mia"})
    for _tap in range(2):
        mia.client.set_cookie(name, seats_old, domain=HERE)  # the browser gave the first answer up for the second
        assert mia.post(f"/n/{code}/take-table").status_code == 303
    mia.client.set_cookie(name, seats_old, domain=HERE)
    now = Site(site.tables) if is_restarted else site
    host.client.application = mia.client.application = now.app
    devices = now.access.devices
    for _answer in range(3):
        host.client.set_cookie(name, hosts_old, domain=HERE)
        assert devices._by_old_token(code, hosts_old)
        assert host.get(f"/n/{code}/lobby").status_code == 200
    for phone, old, status in ((host, hosts_old, 403), (mia, seats_old, 200)):
        assert phone.get(f"/n/{code}/lobby").status_code == 200
        assert phone.get(f"/n/{code}/settings").status_code == status
        assert phone.cookies[name] != old
        assert devices._by_old_token(code, old) is None
        assert site.tables.store.devices.by_token(hash_token(old)) is None
    assert len(devices.at_seat(code, "ruth")) == 1
    mia.client.set_cookie(name, seats_old, domain=HERE)
    assert mia.get(f"/n/{code}").status_code == 403


def test_somebody_at_the_table_is_led_back_to_it_from_a_page_of_the_host(site: Site, code: str) -> None:
    page = site.join(code, "Mia").get(f"/n/{code}/settings").text
    assert "You are not at this table" not in page
    assert f'href="/n/{code}">To the table</a>' in page
    assert "You are not at this table" in site.phone().get(f"/n/{code}/settings").text
