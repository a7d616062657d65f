"""What comes from outside made into events and presets: strict about types, unknown keys, lengths and ranges.

An event or preset that the program has made itself is checked by the same readers.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache, partial
from typing import Any, get_args, get_origin, get_type_hints

from tracker.core import events
from tracker.core.cards import Holding
from tracker.core.errors import Fault, Faults, Malformed, WordedError
from tracker.core.house_rules import MOST_CHIPS
from tracker.core.preset import RANGE
from tracker.formats.text import brief, clean_text, printable

MOST_CENTS = 1_000_000_000_000
"""In one payment: more than all chips of a night can be worth."""


def structured(value: object, kind: Any) -> tuple[Any, Faults]:
    """Return `value` as a `kind`, or None and every fault with the path to its field.

    `value` is what JSON or TOML says, or an object of that kind already, which is checked.
    """
    faults: list[Fault] = []
    made = _reader(kind)(value, "", faults)
    return (None if faults else made), Faults(faults)


Reader = Callable[[object, str, list[Fault]], Any]
"""Returns what a value is read as, given the path to it; adds to the list what is wrong with it."""


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
    if kind == events.Held_Hand:
        chips, held = _reader(events.Chips), _reader(Holding)
        return lambda value, path, faults: (held if isinstance(value, dict | Holding) else chips)(value, path, faults)
    if is_dataclass(kind) and isinstance(kind, type):
        return _object(kind)
    arguments = get_args(kind)
    if get_origin(kind) is tuple:
        return _list(_reader(arguments[0]))
    if get_origin(kind) is Mapping:
        return _mapping(*map(_reader, arguments))
    inner, nothing = arguments
    if nothing is not type(None):
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
        return tuple(inner(item, f"{path}[{at}]", faults) for at, item in enumerate(value))

    return read


def _mapping(key_reader: Reader, inner: Reader) -> Reader:
    def read(value: object, path: str, faults: list[Fault]) -> Any:
        if not isinstance(value, Mapping):
            return _refuse(Malformed("must be an object, not {value}", value=brief(value)), path, faults)
        made = {}
        for key, item in value.items():
            at = f"{path}.{repr(key)[1:-1]}"
            made[key_reader(key, at, faults)] = inner(item, at, faults)
        return made

    return read


def _object(kind: type[Any]) -> Reader:
    hints = get_type_hints(kind)
    readers = {
        one.name: (_field_reader(one, hints[one.name]), one.default is one.default_factory is MISSING)
        for one in fields(kind)
    }

    def read(value: object, path: str, faults: list[Fault]) -> Any:
        found = vars(value) if isinstance(value, kind) else value
        if not isinstance(found, dict):
            return _refuse(Malformed("must be an object, not {value}", value=brief(value)), path, faults)
        made = {}
        for name, (reader, is_needed) in readers.items():
            at = f"{path}.{name}" if path else name
            if name in found:
                made[name] = reader(found[name], at, faults)
            elif is_needed:
                _refuse(Fault("is missing"), at, faults)
        if unknown := found.keys() - readers.keys():
            _refuse(Fault("unknown field {names}", names=", ".join(map(repr, sorted(unknown)))), path, faults)
        return None if faults else kind(**made)

    return read


def _field_reader(one: Field[Any], hint: Any) -> Reader:
    """Return what reads a field: by the field's own bounds where it has some."""
    if RANGE not in one.metadata:
        return _reader(hint)
    low, high = one.metadata[RANGE]
    inner = _single(partial(_whole, low=low, high=high))
    return _optional(inner) if one.default is None else inner
