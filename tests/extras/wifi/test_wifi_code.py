"""The code that joins the Wi-Fi: what a camera reads in it, who may see it, and that it is kept nowhere."""

from pathlib import Path

import pytest
from extras._shared.qr_pictures import text_in_qr
from support.client_phones import ClientPhone, Site

from tracker.extras.wifi.pages import BadWifi, wifi_code

NAME, PASSWORD = 'Café "Ruth"; 5:0', "a\\b;c,d:1"


def typed(host: ClientPhone, code: str, name: str = NAME, password: str = PASSWORD) -> int:
    return host.post(f"/n/{code}/wifi", {"name": name, "password": password}).status_code


def test_signs_with_a_meaning_are_escaped_and_a_wifi_that_no_phone_could_join_is_refused_with_a_sentence() -> None:
    assert wifi_code("Home", "secret 12") == "WIFI:T:WPA;S:Home;P:secret 12;;"
    assert wifi_code('a"b', "1;2,3:4\\5") == 'WIFI:T:WPA;S:a\\"b;P:1\\;2\\,3\\:4\\\\5;;'
    assert wifi_code("Guest", "") == "WIFI:T:nopass;S:Guest;;"
    for name, password in (("", "12345678"), ("ä" * 17, ""), ("Home", "1234567"), ("Home", "x" * 64), ("Ho\nme", "")):
        with pytest.raises(BadWifi, match=r"[.?]$"):
            wifi_code(name, password)


def test_a_camera_reads_the_wifi_from_the_page_of_everybody_at_the_table(site: Site) -> None:
    host = site.host()
    code = site.open_night(host)
    ben = site.join(code, "Ben")
    assert "The host can type" in ben.get(f"/n/{code}/wifi").text
    assert f'href="/n/{code}/wifi"' in host.get(f"/n/{code}/share").text
    assert f'href="/n/{code}/wifi"' in host.get(f"/n/{code}/lobby").text
    assert typed(host, code) == 303
    for phone in (host, ben):
        assert text_in_qr(phone.get(f"/n/{code}/wifi").text) == wifi_code(NAME, PASSWORD)


def test_the_wifi_is_written_into_no_file_forgotten_at_once_and_a_refused_password_never_sent_back(
    host: ClientPhone, code: str, tmp_path: Path
) -> None:
    answer = host.post(f"/n/{code}/wifi", {"name": "Home", "password": "short77"})
    assert answer.status_code == 422
    assert "8 to 63 characters" in answer.text
    assert 'value="Home"' in answer.text
    assert "short77" not in answer.text
    assert typed(host, code, "Home", "very secret") == 303
    page = host.get(f"/n/{code}/wifi")
    assert "very secret" not in page.text
    assert page.headers["Cache-Control"] == "no-store"
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(b"very secret" in one for one in files)
    assert host.post(f"/n/{code}/wifi", {"forget": "1"}).status_code == 303
    assert "Name of the Wi-Fi" in host.get(f"/n/{code}/wifi").text
