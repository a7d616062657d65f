"""Nights to and from night files: the preset, the options, the name and the log."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

from tracker.core import log
from tracker.core.errors import N_, AlreadyDone, Malformed, Refused, TableError, Unknown
from tracker.core.events import KINDS, Amend, Event, Sit, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.formats.codec import amended, entry_from, entry_to, preset_from, preset_to
from tracker.formats.text import LARGEST_FILE, UnreadableError, brief, clean_text, json_value

FORMAT, VERSION = "board-tracker-night", 1


class NightLimits(NamedTuple):
    """How large a night may be; asked when an event is recorded, and when a file is imported."""

    events: float
    """A long evening has a thousand."""
    work: float
    """What playing it again as it was recorded may take, in events applied times people: see `LogSize`."""
    bytes: float
    """Of the events in a night file, without its head."""


MOST = NightLimits(events=10_000, work=500_000, bytes=LARGEST_FILE - 100_000)
"""Of every night: 60 corrections of the first of a thousand events of eight people."""
MOST_OF_PLAYERS = NightLimits(*(most * 0.8 for most in MOST))
"""What is beyond this is left to the host, so that no player can fill a night."""
UNLIMITED = NightLimits(inf, inf, inf)
READ_PER_APPLIED = 30
"""How many entries are read in the time of one event that is applied; a correction is taken to read all before it."""
LONGEST_NIGHT_NAME = 200
LINE_END = ",\n  "
BETWEEN_LINES = len(LINE_END)

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
    group: str = ""
    """The name of the group whose night it is; empty for none."""
    fault: Refused | None = None
    """What is wrong with the event after the last of `entries`."""
    lines: tuple[int, ...] = ()
    """The line of each entry, from 1: a repeated id is one entry, and has two lines."""


class LogSize:
    """How large a log is, known without playing it; `add` is called for one entry after the other."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._size = NightLimits(0, 0, 0)
        self._seats: set[str] = set()
        self._applied = [0]
        """For each number of an entry: how many of the entries up to it are no corrections."""
        self.corrections = log.CorrectionIndex()
        with suppress(Unknown):  # who plays the log gets no further either
            for entry in entries:
                self.add(entry)

    def add(self, entry: Entry) -> None:
        """Count one more entry. Raises Unknown when it corrects none of those before it."""
        self._size = self.with_entry(entry)
        self.corrections.add(entry)
        if isinstance(entry.event, Sit):
            self._seats.add(entry.event.seat)
        self._applied.append(self._applied[-1] + (not isinstance(entry.event, Undo | Amend)))

    def with_entry(self, entry: Entry) -> NightLimits:
        """Return the size with one more entry; a correction counts as the later events again, and all entries read."""
        work = 1.0
        if isinstance(entry.event, Undo | Amend):
            after = self._applied[-1] - self._applied[self.corrections.root_of(entry.event.event) - 1]
            work += after + self._size.events / READ_PER_APPLIED
        line = json.dumps(entry_to(entry), ensure_ascii=False)
        return NightLimits(
            self._size.events + 1,
            self._size.work + work * max(1, len(self._seats)),
            self._size.bytes + len(line.encode()) + BETWEEN_LINES,
        )

    @property
    def size(self) -> NightLimits:
        return self._size

    def check(self, most: NightLimits) -> None:
        """Raise UnreadableError when a night is larger than `most`."""
        if self._size.events > most.events:
            counts = {"most": f"{most.events:,}", "count": f"{self._size.events:,}"}
            raise UnreadableError("a night has at most {most} events, not {count}", **counts)
        if self._size.work > most.work:
            raise UnreadableError(
                "playing this night again takes too long: {corrections} corrections, {people} people",
                corrections=len(self.corrections.roots),
                people=len(self._seats),
            )
        if self._size.bytes > most.bytes:
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
    preset = preset_of(written, options, find_preset)
    as_written = written if isinstance(written, str) else preset_to(preset_from(written))
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
        raise AlreadyDone("the id {id!r} is event {number}’s already", id=again.id, number=line, field="id")


def night_to(
    preset: str | Mapping[str, Any],
    options: Mapping[str, Any],
    entries: Iterable[Entry],
    name: str = "",
    group: str = "",
) -> str:
    """Return the text of a night file."""
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "preset": preset}
    if name:
        head["name"] = name
    if group:
        head["group"] = group
    if options:
        head["options"] = dict(options)
    lines = LINE_END.join(json.dumps(entry_to(entry), ensure_ascii=False) for entry in entries)
    body = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
    return f'{body},\n "events": [\n  {lines}\n ]\n}}\n' if lines else f'{body},\n "events": []\n}}\n'
