"""Nights that come back: merged into those that are here, and nothing is changed or deleted.

A night travels as a text behind `#` of a link, its exact log with ids, times and who recorded what: it goes on
elsewhere, and is merged like a copy when it comes back. A backup brings all nights of another time.

Every line of the log has a seal: a hash over it and all before it. A phone that comes with another seal for the same
line has seen another log: an older copy was put back, or somebody has written a new history.
"""

import base64
import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tracker.app.event_rows import from_row, replay_log
from tracker.app.nights import CODE_SYMBOLS, Nights, preset_of
from tracker.app.open_night import OpenNight
from tracker.app.preset_library import PresetLibrary
from tracker.app.settings import OF_DEVICES, FolderSettings
from tracker.core.errors import TableError
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.formats.codec import LONGEST_LABELS, entry_to
from tracker.formats.codes import last_part
from tracker.formats.night_file import LONGEST_NIGHT_NAME, MOST, LogSize, night_to
from tracker.formats.text import UNREADABLE, UnreadableError, clean_text, json_value
from tracker.storage import (
    CorruptLog,
    EventRow,
    NewEvent,
    NightComparison,
    NightCopy,
    NightRow,
    StalePlan,
    Store,
    add_missing,
    chained,
    compare,
    night_copy,
)
from tracker.storage.backups import Backup

MARK, VERSION = "X", "1"
"""What every text begins with. `static/nights/phone-backup.js` makes them, too."""
LONGEST_TEXT = 60_000
"""Signs that a form of ours may send; a night of some two thousand events. A longer one goes as a file."""
MOST_BYTES = 4_000_000
HEAD = ("code", "name", "preset", "options", "created_at")
CODE = re.compile(f"[{CODE_SYMBOLS}]{{6,8}}")


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


def head_of(table: OpenNight) -> dict[str, str]:
    """Return what is kept of a night besides its log; `preset` and `options` are the texts that its hashes cover."""
    row = replace(table.row, name=table.name)
    return {key: str(getattr(row, key)) for key in HEAD}


def to_text(table: OpenNight) -> str:
    """Return the exact log of a night as a text for a link."""
    lines = sealed(table)
    head = json.dumps(head_of(table), ensure_ascii=False)
    listed = ",".join(line.text for line in lines)
    text = f'{{"night":{head},"lines":[{listed}],"seal":"{last_seal(table.row, lines)}"}}'
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    packed = packer.compress(text.encode()) + packer.flush()
    return MARK + VERSION + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def is_transfer(text: str) -> bool:
    """Return whether a text looks like the exact log of a night, or a link that ends in one."""
    return bool(re.match(f"{MARK}[0-9][A-Za-z0-9_-]", last_part(text)))


def night_from(text: str) -> NightCopy:
    """Return the night in such a text, proved by its seal. Raises UnreadableError, TableError if it can't be played."""
    code = last_part(text)
    if len(code) > LONGEST_TEXT:
        raise UnreadableError("this night is too long for a link: take its file")
    if code[1:2] != VERSION:
        raise UnreadableError("this link comes from a newer tracker: update this one")
    try:
        copy = _copy(json_value(_unpacked(code[2:]), MOST_BYTES))
    except UNREADABLE:
        raise UnreadableError("this link is damaged or not whole: copy it again") from None
    LogSize(map(from_row, copy.events)).check(MOST)
    check_replay(copy)
    return copy


