"""Encrypted connections on real sockets: streams, stalls, and those who come without."""

import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest
from extras._shared.certificates import Issued, issued
from support.polling import wait_until
from support.stream_server import LONG_BODY_BYTES, StreamServer

from tracker.extras.tls.listening import BadCertificate, TlsServer, load
from tracker.server import connection as module


class Encrypted(StreamServer):
    """The same server of streams and echoes, with a certificate for 127.0.0.1."""

    def __init__(self, made: Issued) -> None:
        self.trusting = made.trusting
        super().__init__(partial(TlsServer, load(made.cert, made.key)))

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPSConnection("127.0.0.1", self.server.port, timeout=60, context=self.trusting)

    def plain(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)


@pytest.fixture(name="made", scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Issued:
    return issued(tmp_path_factory.mktemp("certificate"), "127.0.0.1", "table.home", "*.party.home")


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


def test_an_answer_larger_than_all_buffers_comes_whole_to_a_slow_reader(running: Encrypted) -> None:
    with closing(running.connect()) as connection:
        connection.request("GET", "/long")
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


def test_a_handshake_that_stalls_is_cut_off_and_holds_up_nobody(
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


def test_random_input_is_no_handshake_and_ends_by_itself(running: Encrypted) -> None:
    with socket.create_connection(("127.0.0.1", running.server.port), timeout=60) as sock:
        sock.sendall(b"\x16\x03\x01" + b"rubbish" * 100)
        with suppress(ConnectionResetError):
            while sock.recv(100):
                pass
    assert running.ask() == 200


def test_a_phone_that_trusts_nobody_here_is_not_served(running: Encrypted) -> None:
    stranger = ssl.create_default_context()
    with (
        socket.create_connection(("127.0.0.1", running.server.port), timeout=60) as sock,
        pytest.raises(ssl.SSLCertVerificationError),
    ):
        stranger.wrap_socket(sock, server_hostname="127.0.0.1")
    wait_until(lambda: not running.channels())


def test_a_page_asked_for_without_encryption_is_found_with_it(running: Encrypted) -> None:
    with closing(running.plain()) as connection:
        connection.request("GET", "/j/abc?x=1")
        answer = connection.getresponse()
        assert answer.status == 307
        assert answer.headers["Location"] == f"https://127.0.0.1:{running.server.port}/j/abc?x=1"
        assert "https://" in answer.read().decode()


def test_anything_else_without_encryption_gets_a_sentence(running: Encrypted) -> None:
    strange_hosts = ("evil.example/x", "evil.example", "8.8.8.8:80", "a\tb")
    for method, host in [("POST", "127.0.0.1"), *(("GET", host) for host in strange_hosts)]:
        with closing(running.plain()) as connection:
            connection.request(method, "/", b"do=collect" if method == "POST" else None, {"Host": host})
            answer = connection.getresponse()
            assert answer.status == 400, host
            assert b"https://" in answer.read()


def test_a_certificate_says_what_it_is_for(made: Issued) -> None:
    certificate = load(made.cert, made.key)
    assert certificate.names == ("127.0.0.1", "table.home", "*.party.home")
    assert certificate.covers("our.party.home")
    assert not certificate.covers("192.168.1.5")
    assert certificate.ordered(["192.168.1.5", "127.0.0.1"]) == ["127.0.0.1", "table.home", "192.168.1.5"]


def test_a_broken_certificate_is_refused_in_words(made: Issued, tmp_path: Path) -> None:
    other = issued(tmp_path, "127.0.0.1")
    rubbish = tmp_path / "rubbish.pem"
    rubbish.write_text("rubbish", encoding="utf-8")
    for cert, key in ((made.cert, other.key), (rubbish, made.key), (made.cert, rubbish), (made.key, made.cert)):
        with pytest.raises(BadCertificate, match="not a certificate and its key"):
            load(cert, key)
    with pytest.raises(BadCertificate, match="can't be read: No such file"):
        load(tmp_path / "none.pem", made.key)
