"""The stored devices: what may enter a night, or all nights; only the SHA-256 of a device's token is stored."""

import threading
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Generic, TypeVar

from tracker.storage.database import DEVICES, SEEN, ChangeNotice, Connection, rows_where
from tracker.storage.errors import BadRow
from tracker.storage.rows import DeviceRow, device_row

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
