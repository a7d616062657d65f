"""Which phones are there, at two processes over one database: both know the same."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from extras.processes.following import following, others_of
from support.polling import wait_until

from tracker.app.nights import Nights
from tracker.extras.processes import other_processes
from tracker.extras.processes.options import Postgres
from tracker.extras.processes.shared_rows import SharedRows
from tracker.storage import Store
from tracker.streaming.hub import Frame

CODE = "k7q"


@pytest.fixture(name="processes")
def _processes(database: str) -> Iterator[tuple[Nights, Nights]]:
    with closing(Store(Postgres(database))) as one, closing(Store(Postgres(database))) as other:
        pair = following(one), following(other)
        yield pair
        for nights in pair:
            nights.live.stop()


def watch(nights: Nights, device: str, code: str = CODE) -> Iterator[bytes]:
    """Open a stream, and return it when it is open."""
    stream = nights.live.stream(code, "board", lambda: Frame(1, ""), device=device)
    next(stream)
    return stream


def test_a_phone_at_one_process_is_known_at_the_other_and_so_is_that_it_has_gone(
    processes: tuple[Nights, Nights],
) -> None:
    first, second = processes
    ben, mia, leo = watch(first, "7"), watch(second, "9"), watch(second, "11")
    wait_until(lambda: second.live.presence.devices(CODE) == first.live.presence.devices(CODE) == {"7", "9", "11"})
    ben.close()  # type: ignore[attr-defined]
    wait_until(lambda: second.live.presence.devices(CODE) == {"9", "11"})
    mia.close()  # type: ignore[attr-defined]
    wait_until(lambda: first.live.presence.devices(CODE) == {"11"})
    leo.close()  # type: ignore[attr-defined]


def test_a_process_that_is_started_later_and_one_that_was_cut_off_know_who_is_there(
    processes: tuple[Nights, Nights], database: str
) -> None:
    first, second = processes
    ben = watch(first, "7")
    wait_until(lambda: second.live.presence.devices(CODE) == {"7"})
    with closing(Store(Postgres(database))) as store:
        third = following(store)
        wait_until(lambda: third.live.presence.devices(CODE) == {"7"})
    others_of(second)._presence.elsewhere = {}
    with psycopg.connect(database, autocommit=True) as link:
        link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    wait_until(lambda: second.live.presence.devices(CODE) == {"7"})
    ben.close()  # type: ignore[attr-defined]


def test_the_phones_of_a_process_that_was_killed_are_forgotten(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_processes, "FORGET_SECONDS", 4.0)
    monkeypatch.setattr(other_processes, "TELL_SECONDS", 1.0)
    with closing(Store(Postgres(database))) as stays, closing(Store(Postgres(database))) as ends:
        here, there = following(stays), following(ends)
        ben = watch(there, "7")
        wait_until(lambda: here.live.presence.devices(CODE) == {"7"})
        ends.close()  # it tells nothing more, not even that its phones have gone
        wait_until(lambda: here.live.presence.devices(CODE) == frozenset())
        ben.close()  # type: ignore[attr-defined]


def test_nothing_is_told_while_nothing_changes_but_everything_now_and_then(
    processes: tuple[Nights, Nights], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = processes
    monkeypatch.setattr(other_processes, "TELL_SECONDS", 1e9)
    others_of(first)._tell_again_at = 0.0
    ben = watch(first, "7")
    wait_until(lambda: second.live.presence.devices(CODE) == {"7"})
    told: list[str] = []
    monkeypatch.setattr(SharedRows, "add", lambda _rows, _kind, _key, _seconds, value, **_: told.append(value))
    for _ in range(3):
        others_of(first)._share_presence()
    assert told == []
    others_of(first)._tell_again_at = 0.0
    others_of(first)._share_presence()
    assert f'{{"{CODE}": ["7"]}}' in told
    ben.close()  # type: ignore[attr-defined]


def test_the_phones_of_many_tables_are_known_however_many_they_are(processes: tuple[Nights, Nights]) -> None:
    first, second = processes
    streams = [watch(first, f"{night:032}", code=f"night{night}") for night in range(300)]
    streams += [watch(first, f"{20_000 + number:032}") for number in range(120)]
    wait_until(lambda: len(second.live.presence.devices(CODE)) == 120)
    assert all(second.live.presence.devices(f"night{night}") == {f"{night:032}"} for night in range(300))
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]
