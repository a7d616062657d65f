"""Presets, events and nights to and from JSON and TOML. Whatever comes in is checked here, fault by fault."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from math import inf
from typing import Any

from tracker.core import log
from tracker.core.errors import AlreadyDone, BadEvent, Faults, Malformed, PresetError, Refused, TableError
from tracker.core.events import KINDS, Amend, Event, Undo
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.log import Entry
from tracker.core.new_preset_faults import new_preset_faults
from tracker.core.night import Night
from tracker.core.preset import Preset, faults, rule_faults
from tracker.formats.text import UnreadableError, brief, clean_text, json_value

FORMAT, VERSION = "board-tracker-night", 1
LARGEST_EVENT, LARGEST_PRESET = 30_000, 10_000
"""In characters. Reading TOML takes time with the square of its length: a hostile 10,000 take a third of a second."""
MOST_EVENTS = 10_000
"""In a file: a long evening has a thousand."""
MOST_WORK = 500_000
"""What playing an imported file may take, in events applied times people: 60 corrections of the first of a thousand."""
READ_PER_APPLIED = 30
"""How many entries a correction reads again in the time of one event that is applied."""
LONGEST_NIGHT_NAME = 200
LONGEST_LABELS = {"id": 100, "at": 40, "by": 100}

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


# Events


def event_from(raw: object) -> Event:
    """Return the event that a JSON object describes; BadEvent names the field that is wrong."""
    if not isinstance(raw, dict):
        raise BadEvent("an event is an object with a kind, not {raw}", raw=brief(raw), field="kind")
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadEvent("there is no kind of event {kind}", kind=brief(kind), field="kind")
    unknown = sorted(set(raw) - {"kind"} - {one.name for one in fields(KINDS[kind])})
    if unknown:
        named = ", ".join(map(brief, unknown))
        raise BadEvent("unknown field {names}", names=named, field=unknown[0])
    if len(json.dumps(raw, ensure_ascii=False, default=str)) > LARGEST_EVENT:
        raise BadEvent("an event has at most {most} characters", most=f"{LARGEST_EVENT:,}", field="kind")
    made, wrong = _structured({key: value for key, value in raw.items() if key != "kind"}, KINDS[kind])
    if wrong:
        raise BadEvent("{faults}", faults=wrong, field=re.split(r"[.:\[]", str(wrong[0]))[0])
    assert isinstance(made, Event)
    return made


def event_to(event: Event) -> dict[str, Any]:
    """Return an event as a JSON object; fields that hold what they hold by default are left out."""
    return {"kind": event.kind, **_plain(event)}


def _plain(value: Any) -> Any:
    """Return plain JSON values; fields that stand at their default are left out."""
    if is_dataclass(value):
        told = ((one.name, getattr(value, one.name), _default(one)) for one in fields(value))
        return {name: _plain(held) for name, held, default in told if held != default}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default


def _structured(raw: object, kind: type[Any]) -> tuple[Any, Faults]:
    """Return `raw` as a `kind`, or None and its faults."""
    from tracker.formats.validation import structured  # noqa: PLC0415 - the first page reads no night

    return structured(raw, kind)


def amended(event: Event, change: Mapping[str, Any]) -> Event:
    """Return `event` with some fields replaced by raw values, null clearing one; BadEvent as for a new event."""
    unknown = sorted(set(change) - {one.name for one in fields(event)})
    if unknown:
        raise BadEvent("{kind} has no field {name}", kind=event.kind, name=brief(unknown[0]), field="change")
    raw = {**event_to(event), **change}
    return event_from({key: value for key, value in raw.items() if value is not None})


def entry_from(raw: object, number: int) -> Entry:
    """Return a line of the log; BadEvent names the field that is wrong."""
    if not isinstance(raw, dict):
        raise BadEvent("an event is an object with a kind, not {raw}", raw=brief(raw), field="kind")
    labels = {key: _label(key, raw.get(key)) for key in LONGEST_LABELS}
    event = event_from({key: value for key, value in raw.items() if key not in LONGEST_LABELS})
    return Entry(number, event, **labels)


def _label(key: str, value: object) -> str | None:
    if value is None:
        return None
    try:
        text = clean_text(value, LONGEST_LABELS[key])
    except Malformed as error:
        raise BadEvent("{key}: {error}", key=key, error=error, field=key) from None
    if key == "at" and not _is_moment(text):
        raise BadEvent("at: must be a moment such as 2026-11-20T20:15:00Z, not {value}", value=brief(value), field=key)
    if not text:
        raise BadEvent("{key}: must be some text, not {value}", key=key, value=brief(value), field=key)
    return text


def _is_moment(text: str) -> bool:
    try:
        return 1970 <= datetime.fromisoformat(text).year < 9999  # beyond, a clock of another zone can't show it
    except ValueError:
        return False


def entry_to(entry: Entry) -> dict[str, Any]:
    labels = {key: getattr(entry, key) for key in LONGEST_LABELS if getattr(entry, key) is not None}
    return {**event_to(entry.event), **labels}


# Presets


def preset_from(raw: object, *, is_new: bool = False) -> Preset:
    """Return the preset that plain values describe; PresetError lists everything that is wrong with it.

    One that is new, from a file or a code, is checked more strictly than those of stored nights.
    """
    if len(json.dumps(raw, ensure_ascii=False, default=str)) > LARGEST_PRESET:
        raise PresetError("a preset has at most {most} characters", most=f"{LARGEST_PRESET:,}")
    made, wrong = _structured(raw, Preset)
    if made is not None:
        found = faults(made)
        # An unknown kind of game or a misspelt rule leaves nothing that the stricter checks could go by.
        is_known = made.game in HOUSE_RULES and not rule_faults(made.game, made.rules)
        wrong = Faults([*found, *(new_preset_faults(made) if is_new and is_known else ())])
    if wrong:
        raise PresetError("{faults}", faults=wrong)
    assert isinstance(made, Preset)
    return made


def preset_to(preset: Preset) -> dict[str, Any]:
    """Return a preset as plain values, without what is as it is by default."""
    plain: dict[str, Any] = _plain(preset)
    return plain


def preset_from_toml(text: str) -> Preset:
    """Return the preset that a TOML text holds; PresetError with all faults, or why it can't be read."""
    import tomllib  # noqa: PLC0415 - most nights read no TOML

    if len(text) > LARGEST_PRESET:
        raise PresetError("a preset has at most {most} characters", most=f"{LARGEST_PRESET:,}")
    try:
        return preset_from(tomllib.loads(text), is_new=True)
    except RecursionError:
        raise PresetError("this is no preset file: it is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        what, _, where = str(error).rstrip(")").rpartition(" (at ")
        line, column = re.findall(r"\d+", where) or (text.count("\n") + 1, 1)
        facts: dict[str, Any] = {"line": line, "column": column, "what": what}
        raise PresetError("this is no preset file: line {line}, column {column} ({what})", **facts) from None
    except ValueError:  # numbers of thousands of digits
        raise PresetError("this is no preset file: a number in it is far too long") from None


def preset_to_toml(preset: Preset) -> str:
    import tomli_w  # noqa: PLC0415 - see preset_from_toml

    return tomli_w.dumps(preset_to(preset))


# Nights


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
    trail: log.Trail = []
    work = 0.0
    for place, entry in enumerate(read.entries):
        try:
            change = log.change(night, read.entries[:place], entry, amended, trail)
        except TableError as cause:
            if isinstance(number := cause.facts.get("number"), int):
                cause.facts["number"] = read.lines[number - 1]
            raise Refused(read.lines[place], entry.event.kind, cause) from cause
        change.onto(trail)
        night = trail[-1][2] if trail else Night(read.preset)
        was_read = place if isinstance(entry.event, log.CORRECTIONS) else 0
        work += len(night.people) * (len(change.steps) + was_read / READ_PER_APPLIED)
        if work > most_work:
            facts = {"corrections": len(log.references(read.entries)), "people": len(night.people)}
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
