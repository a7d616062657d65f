"""The server on real sockets: streams, hang-ups, limits and its end."""

import math
import socket
from contextlib import ExitStack

import pytest
from support.polling import wait_until
from support.stream_server import LONG_BODY_BYTES, StreamServer, small_window

from tracker.server import connection, server as module
from tracker.server.server import THREADS, listen


def test_streams_never_keep_others_waiting(running: StreamServer) -> None:
    with ExitStack() as stack:
        for _ in range(3 * THREADS):
            running.open_stream(stack)
            assert running.ask() == 200
        assert running.live.count() == 3 * THREADS
    wait_until(lambda: running.live.count() == 0)  # they have hung up


def test_a_watcher_that_reads_slowly_gets_the_latest_page_and_none_between(running: StreamServer) -> None:
    running.padding = "x" * 2_000_000
    with ExitStack() as stack:
        slow = stack.enter_context(small_window(running.server.port))
        slow.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: [one.is_stream for one in running.channels()] == [True])
        for running.head in range(2, 12):
            running.live.publish_and_send("K7Q", running.head)
        got, last = b"", b"id: 11\n"
        while last not in got:
            got += slow.recv(1 << 20)
        assert got.count(b"\nid: ") <= 3
        assert running.live.count() == 1


def test_a_request_sent_behind_a_stream_waits_for_its_end(running: StreamServer) -> None:
    with socket.create_connection(("127.0.0.1", running.server.port), timeout=60) as sock:
        sock.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n" + b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 3)
        wait_until(lambda: running.live.count() == 1)
        running.live.publish_and_send("K7Q")
        running.live.stop()
        got = b""
        while piece := sock.recv(1 << 16):
            got += piece
    assert got.count(b"HTTP/1.1 200 OK") == 1
    assert got.endswith(b"0\r\n\r\n")
    wait_until(lambda: running.live.count() == 0)


def test_stopping_ends_open_streams(running: StreamServer) -> None:
    with ExitStack() as stack:
        answers = [running.open_stream(stack) for _ in range(8)]
        running.server.stop()
        running.thread.join(60)
        for answer in answers:
            answer.read()
    assert not running.thread.is_alive()
    running.server.stop()  # and may be told so again


def test_stopping_leaves_no_temporary_file_of_a_slow_clients_answer(running: StreamServer) -> None:
    running.padding = "x" * 8_000_000
    with small_window(running.server.port) as slow:
        slow.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: any(channel.total_outbufs_len > 2_000_000 for channel in running.channels()))
        (buffer,) = [one.buf for channel in running.channels() for one in channel.outbufs]
        running.server.stop()
        running.thread.join(60)
        assert buffer.file.closed


def test_huge_headers_are_refused_and_an_endless_body_is_cut_off(running: StreamServer) -> None:
    assert running.ask(headers={"X-Long": "x" * 20_000}) == 431
    with socket.create_connection(("127.0.0.1", running.server.port), timeout=60) as sock:
        sock.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        with pytest.raises(OSError, match=r"reset|[Bb]roken pipe"):
            sock.sendall((b"10000\r\n" + b"x" * 65536 + b"\r\n") * 2000)


def test_a_request_that_drips_is_cut_off_and_others_are_served(
    running: StreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.2)
    with ExitStack() as stack:
        dripping = [
            stack.enter_context(socket.create_connection(("127.0.0.1", running.server.port))) for _ in range(200)
        ]
        for sock in dripping:
            sock.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
            sock.settimeout(0.001)
        assert running.ask() == 200
        wait_until(lambda: all([*map(is_cut_off, dripping)]))


def is_cut_off(sock: socket.socket) -> bool:
    """Drip one more byte, and return whether nobody takes it any more."""
    try:
        return bool(sock.send(b"x")) and sock.recv(10) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.mark.parametrize("counted", ["one address", "all"])
def test_where_too_many_are_connected_the_idle_make_room_and_no_stream(running: StreamServer, counted: str) -> None:
    if counted == "all":
        running.server.most_open = 5
    else:
        running.server.per_sender, running.server.unlimited = 5, frozenset()
    with ExitStack() as stack:
        stream = running.open_stream(stack)
        wait_until(lambda: [one.is_stream for one in running.channels()] == [True])
        idle = [stack.enter_context(socket.create_connection(("127.0.0.1", running.server.port))) for _ in range(20)]
        wait_until(lambda: len(running.channels()) == 5 + 1)  # the stream is not counted
        assert running.ask() == 200
        running.live.publish("K7Q")
        assert running.live.count() == 1
        assert not stream.closed
        idle[0].settimeout(60)
        assert idle[0].recv(10) == b""


def test_a_client_that_reads_nothing_is_left_to_itself_and_one_that_reads_slowly_is_not(
    running: StreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock of the test's own: by a real one a slow reader that gets no processor would read nothing for long."""
    monkeypatch.setattr(module, "HANGUP_OPTIONS", [])  # as on a system that can't notice it by itself
    running.server._maintenance_at = math.inf
    with ExitStack() as stack:
        stuck, slow = (stack.enter_context(small_window(running.server.port)) for _ in range(2))
        for sock in (stuck, slow):
            sock.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        wait_until(lambda: [bool(one.total_outbufs_len) for one in running.channels()] == [True, True])
        (reads,) = [one for one in running.channels() if one.addr[1] == slow.getsockname()[1]]
        got, now = 0, 0.0
        while len(running.channels()) > 1:
            sent_at, now = reads.last_activity, now + connection.STUCK_SECONDS - 1
            while reads.last_activity == sent_at:
                got += len(slow.recv(1 << 14))
            assert got < LONG_BODY_BYTES, "the stuck one was never left"
            running.maintain(now)
        assert running.channels() == [reads]
        while taken := len(slow.recv(1 << 20)):
            got += taken
        assert got > LONG_BODY_BYTES


def test_a_host_that_is_not_this_machine_is_refused() -> None:
    with pytest.raises(OSError, match="assign"):
        listen("203.0.113.7", 8000)


def test_a_lost_phone_is_noticed_by_unanswered_data_also_where_the_system_does_not_know_an_option(
    running: StreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, unknown = module.HANGUP_OPTIONS, (socket.IPPROTO_TCP, 9999, 1)
    with socket.socket() as sock, pytest.raises(OSError, match="available"):
        sock.setsockopt(*unknown)
    monkeypatch.setattr(module, "HANGUP_OPTIONS", [unknown, *known])
    with ExitStack() as stack:
        running.open_stream(stack)
        (channel,) = running.channels()
        for level, option, value in known:
            assert channel.socket.getsockopt(level, option) == value
