"""Follows what other processes over the same database write, and which phones they have."""

import json
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from math import inf

from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.storage import (
    DEVICES,
    EVENTS,
    EVERYTHING,
    POSSIBLY_EVENTS,
    SEEN,
    SETTINGS,
    ChangeNotice,
    DiskTrouble,
    NotRead,
    Store,
)
from tracker.streaming.hub import StreamHub

PRESENT, TELL_SECONDS, FORGET_SECONDS = "present", 4.0, 10.0
"""How rows are called that tell which phones a process has, how often each is told anew, and after how long those of a
process that was killed are forgotten."""


class OtherProcesses:
    """Follows what other processes write, in a thread of the store; with a data file there are none."""

    def __init__(
        self,
        store: Store,
        live: StreamHub,
        open_nights: Callable[[], Iterable[OpenNight]],
        forget: Callable[[str], None],
    ) -> None:
        """`open_nights` returns those that are in memory, `forget` lets go of one that was removed, by its code."""
        self._store, self._live, self._open_nights, self._forget = store, live, open_nights, forget
        self._roles: dict[str, dict[str, tuple[str, str | None]]] = {}
        """Of each open night the roles of its devices, as they were before the next change."""
        self._name, self._told, self._tell_again_at = secrets.token_hex(4), "", -inf
        store.subscribe(self._follow, lambda: [table.code for table in open_nights()])

    def _share_presence(self) -> None:
        """Tell the others which phones this process has, if that has changed or now and then, and take in theirs."""
        here, now = json.dumps(self._live.presence.here()), time.monotonic()
        if here != self._told or now >= self._tell_again_at:
            self._store.temporary.add(PRESENT, self._name, FORGET_SECONDS, here, is_durable=False)
            self._told, self._tell_again_at = here, now + TELL_SECONDS
        elsewhere = defaultdict[str, set[str]](set)
        for name, text in self._store.temporary.newest(PRESENT).items():
            for code, devices in json.loads(text).items() if name != self._name else ():
                elsewhere[code].update(devices)
        self._live.presence.elsewhere = elsewhere

    def _follow(self, change: ChangeNotice) -> None:
        """Bring a change into every open night that it concerns."""
        if change == POSSIBLY_EVENTS:  # told once a second
            with suppress(DiskTrouble):
                self._store.temporary.write_tallies()
                self._share_presence()
        tables = [table for table in self._open_nights() if change.code in ("", table.code)]
        if change == POSSIBLY_EVENTS:
            with suppress(NotRead):
                self._roles = {table.code: self._roles.get(table.code) or self._roles_at(table) for table in tables}
            tables = self._behind(tables)
        for table in tables:
            with suppress(NotRead, TableError):  # its next request finds out what is wrong
                self._follow_in(table, change)

    def _behind(self, tables: list[OpenNight]) -> list[OpenNight]:
        """Return those nights that the store has more events of; let go of those that it has no more."""
        if not tables:
            return []
        with suppress(NotRead):
            heads = self._store.heads([table.code for table in tables])
            for table in tables:
                if table.code not in heads:
                    self._forget(table.code)
            return [table for table in tables if heads.get(table.code, 0) > table.head]
        return []

    def _follow_in(self, table: OpenNight, change: ChangeNotice) -> None:
        if change.kind in (EVENTS, POSSIBLY_EVENTS.kind, EVERYTHING.kind):
            table.catch_up()
        if change.kind in (SETTINGS, EVERYTHING.kind):
            table.forget_draft()
        if change.kind in (DEVICES, EVERYTHING.kind):
            self._admit_again(table)
        if change.kind not in (EVENTS, POSSIBLY_EVENTS.kind, SEEN):
            table.show_again()

    def _admit_again(self, table: OpenNight) -> None:
        """End the streams of phones that were dismissed, and have those that got another role open theirs again."""
        before, roles = self._roles.get(table.code, {}), self._roles_at(table)
        for device in self._live.presence.devices(table.code):
            if device not in roles or roles[device] != before.get(device):
                self._live.end_device(device, again=device in roles)
        self._roles[table.code] = roles

    def _roles_at(self, table: OpenNight) -> dict[str, tuple[str, str | None]]:
        return {str(row.id): (row.role, row.seat) for row in self._store.devices.of(table.code)}
