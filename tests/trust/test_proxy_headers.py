"""Headers that say where a request comes from: believed of the proxy that was named, and of nobody else."""

from collections.abc import Iterable
from typing import Any

import pytest
from click.testing import CliRunner
from support.client_phones import ClientPhone
from support.public_site import CLIENT, NAME, PROXY, PublicPhone, PublicSite

from tracker.app.nights import Nights
from tracker.cli import main
from tracker.server.server import believe_proxies

STRANGER = "192.168.1.66"


def seen_by_app(peer: str, headers: dict[str, str], proxies: Iterable[str] = (PROXY,)) -> dict[str, Any]:
    """Return what an app is told of a request: its address, its scheme and the headers that are left."""
    found: dict[str, Any] = {}

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        found.update(environ)
        start_response("200 OK", [])
        return []

    sent = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    environ = {"REMOTE_ADDR": peer, "SERVER_NAME": "here", "SERVER_PORT": "8000", "wsgi.url_scheme": "http", **sent}
    believe_proxies(app, tuple(proxies))(environ, lambda *_args, **_more: lambda _data: None)
    return found


def test_the_proxys_word_is_taken_for_address_and_scheme() -> None:
    seen = seen_by_app(PROXY, {"X-Forwarded-For": CLIENT, "X-Forwarded-Proto": "https", "Host": NAME})
    assert (seen["REMOTE_ADDR"], seen["wsgi.url_scheme"], seen["HTTP_HOST"]) == (CLIENT, "https", NAME)


@pytest.mark.parametrize("chain", ["10.0.0.1, 203.0.113.7", "127.0.0.1,  203.0.113.7", "x, y, z, 203.0.113.7"])
def test_only_the_last_hop_of_a_chain_counts_which_the_proxy_wrote_itself(chain: str) -> None:
    assert seen_by_app(PROXY, {"X-Forwarded-For": chain})["REMOTE_ADDR"] == CLIENT


SPOOFED = {
    "X-Forwarded-For": "127.0.0.1",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Port": "443",
    "X-Forwarded-By": "me",
    "Forwarded": "for=127.0.0.1;proto=https;host=evil.example",
}


@pytest.mark.parametrize("proxies", [(), (PROXY,), (PROXY, "::1")])
def test_a_strangers_headers_change_nothing_and_reach_nobody(proxies: tuple[str, ...]) -> None:
    seen = seen_by_app(STRANGER, {**SPOOFED, "Host": NAME}, proxies)
    assert (seen["REMOTE_ADDR"], seen["wsgi.url_scheme"], seen["HTTP_HOST"]) == (STRANGER, "http", NAME)
    assert not [name for name in seen if "FORWARDED" in name]


def test_what_a_proxy_lets_through_without_setting_it_is_not_believed() -> None:
    passed = {name: SPOOFED[name] for name in ("X-Forwarded-Host", "X-Forwarded-Port", "Forwarded")}
    seen = seen_by_app(PROXY, {**passed, "X-Forwarded-For": CLIENT, "Host": NAME})
    assert (seen["REMOTE_ADDR"], seen["wsgi.url_scheme"], seen["HTTP_HOST"]) == (CLIENT, "http", NAME)
    assert not {f"HTTP_{name.upper().replace('-', '_')}" for name in passed} & {*seen}


def test_behind_a_proxy_cookies_are_secure_and_links_lead_to_the_public_address(tables: Nights) -> None:
    public = PublicSite(tables)
    host = PublicPhone(public.app, CLIENT)
    token = public.access.mint_host_link().rsplit("/", 1)[1]
    answer = host.post("/host", {"token": token})
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-board_")
    assert "; Secure;" in cookie
    code = public.open_night(host, "Ruth")
    shown = host.get(f"/n/{code}/lobby").text
    assert NAME in shown
    assert "http://" not in shown.replace("http://www.w3.org", "")
    assert ClientPhone(public.app, STRANGER, f"{NAME}.evil.example").get("/join").status_code == 400


def test_an_option_that_is_no_address_is_refused_with_an_example() -> None:
    for option, typed in (
        ("--behind-proxy", "nginx"),
        ("--behind-proxy", "127.0.0.1,*"),
        ("--behind-proxy", "unix:/run/board-tracker.sock"),
        ("--behind-proxy", "127.0.0.1,/run/board-tracker.sock"),
        ("--behind-proxy", "127.0.0.1"),  # without --public-address, which it says to add
        ("--public-address", "cards.example"),
        ("--public-address", "https://cards.example/path"),
        ("--public-address", "ftp://cards.example"),
    ):
        said = CliRunner().invoke(main, ["serve", option, typed])
        assert said.exit_code == 2, typed
        assert "for example" in said.stderr, typed
        assert ("not to a socket in the file system" in said.stderr.replace("\n", " ")) == (".sock" in typed)
