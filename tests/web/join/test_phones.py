"""The phones of a night: the host's list of them."""

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage


def test_the_host_sees_every_phone_that_is_in_and_sends_any_away(site: Site, host: ClientPhone, code: str) -> None:
    ben, watcher = site.join(code, "Ben"), site.request_join(code, watch="1")
    page = host.get(f"/n/{code}/phones").text
    assert [name in page for name in ("Ruth", "Ben", "Watching")] == [True] * 3
    ways = HtmlPage(page).values(f'form[action^="/n/{code}/devices/"][action$="/away"]', "action")
    assert len(ways) == 2
    for way in ways:
        assert host.post(way, {"from": "phones"}).location == f"/n/{code}/phones"
    assert [phone.get(f"/n/{code}/lobby").status_code for phone in (ben, watcher, host)] == [403, 403, 200]


def test_somebody_at_the_table_is_led_back_to_it_from_a_page_of_the_host(site: Site, code: str) -> None:
    page = site.join(code, "Mia").get(f"/n/{code}/settings").text
    assert "You are not at this table" not in page
    assert f'href="/n/{code}">To the table</a>' in page
    assert "You are not at this table" in site.phone().get(f"/n/{code}/settings").text
