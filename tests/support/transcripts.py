"""The recorded nights of tests/nights and those beside the checkout: what they hold, and what each expects."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from support.paths import SHARED_NIGHTS, night_files

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import log
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.formats.built_in import built_in, built_in_ids
from tracker.formats.codec import amended, entry_from, preset_from

# A folder of more transcripts may lie beside the checkout, also of games whose extra is not there.
_SHARED = [(file, json.loads(file.read_text("utf-8"))) for file in sorted(SHARED_NIGHTS.glob("*.json"))]
TRANSCRIPTS = [*night_files(), *(file for file, raw in _SHARED if str(raw["preset"]) in built_in_ids())]


def transcript_id(file: Path) -> str:
    return f"{file.parent.parent.name}-{file.stem}"


def expected_state(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))["expect"]
    return found


def recorded(night: Path | str) -> tuple[Preset, list[Entry]]:
    """Return the preset of a night file, or of its text, with its options, and the entries. It has no id twice."""
    raw: Mapping[str, Any] = json.loads(night if isinstance(night, str) else night.read_text("utf-8"))
    preset = built_in(raw["preset"]) if isinstance(raw["preset"], str) else preset_from(raw["preset"])
    entries = [entry_from(one, number) for number, one in enumerate(raw["events"], 1)]
    return preset.with_options(raw.get("options", {})), entries


def played(preset: Preset, entries: Sequence[Entry]) -> Iterator[Night]:
    """Yield the state after each entry. Raises TableError at one that does not fit."""
    steps, before = log.Steps(preset), list[Entry]()
    for entry in entries:
        yield log.record(before, entry, amended, steps)
        before.append(entry)


def opened(nights: Nights, night: Path | str) -> OpenNight:
    """Open a night with what a night file of a built-in preset, or its text, holds."""
    raw = json.loads(night if isinstance(night, str) else night.read_text("utf-8"))
    _, entries = recorded(night)
    return nights.open(raw["preset"], raw.get("options", {}), raw.get("name", ""), entries=entries)


def varieties() -> list[Path]:
    """Return one transcript of every preset, with and without house rules of its own, finished and refused."""
    found: dict[tuple[object, ...], Path] = {}
    for file in TRANSCRIPTS:
        raw = json.loads(file.read_text("utf-8"))
        found.setdefault((str(raw["preset"]), bool(raw.get("options")), "refused" in raw["expect"]), file)
    return list(found.values())


VARIETIES = varieties()
