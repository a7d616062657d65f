"""Every page on the way to a table has something to tap, also for who waits, is refused or comes too late."""

import re

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage

from tracker.core.events import Abandon, End


@pytest.fixture(name="running")
def _running(site: Site, host: ClientPhone, code: str) -> str:
    """The code of a night in its first hand."""
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    return code


def end(site: Site, code: str) -> None:
    """Give the hand up and end the night."""
    table = site.tables.get(code)
    table.record(Abandon(), id="given-up", by="host")
    table.record(End(), id="ended", by="host")


def play_again(site: Site, host: ClientPhone, code: str) -> str:
    """End a night, and open the next one; return its code."""
    end(site, code)
    answer = host.post(f"/n/{code}/again")
    found = re.fullmatch(r"/n/(\w+)/lobby", answer.location)
    assert found
    return found[1]


def asked_page(phone: ClientPhone, code: str, site: Site, **target: str) -> str:
    """Ask to be let in by the scanned code, and return the address of the page that waits."""
    return phone.post("/join", {"token": site.join_link(code)[3:], **target}).location


def send_form(phone: ClientPhone, page: str, button: str) -> str:
    """Send the form whose button has this text, as a browser would; return where that leads."""
    for form in re.findall(r"<form.*?</form>", page, re.DOTALL):
        if button in form:
            action = re.search(r'action="([^"]+)"', form)
            fields = re.findall(r'name="([^"]+)" value="([^"]*)"', form)
            assert action
            return phone.post(action[1].replace("&amp;", "&"), dict(fields)).location
    raise AssertionError(f"no button {button}")


def test_who_waits_sees_the_own_name_and_can_change_it_watch_or_stop(site: Site, running: str) -> None:
    jo = site.phone()
    page = jo.get(asked_page(jo, running, site, name="Jo")).text
    assert "Jo" in HtmlPage(page).text("h2")
    assert "Not Jo?" in page
    jo.post(f"/n/{running}/knock", {"name": "Joanna"})
    (row,) = site.access.devices.join_requests(running)
    assert row.name == "Joanna"
    send_form(jo, jo.get(f"/n/{running}/knock").text, "Just watching")
    (row,) = site.access.devices.join_requests(running)
    assert (row.name, row.seat) == ("", None)
    assert send_form(jo, jo.get(f"/n/{running}/knock").text, "Ask no more") == "/join"
    assert site.access.devices.join_requests(running) == []


def test_a_name_that_is_typed_while_waiting_stays_until_the_table_has_answered(site: Site, running: str) -> None:
    jo = site.phone()
    page = jo.get(asked_page(jo, running, site, name="Jo")).text
    polled = HtmlPage(page).value("#answer", "hx-get")
    assert jo.get(polled).status_code == 204


@pytest.mark.parametrize("way", ["token", "typed"])
def test_who_was_refused_asks_again_by_one_tap(site: Site, host: ClientPhone, running: str, way: str) -> None:
    jo = site.phone()
    form = {"token": site.join_link(running)[3:]} if way == "token" else {"typed": site.typed_code(running)}
    waiting = jo.post("/join", {**form, "name": "Jo"}).location
    polled = HtmlPage(jo.get(waiting).text).value("#answer", "hx-get")
    (row,) = site.access.devices.join_requests(running)
    host.post(f"/n/{running}/knocks/{row.id}/away")
    for page in (jo.get(polled).text, jo.get(waiting).text):
        assert "Type another code" in page
    assert site.tables.get(running).name not in jo.get(waiting).text
    send_form(jo, jo.get(polled).text, "Ask again")
    assert [one.name for one in site.access.devices.join_requests(running)] == ["Jo"]


@pytest.mark.parametrize("way", ["token", "typed"])
def test_the_code_of_a_night_that_is_over_asks_at_the_table_that_plays_on(
    site: Site, host: ClientPhone, running: str, way: str
) -> None:
    form = {"token": site.join_link(running)[3:]} if way == "token" else {"typed": site.typed_code(running)}
    later = play_again(site, host, running)
    jo = site.phone()
    scanned = jo.get(f"/j/{site.join_link(running)[3:]}").text
    assert site.tables.get(later).name in scanned
    assert 'name="seat"' not in scanned  # an old code tells nobody who plays now
    assert jo.post("/join", {**form, "name": "Jo"}).location.startswith(f"/n/{later}/knock")
    assert [one.name for one in site.access.devices.join_requests(later)] == ["Jo"]
    assert site.access.devices.join_requests(running) == []
    assert site.names(later) == ["Ruth", "Ben"]


def test_who_waits_at_a_table_that_ends_is_led_to_the_next_one(site: Site, host: ClientPhone, running: str) -> None:
    jo = site.phone()
    polled = HtmlPage(jo.get(asked_page(jo, running, site, name="Jo")).text).value("#answer", "hx-get")
    later = play_again(site, host, running)
    page = jo.get(polled).text
    assert "That night is over" in page
    send_form(jo, page, "Ask there")
    assert [one.name for one in site.access.devices.join_requests(later)] == ["Jo"]
    assert site.access.devices.join_requests(running) == []


def test_a_phone_at_the_next_table_is_led_there_by_an_old_code(site: Site, host: ClientPhone, running: str) -> None:
    link = site.join_link(running)
    later = play_again(site, host, running)
    assert host.get(link).location == f"/n/{later}/lobby"


def test_of_a_night_that_nobody_plays_on_the_code_asks_for_the_result(site: Site, running: str) -> None:
    end(site, running)
    jo = site.phone()
    page = jo.get(site.join_link(running)).text
    assert "Ask to see the result" in page
    assert 'name="name"' not in page
    jo.post("/join", {"token": site.join_link(running)[3:], "name": "Jo"})
    (row,) = site.access.devices.join_requests(running)
    assert (row.name, row.seat) == ("", None)


def test_a_phone_that_sits_at_a_table_is_led_on_by_the_page_that_asks_for_a_code(site: Site, code: str) -> None:
    ben = site.join(code, "Ben")
    assert f'href="/n/{code}"' in ben.get("/join").text
    assert "You are at this table" not in site.phone().get("/join").text


def test_a_seat_without_a_phone_is_not_called_another_phone(site: Site, host: ClientPhone, running: str) -> None:
    host.post(f"/n/{running}/seats", {"name": "Mia"})
    site.request_join(running, seat="mia")
    assert "A phone says it is" in host.get(f"/n/{running}").text
