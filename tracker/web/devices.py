"""Which phone is asking: the cookie of a night, the row behind it, and the tokens that stand for both.

A browser holds one cookie per night, so what it may do at one table says nothing about another, and one more
without a night for the browser that opened the link from the terminal. A cookie is looked up at every request.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flask import Request, Response, g, request

from tracker.store import DeviceRow, NotSaved, Store

COOKIE_SECONDS = 7 * 24 * 3600
MOST_WAITING = 12
MOST_PER_SEAT = 3
SCRIPT = "script"
"""What the list of a seat's phones calls the holder of a token that was made for a script."""
CODE_SIGNS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


@dataclass(frozen=True)
class Who:
    """Who sent a request: a role at one night (`code`), or at the door of the house (`code` None)."""

    role: str | None = None
    """`host`, `seat`, `watcher`, `knock`, or None for somebody unknown."""
    seat: str | None = None
    device: int | None = None
    name: str = ""
    code: str | None = None

    @property
    def by(self) -> str:
        """What the log says recorded an event: the seat, else the name, else the role."""
        return self.seat or self.name or self.role or ""


NOBODY = Who()


class Devices:
    """Lets phones in, knows them again and sends them away."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.cookie_name = f"board_{store.instance}"
        self._arrived: set[int] = set()
        self._since = now()
        self._next: dict[int, str] = {}  # tokens that phones were given and have not used yet

    # Knowing a phone again

    def who(self, asked: Request, code: str | None) -> Who:
        """Returns who sends this request, at the night `code` or (None) at the door."""
        token = asked.cookies.get(self._cookie(code, asked), "")
        row = (self.store.device(hashed(token)) or self._renewed(token)) if token else None
        if row is None or row.code != code:
            return NOBODY
        if row.id in self._next:
            self._hand_next(row)
        self._arrived.add(row.id)
        role = "seat" if row.id in self._next and row.role == "host" else row.role
        return Who(role=role, seat=row.seat, device=row.id, name=row.name, code=row.code)

    def bearer(self, asked: Request, code: str | None) -> Who:
        """Returns who a script's bearer token stands for; one without a night may enter every night."""
        token = asked.headers.get("Authorization", "")[len("Bearer ") :].strip()
        row = self.store.device(hashed(token)) if token else None
        if row is None or row.code not in (None, code):
            return NOBODY
        return Who(role=row.role, seat=row.seat, device=row.id, name=row.name, code=code)

    def nights_of(self, asked: Request) -> list[str]:
        """Returns the codes of the nights that this browser holds a cookie of."""
        start = self._cookie("", asked) + "_"
        return [name[len(start) :] for name in asked.cookies if name.startswith(start)]

    def has_arrived(self, row: DeviceRow) -> bool:
        """Says whether a phone ever came back with its cookie: if not, the answer to its joining got lost."""
        return row.id in self._arrived or row.made_at < self._since or row.role == "host" or row.label == SCRIPT

    # Letting in and sending away

    def welcome(self, code: str | None, role: str, *, seat: str | None = None, name: str = "") -> Who:
        """Makes a device and hands its token to this request's answer; what the browser was before ends here."""
        before = self.who(request, code)
        token = secrets.token_urlsafe(32)
        label = label_of(request.headers.get("User-Agent", ""))
        row = self.store.add_device(hashed(token), code=code, role=role, at=now(), seat=seat, name=name, label=label)
        if before.device is not None:
            self.dismiss(before.device)
        g.setdefault("cookies", {})[self._cookie(code, request)] = token
        g.who = who = Who(role=role, seat=seat, device=row.id, name=name, code=code)
        return who

    def issue(self, code: str, role: str, *, seat: str | None = None, name: str = "") -> str:
        """Makes a device for a script and returns its token, which nobody can look up again."""
        token = secrets.token_urlsafe(32)
        self.store.add_device(hashed(token), code=code, role=role, at=now(), seat=seat, name=name, label=SCRIPT)
        return token

    def dismiss(self, device: int) -> None:
        """Ends a device: its next request is a stranger's."""
        row = self.store.device_by_id(device)
        self.store.revoke(device)
        if row and row.code:
            self.store.set_setting(row.code, f"let-in.{device}", None)

    def step_down(self, row: DeviceRow) -> None:
        """Makes a host's phone one of its seat, or a watcher's, and gives it another token when it next asks.

        The old token opens the smaller role until the new one has come back: an answer that got lost locks nobody out.
        """
        self.store.change_device(row.id, role="seat" if row.seat else "watcher")
        self._next[row.id] = secrets.token_urlsafe(32)

    def step_up(self, row: DeviceRow) -> None:
        """Makes a seat's phone the host and gives it another token with this answer.

        The old token opens the seat and brings the new one again, until that has come back: a double tap, or an answer
        that got lost, leaves no table without a host.
        """
        self.store.change_device(row.id, role="host")
        self._next[row.id] = secrets.token_urlsafe(32)
        self._hand_next(row)

    def _hand_next(self, row: DeviceRow) -> None:
        g.setdefault("cookies", {})[self._cookie(row.code, request)] = self._next[row.id]

    def _renewed(self, token: str) -> DeviceRow | None:
        """Returns the device that was given this token and uses it for the first time: its old one ends now."""
        for device, given in list(self._next.items()):
            if hmac.compare_digest(given.encode(), token.encode()):
                self._next.pop(device, None)
                return self.store.change_device(device, token_hash=hashed(token))
        return None

    def devices_of(self, code: str) -> list[DeviceRow]:
        """Returns a night's devices in the order they came."""
        return self.store.devices(code)

    def at_seat(self, code: str, seat: str) -> list[DeviceRow]:
        """Returns the phones that hold a seat, the oldest first."""
        return [row for row in self.store.devices(code) if row.seat == seat and row.role in ("seat", "host")]

    def seats_with_phone(self, code: str) -> set[str]:
        """Returns the seats that somebody holds with a phone that really arrived."""
        return {
            row.seat
            for row in self.store.devices(code)
            if row.seat and row.role in ("seat", "host") and row.label != SCRIPT and self.has_arrived(row)
        }

    def knocks(self, code: str) -> list[DeviceRow]:
        """Returns the phones that wait to be let in, the first one first."""
        settings = self.store.settings(code)
        return [row for row in self.store.devices(code, "knock") if f"let-in.{row.id}" not in settings]

    def let_in(self, knock: DeviceRow, role: str, seat: str | None) -> None:
        """Says yes: the waiting phone gets that role, with a new token, when it next asks."""
        assert knock.code is not None
        self.store.set_setting(knock.code, f"let-in.{knock.id}", f"{role}:{seat or ''}")

    def answer(self, who: Who) -> tuple[str, str | None] | None:
        """Returns the role and seat a waiting phone was let in with, or None while nobody has said yes."""
        text = self.store.setting(who.code, f"let-in.{who.device}")
        role, _, seat = text.partition(":")
        return (role, seat or None) if role else None

    def send_cookies(self, response: Response) -> Response:
        """Puts this request's new tokens into its answer; Secure with TLS only, as plain http would drop them."""
        lasting: dict[str, Any] = {"max_age": COOKIE_SECONDS, "path": "/", "httponly": True, "samesite": "Lax"}
        for name, token in g.get("cookies", {}).items():
            response.set_cookie(name, token, secure=request.is_secure, **lasting)
        return response

    def _cookie(self, code: str | None, asked: Request) -> str:
        """Returns a cookie's name; with TLS one that no page without it could set."""
        name = f"__Host-{self.cookie_name}" if asked.is_secure else self.cookie_name
        return f"{name}_{code}" if code else name


