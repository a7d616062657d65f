"""Which phones are there, at two processes over one database: the pages of both show the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from support.polling import wait_until
from support.stream_phones import Phone

from tracker.app.nights import Nights
from tracker.storage import Store
from tracker.streaming.hub import Frame, StreamHub

CODE = "k7q"


@pytest.fixture(name="processes")
def _processes(database: str) -> Iterator[tuple[Nights, Nights]]:
    with closing(Store(database)) as one, closing(Store(database)) as other:
        pair = Nights(one, StreamHub(away_seconds=0.1)), Nights(other, StreamHub(away_seconds=0.1))
        yield pair
        for nights in pair:
            nights.live.stop()


def watch(nights: Nights, device: str, seat: str | None = None) -> Phone:
    """Follow a page that shows which seats are there."""

    def render() -> Frame:
        return Frame(1, ",".join(sorted(nights.live.presence.seats(CODE))) or "nobody")

    return Phone(nights.live.stream(CODE, "board", render, device=device, seat=seat))


def test_a_phone_at_one_process_is_seen_on_the_pages_of_the_other_and_so_is_that_it_has_gone(
    processes: tuple[Nights, Nights],
) -> None:
    first, second = processes
    watcher = watch(second, "9")
    assert "nobody" in watcher.next_picture()
    ben = first.live.stream(CODE, "board", lambda: Frame(1, ""), device="7", seat="ben")
    next(ben)
    assert "ben" in watcher.next_picture()
    assert second.live.presence.devices(CODE) == {"7", "9"}
    ben.close()
    assert "nobody" in watcher.next_picture()
    second.live.stop()
    watcher.ends_with()


def test_a_process_that_is_started_later_and_one_that_was_cut_off_know_who_is_there(
    processes: tuple[Nights, Nights], database: str
) -> None:
    first, second = processes
    ben = first.live.stream(CODE, "board", lambda: Frame(1, ""), device="7", seat="ben")
    next(ben)
    wait_until(lambda: second.live.presence.seats(CODE) == {"ben"})
    first.live.presence._told_all_at = 1e12  # it never tells everything by itself
    with closing(Store(database)) as store:
        third = Nights(store, StreamHub())
        wait_until(lambda: third.live.presence.seats(CODE) == {"ben"})
    first.live.presence._told_all_at = 1e12
    second.live.presence._elsewhere.clear()
    with psycopg.connect(database, autocommit=True) as link:
        link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    wait_until(lambda: second.live.presence.seats(CODE) == {"ben"})
    ben.close()
