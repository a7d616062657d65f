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
from tracker.web.access.rate_limits import GuessLimit

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
@pytest.mark.parametrize("header", SPOOFED)
def test_a_strangers_headers_change_nothing_and_reach_nobody(header: str, proxies: tuple[str, ...]) -> None:
    seen = seen_by_app(STRANGER, {header: SPOOFED[header], "Host": NAME}, proxies)
    assert (seen["REMOTE_ADDR"], seen["wsgi.url_scheme"], seen["HTTP_HOST"]) == (STRANGER, "http", NAME)
    assert f"HTTP_{header.upper().replace('-', '_')}" not in seen


@pytest.mark.parametrize("header", ["X-Forwarded-Host", "X-Forwarded-Port", "Forwarded"])
def test_what_a_proxy_lets_through_without_setting_it_is_not_believed(header: str) -> None:
    seen = seen_by_app(PROXY, {header: SPOOFED[header], "X-Forwarded-For": CLIENT, "Host": NAME})
    assert (seen["REMOTE_ADDR"], seen["wsgi.url_scheme"], seen["HTTP_HOST"]) == (CLIENT, "http", NAME)
    assert f"HTTP_{header.upper().replace('-', '_')}" not in seen


# The whole tracker behind a proxy


@pytest.fixture(name="public")
def _public(tables: Nights) -> PublicSite:
    return PublicSite(tables)


def test_cookies_are_secure_and_links_lead_to_the_public_address(public: PublicSite) -> None:
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


def test_guesses_are_counted_by_the_clients_address(public: PublicSite) -> None:
    public.access.tries = GuessLimit(each=2, in_all=90)
    heard = [
        PublicPhone(public.app, address).post("/join", {"typed": "AAAAAA", "name": "Eve"}).status_code
        for address in (CLIENT, CLIENT, CLIENT, "203.0.113.8")
    ]
    assert heard == [422, 422, 429, 422]


@pytest.mark.parametrize("host", ["evil.example", "cards.example.evil.example", "xcards.example"])
def test_another_name_is_refused(public: PublicSite, host: str) -> None:
    assert ClientPhone(public.app, STRANGER, host).get("/join").status_code == 400


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://cards.example", "https://cards.example.evil", "null"]
)
def test_a_form_of_another_page_is_refused(public: PublicSite, origin: str) -> None:
    sent = {"Host": NAME, "Origin": origin, "X-Forwarded-Proto": "https", "X-Forwarded-For": CLIENT}
    options: Any = {"environ_overrides": {"REMOTE_ADDR": PROXY}}
    assert public.app.test_client().post("/join", data={"typed": "AAAAAA"}, headers=sent, **options).status_code == 403


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