class Invites:
    """The ways into a night that can be shown to people: the QR's token and the short code to type.

    The store keeps the token's hash only, so the token is made again from the typed code and a secret of the file:
    the same picture stands on every screen all night, also after a restart.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        secret = store.setting(None, "invite-secret")
        if not secret:
            secret = secrets.token_hex(32)
            with suppress(NotSaved):  # a table that can only be looked at invites nobody
                store.set_setting(None, "invite-secret", secret)
        self._secret = bytes.fromhex(secret)

    def renew(self, code: str) -> None:
        """Makes a new join code for a night; the older ones stop working in the same moment."""
        typed = "".join(secrets.choice(CODE_SIGNS) for _ in range(6))
        self.store.replace_invites(hashed(self._token(code, typed)), code=code, at=now(), typed=typed)

    def shown(self, code: str) -> tuple[str, str] | None:
        """Returns the token for the QR and the code to type (`K7Q-M2X`), or None when the night is closed."""
        for invite in self.store.invites(code):
            if invite.kind == "join" and invite.typed:
                return self._token(code, invite.typed), f"{invite.typed[:3]}-{invite.typed[3:]}"
        return None

    def night_of_token(self, token: str) -> str | None:
        """Returns the night a scanned token leads to, or None."""
        invite = self.store.invite(hashed(token))
        return invite.code if invite and invite.kind == "join" else None

    def night_of_typed(self, typed: str) -> str | None:
        """Returns the night a typed code leads to, or None; case, spaces and dashes don't matter."""
        signs = "".join(sign for sign in typed.upper() if sign.isascii() and sign.isalnum())
        invite = self.store.invite_typed(signs) if len(signs) == 6 else None
        return invite.code if invite else None

    def _token(self, code: str, typed: str) -> str:
        return hmac.new(self._secret, f"{code}:{typed}".encode(), hashlib.sha256).hexdigest()[:32]


def hashed(token: str) -> bytes:
    """Returns the SHA-256 of a token: all that is kept of it."""
    return hashlib.sha256(token.encode()).digest()


def now() -> str:
    """Returns the time of day as UTC text, for labels; nothing is decided by it."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def label_of(user_agent: str) -> str:
    """Returns what a device is, as people would say it, from what its browser says."""
    for sign, label in (
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Macintosh", "Mac"),
        ("Linux", "Linux"),
    ):
        if sign in user_agent:
            return label
    return ""
