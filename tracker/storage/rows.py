"""The rows of the tables, and the hash chain over a night's events."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class NewEvent:
    """An event to be written: `number` counts from 1 without gaps; `print` is the SHA-256 of what was asked for."""

    number: int
    id: str
    print: bytes
    body: str
    at: str
    by: str = ""


@dataclass(frozen=True)
class EventRow(NewEvent):
    """A written event; `hash` (32 bytes) covers it and every event before it."""

    hash: bytes = b""


@dataclass(frozen=True)
class NightRow:
    """A night; `preset` and `options` are JSON, `events` is their number."""

    code: str
    name: str
    preset: str
    options: str
    created_at: str
    """When it was opened here, or imported."""
    events: int
    began_at: str
    """When its first event was recorded, or else `created_at` (ISO 8601)."""


@dataclass(frozen=True)
class RoleChange:
    """Another role and token for a device, and the key of the setting that keeps the hash of its old token."""

    device: int
    role: str
    token_hash: bytes
    old_token_key: str


@dataclass(frozen=True)
class DeviceRow:
    """A browser or script with a role; `code` is None for a role in every night.

    `seat` is its seat, or the requested one while `role` is `knock` (a join request). `id` is public, the token is not.
    """

    id: int
    code: str | None
    role: str
    seat: str | None
    name: str
    label: str
    made_at: str
    seen_at: str


@dataclass(frozen=True)
class InviteRow:
    """A join code of a night (`kind` is "join")."""

    code: str
    kind: str
    typed: str | None
    made_at: str


def first_hash(code: str, preset: str, options: str, created_at: str) -> bytes:
    """Return the hash of a night's own row, which the first event is chained to."""
    return _digest(b"night", code, preset, options, created_at)


def next_hash(before: bytes, event: NewEvent) -> bytes:
    """Return the hash of an event that follows the hash `before`."""
    return _digest(before, str(event.number), event.id, event.print, event.body, event.at, event.by)


def _digest(*parts: str | bytes) -> bytes:
    """Return sha256 over the parts, each with its length in front, so that no two lists of parts look alike."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(4, "big"))
        digest.update(raw)
    return digest.digest()


def chained(night: NightRow, events: Iterable[NewEvent]) -> list[EventRow]:
    """Return a night's events as rows, each with its hash."""
    before, rows = first_hash(night.code, night.preset, night.options, night.created_at), list[EventRow]()
    for event in events:
        before = next_hash(before, event)
        rows.append(EventRow(event.number, event.id, event.print, event.body, event.at, event.by, before))
    return rows
