"""The ways into a night that can be shown to people: the token of the QR code, and the code to type."""

import hashlib
import hmac
import secrets
from contextlib import suppress

from tracker.app.event_rows import now
from tracker.app.settings import FolderSettings
from tracker.storage import NotSaved, Store
from tracker.web.access.devices import hash_token

CODE_SIGNS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


class Invites:
    """The ways into a night that can be shown to people: the QR's token and the short code to type.

    The store keeps the token's hash only, so the token is made again from the typed code and a secret of the file:
    the same picture stands on every screen all night, also after a restart.
    """

    def __init__(self, store: Store) -> None:
        self.store, self._table = store, store.devices
        secret = made = secrets.token_hex(32)
        with suppress(NotSaved):  # a table that can only be looked at invites nobody
            secret = FolderSettings(store).made_once(FolderSettings.invite_secret, lambda: made)
        self._secret = bytes.fromhex(secret)

    def renew(self, code: str) -> None:
        """Make a new join code for a night; the older ones stop working in the same moment."""
        typed = "".join(secrets.choice(CODE_SIGNS) for _ in range(6))
        self.store.replace_invites(hash_token(self._token(code, typed)), code=code, at=now(), typed=typed)

    def shown(self, code: str) -> tuple[str, str] | None:
        """Return the token for the QR and the code to type (`K7Q-M2X`), or None when the night is closed."""
        for invite in self.store.invites(code):
            if invite.kind == "join" and invite.typed:
                return self._token(code, invite.typed), f"{invite.typed[:3]}-{invite.typed[3:]}"
        return None

    def night_of_token(self, token: str) -> str | None:
        """Return the night a scanned token leads to, or None."""
        invite = self.store.invite(hash_token(token))
        return invite.code if invite and invite.kind == "join" else None

    def night_of_typed(self, typed: str) -> str | None:
        """Return the night a typed code leads to, or None; case, spaces and dashes don't matter."""
        signs = "".join(sign for sign in typed.upper() if sign.isascii() and sign.isalnum())
        invite = self.store.invite_typed(signs) if len(signs) == 6 else None
        return invite.code if invite else None

    def _token(self, code: str, typed: str) -> str:
        return hmac.new(self._secret, f"{code}:{typed}".encode(), hashlib.sha256).hexdigest()[:32]
