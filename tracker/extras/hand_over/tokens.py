"""New tokens for phones whose roles have changed, and the old ones until the new ones have come back."""

import hmac
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from tracker.extras._phones import RoleSettings
from tracker.storage import EVERYTHING, ChangeNotice, DeviceRow, NotSaved
from tracker.storage.rows import set_setting
from tracker.web.access.answered_forms import note_given
from tracker.web.access.devices import Devices, OldTokens, hash_token


class NewTokens(OldTokens):
    """Gives phones that change their roles new tokens. Any thread may call any method."""

    def __init__(self, devices: Devices) -> None:
        self._devices, self._store, self._table = devices, devices.store, devices.store.devices
        self.unused: dict[int, str] = {}
        """The tokens that phones were given and have not used yet."""

    def hand_over(self, taker: DeviceRow, hosts: Sequence[DeviceRow]) -> None:
        """Make a seat's phone the host, and the hosts' phones those of their seats, or watchers; each with a new token.

        All at once: no crash leaves the night without a host. The taker gets its token with this answer, the others
        when they next ask. Until a new token has come back, the old one opens the smaller role and brings it again: a
        double tap, or an answer that got lost, locks nobody out.
        """
        code, key = taker.code or "", RoleSettings.old_tokens.prefix
        roles = {row.id: "seat" if row.seat else "watcher" for row in hosts} | {taker.id: "host"}
        self.unused |= {device: secrets.token_urlsafe(32) for device in roles}
        with self._store.connection.write(ChangeNotice(EVERYTHING.kind, code)) as db:
            for device, role in roles.items():
                for row in [*db.table("device").rows_where("id = ?", [device])]:
                    changes = {"role": role, "token_hash": hash_token(self.unused[device])}
                    db.table("device").update(device, changes)
                    set_setting(db, code, f"{key}{device}", bytes(row["token_hash"]).hex())
        note_given(taker.id)
        self._send(taker)

    def _send(self, row: DeviceRow) -> None:
        """Send a phone its new token; after a restart, which has only kept a hash of it, another one."""
        if row.id not in self.unused:
            self.unused[row.id] = token = secrets.token_urlsafe(32)
            self._table.change(row.id, token_hash=hash_token(token))
        self._devices.give_token(row.code, self.unused[row.id])

    def known(self, code: str, token: str) -> DeviceRow | None:
        """Return the device whose token this was until it got a newer one, which has not come back yet."""
        old = RoleSettings(self._store, code).old_tokens
        devices = [name for name, known in old.all().items() if hmac.compare_digest(known, hash_token(token))]
        return next((row for row in self._table.of(code) if str(row.id) in devices), None)

    def device_of(self, code: str, token: str) -> DeviceRow | None:
        """Return the device that had a token until it got a newer one, and send that again; a host's as its seat's."""
        row = self.known(code, token)
        if row is None:
            return None
        self._send(row)
        return replace(row, role="seat") if row.role == "host" else row

    def note_newer(self, row: DeviceRow) -> None:
        """End the old token of a device: it has the new one."""
        self.unused.pop(row.id, None)
        old = RoleSettings(self._store, row.code or "").old_tokens
        if old.get(str(row.id)) is not None:
            with suppress(NotSaved):
                old.put(str(row.id), None)

    def forget(self, row: DeviceRow) -> None:
        """End the old token of a device that has ended."""
        RoleSettings(self._store, row.code or "").old_tokens.put(str(row.id), None)
