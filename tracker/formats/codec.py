"""Presets and events to and from JSON and TOML. Whatever comes in is checked here, fault by fault."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from typing import Any

import tomli_w

from tracker.core.errors import BadEvent, Malformed, PresetError
from tracker.core.events import KINDS, Event
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.formats.evening import moment_of
from tracker.formats.text import brief, clean_text
from tracker.formats.validation import checked, mended

LARGEST_EVENT, LARGEST_PRESET = 30_000, 10_000
"""In characters. Reading TOML takes time with the square of its length: a hostile 10,000 take a third of a second."""
LONGEST_LABELS = {"id": 100, "at": 40, "by": 100}

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
    event_text(raw)
    return checked_event({key: value for key, value in raw.items() if key != "kind"}, KINDS[kind])


def checked_event(value: object, kind: type[Event]) -> Event:
    """Return the event of that kind with these fields, or one that has them; BadEvent names the field that is wrong."""
    made, wrong = mended(value, kind)
    if wrong:
        raise BadEvent("{faults}", faults=wrong, field=re.split(r"[.:\[]", str(wrong[0]))[0])
    assert isinstance(made, Event)
    return made


def event_text(raw: Mapping[str, Any]) -> str:
    """Return an event's JSON object as text; BadEvent where it is too long."""
    text = json.dumps(raw, ensure_ascii=False, default=str)
    if len(text) > LARGEST_EVENT:
        raise BadEvent("an event has at most {most} characters", most=f"{LARGEST_EVENT:,}", field="kind")
    return text


def event_to(event: Event) -> dict[str, Any]:
    """Return an event as a JSON object; fields that hold what they hold by default are left out."""
    return {"kind": event.kind, **_plain(event)}


def _plain(value: Any) -> Any:
    """Return plain JSON values; fields that stand at their default are left out."""
    if is_dataclass(value):
        defaults = {
            one.name: one.default if one.default_factory is MISSING else one.default_factory() for one in fields(value)
        }
        held = ((name, getattr(value, name)) for name in defaults)
        return {name: _plain(one) for name, one in held if one != defaults[name]}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


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
    return Entry(number, event_from({key: value for key, value in raw.items() if key not in LONGEST_LABELS}), **labels)


def checked_entry(entry: Entry) -> Entry:
    """Return an entry as it would be read back; BadEvent names the field that is wrong."""
    labels = {key: _label(key, getattr(entry, key) or None) for key in LONGEST_LABELS}
    return Entry(entry.number, checked_event(entry.event, type(entry.event)), **labels)


def _label(key: str, value: object) -> str | None:
    if value is None:
        return None
    try:
        text = clean_text(value, LONGEST_LABELS[key])
    except Malformed as error:
        raise BadEvent("{key}: {error}", key=key, error=error, field=key) from None
    if key == "at" and moment_of(text) is None:
        raise BadEvent("at: must be a moment such as 2026-11-20T20:15:00Z, not {value}", value=brief(value), field=key)
    if not text:
        raise BadEvent("{key}: must be some text, not {value}", key=key, value=brief(value), field=key)
    return text


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
    made, wrong = checked(raw, is_new=is_new)
    if made is None:
        raise PresetError("{faults}", faults=wrong)
    return made


def preset_to(preset: Preset) -> dict[str, Any]:
    """Return a preset as plain values, without what is as it is by default and what only a printed game's file says."""
    plain: dict[str, Any] = _plain(replace(preset, silent=()))
    return plain


def preset_from_toml(text: str) -> Preset:
    """Return the preset that a TOML text holds; PresetError with all faults, or why it can't be read."""
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
    return tomli_w.dumps(preset_to(preset))
