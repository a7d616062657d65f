"""Presets, events and nights to and from JSON and TOML. Whatever comes in is checked here, fault by fault."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import tomli_w

from tracker.core.cards import Holding
from tracker.core.errors import BadEvent, PresetError
from tracker.core.events import KINDS, Event
from tracker.core.log import Entry
from tracker.core.preset import Preset, faults
from tracker.strict import brief, clean_text, structured

FORMAT, VERSION = "board-tracker-night", 1
LARGEST_FILE, LARGEST_PRESET = 4_000_000, 32_000
_LABELS = ("id", "at", "by")

FindPreset = Callable[[str], Preset]


class UnreadableError(ValueError):
    """The text is no night or preset: it can't be read, or its frame is wrong."""


@dataclass(frozen=True)
class NightFile:
    """A night as a file holds it: the preset as written, the options, and the log."""

    preset: Preset
    """With the options applied."""
    entries: tuple[Entry, ...]
    preset_as_written: str | Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)


# Events


def event_from(raw: object) -> Event:
    """Return the event that a JSON object describes; BadEvent names the field that is wrong."""
    if not isinstance(raw, dict):
        raise BadEvent("an event is an object with a kind, not {raw}", raw=brief(raw), field="kind")
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadEvent("there is no kind of event {kind}", kind=brief(kind), field="kind")
    made, wrong = structured({key: value for key, value in raw.items() if key != "kind"}, KINDS[kind])
    if wrong:
        raise BadEvent("{faults}", faults="; ".join(wrong), field=wrong[0].partition(":")[0].partition(".")[0])
    assert isinstance(made, Event)
    return made


def event_to(event: Event) -> dict[str, Any]:
    """Return an event as a JSON object; fields that hold nothing of their own are left out."""
    raw: dict[str, Any] = {"kind": event.kind}
    for one in fields(event):
        value = getattr(event, one.name)
        if value not in (None, (), {}, "", False) and not (one.name == "jokers" and value == 0):
            raw[one.name] = _plain(value)
    for needed in ("seats", "winners", "stacks", "hands", "change"):
        if hasattr(event, needed):
            raw[needed] = _plain(getattr(event, needed))
    return raw


def _plain(value: Any) -> Any:
    if isinstance(value, Holding):
        return {key: _plain(held) for key, held in asdict(value).items() if held}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def amended(event: Event, change: Mapping[str, Any]) -> Event:
    """Return `event` with some fields replaced by raw values, null clearing one; BadEvent as for a new event."""
    if not change or "kind" in change:
        raise BadEvent("change names the fields to correct, and the kind can't be one", field="change")
    raw = {**event_to(event), **change}
    return event_from({key: value for key, value in raw.items() if value is not None})


def entry_from(raw: object, number: int) -> Entry:
    """Return a line of the log; BadEvent names the field that is wrong."""
    if not isinstance(raw, dict):
        raise BadEvent("an event is an object with a kind, not {raw}", raw=brief(raw), field="kind")
    labels: dict[str, str | None] = {}
    for key in _LABELS:
        try:
            labels[key] = clean_text(raw[key], 100) if raw.get(key) is not None else None
        except ValueError as error:
            raise BadEvent("{key}: {error}", key=key, error=str(error), field=key) from None
    event = event_from({key: value for key, value in raw.items() if key not in _LABELS})
    return Entry(number, event, **labels)


def entry_to(entry: Entry) -> dict[str, Any]:
    labels = {key: getattr(entry, key) for key in _LABELS if getattr(entry, key) is not None}
    return {**event_to(entry.event), **labels}


# Presets


def preset_from(raw: object) -> Preset:
    """Return the preset that plain values describe; PresetError lists everything that is wrong with it."""
    made, wrong = structured(raw, Preset)
    if made is not None:
        wrong = faults(made)
    if wrong:
        raise PresetError("{faults}", faults="; ".join(wrong), all=wrong)
    assert isinstance(made, Preset)
    return made


