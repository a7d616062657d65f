"""Phones at other processes: what two hubs tell each other, and what is forgotten of one that tells nothing more."""

from collections.abc import Iterator

import pytest
from support.client_phones import Clock
from support.stream_phones import Night

from tracker.streaming.hub import StreamHub
from tracker.streaming.presence import FORGET_SECONDS, MOST_TOLD, TELL_ALL_SECONDS

CODE = "K7Q"


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


@pytest.fixture(name="there")
def _there(live: StreamHub, clock: Clock) -> Iterator[StreamHub]:
    """Another process."""
    there = StreamHub()
    live.presence._clock = there.presence._clock = clock
    yield there
    there.stop()


def watch(hub: StreamHub, device: str, code: str = CODE) -> Iterator[bytes]:
    """Open a stream, and return it when it is open."""
    stream = hub.stream(code, "board", Night().render, device=device)
    next(stream)
    return stream


def tell(told_by: StreamHub, told_to: StreamHub) -> int:
    """Hand all news of one process to another, and return how many messages there were."""
    messages = [*told_by.presence.pending_messages()]
    for message in messages:
        told_to.presence.merge(message)
    return len(messages)


def test_the_phones_of_two_processes_are_the_same_at_both(live: StreamHub, there: StreamHub) -> None:
    streams = [watch(live, "1"), watch(there, "2"), watch(there, "9")]
    assert tell(there, live) == tell(live, there) == 1
    assert live.presence.devices(CODE) == there.presence.devices(CODE) == {"1", "2", "9"}
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]


def test_only_what_has_changed_is_told_and_everything_again_after_a_while(
    live: StreamHub, there: StreamHub, clock: Clock
) -> None:
    streams = [watch(there, "1")]
    assert tell(there, live) == 1
    assert tell(there, live) == 0
    streams.append(watch(there, "2", code="M2X"))
    (message,) = there.presence.pending_messages()
    assert CODE not in message
    clock.seconds += TELL_ALL_SECONDS
    (message,) = there.presence.pending_messages()
    assert CODE in message
    assert "M2X" in message
    there.presence.tell_all_again()
    assert CODE in next(there.presence.pending_messages())
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]


def test_a_phone_that_left_the_other_process_is_gone_here_too(live: StreamHub, there: StreamHub) -> None:
    stream = watch(there, "1")
    tell(there, live)
    assert live.presence.devices(CODE) == {"1"}
    stream.close()  # type: ignore[attr-defined]
    tell(there, live)
    assert live.presence.devices(CODE) == frozenset()


def test_the_phones_of_a_process_that_was_killed_are_forgotten(live: StreamHub, there: StreamHub, clock: Clock) -> None:
    stream = watch(there, "1")
    tell(there, live)
    clock.seconds += FORGET_SECONDS - 1
    live.presence.expire()
    assert live.presence.devices(CODE) == {"1"}
    clock.seconds += 2
    live.presence.expire()
    assert live.presence.devices(CODE) == frozenset()
    stream.close()  # type: ignore[attr-defined]


def test_many_tables_are_told_in_messages_that_the_database_takes(live: StreamHub, there: StreamHub) -> None:
    streams = [watch(there, f"{night:032}", code=f"night{night}") for night in range(300)]
    streams += [watch(there, f"{20_000 + number:032}") for number in range(MOST_TOLD + 20)]
    messages = [*there.presence.pending_messages()]
    assert len(messages) > 2
    assert max(map(len, messages)) < 7900, "the database takes 8,000"
    for message in messages:
        live.presence.merge(message)
    assert all(live.presence.devices(f"night{night}") == {f"{night:032}"} for night in range(300))
    assert len(live.presence.devices(CODE)) == MOST_TOLD
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]
