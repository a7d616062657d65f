"""What proves a log from outside: each line's seal is a hash over all up to it, which anybody can work out, and a proof
by the key of the data file says that the board and all lines up to one were recorded here.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tracker.app.open_night import OpenNight
from tracker.app.settings import FolderSettings, Setting
from tracker.core.log import Entry
from tracker.formats.codec import entry_to
from tracker.storage import NightRow
from tracker.storage.rows import first_hash

PROOF = re.compile(r"(\d{1,6}):([0-9a-f]{64})", re.ASCII)


class SealSettings(FolderSettings):
    """The setting of the data folder that proves what was recorded in it."""

    log_key = Setting("log-key", "", str)
    """The key by which lines that were recorded here are known again, in hex."""


@dataclass(frozen=True)
class SealedLine:
    """An entry as a phone keeps it."""

    entry: Entry
    text: str
    """Its JSON, as in a night file."""
    seal: str


def sealed(table: OpenNight, known: Sequence[SealedLine] = ()) -> list[SealedLine]:
    """Return every entry with its seal; of those that are `known` from before, only what has changed is hashed."""
    lines, entries = list(known), list(table.entries)
    while lines and (len(lines) > len(entries) or lines[-1].entry != entries[len(lines) - 1]):
        lines.pop()
    for entry in entries[len(lines) :]:
        text = json.dumps(entry_to(entry), ensure_ascii=False)
        lines.append(SealedLine(entry, text, chain_hash(last_seal(table.row, lines), text)))
    return lines


def last_seal(row: NightRow, lines: Sequence[SealedLine]) -> str:
    """Return the seal of the last line; of a night without any, one that is its own."""
    return lines[-1].seal if lines else chain_hash(row.code, row.created_at)


def chain_hash(before: str, text: str) -> str:
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()[:32]


def proof(key: str, row: NightRow, lines: Sequence[SealedLine]) -> str:
    """Return the proof that these first lines of a night were recorded with this key; empty without a key."""
    return f"{len(lines)}:{_digest(key, row, len(lines), last_seal(row, lines))}" if key else ""


def proved_lines(key: str, row: NightRow, seals: Sequence[str], text: object) -> int:
    """Return how many lines of a log, whose seals these are, a proof covers: 0 for one that is none of this key."""
    found = PROOF.fullmatch(text) if isinstance(text, str) else None
    if not (key and found and 0 < int(found[1]) <= len(seals)):
        return 0
    count = int(found[1])
    return count if hmac.compare_digest(found[2], _digest(key, row, count, seals[count - 1])) else 0


def _digest(key: str, row: NightRow, count: int, seal: str) -> str:
    head = first_hash(row.code, row.preset, row.options, row.created_at).hex()  # no seal is over the board
    return hmac.new(key.encode(), f"{head}\n{count}\n{seal}".encode(), hashlib.sha256).hexdigest()
