"""JSON schemas made from types: those of the API's answers, and the kinds of events with their fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from tracker.core.cards import SUITS
from tracker.core.events import KINDS, SEAT_ID, SeatId
from tracker.core.games.penalties import OFFENCES
from tracker.core.games.rum_game import FAULTS
from tracker.core.house_rules import MOST_CHIPS
from tracker.formats.codec import LONGEST_LABELS
from tracker.formats.validation import LONGEST, RANGES
from tracker.web.api.answers import LogLine

Schema = dict[str, Any]

SIMPLE: Mapping[Any, Schema] = {
    Any: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    int | str: {"anyOf": [{"type": "integer", "minimum": 0, "maximum": MOST_CHIPS}, {"type": "string"}]},
    SeatId: {"type": "string", "pattern": f"^{SEAT_ID.pattern}$"},
    **{kind: {"type": "integer", "minimum": low, "maximum": high} for kind, (low, high) in RANGES.items()},
    **{kind: {"type": "string", "maxLength": longest} for kind, longest in LONGEST.items()},
}
WORDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("penalty", "offence"): (*OFFENCES, *FAULTS),
    ("penalty", "suit"): tuple(SUITS),
}
"""The words of a field that the core's type calls text, by the kind of event and the field."""


class Schemas:
    """Makes schemas, and keeps those of objects under their names, for references."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type."""
        if kind in SIMPLE:
            return SIMPLE[kind]
        if kind is LogLine:
            return self._reference("Event", self._event)
        if is_typeddict(kind):
            return self._reference(kind.__name__, lambda: self._typed_dict(kind))
        if is_dataclass(kind) and isinstance(kind, type):
            return self._reference(kind.__name__, lambda: self._object(self._dataclass_fields(kind)))
        return self._generic(get_origin(kind), get_args(kind))

    def _generic(self, origin: Any, arguments: tuple[Any, ...]) -> Schema:
        if origin is Annotated:
            return {**self.of(arguments[0]), "description": arguments[1]}
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(one) for one in arguments]}
        if origin in (list, tuple):
            return {"type": "array", "items": self.of(arguments[0])}
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        raise TypeError(f"no schema is known for {origin}")

    def _reference(self, name: str, make: Any) -> Schema:
        if name not in self.named:
            self.named[name] = {}  # a type that holds itself ends here
            self.named[name] = make()
        return {"$ref": f"#/components/schemas/{name}"}

    def _typed_dict(self, kind: Any) -> Schema:
        hints = get_type_hints(kind, include_extras=True)
        made: dict[str, tuple[Schema, bool]] = {}
        for name, hint in hints.items():
            is_optional = get_origin(hint) is NotRequired
            made[name] = self.of(get_args(hint)[0] if is_optional else hint), not is_optional
        return {**self._object(made), "description": kind.__doc__}

    def _object(self, made: Mapping[str, tuple[Schema, bool]]) -> Schema:
        """Return the schema of an object, from the schema of each field and whether it must be there."""
        return {
            "type": "object",
            "properties": {name: schema for name, (schema, _) in made.items()},
            "required": [name for name, (_, is_required) in made.items() if is_required],
            "additionalProperties": False,
        }

    def _dataclass_fields(self, kind: type[Any], word: str = "") -> dict[str, tuple[Schema, bool]]:
        hints = get_type_hints(kind)
        return {
            one.name: (
                {"enum": list(WORDS[word, one.name])} if (word, one.name) in WORDS else self.of(hints[one.name]),
                one.default is MISSING and one.default_factory is MISSING,
            )
            for one in fields(kind)
        }

    def _event(self) -> Schema:
        """Return the schema of any event: one of all kinds, which are told apart by their word."""
        labels = {
            label: ({"type": "string", "minLength": 1, "maxLength": longest}, False)
            for label, longest in LONGEST_LABELS.items()
        }
        kinds: dict[str, str] = {}
        for word, kind in KINDS.items():
            made = {"kind": ({"const": word}, True), **self._dataclass_fields(kind, word), **labels}
            schema = {**self._object(made), "description": kind.__doc__}
            name = f"Event-{word}"
            self.named[name], kinds[word] = schema, f"#/components/schemas/{name}"
        return {
            "description": "One line of the log: see docs/night-file.md.",
            "oneOf": [{"$ref": address} for address in kinds.values()],
            "discriminator": {"propertyName": "kind", "mapping": kinds},
        }
