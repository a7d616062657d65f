"""The tables beside the log: devices, summaries of nights, changes of people.

Devices: what may enter a night, or all nights; only the SHA-256 of a device's token is stored. Summaries: one row a
night, computed from its log and never needed to read it. Changes of people: text alone, numbered in the order in
which it was written.
"""

import hashlib
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from tracker.storage.database import DEVICES, PEOPLE, SEEN, ChangeNotice, Connection, Database
from tracker.storage.errors import BadRow
from tracker.storage.rows import COLUMNS, DEVICE, DeviceRow, as_text

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

LISTED = """n.code, n.name, n.created_at,
  COALESCE((SELECT MAX(number) FROM event WHERE event.code = n.code), 0), COALESCE(s.value, '')"""
STORED = """code, version, body, seal,
  (SELECT hash FROM event WHERE event.code = summary.code ORDER BY number DESC LIMIT 1)"""
STORE_SUMMARY = """INSERT INTO summary (code, head, version, body, seal) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (code) DO UPDATE SET head = excluded.head, version = excluded.version, body = excluded.body,
    seal = excluded.seal"""
MOST_AT_ONCE = 500
"""Parameters of one query; older versions of SQLite take 999 at most."""


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
        """Add a device; `role` is knock, watcher, seat, banker or host, `label` says what it is ("iPhone")."""
        device = {"code": code, "role": role, "seat": seat, "name": name, "label": label, "made_at": at, "seen_at": at}
        with self._connection.write(ChangeNotice(DEVICES, code or "")) as db:
            db.insert("device", {"token_hash": token_hash, **device})
            return DeviceRow(*db.select(DEVICE, "device WHERE token_hash = ?", token_hash)[0])

    def by_token(self, token_hash: bytes) -> DeviceRow | None:
        rows = self._connection.select(DEVICE, "device WHERE token_hash = ?", token_hash)
        return DeviceRow(*rows[0]) if rows else None

    def by_id(self, device_id: int) -> DeviceRow | None:
        rows = self._connection.select(DEVICE, "device WHERE id = ?", device_id)
        return DeviceRow(*rows[0]) if rows else None

    def of(self, code: str | None, role: str | None = None) -> Sequence[DeviceRow]:
        """Return the devices of a night (None: those for all nights), oldest first, if given of one role; cached."""
        return self._cached.get((code, role), partial(self._read, code, role))

    def _read(self, code: str | None, role: str | None) -> Sequence[DeviceRow]:
        values = [value for value in (code, role) if value is not None]
        rest = f"device WHERE code {'IS NULL' if code is None else '= ?'}{'' if role is None else ' AND role = ?'}"
        return tuple(DeviceRow(*row) for row in self._connection.select(DEVICE, f"{rest} ORDER BY id", *values))

    def newest(self) -> int:
        """Return the greatest id of a device, 0 for none: those that come later have greater ones."""
        return int(self._connection.select("COALESCE(MAX(id), 0)", "device")[0][0])

    def _code_of(self, device_id: int) -> str:
        """Return the code of a device's night, which no device changes; empty for one of all nights."""
        rows = self._connection.select("COALESCE(code, '')", "device WHERE id = ?", device_id)
        return rows[0][0] if rows else ""

    def codes(self) -> list[str]:
        """Return the codes of the nights that have a device."""
        return [str(row[0]) for row in self._connection.select("DISTINCT code", "device WHERE code IS NOT NULL")]

    def change(self, device_id: int, **changes: str | bytes | None) -> DeviceRow | None:
        """Change `role`, `seat`, `name`, `label`, `seen_at` or `token_hash`; return it, or None."""
        if not changes.keys() <= {"role", "seat", "name", "label", "seen_at", "token_hash"}:
            raise BadRow(f"a device has no {', '.join(changes)}")
        kind = SEEN if changes.keys() == {"seen_at"} else DEVICES
        with self._connection.write(ChangeNotice(kind, self._code_of(device_id))) as db:
            if db.select("id", "device WHERE id = ?", device_id):
                db.update("device", device_id, changes)
            rows = db.select(DEVICE, "device WHERE id = ?", device_id)
        return DeviceRow(*rows[0]) if rows else None

    def revoke(self, device_id: int) -> DeviceRow | None:
        """Delete a device and return it, or None; its token is refused from the next request on."""
        with self._connection.write(ChangeNotice(DEVICES, self._code_of(device_id))) as db:
            rows = db.select(DEVICE, "device WHERE id = ?", device_id)
            db.execute("DELETE FROM device WHERE id = ?", [device_id])
        return DeviceRow(*rows[0]) if rows else None


@dataclass(frozen=True)
class ListedNight:
    """A night's row without its preset, the number of its events, and the text of one of its settings."""

    code: str
    name: str
    created_at: str
    head: int
    setting: str


