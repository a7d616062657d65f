"""Presets and events to and from JSON and TOML: strict about types, unknown keys, lengths and ranges.

An event or preset that the program has made itself is checked by the same readers. Of a preset every fault is found, by
type and by meaning, in one list: for files, codes, commands and the editor. A fault's fact `field` is then the name of
the form's field to mend: `pot.7.cards`, `stop.fine`, `seats.max`.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, get_args, get_origin, get_type_hints

import tomli_w

from tracker.core import events
from tracker.core.errors import BadEvent, Fault, Faults, Malformed, PresetError, WordedError
from tracker.core.events import KINDS, Event
from tracker.core.game import GAMES
from tracker.core.house_rules import HOUSE_RULES, ID, MOST_CHIPS
from tracker.core.log import Entry
from tracker.core.preset import RANGE, Preset
from tracker.core.preset_faults import faults as faults_of, new_preset_faults
from tracker.formats.evening import moment_of
from tracker.formats.text import brief, clean_text, printable

LARGEST_EVENT, LARGEST_PRESET = 30_000, 10_000
"""In characters. Reading TOML takes time with the square of its length: a hostile 10,000 take a third of a second."""
LONGEST_LABELS = {"id": 100, "at": 40, "by": 100}
_STAND_IN_NUMBER = 2
_ROWS = {"pots": "pot", "dues": "due", "chips": "chip", "round_cards": "round"}
MOST_CENTS = 1_000_000_000_000
"""In one payment: more than all chips of a night can be worth."""


def mended(value: object, kind: Any) -> tuple[Any, Faults]:
    """Return `value` as a `kind` without what can't be read of it, and every fault with the path to its field.

    `value` is what JSON or TOML says, or an object of that kind already, which is checked. A field that is needed and
    can't be read has a value that no other one has.
    """
    faults: list[Fault] = []
    made = _reader(kind)(value, "", faults)
    return made, Faults(faults)


Reader = Callable[[object, str, list[Fault]], Any]
"""Returns what a value is read as, given the path to it; adds to the list what is wrong with it.

What can't be read is None, in an object its default; a list or a mapping is what can be read of it, or None.
"""


def _refuse(what: WordedError, path: str, faults: list[Fault]) -> None:
    faults.append(Fault("{field}: {what}", field=path, what=what) if path else Fault("{what}", what=what))


def _whole(value: object, low: int, high: int = MOST_CHIPS) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        shown = {"low": low, "high": f"{high:,}", "value": brief(value)}
        raise Malformed("must be a whole number from {low} to {high}, not {value}", **shown)
    return value


def _number_or_text(value: object) -> int | str:
    """Return the number or the id of an event, or the value of a house rule, which knows its own bounds."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed("must be a whole number or a text, not {value}", value=brief(value))
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Malformed("must be true or false, not {value}", value=brief(value))
    return value


def _seat_id(value: object) -> str:
    if not isinstance(value, str) or not events.SEAT_ID.fullmatch(value):
        raise Malformed("must be 1 to 32 of a-z, 0-9 and -, not {value}", value=brief(value))
    return value


def _name(value: object) -> str:
    name = clean_text(value, LONGEST[events.Name])
    if not name:
        raise Malformed("must not be empty")
    return name


RANGES: Mapping[Any, tuple[int, int]] = {
    events.Chips: (0, MOST_CHIPS),
    events.Score: (-MOST_CHIPS, MOST_CHIPS),
    events.Amount: (1, MOST_CHIPS),
    events.Cents: (1, MOST_CENTS),
}
"""The whole numbers that a field of an event may hold, by its type."""
LONGEST: Mapping[Any, int] = {events.Name: 40, events.Text: 200}
"""Characters of a text, by its type."""
_CHECKS: Mapping[Any, Callable[[object], Any]] = {
    **{kind: partial(_whole, low=low, high=high) for kind, (low, high) in RANGES.items()},
    events.SeatId: _seat_id,
    events.Name: _name,
    events.Text: lambda value: clean_text(value, LONGEST[events.Text]),
    int | str: _number_or_text,
    Any: lambda value: value,
    str: printable,
    int: lambda value: _whole(value, 0),
    bool: _flag,
}


