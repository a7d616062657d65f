"""Coming to a table: by the scanned or the typed code, under which name, and what is to be tapped where one waits."""

import re

import pytest
from support.client_phones import HERE, HOST, ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import Form, record

from tracker.core.events import Abandon, End
from tracker.web.drawing.qr_code import qr_code


def proof(site: Site, code: str, way: str = "token") -> Form:
    return {"token": site.join_link(code)[3:]} if way == "token" else {"typed": site.typed_code(code)}


# An open lobby


def test_the_host_sits_down_first_and_typing_the_name_of_a_seat_without_a_phone_takes_that_seat(
    site: Site, host: ClientPhone, code: str
) -> None:
    assert site.tables.get(code).name.endswith("at Ruth\N{RIGHT SINGLE QUOTATION MARK}s")
    host.post(f"/n/{code}/seats", {"name": "Tom"})
    site.join(code, "tom")
    assert site.names(code) == ["Ruth", "Tom"]


def test_a_phone_keeps_its_seat_where_a_code_is_asked_for_at_another_address_by_a_new_scan_and_after_a_restart(
    site: Site, code: str
) -> None:
    phone, link = site.join(code, "Ben"), site.join_link(code)
    assert f'href="/n/{code}"' in phone.get("/join").text
    assert "You are at this table" not in site.phone().get("/join").text
    phone.address = "192.168.1.222"
    for now in (site, Site(site.tables)):
        phone.client.application = now.app
        assert phone.get(f"/n/{code}/lobby").status_code == 200
        assert phone.get(now.join_link(code)).location == f"/n/{code}/lobby"
        assert now.join_link(code) == link


def test_a_browser_that_sits_down_again_is_one_person_and_whom_the_host_has_added_stays(
    site: Site, host: ClientPhone, code: str
) -> None:
    host.post(f"/n/{code}/seats", {"name": "Tom"})
    phone = site.phone()
    for target in ({"seat": "tom"}, *({"name": f"Eve {number}"} for number in range(30))):
        assert phone.post("/join", {**proof(site, code), **target}).status_code == 303
    assert site.names(code) == ["Ruth", "Tom", "Eve 29"]


def test_a_seat_whose_phone_has_not_loaded_its_page_yet_is_taken_from_its_own_address_only(
    site: Site, code: str
) -> None:
    lost, thief, again = (ClientPhone(site.app, f"192.168.1.{number}") for number in (70, 71, 70))
    lost.post("/join", {**proof(site, code), "name": "Cara"})
    for phone, way in ((thief, "knock"), (again, "lobby")):
        answer = phone.post("/join", {**proof(site, code), "seat": "cara"})
        assert answer.location.partition("?")[0] == f"/n/{code}/{way}"
    assert len(site.access.devices.at_seat(code, "cara")) == 1


def test_a_bad_name_comes_back_with_a_sentence_and_seats_nobody(site: Site, code: str) -> None:
    for name in ("", "x" * 25, "A\u202enn", "RUTH"):
        answer = site.phone().post("/join", {**proof(site, code), "name": name})
        assert (answer.status_code, 'role="alert"' in answer.text) == (422, True), name
    assert site.names(code) == ["Ruth"]


def test_any_name_gets_a_seat_that_makes_an_address_and_is_not_called_like_a_pot(site: Site, code: str) -> None:
    names = ["お母さん", "מרים", "Jackpot", "Bank"]
    for name in names:
        site.join(code, name)
    night = site.tables.get(code).night
    assert site.names(code) == ["Ruth", *names]
    assert all(re.fullmatch(r"[a-z0-9-]{1,32}", seat) for seat in night.seats)
    assert not {"bank", *night.preset.board} & {*night.seats}


# The code


def test_the_typed_code_has_six_signs_that_nobody_mixes_up_and_always_needs_a_yes(
    site: Site, host: ClientPhone
) -> None:
    codes = [site.open_night(host) for _ in range(5)]
    assert len({site.typed_code(code) for code in codes}) == 5
    for code in codes:
        assert re.fullmatch(r"[2-9A-HJKMNP-TV-Z]{3}-[2-9A-HJKMNP-TV-Z]{3}", site.typed_code(code))
        phone = site.phone()
        phone.post("/join", {"typed": site.typed_code(code).lower(), "name": "Jo"})
        assert site.role(phone.cookies, code) == "knock"