def preset_to(preset: Preset) -> dict[str, Any]:
    """Return a preset as plain values, without what is empty."""
    return {key: _without_empty(value) for key, value in asdict(preset).items() if value not in ("", (), {}, 0)}


def _without_empty(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_empty(item) for key, item in value.items() if item not in ("", ())}
    return [_without_empty(item) for item in value] if isinstance(value, tuple | list) else value


def preset_from_toml(text: str) -> Preset:
    """Return the preset that a TOML text holds; PresetError with all faults, or why it can't be read."""
    if len(text) > LARGEST_PRESET:
        raise PresetError("a preset has at most {most} characters", most=LARGEST_PRESET)
    try:
        return preset_from(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PresetError("this is no preset file: {error}", error=str(error)) from None


def preset_to_toml(preset: Preset) -> str:
    return tomli_w.dumps(preset_to(preset))


# Nights


def json_value(text: str) -> Any:
    """Return what a JSON text says, refusing what a strict reader refuses; UnreadableError says why."""
    if len(text) > LARGEST_FILE:
        raise UnreadableError(f"the file is larger than {LARGEST_FILE:,} characters")
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_distinct_keys)
    except RecursionError:
        raise UnreadableError("the file is nested too deeply") from None
    except ValueError as error:
        raise UnreadableError(f"this is not JSON: {error}") from None


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no number here")


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def night_from(text: str, find_preset: FindPreset) -> NightFile:
    """Return the night that a file's text holds.

    UnreadableError when it is no night file; BadEvent (with `number` among its facts), PresetError or Unknown when
    something in it is wrong.
    """
    raw = json_value(text)
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise UnreadableError(f'this is no night: the file must hold an object with "format": "{FORMAT}"')
    if raw.get("version") != VERSION:
        raise UnreadableError(f"version {brief(raw.get('version'))} of the night format is not known here")
    unknown = sorted(set(raw) - {"format", "version", "preset", "options", "events", "expect", "name"})
    if unknown:
        raise UnreadableError(f"unknown field {', '.join(map(repr, unknown))}")
    listed, options = raw.get("events"), raw.get("options", {})
    if not isinstance(listed, list) or not isinstance(options, dict):
        raise UnreadableError("events must be a list and options an object")
    written = raw.get("preset")
    preset = preset_of(written, options, find_preset)
    as_written = written if isinstance(written, str) else dict(written or {})
    return NightFile(preset, tuple(_entries(listed)), as_written, options)


def preset_of(written: object, options: Mapping[str, Any], find_preset: FindPreset) -> Preset:
    """Return the preset that a night names or holds, with its options applied."""
    preset = find_preset(written) if isinstance(written, str) else preset_from(written)
    return preset.with_options(options) if options else preset


def _entries(listed: list[Any]) -> Iterable[Entry]:
    seen: set[str] = set()
    number = 0
    for raw in listed:
        number += 1
        try:
            entry = entry_from(raw, number)
        except BadEvent as error:
            kind = raw.get("kind", "?") if isinstance(raw, dict) else "?"
            raise BadEvent(
                "event {number} ({kind}): {cause}", number=number, kind=kind, cause=str(error), field=error.field
            ) from None
        if entry.id is not None and entry.id in seen:
            number -= 1  # the same id twice is one event
            continue
        seen |= {entry.id} if entry.id is not None else set()
        yield entry


def night_to(preset: str | Mapping[str, Any], options: Mapping[str, Any], entries: Iterable[Entry]) -> str:
    """Return the text of a night file."""
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "preset": preset}
    if options:
        head["options"] = dict(options)
    lines = ",\n  ".join(json.dumps(entry_to(entry), ensure_ascii=False) for entry in entries)
    body = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
    return f'{body},\n "events": [\n  {lines}\n ]\n}}\n' if lines else f'{body},\n "events": []\n}}\n'
