"""The store: nights and their events, the devices that may enter them, join codes and settings."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from tracker.storage.database import (
    DEVICES,
    EVENTS,
    EVERYTHING,
    SEEN,
    SETTINGS,
    ChangeNotice,
    Connection,
    DataPlace,
    query,
    rows_where,
)
from tracker.storage.errors import BadRow, CorruptLog, NotSaved, NumberTaken
from tracker.storage.rows import (
    NIGHT,
    DeviceRow,
    EventRow,
    NewEvent,
    NightRow,
    append_event,
    as_text,
    device_row,
    first_hash,
    head_of,
    insert_event,
    night_row,
    proved,
    set_setting,
    stored_events,
)
from tracker.storage.sqlite import DataFile
from tracker.storage.temporary import ExpiringRows

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """What was read, by key. What is read while something is written is given out, and not kept."""

    def __init__(self) -> None:
        self._known: dict[K, V] = {}
        self._writes = 0
        self._lock = threading.Lock()

    def get(self, key: K, read: Callable[[], V]) -> V:
        """Return the value of a key, from `read` when it is not known."""
        known = self._known.get(key)
        if known is not None:
            return known
        writes = self._writes
        value = read()
        with self._lock:
            if writes == self._writes:
                self._known[key] = value
        return value

    def forget(self, key: K | None = None) -> None:
        """Read a key again when it is next asked for, without one all of them: call it when the write has ended."""
        with self._lock:
            self._writes += 1
            if key is None:
                self._known.clear()
            else:
                self._known.pop(key, None)


class DeviceTable:
    """The stored devices. A method that writes has committed when it returns, and raises NotSaved otherwise."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._cached: Cache[tuple[str | None, str | None], Sequence[DeviceRow]] = Cache()

    def forget_cached(self) -> None:
        """Read the rows again when they are next asked for: something else has written them."""
        self._cached.forget()

    def add(
        self,
        token_hash: bytes,
        *,
        code: str | None,
        role: str,
        at: str,
        seat: str | None = None,
        name: str = "",
        label: str = "",
    ) -> DeviceRow:
        """Add a device; `role` is knock, watcher, seat, host or an extra's word, `label` says what it is ("iPhone")."""
        device = {"code": code, "role": role, "seat": seat, "name": name, "label": label, "made_at": at, "seen_at": at}
        with self._connection.write(ChangeNotice(DEVICES, code or "")) as db:
            db.table("device").insert({"token_hash": token_hash, **device})
            return next(map(device_row, db.table("device").rows_where("token_hash = ?", [token_hash])))

    def by_token(self, token_hash: bytes) -> DeviceRow | None:
        rows = rows_where(self._connection, "device", "token_hash = ?", [token_hash])
        return device_row(rows[0]) if rows else None

    def by_id(self, device_id: int) -> DeviceRow | None:
        rows = rows_where(self._connection, "device", "id = ?", [device_id])
        return device_row(rows[0]) if rows else None

    def of(self, code: str | None, role: str | None = None) -> Sequence[DeviceRow]:
        """Return the devices of a night (None: those for all nights), oldest first, if given of one role; cached."""
        return self._cached.get((code, role), partial(self._read, code, role))

    def _read(self, code: str | None, role: str | None) -> Sequence[DeviceRow]:
        values = [value for value in (code, role) if value is not None]
        where = f"code {'IS NULL' if code is None else '= ?'}{'' if role is None else ' AND role = ?'}"
        return tuple(map(device_row, rows_where(self._connection, "device", where, values, order="id")))

    def _code_of(self, device_id: int) -> str:
        """Return the code of a device's night, which no device changes; empty for one of all nights."""
        row = self.by_id(device_id)
        return (row and row.code) or ""

    def codes(self) -> list[str]:
        """Return the codes of the nights that have a device."""
        return sorted({str(row["code"]) for row in rows_where(self._connection, "device", "code IS NOT NULL")})

    def change(self, device_id: int, **changes: str | bytes | None) -> DeviceRow | None:
        """Change `role`, `seat`, `name`, `label`, `seen_at` or `token_hash`; return it, or None."""
        if not changes.keys() <= {"role", "seat", "name", "label", "seen_at", "token_hash"}:
            raise BadRow(f"a device has no {', '.join(changes)}")
        kind = SEEN if changes.keys() == {"seen_at"} else DEVICES
        with self._connection.write(ChangeNotice(kind, self._code_of(device_id))) as db:
            devices = db.table("device")
            if changes and devices.count_where("id = ?", [device_id]):
                devices.update(device_id, changes)
            return next(map(device_row, devices.rows_where("id = ?", [device_id])), None)

    def revoke(self, device_id: int) -> DeviceRow | None:
        """Delete a device and return it, or None; its token is refused from the next request on."""
        with self._connection.write(ChangeNotice(DEVICES, self._code_of(device_id))) as db:
            rows = [*db.table("device").rows_where("id = ?", [device_id])]
            db.table("device").delete_where("id = ?", [device_id])
        return device_row(rows[0]) if rows else None