@cache
def _reader(kind: Any) -> Reader:
    """Return what reads values of a type; TypeError for a type that no field of an event or preset has."""
    if kind in _CHECKS:
        return _single(_CHECKS[kind])
    if is_dataclass(kind) and isinstance(kind, type):
        return _object(kind)
    arguments = get_args(kind)
    if get_origin(kind) is tuple:
        return _list(_reader(arguments[0]))
    if get_origin(kind) is Mapping:
        return _mapping(*map(_reader, arguments))
    inner, other = arguments
    if is_dataclass(other) and isinstance(other, type):  # a number, or a record in place of it
        plain, record = _reader(inner), _reader(other)
        return lambda value, path, faults: (record if isinstance(value, dict | other) else plain)(value, path, faults)
    if other is not type(None):
        raise TypeError(f"{kind} can't be read")
    return _optional(_reader(inner))


def _single(check: Callable[[object], Any]) -> Reader:
    def read(value: object, path: str, faults: list[Fault]) -> Any:
        try:
            return check(value)
        except Malformed as what:
            return _refuse(what, path, faults)

    return read


def _optional(inner: Reader) -> Reader:
    return lambda value, path, faults: None if value is None else inner(value, path, faults)


def _list(inner: Reader) -> Reader:
    def read(value: object, path: str, faults: list[Fault]) -> Any:
        if not isinstance(value, list | tuple):  # text is no list of letters
            return _refuse(Malformed("must be a list, not {value}", value=brief(value)), path, faults)
        items = tuple(inner(item, f"{path}[{at}]", faults) for at, item in enumerate(value))
        return None if None in items else items

    return read


def _mapping(key_reader: Reader, inner: Reader) -> Reader:
    def read(value: object, path: str, faults: list[Fault]) -> Any:
        if not isinstance(value, Mapping):
            return _refuse(Malformed("must be an object, not {value}", value=brief(value)), path, faults)
        made, known = {}, len(faults)
        for key, item in value.items():
            at = f"{path}.{repr(key)[1:-1]}"
            made[key_reader(key, at, faults)] = inner(item, at, faults)
        return made if len(faults) == known else {key: one for key, one in made.items() if None not in (key, one)}

    return read


def _object(kind: type[Any]) -> Reader:
    hints = get_type_hints(kind)
    readers = {one.name: (one, hints[one.name], _field_reader(one, hints[one.name])) for one in fields(kind)}

    def read(value: object, path: str, faults: list[Fault]) -> Any:
        found = vars(value) if isinstance(value, kind) else value
        if not isinstance(found, dict):
            _refuse(Malformed("must be an object, not {value}", value=brief(value)), path, faults)
            found, faults = {}, [*faults]  # what it lacks is not told
        made = {}
        for name, (one, hint, reader) in readers.items():
            at, known = f"{path}.{name}" if path else name, len(faults)
            if name in found:
                made[name] = reader(found[name], at, faults)
            elif one.default is one.default_factory is MISSING:
                _refuse(Fault("is missing"), at, faults)
            if made.get(name) is None and len(faults) > known:
                made[name] = _stand_in(one, hint, len(faults))
        if unknown := found.keys() - readers.keys():
            _refuse(Fault("unknown field {names}", names=", ".join(map(repr, sorted(unknown)))), path, faults)
        return kind(**made)

    return read


def _stand_in(one: Field[Any], hint: Any, number: int) -> Any:
    """Return the default of a field, or a value of its type that has another number than others."""
    if one.default_factory is not MISSING:
        return one.default_factory()
    if one.default is not MISSING:
        return one.default
    if is_dataclass(hint) and isinstance(hint, type):
        return _reader(hint)({}, "", [])
    return f"x{number}" if hint is str else _STAND_IN_NUMBER


