"""Clients that read nothing, late or odd: no thread waits for them, and what they were sent does not stay in memory."""

import socket
import threading
import time
from contextlib import ExitStack, suppress

import pytest
from support.polling import wait_until
from support.stream_server import StreamServer, small_window

from tracker.server import connection
from tracker.server.server import THREADS

ASK = b"GET /page HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(name="running")
def _running(running: StreamServer) -> StreamServer:
    running.pages["/page"] = b"x" * 100_000
    return running


def unread_answers(running: StreamServer) -> int:
    """Return how many connections have a request waiting until their client has read what was sent before."""
    return sum(
        channel.has_unread_answers and not channel.is_pending and not channel.readable()
        for channel in running.channels()
    )


def test_clients_that_never_read_hold_no_thread_and_leave_all_as_they_were(running: StreamServer) -> None:
    with ExitStack() as stack:
        for _ in range(4 * THREADS):
            stack.enter_context(small_window(running.server.port)).sendall(ASK * 100)
        wait_until(lambda: unread_answers(running) == 4 * THREADS)
        wait_until(lambda: running.server.thread_pool.active_count == 0)
        assert running.ask() == 200
    wait_until(lambda: not running.channels())
    assert running.ask() == 200
    names = [thread.name.partition("-")[0] for thread in threading.enumerate()]
    assert names.count("waitress") + names.count("request") == THREADS


def test_a_clients_next_request_waits_until_it_has_read_the_last_answer(running: StreamServer) -> None:
    with ExitStack() as stack:
        sock = stack.enter_context(small_window(running.server.port))
        sock.sendall(ASK * 100)
        wait_until(lambda: unread_answers(running) == 1)
        (channel,) = running.channels()
        assert channel.total_outbufs_len < 1_000_000
        got = 0
        while got < 100 * 100_000:
            got += len(sock.recv(1 << 20))
        wait_until(lambda: not channel.requests)


def test_sent_data_of_a_stream_is_freed_once_it_is_read(running: StreamServer) -> None:
    running.padding = "x" * 10_000_000  # of which the system itself may keep 4 MB
    with ExitStack() as stack:
        sock = stack.enter_context(small_window(running.server.port))
        sock.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: any(channel.total_outbufs_len > 2_000_000 for channel in running.channels()))
        (channel,) = running.channels()
        sock.setblocking(False)

        def is_freed() -> bool:
            with suppress(BlockingIOError):
                while sock.recv(1 << 20):
                    pass
            return not channel.total_outbufs_len and all(buffer.buf is None for buffer in channel.outbufs)

        wait_until(is_freed)


def test_a_clock_set_back_by_an_hour_switches_no_deadline_off(
    running: StreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.2)
    real = time.time
    with ExitStack() as stack:
        there = ("127.0.0.1", running.server.port)
        half, idle = [stack.enter_context(socket.create_connection(there, timeout=30)) for _ in range(2)]
        half.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        idle.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.recv(15) == b"HTTP/1.1 200 OK"
        monkeypatch.setattr(time, "time", lambda: real() - 3600)
        assert half.recv(10) == b""
        running.server.adj.channel_timeout = 1
        while idle.recv(1 << 16):
            pass