class Store:
    """The nights of one place: the path of a data file, which this process holds alone until `close()`, another place,
    or without either a database in memory.

    Every method that writes has committed to the disk when it returns, and raises NotSaved otherwise. Any thread may
    call any method. Raises InUse when another process holds the file's lock, Unreadable when the place can't be used.
    With `read_only` it takes no lock and may read a file that a server is using.
    """

    def __init__(self, place: Path | DataPlace | None, *, read_only: bool = False) -> None:
        self.connection: Connection
        self.file: DataFile | None = None
        """The data file, which can be copied, checked and replaced; None where the nights are elsewhere."""
        self.temporary = ExpiringRows()
        if isinstance(place, Path | None):
            self.connection = self.file = DataFile(place, read_only=read_only)
        else:
            self.connection, self.temporary = place.open(read_only=read_only)
        self.is_in_memory = place is None
        self._settings: Cache[str, Mapping[str, str]] = Cache()
        self.devices = DeviceTable(self.connection)
        self.connection.subscribe(self._drop)
        try:
            self.instance = self.setting(None, "instance")  # 8 hex digits: part of the cookie's name
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file or the connections; a second call does nothing."""
        self.connection.close()

    def _drop(self, change: ChangeNotice) -> None:
        """Read again, when it is next asked for, what a transaction has changed."""
        is_everything = change.kind == EVERYTHING.kind
        if is_everything or change.kind == SETTINGS:
            self._settings.forget(None if change == EVERYTHING else change.code)
        if is_everything or change.kind in (DEVICES, SEEN):
            self.devices.forget_cached()

    # Nights and events

    def create_night(
        self, *, code: str, name: str, preset: str, options: str, created_at: str, events: Iterable[NewEvent] = ()
    ) -> None:
        """Add a night and an imported one's events in one transaction. Raises NumberTaken when the code is in use."""
        night = {"code": code, "name": name, "preset": preset, "options": options, "created_at": created_at}
        with self.connection.write() as db:
            if db.table("night").count_where("code = ?", [code]):
                raise NumberTaken(code, 0, head_of(db, code)[0])
            db.table("night").insert(night)
            before = first_hash(code, preset, options, created_at)
            for event in events:
                before = insert_event(db, code, event, before).hash
        if self.file:
            self.file.checkpoint()

    def nights(self) -> list[NightRow]:
        """Return every night, the newest first."""
        return [night_row(row) for row in query(self.connection, f"{NIGHT} ORDER BY created_at DESC, code")]

    def night(self, code: str) -> NightRow | None:
        return next(map(night_row, query(self.connection, f"{NIGHT} WHERE code = ?", [code])), None)

    def rename(self, code: str, name: str) -> None:
        """Change a night's name, which is not part of what the hashes cover."""
        with self.connection.write(ChangeNotice(SETTINGS, code)) as db:
            db.table("night").update(code, {"name": name})

    def events(self, code: str, after: int = 0) -> Iterator[EventRow]:
        """Yield a night's events in order, after a number. Raises CorruptLog at the first whose hash does not match."""
        with self.connection.read() as db:
            before, events = stored_events(db, code, after)
        return proved(code, before, events, after)

    def append(self, code: str, event: NewEvent) -> EventRow:
        """Write one event and return it with its hash.

        Raises IdExists when the night has an event of this id (also if the number is taken), else NumberTaken when the
        number is in use, NotSaved when the disk failed.
        """
        return self.connection.run(partial(append_event, code=code, event=event), ChangeNotice(EVENTS, code))

    def head(self, code: str) -> tuple[int, bytes]:
        """Return a night's number of events and the hash of the last one."""
        with self.connection.read() as db:
            return head_of(db, code)

    def faults(self, pause_seconds: float = 0.0) -> list[str]:
        """Return a sentence for every night whose hash chain is broken. Raises NotRead."""
        faults = []
        for night in self.nights():
            try:
                for _ in self.events(night.code):
                    pass
            except CorruptLog as damage:
                faults.append(str(damage))
            if pause_seconds:
                time.sleep(pause_seconds)
        return faults

    # Settings, of one night or (code None) of the whole file

    def setting(self, code: str | None, key: str, default: str = "") -> str:
        return self.settings(code).get(key, default)

    def settings(self, code: str | None) -> Mapping[str, str]:
        """Return all settings of a night, or of the whole file; cached, since each page reads several."""
        return self._settings.get(code or "", partial(self._read_settings, code or ""))

    def _read_settings(self, code: str) -> Mapping[str, str]:
        rows = rows_where(self.connection, "setting", "code = ?", [code], order="key")
        return {str(row["key"]): str(row["value"]) for row in rows}

    def set_setting(self, code: str | None, key: str, value: str | None) -> None:
        """Write a setting; None deletes it."""
        change = ChangeNotice(SETTINGS, code or "")
        self.connection.run(partial(set_setting, code=code or "", key=key, value=value), change)

    def change_setting(self, code: str | None, key: str, change: Callable[[str | None], str | None]) -> str | None:
        """Write what `change` makes of a setting's text, which nobody else writes meanwhile; return it.

        None stands for a setting that is not set. Raises what `change` raises, with nothing written; NotSaved.
        """
        with self.connection.write(ChangeNotice(SETTINGS, code or "")) as db:
            rows = db.table("setting").rows_where("code = ? AND key = ?", [code or "", key])
            text = change(next((str(row["value"]) for row in rows), None))
            set_setting(db, code=code or "", key=key, value=text)
        return text

    def settings_of_nights(self, key: str) -> dict[str, str]:
        """Return the text of a setting by night, of the nights that have it."""
        rows = rows_where(self.connection, "setting", "key = ? AND code <> ''", [key])
        return {str(row["code"]): str(row["value"]) for row in rows}

    def one_at_a_time(self, what: str) -> AbstractContextManager[None]:
        """Hold a lock that one thread has at a time, whatever it does: for what is done seldom."""
        return self.connection.exclusive(what)

    # Invites: the codes by which phones ask to join

    def replace_invites(self, token_hash: bytes, *, code: str, at: str, typed: str) -> None:
        """Replace a night's join code; the older ones are deleted in the same transaction."""
        with self.connection.write() as db:
            db.table("invite").delete_where("code = ?", [code])
            db.table("invite").insert({"token_hash": token_hash, "code": code, "typed": typed, "made_at": at})

    def night_of_invite(self, token_hash: bytes) -> str | None:
        """Return the code of the night that a join code's link leads to, or None."""
        return self._invite("code", "token_hash = ?", token_hash)

    def night_of_typed_code(self, typed: str) -> str | None:
        """Return the code of the night that a typed join code leads to, or None; whoever asks limits how often."""
        return self._invite("code", "typed = ?", typed)

    def typed_code(self, code: str) -> str:
        """Return the join code that is typed for a night; empty for a night without one."""
        return self._invite("typed", "code = ?", code) or ""

    def _invite(self, column: str, where: str, value: bytes | str) -> str | None:
        rows = rows_where(self.connection, "invite", where, [value])
        return as_text(rows[0][column]) if rows else None

    # The disk

    def probe(self) -> NotSaved | None:
        """Write a test setting; return the error, or None. Raises RuntimeError when the store is closed."""
        try:
            self.set_setting(None, "probe", "1")
        except NotSaved as trouble:
            return trouble
        return None
