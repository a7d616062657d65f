"""Every fault of a preset from outside, by type and by meaning, in one list: for files, codes, commands and the editor.

A fault's fact `field` is the name of the form's field to mend: `pot.7.cards`, `stop.fine`, `seats.max`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from importlib.resources import files
from itertools import count
from typing import Any, get_args, get_origin, get_type_hints

from tracker.core.errors import Fault, Faults, WordedError
from tracker.core.house_rules import HOUSE_RULES, ID
from tracker.core.preset import Preset
from tracker.core.preset_faults import faults, new_preset_faults
from tracker.formats.validation import structured

_ROWS = {"pots": "pot", "dues": "due", "chips": "chip", "round_cards": "round"}
_STAND_IN_NUMBER = 2


def checked(raw: object, *, is_new: bool) -> tuple[Preset | None, Faults]:
    """Return the preset that plain values describe, or None and everything that is wrong with it.

    One that is new, from a file, a code or the editor, is checked more strictly than those of stored nights.
    """
    made, wrong = structured(raw, Preset)
    broken = [form_field(str(fault.facts.get("field", ""))) for fault in wrong]
    mended = made or (_mended(Preset, raw, count(1)) if isinstance(raw, dict) else None)
    # Without the kind of game there is nothing to go by.
    found = [*preset_faults(mended, is_new=is_new)] if mended and "game" not in broken else []
    meant = [fault for fault in found if not _is_about(str(fault.facts.get("field")), broken)]
    listed = Faults([*(_named(fault, raw) for fault in wrong), *meant])
    return (None if listed else made), listed


def preset_faults(preset: Preset, *, is_new: bool = True) -> Iterator[Fault]:
    """Yield what is wrong with a preset whose values have the right types."""
    yield from faults(preset)
    if is_new and preset.game in HOUSE_RULES:
        known = HOUSE_RULES[preset.game]
        fit = {key: value for key, value in preset.rules.items() if key in known and not known[key].fault(value)}
        yield from new_preset_faults(replace(preset, rules=fit))
        yield from _base_faults(preset)


def _base_faults(preset: Preset) -> Iterator[Fault]:
    is_id = preset.base and ID.fullmatch(preset.base)
    if is_id and not files("tracker.presets").joinpath(f"{preset.base}.toml").is_file():
        yield Fault("base {base!r} is no game that comes with the tracker", base=preset.base, field="base")


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


def _mended(kind: type[Any], raw: Mapping[str, Any], number: Iterator[int]) -> Any:
    """Return `raw` as a dataclass in which whatever can't be read is left out, or stands for itself if it is needed."""
    hints = get_type_hints(kind)
    return kind(**{one.name: _mended_value(hints[one.name], one, raw, number) for one in fields(kind)})


def _mended_value(hint: Any, one: Field[Any], raw: Mapping[str, Any], number: Iterator[int]) -> Any:
    value = raw.get(one.name)
    made, wrong = structured(value, hint)
    if one.name in raw and not wrong:
        return made
    item = get_args(hint)[0] if get_origin(hint) is tuple else None
    if is_dataclass(item) and isinstance(item, type) and isinstance(value, list):
        return tuple(_mended(item, row if isinstance(row, dict) else {}, number) for row in value)
    if get_origin(hint) is Mapping and isinstance(value, dict):
        return {key: part for key, part in value.items() if isinstance(part, int | str)}
    if is_dataclass(hint) and isinstance(hint, type):
        return _mended(hint, value if isinstance(value, dict) else {}, number)
    return _stand_in(one, hint, number)


def _stand_in(one: Field[Any], hint: Any, number: Iterator[int]) -> Any:
    """Return the default of a field, or a value of its type that no other one has."""
    if one.default_factory is not MISSING:
        return one.default_factory()
    if one.default is not MISSING:
        return one.default
    return f"x{next(number)}" if hint is str else _STAND_IN_NUMBER
