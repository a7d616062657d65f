"""Streams that the server's loop leaves to the system while nothing is to be sent, and how they come back to it."""

import socket
import threading
from contextlib import ExitStack

import pytest
from support.polling import wait_until
from support.stream_server import StreamServer, small_window

from tracker.extras.internet.connection import HAS_EPOLL

needs_epoll = pytest.mark.skipif(not HAS_EPOLL, reason="this system has no epoll")


def quiet(running: StreamServer) -> int:
    return len(running.server.quiet_streams.streams)


@needs_epoll
def test_the_loop_looks_at_no_stream_that_is_quiet(running: StreamServer) -> None:
    with ExitStack() as stack:
        answers = [running.open_stream(stack) for _ in range(20)]
        wait_until(lambda: quiet(running) == 20)
        assert len(running.server._map) < 10
        running.head = 2
        running.live.publish_and_send("K7Q", 2)
        for answer in answers:
            while b"id: 2\n" not in answer.readline():
                pass
        assert quiet(running) == 20
        assert running.server.count_others() <= 1
    wait_until(lambda: running.live.count() == 0)
    assert quiet(running) == len(running.server.streams) == 0


def test_who_sends_can_wake_the_loop_while_the_loop_waits_for_the_same_connection(running: StreamServer) -> None:
    """As when a phone is lost in the moment in which its stream begins: each waited for the other, for good."""
    with ExitStack() as stack:
        running.open_stream(stack)
        wait_until(lambda: len(running.server.streams) == 1)
        (stream,) = running.server.streams
        is_in_loop, is_woken = threading.Event(), threading.Event()

        def begin_in_loop() -> None:
            is_in_loop.set()
            stream.become_quiet()

        def fail_to_send() -> None:
            stream._give_up()
            is_woken.set()

        with stream.outbuf_lock:
            running.server.call_soon(begin_in_loop)
            assert is_in_loop.wait(60)
            sender = threading.Thread(target=fail_to_send)  # as who sends does, with the lock that this test holds
            sender.start()
            was_woken = is_woken.wait(60)
        sender.join(60)
        assert was_woken
    assert running.ask() == 200


@needs_epoll
def test_a_stream_that_is_read_slowly_is_looked_at_until_all_was_read(running: StreamServer) -> None:
    with ExitStack() as stack:
        slow = stack.enter_context(small_window(running.server.port))
        slow.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: quiet(running) == 1)
        running.padding, running.head = "x" * 8_000_000, 2
        running.live.publish_and_send("K7Q", 2)
        wait_until(lambda: quiet(running) == 0)
        got = b""
        while not got.endswith(b"x\n\n\r\n"):
            got = got[-10:] + slow.recv(1 << 20)
        wait_until(lambda: quiet(running) == 1)
        running.live.stop()
        while slow.recv(1 << 20):
            pass


@needs_epoll
def test_a_client_that_says_more_on_a_quiet_stream_is_heard_and_not_answered(running: StreamServer) -> None:
    with socket.create_connection(("127.0.0.1", running.server.port), timeout=30) as sock:
        sock.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: quiet(running) == 1)
        sock.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: quiet(running) == 0)
        assert running.live.count() == 1
    running.live.publish_and_send("K7Q")
    running.live.stop()
