"""Requests are served by turns of addresses: whoever asks for much waits for its own requests, not others for it."""

from __future__ import annotations

import socket
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPResponse
from typing import TYPE_CHECKING

import pytest
from support.polling import wait_until
from support.stream_server import StreamServer, address_by_extras
from support.system_limits import many_open_files, no_more_threads

from tracker.extras.internet.fair_threads import PER_NETWORK_IN_WORK, FairThreadPool
from tracker.formats.sender import THIS_MACHINE
from tracker.server.connection import UNNAMED_PROXY
from tracker.server.server import THREADS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

ADDRESSES, CONNECTIONS, PIPELINED = 20, 32, 60
HONEST = "127.0.0.7"


class HeldServer(StreamServer):
    """A server that begins to answer at a sign, and lists whose requests it answers."""

    def __init__(self) -> None:
        self.begins = threading.Event()
        self.served: list[str] = []
        super().__init__(address_by_extras())

    def app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        self.begins.wait(60)
        self.served.append(environ["REMOTE_ADDR"])
        start_response("200 OK", [("Content-Length", "2")])
        return iter([b"ok"])

    def send(self, stack: ExitStack, address: str, requests: int = 1, head: str = "") -> socket.socket:
        sock = stack.enter_context(
            socket.create_connection(("127.0.0.1", self.server.port), 60, source_address=(address, 0))
        )
        sock.sendall(f"GET / HTTP/1.1\r\nHost: x\r\n{head}\r\n".encode() * requests)
        return sock

    def pending(self) -> Counter[str]:
        """Return how many requests of each address wait or are being served."""
        return Counter(channel.client_network for channel in self.channels() if channel.is_pending)


@pytest.fixture(name="held")
def _held() -> Iterator[HeldServer]:
    with many_open_files():
        held = HeldServer()
        yield held
        held.begins.set()
        held.server.stop()
        held.thread.join(60)


def test_an_honest_request_waits_for_one_of_each_other_address_and_for_what_is_being_served(held: HeldServer) -> None:
    with ExitStack() as stack:
        for number in range(ADDRESSES * CONNECTIONS):
            held.send(stack, f"127.0.3.{1 + number % ADDRESSES}", PIPELINED)
            if number == 8 * ADDRESSES:  # every address has many waiting: the others may come later
                wait_until(lambda: len(held.pending()) == ADDRESSES)
                honest = held.send(stack, HONEST)
                wait_until(lambda: HONEST in held.pending())
        assert all(len(channel.requests) <= 1 for channel in held.channels())
        held.begins.set()
        with HTTPResponse(honest) as answer:
            answer.begin()
            assert answer.read() == b"ok"
        assert held.served.index(HONEST) <= ADDRESSES + THREADS


def test_one_address_has_few_requests_in_work_and_all_are_answered_in_the_end(held: HeldServer) -> None:
    with ExitStack() as stack:
        asking = [held.send(stack, "127.0.3.1", 3) for _ in range(20)]
        wait_until(lambda: held.pending().total() == 20)
        assert held.server.thread_pool.active_count == PER_NETWORK_IN_WORK
        held.begins.set()
        for sock in asking:
            got = b""
            while got.count(b"\r\n\r\nok") < 3:
                got += sock.recv(1 << 16)
        assert held.served == ["127.0.3.1"] * 60


def test_behind_a_proxy_each_client_has_its_turns(held: HeldServer) -> None:
    held.server.proxies = ["127.0.0.1"]
    with ExitStack() as stack:
        for client in ("192.0.2.1", "192.168.1.2"):
            for _ in range(10):
                held.send(stack, "127.0.0.1", head=f"X-Forwarded-For: 1.1.1.1, {client}\r\n")
        wait_until(lambda: held.pending() == Counter({"192.0.2.0/24": 10, "192.168.1.2": 10}))
        assert held.server.thread_pool.active_count == 2 * PER_NETWORK_IN_WORK


def test_a_proxy_of_this_machine_that_was_not_named_is_a_sender_that_is_counted(held: HeldServer) -> None:
    held.begins.set()
    with ExitStack() as stack:
        for head in ("X-Forwarded-For: 203.0.113.7\r\n", ""):
            assert held.send(stack, "127.0.0.1", head=head).recv(15) == b"HTTP/1.1 200 OK"
    assert held.served == [UNNAMED_PROXY, "127.0.0.1"]
    assert UNNAMED_PROXY not in THIS_MACHINE


def test_the_addresses_of_one_network_take_turns_as_one(held: HeldServer) -> None:
    held.server.proxies = ["127.0.0.1"]
    with ExitStack() as stack:
        for number in range(200):
            held.send(stack, "127.0.0.1", head=f"X-Forwarded-For: 2001:db8:1:{number:x}::1\r\n")
        wait_until(lambda: held.pending() == Counter({"2001:db8:1::/48": 200}))
        honest = held.send(stack, "127.0.0.1", head="X-Forwarded-For: 2001:db8:2:1::1\r\n")
        wait_until(lambda: held.server.thread_pool.active_count == PER_NETWORK_IN_WORK + 1)
        held.begins.set()
        assert honest.recv(15) == b"HTTP/1.1 200 OK"


def test_a_newcomer_is_not_the_one_that_makes_room_for_those_that_have_filled_the_server(held: HeldServer) -> None:
    held.server.most_open = 12
    with ExitStack() as stack:
        for number in range(12):
            held.send(stack, f"127.0.3.{1 + number % 3}")
        wait_until(lambda: held.pending().total() == 12)
        honest = stack.enter_context(
            socket.create_connection(("127.0.0.1", held.server.port), 60, source_address=(HONEST, 0))
        )
        wait_until(lambda: any(channel.addr[0] == HONEST for channel in held.channels()))
        honest.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: HONEST in held.pending())
        held.begins.set()
        assert honest.recv(15) == b"HTTP/1.1 200 OK"


class Request:
    """A request that lists its address when it is served."""

    connected = True

    def __init__(self, client_network: str, served: deque[Request]) -> None:
        self.client_network, self.served = client_network, served

    def service(self) -> None:
        self.served.append(self)


def end_all(pool: FairThreadPool, served: deque[Request], count: int) -> None:
    """Do what the server's loop does after each of so many requests."""
    for _ in range(count):
        wait_until(lambda: bool(served))
        pool.end(served.popleft())


def test_a_request_that_fails_costs_no_thread() -> None:
    pool, served = FairThreadPool(), deque[Request]()

    class Failing(Request):
        def service(self) -> None:
            super().service()
            raise SystemExit

    for _ in range(2 * THREADS):
        pool.add_task(Failing("192.0.2.1", served))
    end_all(pool, served, 2 * THREADS)
    for number in range(THREADS):
        pool.add_task(Request(f"192.0.2.{number}", served))
    end_all(pool, served, THREADS)
    assert pool.active_count == 0
    pool.shutdown()
    assert not any(thread.is_alive() for thread in pool.threads)


def test_a_pool_without_any_thread_is_refused_at_the_start_and_none_is_started_later() -> None:
    with no_more_threads(), pytest.raises(RuntimeError, match="no thread"):
        FairThreadPool()
    pool, served = FairThreadPool(), deque[Request]()
    with no_more_threads():
        for number in range(4 * THREADS):
            pool.add_task(Request(f"192.0.2.{number}", served))
        end_all(pool, served, 4 * THREADS)
    assert pool.active_count == 0
    pool.shutdown()
