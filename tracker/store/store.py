"""The store: nights and their events, the devices that may enter them, join codes and settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tracker.store.connection import Connection
from tracker.store.copied import PHONES, Compared, WholeNight, bring, compare
from tracker.store.errors import BadRow, Damaged, NotRead, NotSaved, SameId, Taken, reason_of
from tracker.store.files import sync_file, sync_folder
from tracker.store.lock import FolderLock
from tracker.store.queries import DEVICE, EVENT, INVITE, NIGHT, SEALED, head_of, insert_event, select
from tracker.store.rows import DeviceRow, EventRow, InviteRow, NewEvent, NightRow, first_hash, next_hash


class Store:
    """The data file, held by this process alone until `close()`.

    Every method that writes has it on the disk when it returns, and raises NotSaved otherwise. Any thread may call any
    method. Raises InUse when another server has the folder, Unreadable when the file can't be used. With `read_only`
    it takes no lock and may look into a file that a server is using.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        if not read_only:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = None if read_only else FolderLock(path)
        try:
            if not read_only:
                with suppress(OSError):  # it is there already, or opening it will say what is wrong
                    os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
            self._path = path
            self._connection = Connection(path, read_only=read_only)
            self._settings: dict[str, Mapping[str, str]] = {}
            self.instance = self.setting(None, "instance")  # 8 hex digits: part of the cookie's name
        except BaseException:
            if self._lock:
                self._lock.release()
            raise

    def close(self) -> None:
        """Close the file and let go of the folder; a second call does nothing."""
        self._connection.close()
        if self._lock:
            self._lock.release()

    def tell_address(self, address: str) -> None:
        """Leave the address where a second server finds it and names it in its refusal."""
        if self._lock:
            self._lock.tell(address)

    # Nights and events

    def create_night(
        self, *, code: str, name: str, preset: str, options: str, created_at: str, events: Iterable[NewEvent] = ()
    ) -> None:
        """Add a night, with the events of an imported one: all or nothing. Raises Taken when the code is in use."""
        night = {"code": code, "name": name, "preset": preset, "options": options, "created_at": created_at}
        with self._connection.write() as db:
            if select(db, "code", "night WHERE code = ?", code):
                raise Taken(code, 0, head_of(db, code)[0])
            db.table("night").insert(night)
            before = first_hash(code, preset, options, created_at)
            for event in events:
                before = insert_event(db, code, event, before).hash

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
        """Give a night another name; the name is not part of what the hashes seal."""
        with self._connection.write() as db:
            db.execute("UPDATE night SET name = ? WHERE code = ?", [name, code])

    def events(self, code: str) -> Iterator[EventRow]:
        """Yield a night's events in order. Raises Damaged in place of the first that is not what was recorded."""
        with self._connection.read() as db:
            nights = select(db, SEALED, "night WHERE code = ?", code)
            rows = select(db, EVENT, "event WHERE code = ? ORDER BY number", code)
        before = first_hash(*nights[0]) if nights else b""
        for number, row in enumerate(rows, start=1):
            event = EventRow(*row)
            if event.number != number or event.hash != next_hash(before, event):
                raise Damaged(code, number)
            before = event.hash
            yield event

    def append(self, code: str, event: NewEvent) -> EventRow:
        """Write one event and return it with its hash.

        Raises SameId when the id is in the night already (also if the number is taken), else Taken when somebody was
        faster, NotSaved when the disk failed.
        """
        with self._connection.write() as db:
            for row in select(db, EVENT, "event WHERE code = ? AND id = ?", code, event.id):
                raise SameId(EventRow(*row))
            head, before = head_of(db, code)
            if event.number <= head:
                raise Taken(code, event.number, head)
            return insert_event(db, code, event, before)

    def head(self, code: str) -> tuple[int, bytes]:
        """Return how many events a night has and the hash that seals them all."""
        with self._connection.read() as db:
            return head_of(db, code)

    def faults(self) -> list[str]:
        """Return a sentence for every night whose events are not what was recorded; reads the whole file."""
        faults = []
        for night in self.nights():
            try:
                for _ in self.events(night.code):
                    pass
            except Damaged as damage:
                faults.append(str(damage))
        return faults

    # The nights of a copy

    def whole(self, row: NightRow) -> WholeNight:
        """Return a night with all that belongs to it. Raises Damaged, NotRead."""
        events = list(self.events(row.code))
        with self._connection.read() as db:
            phones = select(db, PHONES, "device WHERE code = ? AND role <> 'knock' ORDER BY id", row.code)
        return WholeNight(row, events, self.settings(row.code), phones)

    def compared(self, nights: Iterable[WholeNight]) -> list[Compared]:
        """Return how each night of a copy stands to the same one here."""
        with self._connection.read() as db:
            return [compare(db, night) for night in nights]

    def bring_back(self, nights: Sequence[WholeNight], shown: Sequence[Compared], settings: Mapping[str, str]) -> None:
        """Add all that is missing of a copy's nights and of the whole file's settings, or nothing.

        Raises Changed when it is no longer what was `shown`, NotSaved when the disk failed.
        """
        with self._connection.write() as db:
            self._settings.clear()
            bring(db, nights, shown, settings)

    # Settings, of one night or (code None) of the whole file

    def setting(self, code: str | None, key: str, default: str = "") -> str:
        """Return a setting's text, or the default."""
        return self.settings(code).get(key, default)

    def settings(self, code: str | None) -> Mapping[str, str]:
        """Return all settings of a night, or of the whole file. Pages ask often, so they are read once."""
        known = self._settings.get(code or "")
        if known is None:
            with self._connection.read() as db:  # nobody can write meanwhile: what is kept is as new as the file
                rows = select(db, "key, value", "setting WHERE code = ? ORDER BY key", code or "")
                known = self._settings[code or ""] = {str(name): str(value) for name, value in rows}
        return known

    def set_setting(self, code: str | None, key: str, value: str | None) -> None:
        """Write a setting; None takes it away."""
        with self._connection.write() as db:
            self._settings.pop(code or "", None)
            db.execute("DELETE FROM setting WHERE code = ? AND key = ?", [code or "", key])
            if value is not None:
                db.table("setting").insert({"code": code or "", "key": key, "value": value})

    # Devices: only the SHA-256 of a token is kept

    def add_device(
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
            db.table("device").insert({"token_hash": token_hash, **device})
            return DeviceRow(*select(db, DEVICE, "device WHERE token_hash = ?", token_hash)[0])

    def device(self, token_hash: bytes) -> DeviceRow | None:
        """Return the device that a token belongs to, or None."""
        return self._one_device("device WHERE token_hash = ?", token_hash)

    def device_by_id(self, device_id: int) -> DeviceRow | None:
        """Return a device by its public number, or None."""
        return self._one_device("device WHERE id = ?", device_id)

    def devices(self, code: str | None, role: str | None = None) -> list[DeviceRow]:
        """Return a night's devices in the order they came, or those of one role; with None, the ones of every night."""
        rest, values = ("", []) if role is None else (" AND role = ?", [role])
        with self._connection.read() as db:
            rows = select(db, DEVICE, f"device WHERE code IS ?{rest} ORDER BY id", code, *values)
        return [DeviceRow(*row) for row in rows]

    def change_device(self, device_id: int, **changes: str | bytes | None) -> DeviceRow | None:
        """Change `role`, `seat`, `name`, `label`, `seen_at` or `token_hash` of a device; None when it is gone."""
        if not changes.keys() <= {"role", "seat", "name", "label", "seen_at", "token_hash"}:
            raise BadRow(f"a device has no {', '.join(changes)}")
        with self._connection.write() as db:
            if select(db, "id", "device WHERE id = ?", device_id):
                db.table("device").update(device_id, changes)
            rows = select(db, DEVICE, "device WHERE id = ?", device_id)
        return DeviceRow(*rows[0]) if rows else None

    def revoke(self, device_id: int) -> None:
        """Take a device away; its token is worth nothing from the next request on."""
        with self._connection.write() as db:
            db.execute("DELETE FROM device WHERE id = ?", [device_id])

    def _one_device(self, rest: str, value: bytes | int) -> DeviceRow | None:
        with self._connection.read() as db:
            rows = select(db, DEVICE, rest, value)
        return DeviceRow(*rows[0]) if rows else None

    # Invites: the codes by which phones ask to join

    def replace_invites(self, token_hash: bytes, *, code: str, at: str, typed: str) -> None:
        """Rotate a night's join code: every older one stops working in the same moment."""
        with self._connection.write() as db:
            db.execute("DELETE FROM invite WHERE code = ? AND kind = 'join'", [code])
            row = {"code": code, "kind": "join", "typed": typed, "made_at": at}
            db.table("invite").insert({"token_hash": token_hash, **row})

    def invite(self, token_hash: bytes) -> InviteRow | None:
        """Return what a link's token invites to, or None."""
        return self._one_invite("invite WHERE token_hash = ?", token_hash)

    def invite_typed(self, typed: str) -> InviteRow | None:
        """Return what a typed code invites to, or None; the caller counts wrong guesses."""
        return self._one_invite("invite WHERE typed = ?", typed)

    def invites(self, code: str) -> list[InviteRow]:
        """Return the ways into a night that are open now."""
        with self._connection.read() as db:
            return [InviteRow(*row) for row in select(db, INVITE, "invite WHERE code = ? ORDER BY made_at", code)]

    def _one_invite(self, rest: str, value: bytes | str) -> InviteRow | None:
        with self._connection.read() as db:
            rows = select(db, INVITE, rest, value)
        return InviteRow(*rows[0]) if rows else None

    # The disk

    def on_trouble(self, hear: Callable[[str], None]) -> None:
        """Let `hear` be told the reason whenever something could not be saved; it must come back at once."""
        self._connection.on_trouble = hear

    def probe(self) -> NotSaved | None:
        """Write once for nothing and return what went wrong, or None: is this table able to record?

        Raises RuntimeError when the store is closed.
        """
        try:
            self.set_setting(None, "probe", "1")
        except NotSaved as trouble:
            return trouble
        return None

    def size(self) -> int:
        """Return how many bytes the file has."""
        return self._path.stat().st_size

    def backup(self, target: Path) -> None:
        """Write a complete copy to `target`, which appears whole or not at all. Raises NotSaved."""
        unfinished = target.with_name(target.name + ".part")
        try:
            unfinished.unlink(missing_ok=True)
            with self._connection.read() as db:
                db.execute("VACUUM INTO ?", [str(unfinished)])
            unfinished.chmod(0o600)  # it holds names, and the hashes of who may come in
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
