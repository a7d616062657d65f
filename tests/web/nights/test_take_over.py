"""A night that a script has opened: the browser that opens nights on this machine can become its host."""

from dataclasses import replace

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import play_hand, record, seat_everybody

from tracker.core import events


def test_the_hosts_browser_takes_over_a_night_that_a_script_opened(site: Site, host: ClientPhone) -> None:
    code = site.tables.open("michigan-rummy").code
    assert host.get(f"/n/{code}/lobby").status_code == 403
    assert f'name="night" value="{code}"' in host.get("/").text
    for _tap in range(2):
        assert host.post("/take-over", {"night": code}).location == f"/n/{code}/lobby"
    lobby = host.get(f"/n/{code}/lobby").text
    assert 'class="qr"' in lobby
    assert site.typed_code(code) in lobby
    assert host.get(f"/n/{code}/settings").status_code == 200
    assert 'name="night"' not in host.get("/").text


def test_a_night_that_a_browser_hosts_is_not_taken_over_and_says_how_this_one_gets_in(site: Site, code: str) -> None:
    other = site.host()
    assert 'name="night"' not in other.get("/").text
    assert other.post("/take-over", {"night": code}).status_code == 403
    assert other.get(f"/n/{code}/settings").status_code == 403
    page = other.get(f"/nights/{code}").text
    assert "Another browser hosts this night" in page
    assert "/take-over" not in page


def test_only_a_browser_that_opens_nights_takes_one_over(site: Site) -> None:
    code = site.tables.open("michigan-rummy").code
    site.access.invites.open(code)
    for phone in (site.phone(), site.join(code, "Dan")):
        assert phone.post("/take-over", {"night": code}).status_code == 403
        assert "/take-over" not in phone.get("/").text


def old_night(site: Site, *, is_over: bool) -> str:
    """Open a night with what was recorded long ago, which no browser hosts, and return its code."""
    table = site.tables.open("michigan-rummy", {}, f"January {is_over}")
    record(table, events.Rule({"money.chips": 10, "money.cents": 25}))
    seat_everybody(table)
    play_hand(table, "ruth", "ben", "mia")
    if is_over:
        record(table, events.End())
    entries = [replace(one, at=f"2020-01-03T20:{one.number:02}:00Z") for one in table.entries]
    return site.tables.open(table.preset, name=table.name, entries=entries).code


def test_every_night_that_the_first_page_links_to_can_be_opened_and_hosted_by_the_house(site: Site) -> None:
    house, former = site.host(), site.host()
    codes = [old_night(site, is_over=is_over) for is_over in (False, True)]
    page = HtmlPage(house.get("/").text)
    links = page.values(".past-nights a", "href")
    assert {code for code in codes if any(code in link for link in links)} == set(codes)
    for link in links:
        assert house.get(link).status_code == 200, link
    for browser in (house, former):  # long ago: the house's former browser is no reason to keep this one out
        for code in codes:
            assert "Host this night" in browser.get(f"/nights/{code}").text
            assert browser.post("/take-over", {"night": code}).status_code == 303
            assert browser.get(f"/n/{code}/settings").status_code == 200
            assert "Host this night" not in browser.get(f"/nights/{code}").text


def test_the_house_ticks_and_corrects_in_an_old_night_that_it_has_taken_over(site: Site) -> None:
    house, code = site.host(), old_night(site, is_over=True)
    head = site.tables.get(code).head
    assert house.get(f"/n/{code}/change/{head}").status_code == 403
    assert not HtmlPage(house.get(f"/n/{code}/settle").text).has("#dues button.tick")
    house.post("/take-over", {"night": code})
    assert house.get(f"/n/{code}/change/{head}").status_code == 200
    assert HtmlPage(house.get(f"/n/{code}/settle").text).has("#dues button.tick")


def test_every_night_that_goes_on_is_on_the_first_page_of_each_browser_that_opens_nights(site: Site) -> None:
    first, second = site.host(), site.host()
    codes = [site.open_night(first) for _ in range(4)]
    page = HtmlPage(second.get("/").text)
    assert {f"/nights/{code}" for code in codes} <= {*page.values("main a", "href")}
    own = site.open_night(second)
    page = HtmlPage(second.get("/").text)
    assert {*(f"/nights/{code}" for code in codes), f"/n/{own}/lobby"} <= {*page.values("main a", "href")}
    for code in codes:
        assert second.get(f"/nights/{code}").status_code == 200
    assert not any(code in site.phone().get("/join").text for code in codes)