def _field_reader(one: Field[Any], hint: Any) -> Reader:
    """Return what reads a field: by the field's own bounds where it has some."""
    if RANGE not in one.metadata:
        return _reader(hint)
    low, high = one.metadata[RANGE]
    inner = _single(partial(_whole, low=low, high=high))
    return _optional(inner) if one.default is None else inner


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
    """Return the preset that plain values describe; PresetError lists all faults. A new one is checked strictly."""
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


def checked(raw: object, *, is_new: bool) -> tuple[Preset | None, Faults]:
    """Return the preset that plain values describe, or None, and all faults. A new one is checked more strictly."""
    made, wrong = mended(raw, Preset)
    broken = [form_field(str(fault.facts.get("field", ""))) for fault in wrong]
    is_of_a_game = isinstance(raw, dict) and "game" not in broken  # else there is nothing to go by
    found = [*preset_faults(made, is_new=is_new)] if is_of_a_game else []
    meant = [fault for fault in found if not _is_about(str(fault.facts.get("field")), broken)]
    listed = Faults([*(_named(fault, raw) for fault in wrong), *meant])
    return (None if listed else made), listed


def preset_faults(preset: Preset, *, is_new: bool = True) -> Iterator[Fault]:
    """Yield what is wrong with a preset whose values have the right types."""
    yield from faults_of(preset)
    if is_new and preset.game in HOUSE_RULES:
        known = HOUSE_RULES[preset.game]
        fit = {key: value for key, value in preset.rules.items() if key in known and not known[key].fault(value)}
        yield from new_preset_faults(replace(preset, rules=fit))
        yield from _base_faults(preset)


def _base_faults(preset: Preset) -> Iterator[Fault]:
    is_id = preset.base and ID.fullmatch(preset.base)
    if is_id and preset_file(preset.base) is None:
        yield Fault("base {base!r} is no game that comes with the tracker", base=preset.base, field="base")


def preset_file(preset_id: str) -> Traversable | None:
    """Return the TOML file of a preset that comes with the tracker or one of its extras; None when there is none."""
    folders = (files("tracker.presets"), *(files(game.package) / "presets" for game in GAMES.values() if game.package))
    return next((file for folder in folders if (file := folder / f"{preset_id}.toml").is_file()), None)


def form_field(path: str) -> str:
    """Return the name of the form's field for a path in the file: `pot.7.cards` for `pots[7].cards`."""
    return re.sub(r"^(\w+)\[(\d+)\]", lambda found: f"{_ROWS.get(found[1], found[1])}.{found[2]}", path).removeprefix(
        "rules."
    )


def _is_about(field: str, broken: Iterable[str]) -> bool:
    """Return whether a fault follows from a field that could not be read."""
    return any(f"{field}.".startswith(f"{one}.") or one.startswith(f"{field}.") for one in broken if one)


def _named(fault: WordedError, raw: Any) -> Fault:
    """Return a fault of type with its form's field, the name of its place, and house rules with their quotes."""
    path = str(fault.facts.get("field", ""))
    field = form_field(path)
    if path.startswith("rules.") and isinstance(value := raw["rules"].get(field), Mapping) and value:
        key = f"{field}.{next(iter(value))}"
        return Fault('rules: write "{key}" with its quotes, as one word', key=key, field=key)
    if not path:
        return Fault("{what}", what=fault, field="")
    row = re.match(r"(\w+)\[(\d+)\]", path)
    rows = raw[row[1]] if row else []
    name = rows[int(row[2])].get("name") if row and isinstance(rows[int(row[2])], dict) else None
    place = f"{path} ({name})" if isinstance(name, str) else path
    return Fault("{place}: {what}", place=place, what=fault.facts["what"], field=field)
