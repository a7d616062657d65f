"""The command with a certificate: addresses, pages, cookies and moves are encrypted, or one sentence says why not."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from extras._shared.certificates import Issued, issued
from support.night_commands import run
from support.remote_phone import RemotePhone
from support.server_process import ServedCommand, serve_command

from tracker.extras.tls.listening import EncryptedAddress, load
from tracker.server.network_addresses import candidates

LOOPBACK = "127.0.0.1"
OWN = next((one.ip for one in candidates()), LOOPBACK)  # in no network phones are shown the certificate's name


@pytest.fixture(name="made", scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Issued:
    return issued(tmp_path_factory.mktemp("certificate"), "127.0.0.1", OWN, "table.home")


@pytest.fixture(name="served", scope="module")
def _served(made: Issued, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedCommand]:
    with serve_command(tmp_path_factory.mktemp("data"), "--cert", str(made.cert), "--key", str(made.key)) as served:
        yield served


@pytest.fixture(name="host", scope="module")
def _host(served: ServedCommand, made: Issued) -> RemotePhone:
    """A browser that has opened the terminal's link."""
    browser = RemotePhone(served.port, trusting=made.trusting)
    browser.become_host(served.host_link)
    return browser


def test_every_address_in_the_terminal_is_encrypted(served: ServedCommand) -> None:
    assert f"https://{OWN}:{served.port}/" in served.said
    assert f"https://table.home:{served.port}/" in served.said
    assert served.host_link.startswith(f"https://127.0.0.1:{served.port}/host/")
    assert "http://" not in served.said


def test_cookies_are_kept_from_every_page_without_encryption(host: RemotePhone) -> None:
    assert host.set_cookies
    for cookie in host.set_cookies:
        assert cookie.startswith("__Host-board_")
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
        assert "Domain" not in cookie


def test_a_night_is_opened_and_its_code_leads_to_an_encrypted_page(host: RemotePhone) -> None:
    answer = host.post("/new", {"preset": "michigan-rummy", "host": "Ann"})
    assert answer.status == 303
    lobby = host.get(urlsplit(answer.location).path)
    assert lobby.status == 200
    assert "Strict-Transport-Security" not in lobby.headers  # this certificate may be gone by the next night
    assert "http://" not in lobby.text.replace("http://www.w3.org/", "")
    help_ = host.get("/help")
    assert help_.status == 200
    assert "with https:// in front" in help_.text
    assert f"https://{'table.home' if OWN == LOOPBACK else OWN}:{host.port}" in help_.text


def test_a_page_of_the_same_address_without_encryption_can_not_act(host: RemotePhone) -> None:
    form, origin = {"preset": "michigan-rummy", "host": "Ben"}, host.site.replace("https:", "http:")
    assert host.post("/new", form, Origin=origin).status == 403


def test_a_cookie_without_its_prefix_opens_nothing(host: RemotePhone) -> None:
    cookies = {name.removeprefix("__Host-"): at for name, at in host.cookies.items()}
    thief = RemotePhone(host.port, cookies=cookies, trusting=host.trusting)
    assert thief.get("/new").status == 403
    assert host.get("/new").status == 200


def test_half_a_certificate_is_refused_in_one_line(made: Issued, tmp_path: Path) -> None:
    for option, file in (("--cert", made.cert), ("--key", made.key)):
        result = run("serve", "--no-browser", "--data", tmp_path, option, file)
        assert result.exit_code == 1
        assert re.fullmatch(r"Error: --cert and --key go together[^\n]+\n", result.stderr)


def test_a_broken_certificate_is_refused_in_one_line(made: Issued, tmp_path: Path) -> None:
    result = run("serve", "--no-browser", "--data", tmp_path, "--cert", made.key, "--key", made.key)
    assert result.exit_code == 1
    assert re.fullmatch(r"Error: [^\n]+ are not a certificate and its key[^\n]*\n", result.stderr)


def test_addresses_that_are_not_in_the_certificate_come_last_and_with_a_warning(tmp_path: Path) -> None:
    named = issued(tmp_path, "table.home")
    where = EncryptedAddress(certificate=load(named.cert, named.key))
    first, *others = where.phone_addresses()
    assert first.ip == "table.home"
    assert all("phones will warn" in one.why for one in others)
    assert where.own_url(8000) == "https://table.home:8000"
    assert not where.fault()
    other = load(issued(tmp_path, "192.168.7.8").cert, tmp_path / "table.key")
    elsewhere = EncryptedAddress("192.168.7.7", certificate=other)
    assert elsewhere.fault() == "the certificate is for 192.168.7.8: every phone will warn"
