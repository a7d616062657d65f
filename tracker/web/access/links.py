"""The links and codes that let browsers in: the QR code and the code to type of a night, and links to use once."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tracker.app.event_rows import now
from tracker.app.settings import FolderSettings
from tracker.storage import DiskTrouble, ExpiringRows, NotSaved, Store
from tracker.web.access.devices import hash_token

HOST_LINK_SECONDS = 600
CODE_SIGNS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


class Invites:
    """The ways into a night that can be shown to people: the QR's token and the short code to type.

    The store keeps the token's hash only, so the token is made again from the typed code and a secret of the file:
    the same picture stands on every screen all night, also after a restart.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._unsaved_secret = secrets.token_hex(32)
        self._secret()  # made now: a disk that can't be written is noticed at the start

    def _secret(self) -> bytes:
        secret = self._unsaved_secret
        with suppress(NotSaved):  # a table that can only be looked at invites nobody
            secret = FolderSettings(self.store).made_once(FolderSettings.invite_secret, lambda: secret)
        return bytes.fromhex(secret)

    def renew(self, code: str) -> None:
        """Make a new join code for a night; the older ones stop working in the same moment."""
        typed = "".join(secrets.choice(CODE_SIGNS) for _ in range(6))
        self.store.replace_invites(hash_token(self._token(code, typed)), code=code, at=now(), typed=typed)

    def open(self, code: str) -> None:
        """Make a join code for a night that has none."""
        if self.shown(code) is None:
            self.renew(code)

    def shown(self, code: str) -> tuple[str, str] | None:
        """Return the token for the QR and the code to type (`K7Q-M2X`), or None when the night is closed."""
        typed = self.store.typed_code(code)
        return (self._token(code, typed), f"{typed[:3]}-{typed[3:]}") if typed else None

    def night_of_token(self, token: str) -> str | None:
        return self.store.night_of_invite(hash_token(token))

    def night_of_typed(self, typed: str) -> str | None:
        """Return the night a typed code leads to, or None; case, spaces and dashes don't matter."""
        signs = "".join(sign for sign in typed.upper() if sign.isascii() and sign.isalnum())
        return self.store.night_of_typed_code(signs) if len(signs) == 6 else None

    def _token(self, code: str, typed: str) -> str:
        return hmac.new(self._secret(), f"{code}:{typed}".encode(), hashlib.sha256).hexdigest()[:32]


class HostLinks:
    """The links that make a browser the host: each good once, for ten minutes, kept only as a hash."""

    kind = "host-link"

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, rows: ExpiringRows | None = None) -> None:
        self._rows = rows or ExpiringRows(clock=clock)

    def mint(self, value: str = "host") -> str:
        """Return a new 256-bit token, which stands for `value`."""
        token = secrets.token_urlsafe(32)
        self._rows.add(self.kind, hash_token(token).hex(), HOST_LINK_SECONDS, value)
        return token

    def is_good(self, token: str) -> bool:
        return self._rows.value(self.kind, hash_token(token).hex()) is not None

    @contextmanager
    def redeem(self, token: str) -> Iterator[str | None]:
        """Use the token up, and yield what it stood for, None if it was not good; of many at once exactly one gets it.

        It is good again when the block raises: what it was used for has not happened.
        """
        value = self._rows.take(self.kind, hash_token(token).hex())
        try:
            yield value
        except BaseException:
            if value is not None:
                with suppress(DiskTrouble):
                    self._rows.add(self.kind, hash_token(token).hex(), HOST_LINK_SECONDS, value)
            raise
