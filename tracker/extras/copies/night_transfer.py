"""Nights that come back, as a text behind `#` of a link or in a backup: merged into those here, nothing deleted.

Seals (`line_seals`) tell another log; new lines are shown before the yes, and marked, as whoever has seen a log can
write one that goes on.
"""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tracker.app.event_rows import from_row, replay_log
from tracker.app.nights import CODE_SYMBOLS, Nights, preset_of
from tracker.app.open_night import OpenNight
from tracker.app.preset_library import PresetLibrary, PresetSettings
from tracker.app.settings import NightSettings
from tracker.core.log import Entry, Steps
from tracker.core.preset import Preset
from tracker.extras._backups import Backup, backups_of
from tracker.extras._data_files import chained
from tracker.extras._night_files.codes import MOST_NIGHT_BYTES, inflate, last_part
from tracker.extras._night_files.importing import Source, import_night
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.extras._night_files.reading import LONGEST_NIGHT_NAME, check_size
from tracker.extras._phones import RoleSettings
from tracker.extras.copies.line_seals import SealSettings, chain_hash, last_seal, proof, proved_lines, sealed
from tracker.extras.copies.merge import NightComparison, NightCopy, StalePlan, add_missing, compare
from tracker.formats.codec import LARGEST_PRESET, LONGEST_LABELS, entry_from, entry_to
from tracker.formats.evening import moment_of
from tracker.formats.night_file import MOST, LogSize, NightLimits, night_to
from tracker.formats.text import UNREADABLE, clean_text
from tracker.storage import CorruptLog, EventRow, NewEvent, NightRow, Store
from tracker.storage.database import rows_where

MARK, VERSION = "X", "1"
"""What every text begins with. `static/copies/phone-backup.js` makes them, too."""
OF_DEVICES = (
    *(one.prefix for one in (NightSettings.admissions, RoleSettings.old_tokens, NightSettings.next_devices)),
    RoleSettings.table_offer.key,
)
"""How the keys of settings begin that name devices by ids, which are valid in one data file only."""
LONGEST_TEXT = 60_000
"""Signs that a form of ours may send; a night of some two thousand events. A longer one goes as a file."""
HEAD = ("code", "name", "preset", "options", "created_at")
CODE = re.compile(f"[{CODE_SYMBOLS}]{{6,8}}")
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
"""A moment with date, time and zone, as `created_at` of every night has it."""


@dataclass(frozen=True)
class NightTransfer:
    """A night that came as a text: read, and its seal is right, but not played."""

    copy: NightCopy
    seals: Sequence[str]
    """The seal of every line."""
    proof: object = ""
    """What says how many of them were recorded here, as the text has it."""


def head_of(table: OpenNight) -> dict[str, str]:
    """Return what is kept of a night besides its log; `preset` and `options` are the texts that its hashes cover."""
    row = replace(table.row, name=table.name)
    return {key: str(getattr(row, key)) for key in HEAD}


def to_text(table: OpenNight) -> str:
    """Return the exact log of a night as a text for a link, with the proof that it was recorded here."""
    lines = sealed(table)
    head, seal = json.dumps(head_of(table), ensure_ascii=False), last_seal(table.row, lines)
    key, listed = SealSettings(table.settings.store).log_key, ",".join(line.text for line in lines)
    text = f'{{"night":{head},"lines":[{listed}],"seal":"{seal}","proof":"{proof(key, table.row, lines)}"}}'
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    packed = packer.compress(text.encode()) + packer.flush()
    return MARK + VERSION + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def is_transfer(text: str) -> bool:
    """Return whether a text looks like the exact log of a night, or a link that ends in one."""
    return bool(re.match(f"{MARK}[0-9][A-Za-z0-9_-]", last_part(text)))


def transfer_from(text: str, most: NightLimits = MOST) -> NightTransfer:
    """Return the night in such a text, no larger than `most`; nothing is played. Raises UnreadableError."""
    code = last_part(text)
    if len(code) > LONGEST_TEXT:
        raise UnreadableError("this night is too long for a link: take its file")
    if code[1:2] != VERSION:
        raise UnreadableError("this link comes from a newer tracker: update this one")
    try:
        packed = base64.urlsafe_b64decode(code[2:] + "=" * (-len(code[2:]) % 4))
        value = json_value(inflate(packed, MOST_NIGHT_BYTES).decode(), MOST_NIGHT_BYTES)
        found = _transfer(value, most)
    except UNREADABLE:
        raise UnreadableError("this link is damaged or not whole: copy it again") from None
    check_size(LogSize(map(from_row, found.copy.events)), most)
    return found


def _transfer(value: Mapping[str, Any], most: NightLimits) -> NightTransfer:
    """Return a night with its hashes worked out. Raises any of UNREADABLE for what is none, or has another seal."""
    head, lines = value["night"], value["lines"]
    began_at = lines[0].get("at", "") if lines else ""
    row = NightRow(**{key: head[key] for key in HEAD}, events=len(lines), began_at=began_at)
    is_whole = all(isinstance(json_value(text, 2 * LARGEST_PRESET), dict) for text in (row.preset, row.options))
    if not (is_whole and CODE.fullmatch(row.code)):
        raise ValueError
    row = replace(row, name=clean_text(row.name, LONGEST_NIGHT_NAME))  # which no hash covers
    if len(lines) > most.events or not STAMP.fullmatch(row.created_at) or moment_of(row.created_at) is None:
        raise ValueError
    seals, events = [chain_hash(row.code, row.created_at)], list[NewEvent]()
    for number, line in enumerate(lines, 1):
        seals.append(chain_hash(seals[-1], json.dumps(line, ensure_ascii=False)))
        events.append(_event_row(number, line))
    if seals[-1] != value["seal"] or len({event.id for event in events}) < len(events):
        raise ValueError
    return NightTransfer(NightCopy(row, chained(row, events), {}), seals[1:], value.get("proof", ""))


