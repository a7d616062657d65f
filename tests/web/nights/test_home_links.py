"""The way from the first page to a night, for the host, for guests and for strangers."""

from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage

from tracker.app.open_night import OpenNight
from tracker.core.events import End


def test_an_open_night_is_carried_on_from_home(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben")
    site.start_first_hand(host, code, "ben")
    page = host.get("/").text
    assert "Carry on: " in page
    assert "Hand 1, Ben deals" in page
    assert f'href="/n/{code}"' in page


def test_home_shows_a_stranger_the_way_to_the_table_and_no_names(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben")
    answer = site.phone().get("/")
    assert answer.location == "/join"
    assert "Ben" not in site.phone().get("/join").text
    assert site.phone().get(f"/n/{code}").status_code == 403


def test_a_guest_finds_the_night_on_the_first_page_and_cannot_open_another(site: Site, code: str) -> None:
    ben = site.join(code, "Ben")
    page = ben.get("/").text
    assert f"/n/{code}" in page
    assert not HtmlPage(page).has("[name=preset], a[href='/new']")
    assert ben.post("/new", {"preset": "michigan-rummy", "host": "Ben"}).status_code == 403


def test_the_game_played_last_is_on_top(site: Site, host: ClientPhone) -> None:
    site.open_night(host, preset="michigan-kitty")
    page = host.get("/new").text
    assert page.index("michigan-kitty") < page.index("michigan-rummy")


def test_the_hosts_name_is_remembered(site: Site, host: ClientPhone) -> None:
    site.open_night(host, "Ruth")
    assert 'value="Ruth"' in host.get("/new").text


def test_a_night_that_is_over_may_be_looked_at_from_the_machine_that_keeps_it(
    site: Site, host: ClientPhone, code: str, table: OpenNight
) -> None:
    add_people(host, code, "Ben")
    table.record(End(), id="the-end", by="ruth")
    other = site.host()
    assert other.get(f"/n/{code}/settle").status_code == 200
    assert other.post(f"/n/{code}/record", {"do": "undo:1"}).status_code == 403
    assert site.phone().get(f"/n/{code}/settle").status_code == 403
