"""Headers that say where a request comes from: believed of the proxy that was named, and of nobody else."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from support.client_phones import CLIENT, NAME, PUBLIC, ClientPhone, PublicPhone, Site
from support.server_process import run

from tracker.app.nights import Nights
from tracker.cli import main
from tracker.extras.internet.server import believe_proxies
from tracker.server.server import listen

PROXY, STRANGER = "127.0.0.1", "192.168.1.66"


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


SPOOFED = {
    "X-Forwarded-For": "127.0.0.1",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Port": "443",
    "X-Forwarded-By": "me",
    "Forwarded": "for=127.0.0.1;proto=https;host=evil.example",
}
NOT_SET = {name: SPOOFED[name] for name in ("X-Forwarded-Host", "X-Forwarded-Port", "Forwarded")}


def test_the_proxys_word_is_taken_for_address_and_scheme_and_of_a_chain_the_last_hop_which_it_wrote_itself() -> None:
    for hops in ("", "10.0.0.1, ", "127.0.0.1,  ", "x, y, z, "):
        sent = {"X-Forwarded-For": hops + CLIENT, "X-Forwarded-Proto": "https", "Host": NAME}
        seen = seen_by_app(PROXY, sent)
        assert (seen["REMOTE_ADDR"], seen["wsgi.url_scheme"], seen["HTTP_HOST"]) == (CLIENT, "https", NAME), hops


def test_what_strangers_send_and_what_a_proxy_lets_through_without_setting_it_changes_nothing_and_reaches_nobody() -> (
    None
):
    for peer, sent, proxies in (
        *((STRANGER, SPOOFED, proxies) for proxies in ((), (PROXY,), (PROXY, "::1"))),
        (PROXY, {**NOT_SET, "X-Forwarded-For": CLIENT}, (PROXY,)),
    ):
        seen = seen_by_app(peer, {**sent, "Host": NAME}, proxies)
        address = CLIENT if peer == PROXY else STRANGER
        assert (seen["REMOTE_ADDR"], seen["wsgi.url_scheme"], seen["HTTP_HOST"]) == (address, "http", NAME)
        assert not [name for name in seen if "FORWARDED" in name and (peer != PROXY or name != "HTTP_X_FORWARDED_FOR")]


def test_behind_a_proxy_cookies_are_secure_and_links_lead_to_the_public_address(tables: Nights) -> None:
    public = Site(tables, public=PUBLIC)
    believing = believe_proxies(public.app.wsgi_app, (PROXY,))

    def proxy(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        told = {"HTTP_X_FORWARDED_FOR": environ["REMOTE_ADDR"], "HTTP_X_FORWARDED_PROTO": environ["wsgi.url_scheme"]}
        return believing({**environ, **told, "REMOTE_ADDR": PROXY, "wsgi.url_scheme": "http"}, start_response)

    public.app.wsgi_app = proxy  # type: ignore[method-assign]
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


def test_behind_a_proxy_a_busy_port_is_an_error(tmp_path: Path) -> None:
    with listen("0.0.0.0", 0) as busy:
        port = busy.getsockname()[1]
        behind = ("--behind-proxy", "127.0.0.1", "--public-address", "https://cards.example")
        said = run("serve", "--no-browser", "--data", tmp_path, "--port", str(port), *behind).stderr
    assert said == f"Error: port {port} is in use, and the proxy expects the tracker there\n"