def test_a_code_to_scan_has_a_white_margin_of_four_modules() -> None:
    code = qr_code(f"http://{HOST}/j/x")
    bars = [(int(x), int(y), int(x) + int(length)) for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)", code.path)]
    assert min(x for x, _, _ in bars) == min(y for _, y, _ in bars) == 4
    assert max(end for _, _, end in bars) == max(y + 1 for _, y, _ in bars) == code.size - 4


def test_the_code_has_the_own_address_by_which_a_phone_came_last_and_the_host_is_told_while_none_has_come(
    site: Site,
) -> None:
    host = site.host("127.0.0.1", "localhost:8000")
    code = site.open_night(host)
    page = host.get(f"/n/{code}/lobby").text
    assert f"http://{HOST}/j/" in page
    assert 'id="unreached"' in page
    assert not re.search(r"localhost|127\.0\.0\.1", page)
    for came_by, shown in (("10.8.0.6", "10.8.0.6"), ("192.168.1.66", "10.8.0.6"), (HERE, HERE)):
        phone = site.phone()
        phone.host = f"{came_by}:8000"
        phone.get("/join")
        page = host.get(f"/n/{code}/lobby").text
        assert f"http://{shown}:8000/j/" in page  # no made-up one
        assert 'id="unreached"' not in page
    site.access.addresses.candidates = lambda: ["192.168.43.1"]  # a hotspot, opened in mid-evening
    page = host.get(f"/n/{code}/lobby").text
    assert "http://192.168.43.1:8000/j/" in page
    assert HERE not in page
    assert 'id="unreached"' in page


def test_the_host_may_put_another_address_of_this_machine_into_the_code(host: ClientPhone, code: str) -> None:
    assert "10.8.0.6:8000" in host.get(f"/n/{code}/share").text
    for address in ("10.8.0.6:8000", "evil.example:8000"):
        host.post(f"/n/{code}/address", {"address": address})
        assert "http://10.8.0.6:8000/j/" in host.get(f"/n/{code}/share").text


def test_the_host_is_asked_where_several_addresses_are_likely_and_is_remembered_in_each_network(site: Site) -> None:
    host = site.host("127.0.0.1", "127.0.0.1:8000")
    code, addresses = site.open_night(host), site.access.addresses
    home, club = ["192.168.1.20", "192.168.8.5"], ["10.0.0.7", "10.1.0.7"]

    def shown(own: list[str], *, is_asked: bool) -> str:
        addresses.candidates = addresses.likely = lambda: own
        page = host.get(f"/n/{code}/lobby").text
        assert (f'action="/n/{code}/address"' in page) == is_asked, own
        return next(address for address in own if f"http://{address}:8000/j/" in page)

    for own in (home, club):
        assert shown(own, is_asked=True) == own[0]
        host.post(f"/n/{code}/address", {"address": f"{own[1]}:8000"})
    assert [shown(own, is_asked=False) for own in (home, club, home)] == [home[1], club[1], home[1]]
    addresses.candidates, addresses.likely = lambda: ["192.168.1.20", "10.8.0.2"], lambda: ["192.168.1.20"]
    assert f'action="/n/{code}/address"' not in host.get(f"/n/{code}/lobby").text


# After the first hand the table is asked


@pytest.fixture(name="running")
def _running(site: Site, host: ClientPhone, code: str) -> str:
    """The code of a night in its first hand."""
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    return code


def asked(site: Site, code: str) -> list[tuple[str, str | None]]:
    """Return who waits: under which name, and for which seat."""
    return [(row.name, row.seat) for row in site.access.devices.join_requests(code)]


def waiting_page(phone: ClientPhone, form: Form) -> HtmlPage:
    return HtmlPage(phone.get(phone.post("/join", form).location).text)


def tap(phone: ClientPhone, page: str, button: str) -> str:
    """Send the form whose button has this text, as a browser would; return where that leads."""
    form = next(one for one in HtmlPage(page).select("form") if button in one.get_text())
    fields: Form = {field.get("name"): field.get("value") for field in form.select("[name][value]")}
    return phone.post(form.get("action"), fields).location


def play_again(site: Site, host: ClientPhone, code: str) -> str:
    """End a night and open the next one; return its code."""
    record(site.tables.get(code), Abandon(), End())
    return host.post(f"/n/{code}/again").location.split("/")[2]


