"""The store: nights and their events, the devices that may enter them, join codes and settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from tracker.storage import merge, queries
from tracker.storage.connection import DatabaseConnection, GroupCommit
from tracker.storage.errors import NotRead, NotSaved, NumberTaken, reason_of
from tracker.storage.files import log_of, sync_file, sync_folder
from tracker.storage.lock import FolderLock
from tracker.storage.merge import DEVICE_COLUMNS, NightComparison, NightCopy
from tracker.storage.page_check import hash_faults
from tracker.storage.queries import EVENT, INVITE, NIGHT, SEALED, head_of, select
from tracker.storage.rows import EventRow, InviteRow, NewEvent, NightRow, first_hash
from tracker.storage.tables import DeviceTable, PeopleTable, SummaryTable


class Store:
    """The data file, held by this process alone until `close()`.

    Every method that writes has committed to the disk when it returns, and raises NotSaved otherwise. Any thread may
    call any method. Raises InUse when another process holds the lock, Unreadable when the file can't be used. With
    `read_only` it takes no lock and may read a file that a server is using. Without a path all of it is in memory.
    With `is_checked_later` its pages are checked before the first write only, or by `faults`.
    """

    def __init__(self, path: Path | None, *, read_only: bool = False, is_checked_later: bool = False) -> None:
        if path and not read_only:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FolderLock(path) if path and not read_only else None
        try:
            if path and not read_only:
                with suppress(OSError):  # it exists already, or connecting reports the error
                    os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
            self._path, self.is_in_memory = path, path is None
            self._connection = DatabaseConnection(path, read_only=read_only, is_checked_later=is_checked_later)
            self.summaries = SummaryTable(self._connection)
            self.people = PeopleTable(self._connection)
            self._group_commit = GroupCommit(self._connection)
            self._settings: dict[str, Mapping[str, str]] = {}
            self.devices = DeviceTable(self._connection)
            self.instance = self.setting(None, "instance")  # 8 hex digits: part of the cookie's name
        except BaseException:
            if self._lock:
                self._lock.release()
            raise

    def close(self) -> None:
        """Close the file and release the folder's lock; a second call does nothing."""
        self._connection.close()
        if self._lock:
            self._lock.release()

    def publish_address(self, address: str) -> None:
        """Write the server's address into the lock file, where InUse reads it for a second server."""
        if self._lock:
            self._lock.write_address(address)

    # Nights and events

    def create_night(
        self, *, code: str, name: str, preset: str, options: str, created_at: str, events: Iterable[NewEvent] = ()
    ) -> None:
        """Add a night and an imported one's events in one transaction. Raises NumberTaken when the code is in use."""
        night = {"code": code, "name": name, "preset": preset, "options": options, "created_at": created_at}
        with self._connection.write() as db:
            if select(db, "code", "night WHERE code = ?", code):
                raise NumberTaken(code, 0, head_of(db, code)[0])
            db.table("night").insert(night)
            before = first_hash(code, preset, options, created_at)
            for event in events:
                before = queries.insert_event(db, code, event, before).hash
        self.checkpoint()

    def nights(self) -> list[NightRow]:
        """Return every night, the newest first."""
        with self._connection.read() as db:
            return [NightRow(*row) for row in select(db, NIGHT, "night ORDER BY created_at DESC, code")]

    def night(self, code: str) -> NightRow | None:
        """Return one night, or None."""
        with self._connection.read() as db:
            rows = select(db, NIGHT, "night WHERE code = ?", code)
        return NightRow(*rows[0]) if rows else None

    def rename(self, code: str, name: str) -> None:
        """Change a night's name, which is not part of what the hashes cover."""
        with self._connection.write() as db:
            db.execute("UPDATE night SET name = ? WHERE code = ?", [name, code])

    def events(self, code: str) -> Iterator[EventRow]:
        """Yield a night's events in order. Raises CorruptLog at the first whose hash does not match."""
        with self._connection.read() as db:
            nights = select(db, SEALED, "night WHERE code = ?", code)
            rows = select(db, EVENT, "event WHERE code = ? ORDER BY number", code)
        return queries.proved_events(code, nights, rows)

    def append(self, code: str, event: NewEvent) -> EventRow:
        """Write one event and return it with its hash.

        Raises IdExists when the night has an event of this id (also if the number is taken), else NumberTaken when the
        number is in use, NotSaved when the disk failed.
        """
        return self._group_commit.run(partial(queries.append_event, code=code, event=event))

    def head(self, code: str) -> tuple[int, bytes]:
        """Return a night's number of events and the hash of the last one."""
        with self._connection.read() as db:
            return head_of(db, code)

    def faults(self, pause_seconds: float = 0.0) -> list[str]:
        """Return a sentence for every night whose hash chain is broken; reads the whole file, with pauses.

        Raises CorruptFile when pages that were to be checked later are damaged, NotRead.
        """
        self._connection.wait_for_check()
        return hash_faults((night.code for night in self.nights()), self.events, pause_seconds)

    # Merging the nights of a copy

    def night_copy(self, row: NightRow) -> NightCopy:
        """Return a night with its events, settings and devices. Raises CorruptLog, NotRead."""
        events = list(self.events(row.code))
        with self._connection.read() as db:
            devices = select(db, DEVICE_COLUMNS, "device WHERE code = ? AND role <> 'knock' ORDER BY id", row.code)
        return NightCopy(row, events, self.settings(row.code), devices)

    def compare(self, nights: Iterable[NightCopy]) -> list[NightComparison]:
        """Compare each night of a copy with the night of the same code in this file."""
        with self._connection.read() as db:
            return [merge.compare(db, night) for night in nights]

    def add_missing(
        self,
        nights: Sequence[NightCopy],
        shown: Sequence[NightComparison],
        settings: Mapping[str, str],
        people: Sequence[tuple[int, str, str, bytes]] = (),
    ) -> None:
        """Add the missing events of a copy's nights, the missing settings, and people where there are none, at once.

        Raises StalePlan when the comparison is no longer as `shown`, NotSaved when the disk failed.
        """
        with self._connection.write() as db:
            self._settings.clear()
            self.devices.forget_cached()
            merge.add_missing(db, nights, shown, settings, people)
            self.people.writes += 1

    # Settings, of one night or (code None) of the whole file

    def setting(self, code: str | None, key: str, default: str = "") -> str:
        """Return a setting's text, or the default."""
        return self.settings(code).get(key, default)

    def settings(self, code: str | None) -> Mapping[str, str]:
        """Return all settings of a night, or of the whole file; cached, since each page reads several."""
        if (known := self._settings.get(code or "")) is None:
            with self._connection.read() as db:  # under the lock: no write comes between reading and caching
                rows = select(db, "key, value", "setting WHERE code = ? ORDER BY key", code or "")
                known = self._settings[code or ""] = {str(name): str(value) for name, value in rows}
        return known

    def set_setting(self, code: str | None, key: str, value: str | None) -> None:
        """Write a setting; None deletes it."""
        with self._connection.write() as db:
            self._settings.pop(code or "", None)
            db.execute("DELETE FROM setting WHERE code = ? AND key = ?", [code or "", key])
            if value is not None:
                db.table("setting").insert({"code": code or "", "key": key, "value": value})

    # Invites: the codes by which phones ask to join

    def replace_invites(self, token_hash: bytes, *, code: str, at: str, typed: str) -> None:
        """Replace a night's join code; the older ones are deleted in the same transaction."""
        with self._connection.write() as db:
            db.execute("DELETE FROM invite WHERE code = ? AND kind = 'join'", [code])
            invite = {"token_hash": token_hash, "code": code, "kind": "join", "typed": typed, "made_at": at}
            db.table("invite").insert(invite)

    def invite(self, token_hash: bytes) -> InviteRow | None:
        """Return the invite of a link's token, or None."""
        return self._one_invite("invite WHERE token_hash = ?", token_hash)

    def invite_typed(self, typed: str) -> InviteRow | None:
        """Return the invite of a typed code, or None; the caller limits the rate of guesses."""
        return self._one_invite("invite WHERE typed = ?", typed)

    def invites(self, code: str) -> list[InviteRow]:
        """Return a night's invites, oldest first."""
        with self._connection.read() as db:
            return [InviteRow(*row) for row in select(db, INVITE, "invite WHERE code = ? ORDER BY made_at", code)]

    def _one_invite(self, rest: str, value: bytes | str) -> InviteRow | None:
        with self._connection.read() as db:
            rows = select(db, INVITE, rest, value)
        return InviteRow(*rows[0]) if rows else None

    # The disk

    def on_trouble(self, callback: Callable[[str], None]) -> None:
        """Register a callback for the reason of every failed write; it must not block."""
        self._connection.on_trouble = callback

    def probe(self) -> NotSaved | None:
        """Write a test setting; return the error, or None when the disk can be written.

        Raises RuntimeError when the store is closed.
        """
        try:
            self.set_setting(None, "probe", "1")
        except NotSaved as trouble:
            return trouble
        return None

    def size(self) -> int:
        """Return the size of the file and its log in bytes; 0 in memory."""
        parts = (self._path, log_of(self._path)) if self._path else ()
        return sum(part.stat().st_size for part in parts if part.exists())

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file, if the disk lets it; a plain copy then has every event."""
        with suppress(NotRead), self._connection.read() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def backup(self, target: Path) -> None:
        """Write a complete copy to `target`, by an atomic rename. Raises NotSaved."""
        unfinished = target.with_name(target.name + ".part")
        try:
            unfinished.unlink(missing_ok=True)
            with self._connection.read() as db:
                db.execute("VACUUM INTO ?", [str(unfinished)])
            unfinished.chmod(0o600)  # it holds names and token hashes
            sync_file(unfinished)
            unfinished.replace(target)
            sync_folder(target.parent)
        except NotRead as trouble:
            raise NotSaved(trouble.reason, certain=True) from trouble
        except OSError as error:
            raise NotSaved(reason_of(error), certain=True) from error
        finally:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
