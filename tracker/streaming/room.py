"""How many streams there may be, and who gets one where they are scarce.

Some are kept for players (seats and hosts). Where all are taken, a player takes the place of a watcher, of the table
that has the most; else a newcomer that of the table with the most of its kind, if that has two more than its own. So
watchers of one table keep nobody else's from being watched, and no place goes to and fro.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Hashable
from typing import NamedTuple

RETRY_SECONDS = 10


class TooManyStreams(Exception):
    """There is no room for another stream; try again after `retry_after` seconds (answer 503)."""

    def __init__(self, retry_after: int = RETRY_SECONDS) -> None:
        super().__init__("too many screens are watching; this one tries again by itself")
        self.retry_after = retry_after


class ViewerGroup(NamedTuple):
    """The players of a table, or its watchers (scripts, too)."""

    code: str
    is_player: bool


class Room:
    """Counts the streams of every table. Any thread may call any method."""

    def __init__(self, limit: int, kept_for_players: int) -> None:
        self._limit, self._kept_for_players = limit, kept_for_players
        self._lock = threading.Lock()
        self._counts: Counter[ViewerGroup] = Counter()
        self._streams: dict[Hashable, ViewerGroup] = {}

    def count(self) -> int:
        return len(self._streams)

    def check(self, group: ViewerGroup) -> None:
        """Raise TooManyStreams where nobody of this group gets a place."""
        with self._lock:
            self._loser(group)

    def take(self, stream: Hashable, group: ViewerGroup) -> ViewerGroup | None:
        """Give a stream a place, and return the group that has to give up one for it, if any; see `check`."""
        with self._lock:
            try:
                loser = self._loser(group)
            except TooManyStreams:
                loser = None
            self._counts[group] += 1
            self._streams[stream] = group
        return loser

    def give_up(self, stream: Hashable) -> None:
        """Leave a stream's place to others; may be said again."""
        with self._lock:
            if group := self._streams.pop(stream, None):
                self._counts[group] -= 1
                if not self._counts[group]:
                    del self._counts[group]

    def _loser(self, group: ViewerGroup) -> ViewerGroup | None:
        if len(self._streams) < (self._limit if group.is_player else self._limit - self._kept_for_players):
            return None
        watched = self._largest(is_player=False)
        if group.is_player and watched:
            return watched
        largest = self._largest(is_player=group.is_player)
        if largest is None or self._counts[largest] < self._counts[group] + 2:
            raise TooManyStreams
        return largest

    def _largest(self, *, is_player: bool) -> ViewerGroup | None:
        groups = (group for group in self._counts if group.is_player == is_player)
        return max(groups, key=self._counts.__getitem__, default=None)
