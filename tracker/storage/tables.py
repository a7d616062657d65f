"""The tables beside the log: devices, summaries of nights, changes of people.

Devices: what may enter a night, or all nights; only the SHA-256 of a device's token is stored. Summaries: one row a
night, computed from its log and never needed to read it. Changes of people: text alone, numbered in the order in
which it was written.
"""

import hashlib
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from tracker.storage.database import DEVICES, PEOPLE, SEEN, ChangeNotice, Connection, Database, query, rows_where
from tracker.storage.errors import BadRow
from tracker.storage.rows import DeviceRow, as_text, device_row

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

LISTED = """SELECT n.code, n.name, n.created_at,
    COALESCE((SELECT MAX(number) FROM event WHERE event.code = n.code), 0) AS head, COALESCE(s.value, '') AS setting
  FROM night n LEFT JOIN setting s ON s.code = n.code AND s.key = ? ORDER BY n.created_at DESC, n.code"""
STORED = """SELECT code, version, body, seal,
    (SELECT hash FROM event WHERE event.code = summary.code ORDER BY number DESC LIMIT 1) AS last_hash
  FROM summary"""
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


@dataclass(frozen=True)
class ListedNight:
    """A night's row without its preset, the number of its events, and the text of one of its settings."""

    code: str
    name: str
    created_at: str
    head: int
    setting: str


def _listed(row: Mapping[str, Any]) -> ListedNight:
    """Return a row of LISTED; what is no text in a damaged file becomes one."""
    texts: dict[str, Any] = {name: as_text(value) for name, value in row.items()}
    return ListedNight(**{**texts, "head": row["head"]})


class SummaryTable:
    """The stored summaries. A row tells by its seal what it was computed from, and whether it is undamaged."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def listed_nights(self, setting: str) -> list[ListedNight]:
        """Return every night, the newest first, with its text of that setting; no event and no preset is read."""
        return [_listed(row) for row in query(self._connection, LISTED, [setting])]

    def nights_with_setting(self, key: str) -> dict[str, str]:
        """Return the text of a setting by night, of the nights that have it."""
        rows = rows_where(self._connection, "setting", "key = ? AND code <> ''", [key])
        return {str(row["code"]): str(row["value"]) for row in rows}

    def read(self, codes: Iterable[str], version: int) -> Iterator[tuple[str, str]]:
        """Yield code and text of each stored summary that is of this version, undamaged, and of the log as it is."""
        listed = [*codes]
        for start in range(0, len(listed), MOST_AT_ONCE):
            part = listed[start : start + MOST_AT_ONCE]
            marks = ", ".join("?" * len(part))
            for row in query(self._connection, f"{STORED} WHERE code IN ({marks})", part):
                if row["version"] == version and row["seal"] == seal_of(version, row["body"], row["last_hash"]):
                    yield row["code"], row["body"]

    def write(self, version: int, summaries: Iterable[tuple[str, int, str]]) -> None:
        """Store summaries in one transaction: code, number of events it is of, text. Raises NotSaved."""
        with self._connection.write() as db:
            for code, head, body in summaries:
                rows = [*db.table("event").rows_where("code = ? AND number = ?", [code, head])]
                if rows or not head:
                    seal = seal_of(version, body, rows[0]["hash"] if rows else None)
                    summary = {"code": code, "head": head, "version": version, "body": body, "seal": seal}
                    db.table("summary").upsert(summary, pk=("code",))


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
        sql = "SELECT number, at, CAST(body AS BLOB) AS body, seal FROM person_change ORDER BY number"
        return [_checked(**row) for row in query(self._connection, sql)]

    def stored(self) -> Sequence[StoredChange]:
        """Return every row of a file as it is stored, for another one; none of a copy that an older version made."""
        rows = rows_where(self._connection, "person_change", order="number")
        return [(row["number"], row["at"], row["body"], row["seal"]) for row in rows]

    def append(self, at: str, body: str) -> int:
        """Add a change and return its number. Raises NotSaved."""
        with self._connection.write(ChangeNotice(PEOPLE)) as db:
            return _insert(db, at, body)

    def rewrite(self, at: str, bodies: Iterable[str]) -> list[int]:
        """Replace all rows by others, numbered on; a file has nothing left of what stood there. Raises NotSaved."""
        with self._connection.write(ChangeNotice(PEOPLE), erases=("person_change",)) as db:
            number = _last(db)
            db.table("person_change").delete_where()
            return [_insert(db, at, body, number + place) for place, body in enumerate(bodies, start=1)]


def _insert(db: Database, at: str, body: str, number: int = 0) -> int:
    number = number or _last(db) + 1
    row = {"number": number, "at": at, "body": body, "seal": _seal_of(number, at, body)}
    db.table("person_change").insert(row)
    return number


def _last(db: Database) -> int:
    last: int = next(db.query("SELECT COALESCE(MAX(number), 0) AS last FROM person_change"))["last"]
    return last


def _checked(number: int, at: str, body: bytes, seal: bytes) -> PersonChangeRow:
    with suppress(UnicodeDecodeError):
        text = body.decode()
        if seal == _seal_of(number, at, text):
            return PersonChangeRow(number, at, text)
    return PersonChangeRow(number, at, None)


def _seal_of(number: int, at: str, body: str) -> bytes:
    return hashlib.sha256(f"{number}:{at}:{body}".encode()).digest()
