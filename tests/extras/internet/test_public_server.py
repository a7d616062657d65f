"""Connections, bodies, files, streams, processor time: each network of strangers and all together have their share."""

import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.client_phones import ClientPhone, Clock, Site
from support.polling import wait_until
from support.remote_phone import RemotePhone, another_night, open_night
from support.server_process import Command
from support.stream_server import StreamServer, address_by_extras, small_window

from tracker.extras.internet import page_budget, server as module
from tracker.extras.internet.connection import HAS_EPOLL
from tracker.extras.internet.page_budget import ALL_SECONDS, OWN_SECONDS, PageBudget
from tracker.extras.internet.server import MOST_OTHERS, MOST_STREAMS, Capacity
from tracker.server.connection import BODY_LIMIT
from tracker.streaming.hub import KEPT_SHARE
from tracker.web.access.devices import MOST_WATCHERS


@pytest.fixture(name="running")
def _running() -> Iterator[StreamServer]:
    running = StreamServer(address_by_extras())
    yield running
    running.server.stop()
    running.thread.join(60)
    assert not running.thread.is_alive()


def test_where_too_many_are_connected_the_network_with_the_most_makes_room(
    running: StreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each address of that network has one connection, an honest browser has six."""
    monkeypatch.setattr(module, "sender_of", lambda address: address.replace("127.0.3.", "203.0.113."))
    running.server.most_open = 20
    with ExitStack() as stack:

        def connected(address: str) -> socket.socket:
            there = ("127.0.0.1", running.server.port)
            return stack.enter_context(socket.create_connection(there, source_address=(address, 0)))

        honest = [connected("127.0.0.7") for _ in range(6)]
        wait_until(lambda: len(running.channels()) == 6)
        for number in range(40):
            connected(f"127.0.3.{number + 1}")
        wait_until(lambda: Counter(one.addr[0] for one in running.channels())["127.0.0.7"] == 6)
        wait_until(lambda: len(running.channels()) == 20)
        for sock in honest:
            sock.settimeout(60)
            sock.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert sock.recv(8) == b"HTTP/1.1"


def test_all_unfinished_bodies_together_stay_in_the_budget_for_which_no_import_by_a_host_is_ended(
    running: StreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BODY_BUDGET", 10 * BODY_LIMIT)
    with ExitStack() as stack:
        for _ in range(40):
            sock = stack.enter_context(socket.create_connection(("127.0.0.1", running.server.port), timeout=30))
            sock.sendall(
                b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % BODY_LIMIT + b"x" * (BODY_LIMIT - 1)
            )
            assert sum(channel.body_bytes for channel in running.channels()) <= 11 * BODY_LIMIT
        assert running.echoed("/", BODY_LIMIT) == BODY_LIMIT
        wait_until(lambda: sum(channel.body_bytes for channel in running.channels()) <= 10 * BODY_LIMIT)
    running.server.adj.body_limit = lambda *_: 40 * BODY_LIMIT
    assert running.echoed("/import", 40 * BODY_LIMIT) == 40 * BODY_LIMIT


def test_a_process_that_may_open_few_files_keeps_fewer_connections() -> None:
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 300))"
    code = f"{few}; from tracker.extras.internet.server import files_allowed; print(files_allowed(700))"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert asked.stdout == "300\n"


@pytest.mark.parametrize("files", [0, 100, 256, 1024, 4096, 9299, 9300, 20_000])
def test_streams_and_other_connections_never_need_more_files_than_there_are(files: int) -> None:
    capacity = Capacity.for_files(files)
    assert capacity.streams + 2 * capacity.others <= max(0, files - 100)
    assert 0 <= capacity.others <= MOST_OTHERS
    assert 0 <= capacity.streams <= MOST_STREAMS
    if files >= 256:
        assert capacity.streams >= files // 4
        assert capacity.others >= min(MOST_OTHERS, files // 8)
    assert files < 20_000 or capacity == Capacity(MOST_STREAMS, MOST_OTHERS), "there is room for all"


def test_watchers_of_many_nights_share_the_streams_and_leave_them_to_seats_and_hosts(
    tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    """Everything that watchers are given is taken; every night still gets its share, and the host's page its stream."""
    files, nights = short_or_long(240, 440), short_or_long(2, 5)
    given = Capacity.for_files(files).streams
    command = Command(tmp_path, most_files=files)
    with ExitStack() as stack:
        stack.callback(command.kill)
        host, share = open_night(command.port, command.host_link).host, (given - given // KEPT_SHARE) // nights
        for group in range(nights):
            night, got = another_night(host), list[bool]()
            for number in range(MOST_WATCHERS):
                phone = night.join(f"127.1.{group}.{number + 1}", watch="1")
                got.append(has_stream(stack, phone, night.code))
            assert got == [True] * (share if group else MOST_WATCHERS) + [False] * (MOST_WATCHERS - share) * bool(group)
        assert all(has_stream(stack, host, night.code, tab) for tab in range(4))


def has_stream(stack: ExitStack, phone: RemotePhone, code: str, tab: int = 1) -> bool:
    """Return whether the lobby's page is given a stream, which stays open; else it is shown what it shows now."""
    answer = phone.open(stack, f"/n/{code}/lobby/stream?tab={tab}")
    assert answer.status == 200
    if answer.readline().startswith(b"retry: "):
        return True
    text = answer.read().decode()
    assert "data: " in text
    assert text.endswith("event: closed\ndata: full\n\n")
    return False


# Streams that the loop leaves to the system while nothing is to be sent, and how they come back to it


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


# How much of the processor the pages of strangers and watchers may take


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


class Processor:
    """A processor for which every request takes so long."""

    def __init__(self) -> None:
        self.seconds, self.each = 0.0, 0.0

    def __call__(self) -> float:
        self.seconds += self.each
        return self.seconds


@pytest.fixture(name="processor")
def _processor(site: Site, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Processor:
    processor = Processor()
    monkeypatch.setattr(page_budget, "processor_time", processor)
    site.app.extensions["page_budget"] = PageBudget(clock=clock)
    return processor


def test_a_watcher_takes_so_much_and_gets_it_again(
    site: Site, host: ClientPhone, code: str, clock: Clock, processor: Processor
) -> None:
    zoe, ben, moe = site.request_join(code, watch="1"), site.join(code, "Ben"), site.request_join(code, watch="1")
    site.start_first_hand(host, code)
    processor.each, most = 0.5, int(OWN_SECONDS / 0.5) + 1
    heard = [zoe.get(f"/n/{code}/log") for _ in range(20)]
    assert [one.status_code for one in heard] == [200] * most + [429] * (20 - most)
    assert heard[-1].headers["Retry-After"] == "10"
    assert moe.get(f"/n/{code}/log").status_code == 200
    clock.seconds += 10
    assert zoe.get(f"/n/{code}/log").status_code == 200
    assert [phone.get(f"/n/{code}/log").status_code for phone in (ben, host) for _ in range(30)] == [200] * 60


def help_from(site: Site, *addresses: str) -> list[int]:
    return [ClientPhone(site.app, address).get("/help").status_code for address in addresses]


def test_one_network_of_strangers_takes_no_more_than_its_share_and_others_are_served(
    site: Site, processor: Processor
) -> None:
    processor.each = 1.0
    heard = help_from(site, *(f"2001:db8:1:{number:x}::1" for number in range(60)))
    assert heard.count(200) == ALL_SECONDS + 1
    assert help_from(site, "192.168.1.9", "203.0.113.9", "2001:db8:2::1", "127.0.0.1") == [200] * 4
    assert site.host().get("/").status_code == 200


def test_what_all_strangers_together_may_take_has_an_end_and_this_machines_browser_goes_on(
    site: Site, clock: Clock, processor: Processor
) -> None:
    processor.each = 1.0
    heard = help_from(site, *(f"203.0.{number}.9" for number in range(90)))
    assert heard.count(200) == 2 * ALL_SECONDS + 1
    assert help_from(site, "127.0.0.1") == [200]
    assert site.host("127.0.0.1").get("/").status_code == 200
    clock.seconds += 3 * ALL_SECONDS
    assert help_from(site, "192.168.1.9") == [200]


@pytest.mark.parametrize("path", ["/nowhere", "/api/openapi.json", "/j/made-up", "a form"])
def test_any_page_and_any_form_is_counted(site: Site, processor: Processor, path: str) -> None:
    processor.each, phone = OWN_SECONDS + 1, site.phone()
    answer = phone.post("/language", {"lang": "de"}) if path == "a form" else phone.get(path)
    assert answer.status_code != 429
    assert phone.get("/help").status_code == 429
    with phone.get("/static/shared/site.css") as file:
        assert file.status_code == 200, "of everybody's pages"
