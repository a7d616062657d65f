import re

import pytest
from support.client_phones import ClientPhone, Site


def test_the_host_sits_down_first_and_the_night_is_named_after_them(site: Site) -> None:
    code = site.open_night(site.host(), "Ruth")
    assert site.names(code) == ["Ruth"]
    assert site.tables.get(code).name.endswith("at Ruth\N{RIGHT SINGLE QUOTATION MARK}s")


def test_looking_at_the_code_seats_nobody(site: Site, code: str) -> None:
    phone = site.phone()
    for _ in range(3):
        page = phone.get(site.join_link(code))
        assert page.status_code == 200
        assert "Ruth" in page.text
    assert site.names(code) == ["Ruth"]
    assert not phone.cookies


def test_a_name_that_the_host_typed_is_taken_with_one_tap(site: Site, host: ClientPhone, code: str) -> None:
    host.post(f"/n/{code}/seats", {"name": "Tom"})
    phone = site.phone()
    page = phone.get(site.join_link(code)).text
    assert 'name="seat" value="tom"' in page
    phone.post("/join", {"token": site.join_link(code)[3:], "seat": "tom"})
    assert phone.get(f"/n/{code}/lobby").status_code == 200
    assert site.names(code) == ["Ruth", "Tom"]


def test_typing_the_name_of_a_seat_without_a_phone_takes_that_seat(site: Site, host: ClientPhone, code: str) -> None:
    host.post(f"/n/{code}/seats", {"name": "Tom"})
    site.join(code, "tom")
    assert site.names(code) == ["Ruth", "Tom"]


def test_a_phone_that_never_got_its_answer_can_sit_down_again(site: Site, code: str) -> None:
    lost = site.request_join(code, name="Ben")  # the answer with the cookie was lost on the way
    phone = ClientPhone(site.app, lost.address)
    phone.post("/join", {"token": site.join_link(code)[3:], "name": "Ben"})
    assert site.names(code) == ["Ruth", "Ben"]
    assert site.role(phone.cookies, code) == "seat"
    assert len(site.access.devices.at_seat(code, "ben")) == 1


def test_a_phone_keeps_its_seat_through_reload_new_address_and_new_scan(site: Site, code: str) -> None:
    phone = site.join(code, "Ben")
    phone.address = "192.168.1.222"
    assert phone.get(f"/n/{code}/lobby").status_code == 200
    again = phone.get(site.join_link(code))
    assert again.status_code == 303
    assert again.location == f"/n/{code}/lobby"


def test_a_phone_keeps_its_seat_through_a_restart_of_the_server(site: Site, code: str) -> None:
    phone = site.join(code, "Ben")
    link = site.join_link(code)
    restarted = Site(site.tables)
    phone.client.application = restarted.app
    assert phone.get(f"/n/{code}/lobby").status_code == 200
    assert restarted.join_link(code) == link


def test_after_the_first_hand_a_join_request_needs_a_yes(site: Site, host: ClientPhone, code: str) -> None:
    ben = site.join(code, "Ben")
    site.start_first_hand(host, code)
    jo = site.request_join(code, name="Jo")
    assert site.role(jo.cookies, code) == "knock"
    assert jo.get(f"/n/{code}").status_code == 403
    assert site.names(code) == ["Ruth", "Ben"]
    assert "Jo" in ben.get(f"/n/{code}/lobby").text
    (join_request,) = site.access.devices.join_requests(code)
    waiting = jo.get(f"/n/{code}/knock").text
    assert "You knocked" in waiting
    assert 'href="#i-join"' in waiting  # as where the host is asked; the open door stands for leaving
    assert ben.post(f"/n/{code}/knocks/{join_request.id}/in").status_code == 303
    assert "data-go" in jo.get(f"/n/{code}/knock/answer").text
    assert jo.post(f"/n/{code}/enter").status_code == 303
    assert jo.get(f"/n/{code}").status_code == 200
    assert site.names(code) == ["Ruth", "Ben", "Jo"]


def test_until_it_comes_in_a_phone_that_was_let_in_can_do_nothing(site: Site, host: ClientPhone, code: str) -> None:
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    jo = site.request_join(code, name="Jo")
    before = dict(jo.cookies)
    (join_request,) = site.access.devices.join_requests(code)
    host.post(f"/n/{code}/knocks/{join_request.id}/in")
    assert jo.get(f"/n/{code}").status_code == 403
    jo.post(f"/n/{code}/enter")
    assert jo.cookies != before
    assert site.role(before, code) is None


def test_two_admissions_of_one_request_seat_once(site: Site, host: ClientPhone, code: str) -> None:
    ben = site.join(code, "Ben")
    site.start_first_hand(host, code)
    site.request_join(code, name="Jo")
    (join_request,) = site.access.devices.join_requests(code)
    for phone in (host, ben):
        assert phone.post(f"/n/{code}/knocks/{join_request.id}/in", HX_Request="true").status_code == 204
    assert site.names(code) == ["Ruth", "Ben", "Jo"]


# Names


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "A\u202enn", "Ann\nevent: host", "ruth", "RUTH"])
def test_a_bad_name_comes_back_with_a_sentence_and_seats_nobody(site: Site, code: str, name: str) -> None:
    site.join(code, "Ben")
    phone = site.phone()
    answer = phone.post("/join", {"token": site.join_link(code)[3:], "name": name})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert site.names(code) == ["Ruth", "Ben"]


def test_a_name_in_letters_that_make_no_address_still_gets_a_seat(site: Site, code: str) -> None:
    site.join(code, "お母さん")
    site.join(code, "מרים")
    assert site.names(code) == ["Ruth", "お母さん", "מרים"]
    assert all(re.fullmatch(r"[a-z0-9-]{1,32}", seat) for seat in site.tables.get(code).night.seats)


def test_a_seat_is_never_called_like_a_pot(site: Site, code: str) -> None:
    site.join(code, "Jackpot")
    site.join(code, "Bank")
    assert len(site.tables.get(code).night.seats) == 3
