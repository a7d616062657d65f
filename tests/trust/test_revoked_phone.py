"""A phone that is sent away, on real sockets: its stream ends at once, and its next request is a stranger's."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from statistics import median
from urllib.parse import urlsplit

import pytest
from support.client_phones import HOST, ClientPhone, Site
from support.remote_phone import RemotePhone
from support.served_app import serving

from tracker.streaming.hub import StreamHub


@pytest.fixture(name="port")
def _port(site: Site, live: StreamHub) -> Iterator[int]:
    with serving(site.app, live) as url:
        yield urlsplit(url).port or 0


def remote(port: int, phone: ClientPhone) -> RemotePhone:
    return RemotePhone(port, cookies=phone.cookies, host=HOST)


def status(port: int, path: str, phone: ClientPhone) -> int:
    return remote(port, phone).get(path).status


def test_a_phone_that_is_sent_away_sees_nothing_from_that_moment_on(
    site: Site, port: int, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    host, times = site.host(), short_or_long(5, 25)
    code = site.open_night(host)
    took = []
    for number in range(times):
        ben = site.join(code, f"Ben {number}")
        seat = site.tables.get(code).night.seats[-1]
        (row,) = site.access.devices.at_seat(code, seat)
        with ExitStack() as stack:
            stream = remote(port, ben).open(stack, f"/n/{code}/stream?tab=1")
            while not stream.readline().startswith(b"id: "):
                pass
            began = time.perf_counter()
            assert host.post(f"/n/{code}/devices/{row.id}/away").status_code == 303
            rest = stream.read()
            took.append(time.perf_counter() - began)
        assert b"event: closed\ndata: revoked" in rest
        assert status(port, f"/n/{code}", ben) == 403
        assert status(port, f"/n/{code}/stream?tab=2", ben) == 403
        assert host.post(f"/n/{code}/seat/{seat}/remove").status_code == 303
    figure(
        f"phones sent away: {times}, each stream ended {1000 * median(took):.0f} ms after the tap, at most "
        f"{1000 * max(took):.0f} ms; each next request refused"
    )


def test_a_person_who_takes_the_table_ends_the_old_hosts_power_in_the_stream_too(site: Site, port: int) -> None:
    host = site.host()
    code = site.open_night(host)
    ben = site.join(code, "Ben")
    with ExitStack() as stack:
        stream = remote(port, host).open(stack, f"/n/{code}/lobby/stream?tab=1")
        while not stream.readline().startswith(b"id: "):
            pass
        host.post(f"/n/{code}/hand-over", {"seat": "ben"})
        assert ben.post(f"/n/{code}/take-table").status_code == 303
        stream.read()  # it ends: the page asks again, as what this phone is now
    assert status(port, f"/n/{code}/settings", host) == 403
    assert status(port, f"/n/{code}/lobby", host) == 200
    assert status(port, f"/n/{code}/settings", ben) == 200
