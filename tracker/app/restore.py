"""Merge a backup into the data file of a running server: nothing is changed or deleted.

The file itself is not replaced under a running server: phones that joined since would lose access, removed phones would
get it back, and every phone would see a night go backwards. Instead, in one transaction, each night of the backup that
is missing is added, and each that is shorter gets its missing events. A longer or diverged night stays as it is; its
older state can be imported as a new night.
"""

import hashlib
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from tracker.app.event_rows import from_row, replay_log
from tracker.app.nights import Nights
from tracker.app.preset_library import PresetLibrary
from tracker.app.settings import FolderSettings, NightSettings
from tracker.core.errors import TableError
from tracker.core.preset import Preset
from tracker.formats.codec import preset_from
from tracker.storage import CorruptLog, NightComparison, NightCopy, NightRow, StalePlan, Store
from tracker.storage.backups import Backup


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

    @property
    def added(self) -> list[NightComparison]:
        """The nights that would get events."""
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


@dataclass(frozen=True)
class RestoreResult:
    """The result of `restore_missing`."""

    plan: RestorePlan
    """What was added."""
    backup_before: Backup
    """A backup of all nights made just before."""


def plan_restore(tables: Nights, path: Path) -> RestorePlan:
    """Return what merging the backup at `path` would add. Raises Unreadable when it can't be opened, NotRead."""
    nights, unreadable = [], []
    with closing(Store(path, read_only=True)) as copy:
        for row in copy.nights():
            try:
                night = copy.night_copy(row)
                check_replay(night)
                # These settings name devices by ids that are valid in that file only.
                of_devices = (
                    NightSettings.admissions.prefix,
                    NightSettings.old_tokens.prefix,
                    NightSettings.table_offer.key,
                )
                lasting = {key: text for key, text in night.settings.items() if not key.startswith(of_devices)}
                nights.append(replace(night, settings=lasting))
            except (CorruptLog, TableError, ValueError):
                unreadable.append(row)
        presets = tables.library.missing_from(PresetLibrary(copy))
        people = [] if tables.store.people.rows() else copy.people.stored()
    return RestorePlan(nights, tables.store.compare(nights), unreadable, presets, people)


def check_replay(night: NightCopy) -> None:
    """Raise TableError or ValueError unless a night can be replayed, since a merged night can't be deleted."""
    preset = preset_from(json.loads(night.row.preset)).with_options(json.loads(night.row.options))
    replay_log(night.row.code, preset, [from_row(event) for event in night.events])


def restore_missing(tables: Nights, path: Path, fingerprint: str) -> RestoreResult:
    """Add everything that `plan_restore` returned, or nothing, after a backup of all nights.

    Raises StalePlan when the plan's fingerprint differs, NotSaved when the disk failed.
    """
    found = plan_restore(tables, path)
    if tables.backups is None or found.is_empty or found.fingerprint != fingerprint:
        raise StalePlan
    backup_before = tables.backups.make()
    presets = FolderSettings.own_presets.texts({preset.id: preset for preset in found.presets})
    tables.store.add_missing(found.nights, found.compared, presets, found.people)
    tables.reload(one.code for one in found.added)
    return RestoreResult(found, backup_before)
