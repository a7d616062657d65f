"""Who gets a stream where they are scarce: players before watchers, and tables alike."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from tracker.streaming.room import Room, TooManyStreams, ViewerGroup

LIMIT, KEPT = 12, 3
TABLES = "abcd"
GROUPS = st.builds(ViewerGroup, st.sampled_from(TABLES), st.booleans())
Steps = list[tuple[ViewerGroup, bool]]
STEPS = st.lists(st.tuples(GROUPS, st.booleans()), max_size=120)


class Streams:
    """The streams of a room, as the hub keeps them: whoever has to make room is ended."""

    def __init__(self) -> None:
        self.room = Room(LIMIT, KEPT)
        self.open: list[tuple[ViewerGroup, object]] = []

    def ask(self, group: ViewerGroup) -> ViewerGroup | None:
        """Take a stream and return who had to make room for it; raises TooManyStreams."""
        self.room.check(group)
        stream = object()
        loser = self.room.take(stream, group)
        if loser:
            self.end(loser)
        self.open.append((group, stream))
        return loser

    def end(self, group: ViewerGroup) -> None:
        newest = next((one for one in reversed(self.open) if one[0] == group), None)
        if newest:
            self.room.give_up(newest[1])
            self.open.remove(newest)

    def counts(self, *, is_player: bool | None = None) -> Counter[str]:
        return Counter(group.code for group, _ in self.open if is_player in (None, group.is_player))


def played(steps: Steps, check: Callable[[Streams, ViewerGroup], None] | None = None) -> Streams:
    """Return a room where these came (True) and went, after what `check` looks at before each that comes."""
    streams = Streams()
    for group, comes in steps:
        if not comes:
            streams.end(group)
            continue
        if check:
            check(streams, group)
        with suppress(TooManyStreams):
            streams.ask(group)
    return streams


@given(STEPS)
def test_there_are_never_more_streams_than_the_limit_and_each_is_counted_once(steps: Steps) -> None:
    streams = played(steps)
    assert streams.room.count() == len(streams.open) <= LIMIT
    for _, stream in streams.open:
        streams.room.give_up(stream)
        streams.room.give_up(stream)
    assert streams.room.count() == 0


@given(STEPS)
def test_nobody_makes_room_while_there_is_some(steps: Steps) -> None:
    def check(streams: Streams, group: ViewerGroup) -> None:
        if len(streams.open) < (LIMIT if group.is_player else LIMIT - KEPT):
            assert streams.ask(group) is None

    played(steps, check)


@given(STEPS)
def test_watchers_never_take_a_players_place_and_players_take_any_watchers(steps: Steps) -> None:
    def check(streams: Streams, group: ViewerGroup) -> None:
        watched = streams.counts(is_player=False)
        try:
            loser = streams.ask(group)
        except TooManyStreams:
            assert not (group.is_player and watched)
        else:
            assert loser is None or group.is_player or not loser.is_player
            if loser and group.is_player and watched:
                assert not loser.is_player

    played(steps, check)


@given(STEPS)
def test_a_table_takes_from_one_of_its_kind_only_what_leaves_that_no_fewer(steps: Steps) -> None:
    def check(streams: Streams, group: ViewerGroup) -> None:
        with suppress(TooManyStreams):
            loser = streams.ask(group)
            if loser and loser.is_player == group.is_player:
                counts = streams.counts(is_player=group.is_player)
                assert counts[loser.code] >= counts[group.code]

    played(steps, check)


@given(STEPS, st.booleans())
def test_tables_that_go_on_asking_end_up_with_equal_shares_and_then_nobody_moves(steps: Steps, is_player: bool) -> None:
    streams = played(steps)
    for _ in range(LIMIT):
        for code in TABLES:
            with suppress(TooManyStreams):
                streams.ask(ViewerGroup(code, is_player))
    counts = streams.counts(is_player=is_player)
    shares = [counts[code] for code in TABLES]
    assert max(shares) - min(shares) <= 1
    for code in TABLES:
        with pytest.raises(TooManyStreams):
            streams.ask(ViewerGroup(code, is_player))
