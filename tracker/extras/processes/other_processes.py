"""Follow what other processes over the same database write, and which phones they have."""

import json
import secrets
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import inf

from tracker.app.event_rows import read_entries
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import log
from tracker.core.errors import TableError
from tracker.extras import _data_files
from tracker.extras.processes.postgres import POSSIBLY_EVENTS, PostgresConnection
from tracker.extras.processes.shared_rows import PRESENT, SharedRows
from tracker.formats.codec import amended
from tracker.storage import DEVICES, EVENTS, EVERYTHING, SEEN, SETTINGS, ChangeNotice, DiskTrouble, NotRead
from tracker.streaming.hub import Presence


class SharedNight(OpenNight):
    """An open night that takes in what other processes write."""

    tries = 20

    def catch_up(self) -> None:
        """Add what another process has recorded, and send it to all watchers; raises TableError, NotRead."""
        with self._lock:
            before = self.head
            self._read_newer()
            if self.head == before:
                return
        self._publish()

    def _read_newer(self) -> None:
        newer = read_entries(self._store, self.code, after=self.head)
        try:
            for entry in newer:
                self._apply(entry, log.change(self.entries, entry, amended, self._steps))
        except TableError:
            self._reload()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._lock, self._store.one_at_a_time(self.code):
            self._draft = None  # phones at other processes may be typing at the same moment
            yield

    def forget_draft(self) -> None:
        """Read the draft again when it is next asked for: another process has written it."""
        with self._lock:
            self._draft = None


TELL_SECONDS, FORGET_SECONDS = 4.0, 10.0
"""How often a process tells anew which phones it has, and after how long those of one that was killed are forgotten."""


class SharedPresence(Presence):
    """Which phones watch a night: those with a stream of this process, and those of others."""

    elsewhere: Mapping[str, Collection[str]] = {}
    """By night, the devices that other processes have told of."""

    def here(self) -> dict[str, list[str]]:
        """Return the devices that this process has, by night."""
        with self.lock:
            found = [(code, [one.device for one in audience.watchers]) for code, audience in self.audiences.items()]
        return {code: sorted({*devices}) for code, devices in found if devices}

    def devices(self, code: str) -> frozenset[str]:
        return super().devices(code).union(self.elsewhere.get(code, ()))


class OtherProcesses:
    """Follows what other processes write, in a thread of the connection."""

    def __init__(self, nights: Nights, connection: PostgresConnection, rows: SharedRows) -> None:
        """Follow in the `nights` of this process, whose store has this connection and these rows."""
        self._nights, self._store, self._live, self._rows = nights, nights.store, nights.live, rows
        self._presence = nights.live.presence = SharedPresence(
            nights.live.presence.audiences, nights.live.presence.lock
        )
        nights.night_class = SharedNight
        self._roles: dict[str, dict[str, tuple[str, str | None]]] = {}
        """Of each open night the roles of its devices, as they were before the next change."""
        self._name, self._told, self._tell_again_at = secrets.token_hex(4), "", -inf
        connection.listen(self._follow, lambda: [table.code for table in self._open_nights()])

    def _open_nights(self) -> list[SharedNight]:
        return [table for table in self._nights.in_memory() if isinstance(table, SharedNight)]

    def _share_presence(self) -> None:
        """Tell the others which phones this process has, if that has changed or now and then, and take in theirs."""
        here, now = json.dumps(self._presence.here()), time.monotonic()
        if here != self._told or now >= self._tell_again_at:
            self._rows.add(PRESENT, self._name, FORGET_SECONDS, here)
            self._told, self._tell_again_at = here, now + TELL_SECONDS
        elsewhere = defaultdict[str, set[str]](set)
        for name, text in self._rows.newest(PRESENT).items():
            for code, devices in json.loads(text).items() if name != self._name else ():
                elsewhere[code].update(devices)
        self._presence.elsewhere = elsewhere

    def _follow(self, change: ChangeNotice) -> None:
        """Bring a change into every open night that it concerns."""
        if change == POSSIBLY_EVENTS:  # told once a second
            with suppress(DiskTrouble):
                self._rows.write_tallies()
                self._share_presence()
        tables = [table for table in self._open_nights() if change.code in ("", table.code)]
        if change == POSSIBLY_EVENTS:
            with suppress(NotRead):
                self._roles = {table.code: self._roles.get(table.code) or self._roles_at(table) for table in tables}
            tables = self._behind(tables)
        for table in tables:
            with suppress(NotRead, TableError):  # its next request finds out what is wrong
                self._follow_in(table, change)

    def _behind(self, tables: list[SharedNight]) -> list[SharedNight]:
        """Return those nights that the store has more events of; let go of those that it has no more."""
        if not tables:
            return []
        with suppress(NotRead):
            heads = _data_files.heads(self._store, [table.code for table in tables])
            for table in tables:
                if table.code not in heads:
                    self._nights.forget(table.code)
            return [table for table in tables if heads.get(table.code, 0) > table.head]
        return []

    def _follow_in(self, table: SharedNight, change: ChangeNotice) -> None:
        if change.kind in (EVENTS, POSSIBLY_EVENTS.kind, EVERYTHING.kind):
            table.catch_up()
        if change.kind in (SETTINGS, EVERYTHING.kind):
            table.forget_draft()
        if change.kind in (DEVICES, EVERYTHING.kind):
            self._admit_again(table)
        if change.kind not in (EVENTS, POSSIBLY_EVENTS.kind, SEEN):
            table.show_again()

    def _admit_again(self, table: SharedNight) -> None:
        """End the streams of phones that were dismissed, and have those that got another role open theirs again."""
        before, roles = self._roles.get(table.code, {}), self._roles_at(table)
        for device in self._presence.devices(table.code):
            if device not in roles or roles[device] != before.get(device):
                self._live.end_device(device, again=device in roles)
        self._roles[table.code] = roles

    def _roles_at(self, table: SharedNight) -> dict[str, tuple[str, str | None]]:
        return {str(row.id): (row.role, row.seat) for row in self._store.devices.of(table.code)}