def test_a_phone_that_was_let_in_can_do_nothing_until_it_comes_in_and_then_has_a_new_token(
    site: Site, host: ClientPhone, running: str
) -> None:
    jo = site.request_join(running, name="Jo")
    before = dict(jo.cookies)
    assert site.role(before, running) == "knock"
    assert site.names(running) == ["Ruth", "Ben"]
    (join_request,) = site.access.devices.join_requests(running)
    assert "Jo" in host.get(f"/n/{running}/lobby").text
    waiting = jo.get(f"/n/{running}/knock").text
    assert "You knocked" in waiting
    assert 'href="#i-join"' in waiting  # as where the host is asked; the open door stands for leaving
    for _twice in range(2):
        way_in = f"/n/{running}/knocks/{join_request.id}/in"
        assert host.post(way_in, HX_Request="true").status_code == 204
    assert "may come in, and has not yet" in host.get(f"/n/{running}/phones").text
    assert jo.get(f"/n/{running}").status_code == 403
    assert "data-go" in jo.get(f"/n/{running}/knock/answer").text
    assert jo.post(f"/n/{running}/enter").status_code == 303
    assert jo.get(f"/n/{running}").status_code == 200
    assert site.names(running) == ["Ruth", "Ben", "Jo"]
    assert jo.cookies != before
    assert site.role(before, running) is None


def test_who_waits_sees_the_own_name_and_can_change_it_watch_or_stop(site: Site, running: str) -> None:
    jo, knock = site.phone(), f"/n/{running}/knock"
    page = waiting_page(jo, {**proof(site, running), "name": "Jo"})
    assert "Jo" in page.text("h2")
    assert "Not Jo?" in page.text()
    assert jo.get(page.value("#answer", "hx-get")).status_code == 204  # what is typed stays until there is an answer
    jo.post(knock, {"name": "Joanna"})
    assert asked(site, running) == [("Joanna", None)]
    tap(jo, jo.get(knock).text, "Just watching")
    assert asked(site, running) == [("", None)]
    assert tap(jo, jo.get(knock).text, "Ask no more") == "/join"
    assert asked(site, running) == []


@pytest.mark.parametrize("way", ["token", "typed"])
def test_who_was_refused_asks_again_by_one_tap(site: Site, host: ClientPhone, running: str, way: str) -> None:
    jo = site.phone()
    waiting = jo.post("/join", {**proof(site, running, way), "name": "Jo"}).location
    polled = HtmlPage(jo.get(waiting).text).value("#answer", "hx-get")
    (row,) = site.access.devices.join_requests(running)
    host.post(f"/n/{running}/knocks/{row.id}/away")
    for page in (jo.get(polled).text, jo.get(waiting).text):
        assert "Type another code" in page
    assert site.tables.get(running).name not in jo.get(waiting).text
    tap(jo, jo.get(polled).text, "Ask again")
    assert asked(site, running) == [("Jo", None)]


@pytest.mark.parametrize("way", ["token", "typed"])
def test_the_code_of_a_night_that_is_over_asks_at_the_table_that_plays_on(
    site: Site, host: ClientPhone, running: str, way: str
) -> None:
    form, link = proof(site, running, way), site.join_link(running)
    later, jo = play_again(site, host, running), site.phone()
    scanned = jo.get(link).text
    assert site.tables.get(later).name in scanned
    assert 'name="seat"' not in scanned  # an old code tells nobody who plays now
    assert jo.post("/join", {**form, "name": "Jo"}).location.startswith(f"/n/{later}/knock")
    assert (asked(site, later), asked(site, running)) == ([("Jo", None)], [])
    assert host.get(link).location == f"/n/{later}/lobby"


def test_who_waits_at_a_table_that_ends_is_led_to_the_next_one(site: Site, host: ClientPhone, running: str) -> None:
    jo = site.phone()
    polled = waiting_page(jo, {**proof(site, running), "name": "Jo"}).value("#answer", "hx-get")
    later = play_again(site, host, running)
    page = jo.get(polled).text
    assert "That night is over" in page
    tap(jo, page, "Ask there")
    assert (asked(site, later), asked(site, running)) == ([("Jo", None)], [])


def test_of_a_night_that_nobody_plays_on_the_code_asks_for_the_result(site: Site, running: str) -> None:
    record(site.tables.get(running), Abandon(), End())
    jo = site.phone()
    page = HtmlPage(jo.get(site.join_link(running)).text)
    assert "Ask to see the result" in page.text()
    assert not page.has("[name=name]")
    jo.post("/join", {**proof(site, running), "name": "Jo"})
    assert asked(site, running) == [("", None)]


def test_a_seat_without_a_phone_is_not_called_another_phone(site: Site, host: ClientPhone, running: str) -> None:
    host.post(f"/n/{running}/seats", {"name": "Mia"})
    site.request_join(running, seat="mia")
    assert "A phone says it is" in host.get(f"/n/{running}").text
