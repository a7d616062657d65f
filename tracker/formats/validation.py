"""What comes from outside made into events and presets: strict about types, unknown keys, lengths and ranges."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from types import UnionType
from typing import Any, get_args, get_origin

from cattrs import Converter, transform_error
from cattrs.errors import BaseValidationError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override

from tracker.core import events
from tracker.core.cards import Holding
from tracker.core.errors import N_, Fault, Faults, Malformed, WordedError
from tracker.core.house_rules import MOST_CHIPS
from tracker.core.preset import RANGE
from tracker.formats.text import brief, clean_text, printable

MOST_CENTS = 1_000_000_000_000
"""In one payment: more than all chips of a night can be worth."""


def structured(value: object, kind: type[Any]) -> tuple[Any, Faults]:
    """Return `value` as a `kind`, or None and every fault with the path to its field."""
    try:
        return _converter().structure(value, kind), Faults(())
    except (BaseValidationError, ValueError) as error:
        return None, Faults(_faults(error))


def _faults(error: BaseException) -> list[Fault]:
    found: list[WordedError] = []

    def numbered(one: BaseException, _: type[Any] | None) -> str:
        found.append(_what(one))
        return str(len(found) - 1)

    listed = transform_error(error, path="", format_exception=numbered)
    return [_at(found[int(number)], path) for number, _, path in (one.partition(" @ ") for one in listed)]


def _at(what: WordedError, path: str) -> Fault:
    field = path.removeprefix(".").replace("['", ".").replace("']", "")
    return Fault("{field}: {what}", field=field, what=what) if field else Fault("{what}", what=what)


def _what(error: BaseException) -> WordedError:
    if isinstance(error, ForbiddenExtraKeysError):
        return Fault("unknown field {names}", names=", ".join(repr(one) for one in sorted(error.extra_fields)))
    if isinstance(error, KeyError):
        return Fault("is missing")
    return error if isinstance(error, Malformed) else Fault("can't be read: {why}", why=str(error))


def _whole(value: object, low: int, high: int = MOST_CHIPS) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        shown = {"low": low, "high": f"{high:,}", "value": brief(value)}
        raise Malformed("must be a whole number from {low} to {high}, not {value}", **shown)
    return value


def _within(low: int, high: int, value: object, _: Any, *, is_optional: bool) -> int | None:
    """Return the number of a field that has its own bounds."""
    return None if value is None and is_optional else _whole(value, low, high)


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
    str: printable,
    int: lambda value: _whole(value, 0),
    bool: _flag,
}


@cache
def _converter() -> Converter:
    converter = Converter(detailed_validation=True, forbid_extra_keys=True)
    converter.register_structure_hook_factory(_is_optional, lambda kind: _optional(converter, kind))
    for kind, check in _CHECKS.items():
        _register(converter, kind, check)
    converter.register_structure_hook_func(
        lambda kind: kind == events.Held_Hand,
        lambda value, _: converter.structure(value, Holding if isinstance(value, dict) else events.Chips),
    )
    converter.register_structure_hook_factory(is_dataclass, lambda kind: _object(converter, kind))
    converter.register_structure_hook_factory(_is_origin(tuple), lambda kind: _guarded(converter, kind, list))
    converter.register_structure_hook_factory(_is_origin(Mapping), lambda kind: _guarded(converter, kind, dict))
    return converter


def _register(converter: Converter, kind: Any, check: Callable[[object], Any]) -> None:
    if isinstance(kind, type):
        # Looked up before any predicate: without this the library's own str(), int() and bool() would convert.
        converter.register_structure_hook(kind, lambda value, _: check(value))
    else:
        converter.register_structure_hook_func(lambda one: one == kind, lambda value, _: check(value))


def _object(converter: Converter, kind: type[Any]) -> Callable[[object, Any], Any]:
    """Text and numbers have no fields to look up; the generated code would stumble over them."""
    bounded: dict[str, Any] = {
        one.name: override(struct_hook=partial(_within, *one.metadata[RANGE], is_optional=one.default is None))
        for one in fields(kind)
        if RANGE in one.metadata
    }
    inner = make_dict_structure_fn(kind, converter, **bounded)

    def structure(value: object, _: Any) -> Any:
        if not isinstance(value, dict):
            raise Malformed("must be an object, not {value}", value=brief(value))
        return inner(value, kind)

    return structure


def _is_origin(wanted: type[Any]) -> Callable[[Any], bool]:
    return lambda kind: get_origin(kind) is wanted


def _is_optional(kind: Any) -> bool:
    return isinstance(kind, UnionType) and type(None) in get_args(kind)


def _optional(converter: Converter, kind: Any) -> Callable[[object, Any], Any]:
    inner = next(one for one in get_args(kind) if one is not type(None))
    return lambda value, _: None if value is None else converter.structure(value, inner)


def _guarded(converter: Converter, kind: Any, known: type) -> Callable[[object, Any], Any]:
    """Text is no list of letters and a list no object: left alone, both would be taken for one another."""
    arguments = get_args(kind)
    must = N_("must be a list, not {value}") if known is list else N_("must be an object, not {value}")
    inner: Any = list[arguments[0]] if known is list else dict[arguments[0], arguments[1]]  # type: ignore[valid-type]

    def structure(value: object, _: Any) -> Any:
        if not isinstance(value, known):
            raise Malformed(must, value=brief(value))
        made: Any = converter.structure(value, inner)
        return tuple(made) if known is list else made

    return structure
