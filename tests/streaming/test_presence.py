"""Phones at other processes: what two hubs tell each other, and what is forgotten of one that tells nothing more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.client_phones import Clock
from support.stream_phones import Night

from tracker.streaming.hub import StreamHub
from tracker.streaming.presence import FORGET_SECONDS, MOST_TOLD, TELL_ALL_SECONDS, Presence

CODE = "K7Q"


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


@pytest.fixture(name="there")
def _there(live: StreamHub, clock: Clock) -> Iterator[StreamHub]:
    """Another process."""
    there = StreamHub(away_seconds=0.05)
    live.presence._clock = there.presence._clock = clock
    yield there
    there.stop()


def watch(hub: StreamHub, device: str, seat: str | None = None, code: str = CODE) -> Iterator[bytes]:
    """Open a stream, and return it when it is open."""
    stream = hub.stream(code, "board", Night().render, device=device, seat=seat)
    next(stream)
    return stream


def tell(told_by: StreamHub, told_to: StreamHub) -> list[str]:
    """Hand all news of one process to another, and return the codes of the nights that look different there."""
    return [code for message in told_by.presence.news() for code in told_to.presence.take(message)]


def present(presence: Presence) -> tuple[set[str], set[str]]:
    return set(presence.seats(CODE)), set(presence.devices(CODE))


def test_the_phones_of_two_processes_are_the_same_at_both(live: StreamHub, there: StreamHub) -> None:
    streams = [watch(live, "1", "ann"), watch(there, "2", "ben"), watch(there, "9")]
    assert tell(there, live) == tell(live, there) == [CODE]
    assert present(live.presence) == present(there.presence) == ({"ann", "ben"}, {"1", "2", "9"})
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]


def test_only_what_has_changed_is_told_and_everything_again_after_a_while(
    live: StreamHub, there: StreamHub, clock: Clock
) -> None:
    streams = [watch(there, "1", "ann")]
    assert len([*there.presence.news()]) == 1
    assert [*there.presence.news()] == []
    streams.append(watch(there, "2", "ben", code="M2X"))
    (message,) = there.presence.news()
    assert CODE not in message
    assert tell(live, there) == []
    clock.seconds += TELL_ALL_SECONDS
    assert set(tell(there, live)) == {CODE, "M2X"}
    there.presence.tell_all_again()
    assert CODE in next(there.presence.news())
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]


def test_a_seat_that_left_the_other_process_is_gone_here_too(live: StreamHub, there: StreamHub) -> None:
    stream = watch(there, "1", "ann")
    tell(there, live)
    stream.close()  # type: ignore[attr-defined]
    while there.presence.seats(CODE):
        pass
    assert tell(there, live) == [CODE]
    assert present(live.presence) == (set(), set())


def test_who_only_loads_the_page_again_is_there_all_the_time(live: StreamHub) -> None:
    there = StreamHub(away_seconds=600)
    streams = [watch(there, "1", "ann"), watch(there, "9")]
    tell(there, live)
    streams[0].close()  # type: ignore[attr-defined]
    assert tell(there, live) == [], "no page looks different"
    assert present(live.presence) == ({"ann"}, {"9"})
    streams[1].close()  # type: ignore[attr-defined]
    there.stop()


def test_the_phones_of_a_process_that_was_killed_are_forgotten(live: StreamHub, there: StreamHub, clock: Clock) -> None:
    stream = watch(there, "1", "ann")
    tell(there, live)
    clock.seconds += FORGET_SECONDS - 1
    assert live.presence.forget_silent() == []
    assert live.presence.seats(CODE) == {"ann"}
    clock.seconds += 2
    assert live.presence.forget_silent() == [CODE]
    assert present(live.presence) == (set(), set())
    stream.close()  # type: ignore[attr-defined]


def test_many_tables_are_told_in_messages_that_the_database_takes(live: StreamHub, there: StreamHub) -> None:
    streams = [watch(there, str(10_000 + night), "a" * 32, code=f"night{night}") for night in range(300)]
    streams += [watch(there, str(20_000 + number), f"{number:032}") for number in range(MOST_TOLD + 20)]
    messages = [*there.presence.news()]
    assert len(messages) > 2
    assert max(map(len, messages)) < 7900, "the database takes 8,000"
    for message in messages:
        live.presence.take(message)
    assert all(live.presence.seats(f"night{night}") == {"a" * 32} for night in range(300))
    assert len(live.presence.devices(CODE)) == MOST_TOLD
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]