class SummaryTable:
    """The stored summaries. A row tells by its seal what it was computed from, and whether it is undamaged."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def listed_nights(self, setting: str) -> list[ListedNight]:
        """Return every night, the newest first, with its text of that setting; no event and no preset is read."""
        rest = "night n LEFT JOIN setting s ON s.code = n.code AND s.key = ? ORDER BY n.created_at DESC, n.code"
        rows = self._connection.select(LISTED, rest, setting)
        return [
            ListedNight(as_text(code), as_text(name), as_text(created_at), int(head), as_text(text))
            for code, name, created_at, head, text in rows
        ]

    def nights_with_setting(self, key: str) -> dict[str, str]:
        """Return the text of a setting by night, of the nights that have it."""
        rows = self._connection.select("code, value", "setting WHERE key = ? AND code <> ''", key)
        return {str(code): str(text) for code, text in rows}

    def read(self, codes: Iterable[str], version: int) -> Iterator[tuple[str, str]]:
        """Yield code and text of each stored summary that is of this version, undamaged, and of the log as it is."""
        listed = [*codes]
        for start in range(0, len(listed), MOST_AT_ONCE):
            part = listed[start : start + MOST_AT_ONCE]
            marks = ", ".join("?" * len(part))
            rows = self._connection.select(STORED, f"summary WHERE code IN ({marks})", *part)
            for code, stored_version, body, seal, last_hash in rows:
                if stored_version == version and seal == seal_of(version, body, last_hash):
                    yield code, body

    def write(self, version: int, summaries: Iterable[tuple[str, int, str]]) -> None:
        """Store summaries in one transaction: code, number of events it is of, text. Raises NotSaved."""
        with self._connection.write() as db:
            for code, head, body in summaries:
                rows = db.select("hash", "event WHERE code = ? AND number = ?", code, head)
                if rows or not head:
                    seal = seal_of(version, body, rows[0][0] if rows else None)
                    db.execute(STORE_SUMMARY, [code, head, version, body, seal])


def seal_of(version: int, body: str, last_hash: bytes | None) -> bytes:
    """Return the SHA-256 over what a summary was computed from and what it says; `last_hash` is that of the log."""
    digest = hashlib.sha256(f"{version}:{len(body)}:".encode())
    digest.update(body.encode("utf-8", "replace"))
    digest.update(last_hash or b"")
    return digest.digest()


StoredChange = tuple[int, str, str, bytes]
"""Number, time, text and seal of a change."""


class PersonChangeRow(NamedTuple):
    """A change as it is stored."""

    number: int
    at: str
    body: str | None
    """None for a damaged row."""


class PeopleTable:
    """The stored changes of people."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.writes = 0
        """How often anything was written: what was read before is out of date."""

    def rows(self) -> list[PersonChangeRow]:
        """Return every change in order. Raises NotRead."""
        with self._connection.read() as db:
            columns = f"number, at, {db.as_bytes('body')}, seal"
            return [_checked(*row) for row in db.select(columns, "person_change ORDER BY number")]

    def stored(self) -> Sequence[StoredChange]:
        """Return every row of a file as it is stored, for another one; none of a copy that an older version made."""
        with self._connection.read() as db:
            if not db.select("name", "sqlite_master WHERE name = 'person_change'"):
                return []
            return [(*row,) for row in db.select(COLUMNS["person_change"], "person_change ORDER BY number")]

    def append(self, at: str, body: str) -> int:
        """Add a change and return its number. Raises NotSaved."""
        with self._connection.write(ChangeNotice(PEOPLE)) as db:
            return _insert(db, at, body)

    def rewrite(self, at: str, bodies: Iterable[str]) -> list[int]:
        """Replace all rows by others, numbered on; a file has nothing left of what stood there. Raises NotSaved."""
        with self._connection.write(ChangeNotice(PEOPLE), erases=("person_change",)) as db:
            number = _last(db)
            db.execute("DELETE FROM person_change")
            return [_insert(db, at, body, number + place) for place, body in enumerate(bodies, start=1)]


def _insert(db: Database, at: str, body: str, number: int = 0) -> int:
    number = number or _last(db) + 1
    db.execute("INSERT INTO person_change VALUES (?, ?, ?, ?)", [number, at, body, _seal_of(number, at, body)])
    return number


def _last(db: Database) -> int:
    last: int = db.select("COALESCE(MAX(number), 0)", "person_change")[0][0]
    return last


def _checked(number: int, at: str, body: bytes, seal: bytes) -> PersonChangeRow:
    with suppress(UnicodeDecodeError):
        text = body.decode()
        if seal == _seal_of(number, at, text):
            return PersonChangeRow(number, at, text)
    return PersonChangeRow(number, at, None)


def _seal_of(number: int, at: str, body: str) -> bytes:
    return hashlib.sha256(f"{number}:{at}:{body}".encode()).digest()
