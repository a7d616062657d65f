"""The table of the devices that may enter a night, or all nights. Only the SHA-256 of a device's token is stored."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.storage.connection import DatabaseConnection
from tracker.storage.errors import BadRow
from tracker.storage.queries import DEVICE, select
from tracker.storage.rows import DeviceRow


class DeviceTable:
    """The stored devices. A method that writes has committed when it returns, and raises NotSaved otherwise."""

    def __init__(self, connection: DatabaseConnection) -> None:
        self._connection = connection
        self._cached: dict[tuple[str | None, str | None], Sequence[DeviceRow]] = {}

    def forget_cached(self) -> None:
        """Read the rows again when they are next asked for: something else has written them."""
        self._cached.clear()

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
        """Add a device; `role` is knock, watcher, seat, banker or host, `label` says what it is ("iPhone")."""
        device = {"code": code, "role": role, "seat": seat, "name": name, "label": label, "made_at": at, "seen_at": at}
        with self._connection.write() as db:
            self._cached.clear()
            db.table("device").insert({"token_hash": token_hash, **device})
            return DeviceRow(*select(db, DEVICE, "device WHERE token_hash = ?", token_hash)[0])

    def by_token(self, token_hash: bytes) -> DeviceRow | None:
        """Return the device that a token belongs to, or None."""
        with self._connection.read() as db:
            rows = select(db, DEVICE, "device WHERE token_hash = ?", token_hash)
        return DeviceRow(*rows[0]) if rows else None

    def of(self, code: str | None, role: str | None = None) -> Sequence[DeviceRow]:
        """Return the devices of a night (None: those for all nights), oldest first, if given of one role; cached."""
        known = self._cached.get((code, role))
        if known is None:
            rest, values = ("", []) if role is None else (" AND role = ?", [role])
            with self._connection.read() as db:
                rows = select(db, DEVICE, f"device WHERE code IS ?{rest} ORDER BY id", code, *values)
                known = self._cached[code, role] = tuple(DeviceRow(*row) for row in rows)
        return known

    def codes(self) -> list[str]:
        """Return the codes of the nights that have a device."""
        with self._connection.read() as db:
            return [str(row[0]) for row in select(db, "DISTINCT code", "device WHERE code IS NOT NULL")]

    def change(self, device_id: int, **changes: str | bytes | None) -> DeviceRow | None:
        """Change `role`, `seat`, `name`, `label`, `seen_at` or `token_hash`; return it, or None."""
        if not changes.keys() <= {"role", "seat", "name", "label", "seen_at", "token_hash"}:
            raise BadRow(f"a device has no {', '.join(changes)}")
        with self._connection.write() as db:
            self._cached.clear()
            if select(db, "id", "device WHERE id = ?", device_id):
                db.table("device").update(device_id, changes)
            rows = select(db, DEVICE, "device WHERE id = ?", device_id)
        return DeviceRow(*rows[0]) if rows else None

    def revoke(self, device_id: int) -> DeviceRow | None:
        """Delete a device and return it, or None; its token is refused from the next request on."""
        with self._connection.write() as db:
            self._cached.clear()
            rows = select(db, DEVICE, "device WHERE id = ?", device_id)
            db.execute("DELETE FROM device WHERE id = ?", [device_id])
        return DeviceRow(*rows[0]) if rows else None
