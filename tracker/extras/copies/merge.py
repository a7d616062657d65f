"""Merge the nights of a copy into the data file: missing events are added, nothing is changed or deleted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from tracker.app.settings import TRUNCATION, Truncation
from tracker.extras._night_files.importing import insert_night
from tracker.storage.database import EVERYTHING, Database
from tracker.storage.errors import StoreError
from tracker.storage.rows import (
    EventRow,
    NightRow,
    first_hash,
    head_of,
    insert_event,
    seal_of_night,
    set_setting,
)
from tracker.storage.store import Store


class StalePlan(StoreError):
    """What the merge would add differs from what was shown; nothing was written."""

    def __init__(self) -> None:
        super().__init__("Something has changed meanwhile. Nothing was brought back yet: look again.")


@dataclass(frozen=True)
class NightCopy:
    """A night of a copy, hashes checked, without its devices: who was sent away since stays out."""

    row: NightRow
    events: Sequence[EventRow]
    settings: Mapping[str, str]


@dataclass(frozen=True)
class NightComparison(NightCopy):
    """A night of a copy compared with the night of the same code in the data file."""

    relation: str
    """Of the data file's night: `missing` or `shorter` (it gets events), `same`, `newer` or `other` (diverged)."""
    events_here: int
    """Number of events in the data file."""

    @property
    def is_incomplete(self) -> bool:
        return self.relation in ("missing", "shorter")


def compare(store: Store, nights: Iterable[NightCopy]) -> list[NightComparison]:
    """Compare each night of a copy with the night of the same code in the data file."""
    with store.connection.read() as db:
        return [_compare(db, night) for night in nights]


def _compare(db: Database, night: NightCopy) -> NightComparison:
    """Compare by number of events, and by the hash of the last common one."""
    return NightComparison(night.row, night.events, night.settings, *_relation(db, night.row, night.events))


def _relation(db: Database, row: NightRow, events: Sequence[EventRow]) -> tuple[str, int]:
    code, there = row.code, len(events)
    rows = [*db.table("night").rows_where("code = ?", [code])]
    if not rows:
        return "missing", 0
    here, _ = head_of(db, code)
    common = min(here, there)
    mine = [*db.table("event").rows_where("code = ? AND number = ?", [code, common])]
    last_hash = mine[0]["hash"] if mine else seal_of_night(rows[0])
    last_in_copy = events[common - 1].hash if common else first_hash(code, row.preset, row.options, row.created_at)
    if last_hash != last_in_copy:
        return "other", here
    return "same" if here == there else "newer" if here > there else "shorter", here


def add_missing(
    store: Store,
    shown: Sequence[NightComparison],
    settings: Mapping[str, str],
    people: Sequence[dict[str, Any]] = (),
    marks: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> None:
    """Add a copy's missing events, settings, `marks` by code and key, and people where there are none, at once.

    Raises StalePlan when the comparison is no longer as `shown`, NotSaved.
    """
    with store.connection.write(EVERYTHING) as db:
        compared = [_compare(db, one) for one in shown]
        if [one for one in compared if one.is_incomplete] != [one for one in shown if one.is_incomplete]:
            raise StalePlan
        for night in compared:
            if night.is_incomplete:
                _add_events(db, night)
                for key, value in marks.get(night.row.code, {}).items():
                    set_setting(db, night.row.code, key, value)
        for key, value in settings.items():
            db.table("setting").insert({"code": "", "key": key, "value": value}, ignore=True)
        if not db.table("person_change").count_where():
            for row in people:
                db.table("person_change").insert(row)


def _add_events(db: Database, night: NightComparison) -> None:
    """Add what is missing of a night; with it goes the note that it was truncated, or says so of fewer events."""
    code = night.row.code
    if night.relation == "missing":
        insert_night(db, night.row, night.events, night.settings)
        return
    _, before = head_of(db, code)
    for event in night.events[night.events_here :]:
        before = insert_event(db, code, event, before).hash
    for row in [*db.table("setting").rows_where("code = ? AND key = ?", [code, TRUNCATION])]:
        note = replace(Truncation.read(row["value"]), events=len(night.events))
        if note.aside:  # else it can't be read, and stays
            set_setting(db, code, TRUNCATION, note.text() if note.seen > note.events else None)