def _unpacked(code: str) -> str:
    """Return the text of a code. Raises ValueError."""
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        opener = zlib.decompressobj(-15)
        text = opener.decompress(packed, MOST_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from None
    if not opener.eof:
        raise ValueError
    return text.decode()


def _copy(value: Mapping[str, Any]) -> NightCopy:
    """Return a night with its hashes worked out. Raises any of UNREADABLE for what is none, or has another seal."""
    head, lines = value["night"], value["lines"]
    began_at = lines[0].get("at", "") if lines else ""
    row = NightRow(**{key: head[key] for key in HEAD}, events=len(lines), began_at=began_at)
    datetime.fromisoformat(row.created_at)
    is_whole = all(isinstance(json_value(text), dict) for text in (row.preset, row.options))
    if not (is_whole and CODE.fullmatch(row.code) and row.name == clean_text(row.name, LONGEST_NIGHT_NAME)):
        raise ValueError
    seal, events = chain_hash(row.code, row.created_at), list[NewEvent]()
    for number, line in enumerate(lines, 1):
        seal = chain_hash(seal, json.dumps(line, ensure_ascii=False))
        events.append(_event_row(number, line))
    if seal != value["seal"] or len({event.id for event in events}) < len(events):
        raise ValueError
    return NightCopy(row, chained(row, events), {})


def _event_row(number: int, line: Mapping[str, Any]) -> EventRow:
    """Return a line as the store has it, which is the text of its event as it was written."""
    raw = {key: value for key, value in line.items() if key not in LONGEST_LABELS}
    fingerprint = hashlib.sha256(json.dumps(raw, sort_keys=True).encode()).digest()
    labels = (line["id"], fingerprint, json.dumps(raw, ensure_ascii=False), line.get("at", ""), line.get("by", ""))
    row = EventRow(number, *labels)
    if not row.id or entry_to(from_row(row)) != line:
        raise ValueError
    return row


def compared(nights: Nights, copy: NightCopy) -> NightComparison:
    """Return how a night that came stands to the one of the same code here."""
    (found,) = compare(nights.store, [copy])
    return found


def take(nights: Nights, copy: NightCopy, key: str) -> OpenNight:
    """Bring a night in, as a copy is: the same one gets what is missing, one that went on otherwise becomes a new one.

    A backup of all nights is made before. Raises TableError, NotSaved, StalePlan.
    """
    found = compared(nights, copy)
    if found.relation == "other":
        return nights.import_night(night_file(copy), key=key)
    if found.is_incomplete:
        if nights.backups:
            nights.backups.make()
        add_missing(nights.store, [copy], [found], {})
        nights.reload([found.code])
    return nights.get(found.code)


def night_file(copy: NightCopy) -> str:
    """Return a night that came as the text of a night file."""
    entries: Iterable[Entry] = map(from_row, copy.events)
    return night_to(json.loads(copy.row.preset), json.loads(copy.row.options), entries, copy.row.name)


# Backups
#
# The file itself is not replaced under a running server: phones that joined since would lose access, removed phones
# would get it back, and every phone would see a night go backwards. Instead, in one transaction, each night of the
# backup that is missing is added, and each that is shorter gets its missing events. A longer or diverged night stays
# as it is; its older state can be imported as a new night.


@dataclass(frozen=True)
class RestorePlan:
    """What merging a backup would add, night by night."""

    nights: Sequence[NightCopy]
    compared: Sequence[NightComparison]
    unreadable: Sequence[NightRow]
    """Nights that are damaged in the backup itself; nothing of them is added."""
    presets: Sequence[Preset] = ()
    """Presets of the table's own that would be added."""
    people: Sequence[tuple[int, str, str, bytes]] = ()
    """The changes of people, which are added only where there are none: two lists of people can't be joined."""
    backup_before: Backup | None = None
    """Of what was added: the backup of all nights that was made just before."""

    @property
    def added(self) -> list[NightComparison]:
        return [one for one in self.compared if one.is_incomplete]

    @property
    def unchanged(self) -> list[NightComparison]:
        return [one for one in self.compared if not one.is_incomplete]

    @property
    def is_empty(self) -> bool:
        return not self.added and not self.presets and not self.people

    @property
    def fingerprint(self) -> str:
        """A hash of what would be added, which the confirmation form sends back."""
        text = json.dumps(
            [
                [[one.code, one.events_here, one.events_in_copy] for one in self.added],
                [one.id for one in self.presets],
                [number for number, *_ in self.people],
            ]
        )
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def plan_restore(nights: Nights, path: Path) -> RestorePlan:
    """Return what merging the backup at `path` would add. Raises Unreadable when it can't be opened, NotRead."""
    copies, unreadable = [], []
    with closing(Store(path, read_only=True)) as copy:
        for row in copy.nights():
            try:
                night = night_copy(copy, row)
                check_replay(night)
                lasting = {key: text for key, text in night.settings.items() if not key.startswith(OF_DEVICES)}
                copies.append(replace(night, settings=lasting))
            except (CorruptLog, TableError, ValueError):
                unreadable.append(row)
        presets = nights.library.missing_from(PresetLibrary(copy))
        people = [] if nights.store.people.rows() else copy.people.stored()
    return RestorePlan(copies, compare(nights.store, copies), unreadable, presets, people)


def check_replay(night: NightCopy) -> None:
    """Raise TableError or ValueError unless a night can be replayed, since a merged night can't be deleted."""
    replay_log(night.row.code, preset_of(night.row), [from_row(event) for event in night.events])


def restore_missing(nights: Nights, path: Path, fingerprint: str) -> RestorePlan:
    """Add everything that `plan_restore` returned, or nothing, after a backup of all nights.

    Raises StalePlan when the plan's fingerprint differs, NotSaved when the disk failed.
    """
    found = plan_restore(nights, path)
    if nights.backups is None or found.is_empty or found.fingerprint != fingerprint:
        raise StalePlan
    backup_before = nights.backups.make()
    presets = FolderSettings.own_presets.texts({preset.id: preset for preset in found.presets})
    add_missing(nights.store, found.nights, found.compared, presets, found.people)
    nights.reload(one.code for one in found.added)
    return replace(found, backup_before=backup_before)
