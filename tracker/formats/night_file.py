"""Nights to and from night files: the preset, the options, the name and the log."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from tracker.core import log
from tracker.core.errors import AlreadyDone, Malformed, Refused, TableError
from tracker.core.events import KINDS, Amend, Event, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.formats.codec import amended, entry_from, entry_to, preset_from, preset_to
from tracker.formats.text import UnreadableError, brief, clean_text, json_value

FORMAT, VERSION = "board-tracker-night", 1
MOST_EVENTS = 10_000
"""In a file: a long evening has a thousand."""
MOST_WORK = 500_000
"""What playing an imported file may take, in events applied times people: 60 corrections of the first of a thousand."""
READ_PER_APPLIED = 30
"""How many entries are read in the time of one event that is applied; a correction is taken to read all before it."""
LONGEST_NIGHT_NAME = 200

FindPreset = Callable[[str], Preset]


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
    fault: Refused | None = None
    """What is wrong with the event after the last of `entries`."""
    lines: tuple[int, ...] = ()
    """The line of each entry, from 1: a repeated id is one entry, and has two lines."""


def night_from(text: str, find_preset: FindPreset) -> NightFile:
    """Return the night that a file's text holds.

    UnreadableError when it is no night file, PresetError or Unknown when its preset or options are wrong. A malformed
    event raises nothing here: it is the file's `fault`, met when everything before it has been played.
    """
    raw = json_value(text)
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise UnreadableError('this is no night: the file must hold an object with "format": "{format}"', format=FORMAT)
    if brief(raw.get("version")) != str(VERSION):
        version = brief(raw.get("version"))
        raise UnreadableError("version {version} of the night format is not known here", version=version)
    unknown = sorted(set(raw) - {"format", "version", "preset", "options", "events", "expect", "name"})
    if unknown:
        raise UnreadableError("unknown field {names}", names=", ".join(map(brief, unknown)))
    name = _name_from(raw.get("name", ""))
    listed, options = raw.get("events"), raw.get("options", {})
    if not isinstance(listed, list) or not isinstance(options, dict):
        raise UnreadableError("events must be a list and options an object")
    if len(listed) > MOST_EVENTS:
        counts = {"most": f"{MOST_EVENTS:,}", "count": f"{len(listed):,}"}
        raise UnreadableError("a night has at most {most} events, not {count}", **counts)
    written = raw.get("preset")
    preset = preset_of(written, options, find_preset)
    as_written = written if isinstance(written, str) else preset_to(preset_from(written))
    entries, lines, fault = _entries(listed)
    return NightFile(preset, tuple(entries), as_written, options, name, fault, tuple(lines))


def _name_from(raw: object) -> str:
    try:
        return clean_text(raw, LONGEST_NIGHT_NAME)
    except Malformed as error:
        raise UnreadableError("the night’s name {why}", why=error) from None


def states(read: NightFile, most_work: float = inf) -> Iterator[Night]:
    """Yield the state after each event of a file; Refused names the first event that is malformed or does not fit.

    Raises UnreadableError once more than `most_work` was done, in events applied times people.
    """
    night = Night(read.preset)
    steps = log.Steps()
    played: list[Entry] = []
    work = 0.0
    for place, entry in enumerate(read.entries):
        try:
            change = log.change(night, played, entry, amended, steps)
        except TableError as cause:
            if isinstance(number := cause.facts.get("number"), int):
                cause.facts["number"] = read.lines[number - 1]
            raise Refused(read.lines[place], entry.event.kind, cause) from cause
        change.onto(steps)
        played.append(entry)
        night = steps[-1][2] if steps else Night(read.preset)
        was_read = place if isinstance(entry.event, log.CORRECTIONS) else 0
        work += len(night.people) * (len(change.steps) + was_read / READ_PER_APPLIED)
        if work > most_work:
            facts = {"corrections": len(log.corrections_of(read.entries).named), "people": len(night.people)}
            raise UnreadableError(
                "playing this night again takes too long: {corrections} corrections, {people} people", **facts
            )
        yield night
    if read.fault:
        raise read.fault


def preset_of(written: object, options: Mapping[str, Any], find_preset: FindPreset) -> Preset:
    """Return the preset that a night names or holds, with its options applied."""
    preset = find_preset(written) if isinstance(written, str) else preset_from(written)
    return preset.with_options(options) if options else preset


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
        raise AlreadyDone("the id {id!r} is event {number}'s already", id=again.id, number=line, field="id")


def night_to(
    preset: str | Mapping[str, Any], options: Mapping[str, Any], entries: Iterable[Entry], name: str = ""
) -> str:
    """Return the text of a night file."""
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "preset": preset}
    if name:
        head["name"] = name
    if options:
        head["options"] = dict(options)
    lines = ",\n  ".join(json.dumps(entry_to(entry), ensure_ascii=False) for entry in entries)
    body = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
    return f'{body},\n "events": [\n  {lines}\n ]\n}}\n' if lines else f'{body},\n "events": []\n}}\n'
