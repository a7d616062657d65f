"""Nights out of night files: read strictly, and played."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from tracker.app.event_rows import new_id
from tracker.core import log
from tracker.core.errors import N_, AlreadyDone, Malformed, TableError
from tracker.core.events import KINDS, Amend, Event, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.formats.codec import amended, entry_from, preset_from, preset_to
from tracker.formats.night_file import FORMAT, LARGEST_FILE, MOST, VERSION, LogSize, NightLimits
from tracker.formats.text import brief, clean_text

UNLIMITED = NightLimits(inf, inf, inf)
LONGEST_NIGHT_NAME = 200

FindPreset = Callable[[str], Preset]


class Refused(TableError):
    """An event of a whole log that could not be recorded; `number` says which, `cause` and the reason why."""

    def __init__(self, number: int, kind: str, cause: TableError) -> None:
        super().__init__("event {number} ({kind}): {why}", reason=cause.code, number=number, kind=kind, why=cause)
        self.number = number
        self.cause = cause


@dataclass(frozen=True)
class NightFile:
    """A night as a file holds it: the preset as written, the options, and the log."""

    preset: Preset
    """With the options applied."""
    entries: tuple[Entry, ...]
    """Up to the first that is malformed."""
    preset_as_written: str | Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    """What the night is called; empty when the file does not say."""
    group: str = ""
    """The name of the group whose night it is; empty for none."""
    fault: Refused | None = None
    """What is wrong with the event after the last of `entries`."""
    lines: tuple[int, ...] = ()
    """The line of each entry, from 1: a repeated id is one entry, and has two lines."""


def check_size(size: LogSize, most: NightLimits) -> None:
    """Raise UnreadableError when a night is larger than `most`."""
    found = size.size
    if found.events > most.events:
        counts = {"most": f"{most.events:,}", "count": f"{found.events:,}"}
        raise UnreadableError("a night has at most {most} events, not {count}", **counts)
    if found.work > most.work:
        raise UnreadableError(
            "playing this night again takes too long: {corrections} corrections, {people} people",
            corrections=len(size.corrections.roots),
            people=len(size.seats),
        )
    if found.bytes > most.bytes:
        raise UnreadableError("the file is larger than {most} characters", most=f"{most.bytes:,}")


def night_from(text: str, find_preset: FindPreset, most: NightLimits = MOST) -> NightFile:
    """Return the night that a file's text holds.

    UnreadableError when it is no night file, PresetError or Unknown when its preset or options are wrong. A malformed
    event raises nothing here: it is the file's `fault`, met when everything before it has been played.
    """
    raw = json_value(text, LARGEST_FILE if most.bytes < inf else inf)
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise UnreadableError('this is no night: the file must hold an object with "format": "{format}"', format=FORMAT)
    if brief(raw.get("version")) != str(VERSION):
        version = brief(raw.get("version"))
        raise UnreadableError("version {version} of the night format is not known here", version=version)
    unknown = sorted(set(raw) - {"format", "version", "preset", "options", "events", "expect", "name", "group"})
    if unknown:
        raise UnreadableError("unknown field {names}", names=", ".join(map(brief, unknown)))
    name = _name_from(raw.get("name", ""), N_("the night’s name {why}"))
    group = _name_from(raw.get("group", ""), N_("the group’s name {why}"))
    listed, options = raw.get("events"), raw.get("options", {})
    if not isinstance(listed, list) or not isinstance(options, dict):
        raise UnreadableError("events must be a list and options an object")
    if len(listed) > most.events:
        counts = {"most": f"{most.events:,}", "count": f"{len(listed):,}"}
        raise UnreadableError("a night has at most {most} events, not {count}", **counts)
    written = raw.get("preset")
    base = find_preset(written) if isinstance(written, str) else preset_from(written)
    as_written = written if isinstance(written, str) else preset_to(base)
    preset = base.with_options(options) if options else base
    entries, lines, fault = _entries(listed)
    return NightFile(preset, tuple(entries), as_written, options, name, group, fault, tuple(lines))


def _name_from(raw: object, template: str) -> str:
    """Return a name; UnreadableError says by the template what is wrong with it."""
    try:
        return clean_text(raw, LONGEST_NIGHT_NAME)
    except Malformed as error:
        raise UnreadableError(template, why=error) from None


def states(read: NightFile) -> Iterator[Night]:
    """Yield the state after each event of a file; Refused names the first event that is malformed or does not fit."""
    steps = log.Steps(read.preset)
    played: list[Entry] = []
    for place, entry in enumerate(read.entries):
        try:
            night = log.record(played, entry, amended, steps)
        except TableError as cause:
            if isinstance(number := cause.facts.get("number"), int):
                cause.facts["number"] = read.lines[number - 1]
            raise Refused(read.lines[place], entry.event.kind, cause) from cause
        played.append(entry)
        yield night
    if read.fault:
        raise read.fault


def _entries(listed: list[Any]) -> tuple[list[Entry], list[int], Refused | None]:
    """Return the events up to the first malformed one, the line of each, and what is wrong with that one."""
    entries: list[Entry] = []
    lines: list[int] = []
    numbers: dict[int, int] = {}  # line -> number of its entry
    known: dict[str | None, Entry] = {}
    for line, raw in enumerate(listed, start=1):
        try:
            entry = entry_from(raw, len(entries) + 1)
            entry = replace(entry, event=_with_numbers(entry.event, numbers))
            if entry.id in known:
                _check_same(known[entry.id], entry, lines)
                numbers[line] = known[entry.id].number
                continue
        except TableError as cause:
            kind = raw.get("kind") if isinstance(raw, dict) else None
            fault = Refused(line, kind if isinstance(kind, str) and kind in KINDS else "?", cause)
            return entries, lines, fault
        numbers[line] = entry.number
        entries.append(entry)
        lines.append(line)
        if entry.id is not None:
            known[entry.id] = entry
    return entries, lines, None


def _with_numbers(event: Event, numbers: Mapping[int, int]) -> Event:
    """Return a correction that names a line of the file as one that names the number of its entry."""
    if isinstance(event, Undo | Amend) and isinstance(event.event, int):
        return replace(event, event=numbers.get(event.event, event.event))
    return event


def _check_same(known: Entry, again: Entry, lines: Sequence[int]) -> None:
    """The same id twice is one event; AlreadyDone when it is not the same."""
    if known.event != again.event:
        line = lines[known.number - 1]
        raise AlreadyDone("the id {id!r} is event {number}’s already", id=again.id, number=line, field="id")


def with_ids(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries with a unique id for each that has none."""
    listed = list(entries)
    taken = {entry.id for entry in listed}
    ids = (f"file-{entry.number}" for entry in listed)
    return [
        entry if entry.id else replace(entry, id=free if free not in taken else new_id())
        for entry, free in zip(listed, ids, strict=True)
    ]
