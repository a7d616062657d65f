"""Which phones are there, at two processes over one database: both know the same."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from support.polling import wait_until

from tracker.app.nights import Nights
from tracker.storage import Store
from tracker.streaming.hub import Frame, StreamHub

CODE = "k7q"


@pytest.fixture(name="processes")
def _processes(database: str) -> Iterator[tuple[Nights, Nights]]:
    with closing(Store(database)) as one, closing(Store(database)) as other:
        pair = Nights(one, StreamHub()), Nights(other, StreamHub())
        yield pair
        for nights in pair:
            nights.live.stop()


def test_a_phone_at_one_process_is_known_at_the_other_and_so_is_that_it_has_gone(
    processes: tuple[Nights, Nights],
) -> None:
    first, second = processes
    ben = first.live.stream(CODE, "board", lambda: Frame(1, ""), device="7")
    mia = second.live.stream(CODE, "board", lambda: Frame(1, ""), device="9")
    next(ben)
    next(mia)
    wait_until(lambda: second.live.presence.devices(CODE) == first.live.presence.devices(CODE) == {"7", "9"})
    ben.close()
    wait_until(lambda: second.live.presence.devices(CODE) == {"9"})
    mia.close()


def test_a_process_that_is_started_later_and_one_that_was_cut_off_know_who_is_there(
    processes: tuple[Nights, Nights], database: str
) -> None:
    first, second = processes
    ben = first.live.stream(CODE, "board", lambda: Frame(1, ""), device="7")
    next(ben)
    wait_until(lambda: second.live.presence.devices(CODE) == {"7"})
    first.live.presence._told_all_at = 1e12  # it never tells everything by itself
    with closing(Store(database)) as store:
        third = Nights(store, StreamHub())
        wait_until(lambda: third.live.presence.devices(CODE) == {"7"})
    first.live.presence._told_all_at = 1e12
    second.live.presence._elsewhere.clear()
    with psycopg.connect(database, autocommit=True) as link:
        link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    wait_until(lambda: second.live.presence.devices(CODE) == {"7"})
    ben.close()
