"""The code to join by: typed by whoever can't scan it, and drawn on the screen."""

import re

from support.client_phones import HERE, ClientPhone, Site
from support.html_page import HtmlPage

# The typed code


def test_the_typed_code_always_needs_a_yes(site: Site, code: str) -> None:
    phone = site.phone()
    answer = phone.post("/join", {"typed": site.typed_code(code).lower(), "name": "Jo"})
    assert answer.location.partition("?")[0] == f"/n/{code}/knock"
    assert site.role(phone.cookies, code) == "knock"
    assert site.names(code) == ["Ruth"]


def test_the_typed_code_has_six_signs_that_nobody_mixes_up(site: Site) -> None:
    codes = {site.typed_code(site.open_night(site.host())) for _ in range(5)}
    assert len(codes) == 5
    for code in codes:
        assert re.fullmatch(r"[2-9A-HJKMNP-TV-Z]{3}-[2-9A-HJKMNP-TV-Z]{3}", code), code


def test_a_stranger_who_guesses_is_stopped_after_fifteen_and_the_others_are_not(site: Site, code: str) -> None:
    ben = site.join(code, "Ben")
    stranger = site.phone()
    heard = [stranger.post("/join", {"typed": "AAA-AAA", "name": "X"}).status_code for _ in range(16)]
    assert heard == [422] * 15 + [429]
    assert stranger.post("/join", {"typed": site.typed_code(code), "name": "X"}).status_code == 429, (
        "a right guess waits"
    )
    assert ben.get(f"/n/{code}/lobby").status_code == 200
    assert site.role(site.join(code, "Mia").cookies, code) == "seat"


def test_a_new_code_makes_the_photographed_one_worthless(site: Site, host: ClientPhone, code: str) -> None:
    link, typed = site.join_link(code), site.typed_code(code)
    ben = site.join(code, "Ben")
    assert host.post(f"/n/{code}/new-code").status_code == 303
    stranger = site.phone()
    assert stranger.get(link).status_code == 404
    assert stranger.post("/join", {"token": link[3:], "name": "X"}).status_code == 404
    assert stranger.post("/join", {"typed": typed, "name": "X"}).status_code == 422
    assert site.phone().get(site.join_link(code)).status_code == 200
    assert ben.get(f"/n/{code}/lobby").status_code == 200


# The code on the screen


def test_the_code_leads_to_this_machine_and_never_to_localhost(site: Site) -> None:
    host = site.host("127.0.0.1", "localhost:8000")
    code = site.open_night(host)
    page = host.get(f"/n/{code}/lobby").text
    assert f"http://{HERE}:8000/j/" in page
    assert "localhost" not in page
    assert "127.0.0.1" not in page


def test_the_host_may_put_another_address_into_the_code(host: ClientPhone, code: str) -> None:
    assert "10.8.0.6:8000" in host.get(f"/n/{code}/share").text
    host.post(f"/n/{code}/address", {"address": "10.8.0.6:8000"})
    assert "http://10.8.0.6:8000/j/" in host.get(f"/n/{code}/share").text
    host.post(f"/n/{code}/address", {"address": "evil.example:8000"})
    assert "evil" not in host.get(f"/n/{code}/share").text


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
        assert shown(own, is_asked=False) == own[1]
    assert [shown(own, is_asked=False) for own in (home, club, home)] == [home[1], club[1], home[1]]
    addresses.candidates, addresses.likely = lambda: ["192.168.1.20", "10.8.0.2"], lambda: ["192.168.1.20"]
    assert f'action="/n/{code}/address"' not in host.get(f"/n/{code}/lobby").text


def test_an_address_that_a_phone_really_came_by_is_preferred(site: Site) -> None:
    host = site.host("127.0.0.1", "127.0.0.1:8000")
    code = site.open_night(host)
    phone = site.phone()
    phone.host = "10.8.0.6:8000"
    phone.get("/join")
    assert "http://10.8.0.6:8000/j/" in host.get(f"/n/{code}/lobby").text


def test_an_address_that_this_machine_has_lost_is_in_no_code_although_phones_came_by_it(site: Site) -> None:
    host = site.host("127.0.0.1", "127.0.0.1:8000")
    code = site.open_night(host)
    site.phone().get("/join")
    assert f"http://{HERE}:8000/j/" in host.get(f"/n/{code}/lobby").text
    site.access.addresses.candidates = lambda: ["192.168.43.1"]  # a hotspot, opened in mid-evening
    page = host.get(f"/n/{code}/lobby").text
    assert "http://192.168.43.1:8000/j/" in page
    assert HERE not in page
    assert 'id="unreached"' in page


def test_a_made_up_host_header_never_gets_into_the_code(site: Site) -> None:
    host = site.host("127.0.0.1", "127.0.0.1:8000")
    code = site.open_night(host)
    stranger = site.phone()
    stranger.host = "192.168.1.66:8000"
    stranger.get("/join")
    assert "192.168.1.66" not in host.get(f"/n/{code}/lobby").text


def test_the_code_is_drawn_dark_on_white_with_a_margin_of_four(host: ClientPhone, code: str) -> None:
    page = HtmlPage(host.get(f"/n/{code}/share").text)
    *_, size, height = map(int, page.value(".qr", "viewBox").split())
    assert size == height
    dark = set()
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", page.value(".qr-ink", "d")):
        dark |= {(int(x) + step, int(y)) for step in range(int(length))}
    assert min(x for x, _ in dark) == 4
    assert max(y for _, y in dark) == size - 5
    assert {(4 + step, 4) for step in range(7)} <= dark
