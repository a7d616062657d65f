"""Encrypted connections on real sockets, and the command with a certificate."""

import http.client
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest
from extras._shared.certificates import Issued, issued
from support.polling import wait_until
from support.remote_phone import RemotePhone
from support.server_process import ServedCommand, run, serve_command
from support.stream_server import LONG_BODY_BYTES, StreamServer, address_by_extras

from tracker.extras.tls.listening import EncryptedAddress, load
from tracker.server import connection as module
from tracker.server.network_addresses import candidates

LOOPBACK = "127.0.0.1"
OWN = next((one.ip for one in candidates()), LOOPBACK)  # in no network phones are shown the certificate's name


class Encrypted(StreamServer):
    """The same server of streams and echoes, with a certificate for 127.0.0.1."""

    def __init__(self, made: Issued) -> None:
        self.trusting = made.trusting
        super().__init__(address_by_extras(cert=made.cert, key=made.key))

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPSConnection("127.0.0.1", self.server.port, timeout=60, context=self.trusting)

    def plain(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)


@pytest.fixture(name="made", scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Issued:
    return issued(tmp_path_factory.mktemp("certificate"), "127.0.0.1", OWN, "table.home")


@pytest.fixture(name="running")
def _running(made: Issued) -> Iterator[Encrypted]:
    running = Encrypted(made)
    yield running
    running.server.stop()
    running.thread.join(60)
    assert not running.thread.is_alive()


def test_bodies_of_every_size_come_and_go_whole(running: Encrypted) -> None:
    dice = Random(1)
    running.server.adj.body_limit = lambda _path, _cookies, _authorization: 2_000_000
    with closing(running.connect()) as connection:
        for size in (0, 1, 8191, 16_384, 16_385, 70_000, 1_900_000):
            body = dice.randbytes(size)
            connection.request("POST", "/", body)
            assert connection.getresponse().read() == b"ok" + body
        connection.request("GET", "/long")  # larger than all buffers, and read slowly
        answer, got = connection.getresponse(), 0
        while piece := answer.read(1 << 20):
            got += len(piece)
        assert got == LONG_BODY_BYTES


def test_streams_tell_news_and_keep_nobody_waiting(running: Encrypted) -> None:
    with ExitStack() as stack:
        answers = [running.open_stream(stack) for _ in range(20)]
        for head in range(2, 30):
            running.head = head
            running.live.publish("K7Q", head)
            assert running.ask() == 200
            for answer in answers:
                while not (line := answer.readline()).startswith(b"id: "):
                    assert line
                assert line == b"id: %d\n" % head
    wait_until(lambda: running.live.count() == 0)


def test_a_handshake_that_stalls_or_is_none_is_cut_off_and_holds_up_nobody(
    running: Encrypted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HEADER_SECONDS", 0.2)
    with ExitStack() as stack:
        agreed = stack.enter_context(socket.create_connection(("127.0.0.1", running.server.port)))
        agreed = stack.enter_context(running.trusting.wrap_socket(agreed, server_hostname="127.0.0.1"))
        stalled = [stack.enter_context(socket.create_connection(("127.0.0.1", running.server.port))) for _ in range(60)]
        for at, sock in enumerate(stalled):
            sock.sendall(b"\x16\x03\x01\x02\x00\x01"[: at % 6])
        assert running.ask() == 200
        for sock in stalled:
            sock.settimeout(60)
            assert sock.recv(10) == b""
        agreed.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")  # it had nothing to ask, and was let be
        assert agreed.recv(12) == b"HTTP/1.1 200"
        rubbish = stack.enter_context(socket.create_connection(("127.0.0.1", running.server.port), timeout=60))
        rubbish.sendall(b"\x16\x03\x01" + b"rubbish" * 100)
        with suppress(ConnectionResetError):
            while rubbish.recv(100):
                pass
        distrustful = stack.enter_context(socket.create_connection(("127.0.0.1", running.server.port), timeout=60))
        with pytest.raises(ssl.SSLCertVerificationError):
            ssl.create_default_context().wrap_socket(distrustful, server_hostname="127.0.0.1")
    assert running.ask() == 200
    wait_until(lambda: not running.channels())


def test_a_page_asked_for_without_encryption_is_found_with_it_and_all_else_gets_a_sentence(running: Encrypted) -> None:
    with closing(running.plain()) as connection:
        connection.request("GET", "/j/abc?x=1")
        answer = connection.getresponse()
        assert answer.status == 307
        assert answer.headers["Location"] == f"https://127.0.0.1:{running.server.port}/j/abc?x=1"
        assert "https://" in answer.read().decode()
    strange_hosts = ("evil.example/x", "evil.example", "8.8.8.8:80", "a\tb")
    for method, host in [("POST", "127.0.0.1"), *(("GET", host) for host in strange_hosts)]:
        with closing(running.plain()) as connection:
            connection.request(method, "/", b"do=collect" if method == "POST" else None, {"Host": host})
            answer = connection.getresponse()
            assert (answer.status, b"https://" in answer.read()) == (400, True), host


# The command: addresses, pages, cookies and moves are encrypted, or one sentence says why not.


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


def test_addresses_are_encrypted_and_cookies_and_acts_kept_from_pages_that_are_not(
    served: ServedCommand, host: RemotePhone
) -> None:
    assert f"https://{OWN}:{served.port}/" in served.said
    assert f"https://table.home:{served.port}/" in served.said
    assert served.host_link.startswith(f"https://127.0.0.1:{served.port}/host/")
    assert "http://" not in served.said
    assert host.set_cookies
    for cookie in host.set_cookies:
        assert cookie.startswith("__Host-board_")
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
        assert "Domain" not in cookie
    form, origin = {"preset": "michigan-rummy", "host": "Ben"}, host.site.replace("https:", "http:")
    assert host.post("/new", form, Origin=origin).status == 403
    cookies = {name.removeprefix("__Host-"): at for name, at in host.cookies.items()}
    thief = RemotePhone(host.port, cookies=cookies, trusting=host.trusting)
    assert [phone.get("/new").status for phone in (thief, host)] == [403, 200]


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


def test_half_a_certificate_and_a_broken_one_are_refused_in_one_line(made: Issued, tmp_path: Path) -> None:
    rubbish, other = tmp_path / "rubbish.pem", issued(tmp_path, "127.0.0.1")
    rubbish.write_text("rubbish", encoding="utf-8")
    mixed = ((made.cert, other.key), (rubbish, made.key), (made.cert, rubbish), (made.key, made.cert))
    for options, said in (
        (("--cert", made.cert), "--cert and --key go together"),
        (("--key", made.key), "--cert and --key go together"),
        (("--cert", tmp_path / "none.pem", "--key", made.key), "[^\n]+can't be read: No such file"),
        *((("--cert", cert, "--key", key), "[^\n]+ are not a certificate and its key") for cert, key in mixed),
    ):
        result = run("serve", "--no-browser", "--data", tmp_path, *options)
        assert result.exit_code == 1
        assert re.fullmatch(rf"Error: {said}[^\n]*\n", result.stderr)


def test_a_certificate_says_what_it_is_for_and_other_addresses_come_last_and_with_a_warning(tmp_path: Path) -> None:
    for_many = issued(tmp_path, "127.0.0.1", "table.home", "*.party.home")
    certificate = load(for_many.cert, for_many.key)
    assert certificate.names == ("127.0.0.1", "table.home", "*.party.home")
    assert [certificate.covers(name) for name in ("our.party.home", "192.168.1.5")] == [True, False]
    assert certificate.ordered(["192.168.1.5", "127.0.0.1"]) == ["127.0.0.1", "table.home", "192.168.1.5"]
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