def _event_row(number: int, line: Mapping[str, Any]) -> EventRow:
    """Return a line as the store has it, which is the text of its event as it was written."""
    raw = {key: value for key, value in line.items() if key not in LONGEST_LABELS}
    fingerprint = hashlib.sha256(json.dumps(raw, sort_keys=True).encode()).digest()
    labels = (line["id"], fingerprint, json.dumps(raw, ensure_ascii=False), line.get("at", ""), line.get("by", ""))
    row = EventRow(number, *labels)
    if not row.id or entry_to(entry_from(line, number)) != line:
        raise ValueError
    return row


def compared(nights: Nights, copy: NightCopy) -> NightComparison:
    """Return how a night that came stands to the one of the same code here."""
    (found,) = compare(nights.store, [copy])
    return found


def take(nights: Nights, found: NightTransfer, key: str, by: str) -> OpenNight:
    """Bring a night in after a backup, marked with the yes of `by`; one that went on otherwise becomes a new one.

    Raises TableError, NotSaved, StalePlan.
    """
    copy, here = found.copy, compared(nights, found.copy)
    if here.relation == "other":
        return import_night(nights, night_file(copy), key=key, source=Source("link", by))
    if here.is_incomplete:
        check_replay(copy)
        if backups := backups_of(nights):
            backups.make()
        first = first_brought(nights, found, here)
        marks = {copy.row.code: Source("link", by).marks(first, len(copy.events))}
        add_missing(nights.store, [here], {}, marks=marks)
        nights.reload([copy.row.code])
    return nights.get(copy.row.code)


def first_brought(nights: Nights, found: NightTransfer, here: NightComparison) -> int:
    """Return the number of the first line that is not in the log here and was not recorded here before it was lost."""
    proved = proved_lines(SealSettings(nights.store).log_key, found.copy.row, found.seals, found.proof)
    return max(here.events_here, proved) + 1


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

    compared: Sequence[NightComparison]
    unreadable: Sequence[NightRow]
    """Nights that are damaged in the backup itself; nothing of them is added."""
    presets: Sequence[Preset] = ()
    """Presets of the table's own that would be added."""
    people: Sequence[dict[str, Any]] = ()
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
                [
                    [one.row.code, one.events_here, len(one.events), *(event.hash.hex() for event in one.events[-1:])]
                    for one in self.added
                ],
                [one.id for one in self.presets],
                [row["number"] for row in self.people],
            ]
        )
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def plan_restore(nights: Nights, path: Path) -> RestorePlan:
    """Return what merging the backup at `path` would add. Raises Unreadable when it can't be opened, NotRead."""
    copies, unreadable = [], []
    with closing(Store(path, read_only=True)) as copy:
        for row in copy.nights():
            try:
                if moment_of(row.created_at) is None:  # what is read here is there for good
                    raise ValueError
                kept = copy.settings(row.code).items()
                lasting = {key: text for key, text in kept if not key.startswith(OF_DEVICES)}
                night = NightCopy(row, [*copy.events(row.code)], lasting)
                check_replay(night)
                copies.append(night)
            except (CorruptLog, *UNREADABLE):
                unreadable.append(row)
        here = nights.library.settings
        known = {*here.own_presets.all(), *here.deleted_presets.all()}
        presets = [one for one in PresetLibrary(copy).own() if one.id not in known]
        people = [] if stored_people(nights.store) else stored_people(copy)
    return RestorePlan(compare(nights.store, copies), unreadable, presets, people)


def stored_people(store: Store) -> list[dict[str, Any]]:
    """Return every change of people as it is stored; none of a copy that an older version made."""
    return rows_where(store.connection, "person_change", order="number")


def check_replay(night: NightCopy) -> Steps:
    """Return the steps of a night. Raises TableError or ValueError unless it can be replayed: it is added for good."""
    return replay_log(night.row.code, preset_of(night.row), [from_row(event) for event in night.events])


def restore_missing(nights: Nights, path: Path, fingerprint: str, by: str = "host") -> RestorePlan:
    """Add everything that `plan_restore` returned, or nothing, after a backup, marked with the yes of `by`.

    Raises StalePlan when the plan's fingerprint differs, NotSaved when the disk failed.
    """
    found = plan_restore(nights, path)
    backups = backups_of(nights)
    if backups is None or found.is_empty or found.fingerprint != fingerprint:
        raise StalePlan
    backup_before = backups.make()
    presets = PresetSettings.own_presets.texts({preset.id: preset for preset in found.presets})
    marks = {
        one.row.code: Source("copy", by).marks(one.events_here + 1, len(one.events))
        for one in found.added
        if one.relation == "shorter"
    }
    add_missing(nights.store, found.compared, presets, found.people, marks)
    nights.reload(one.row.code for one in found.added)
    return replace(found, backup_before=backup_before)
