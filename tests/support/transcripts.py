"""The recorded nights of tests/nights and those beside the checkout, and what each expects."""

import json
from pathlib import Path
from typing import Any

from support.paths import SHARED_NIGHTS, night_files

from tracker.formats.built_in import built_in_ids

# A folder of more transcripts may lie beside the checkout, also of games whose extra is not there.
_SHARED = [(file, json.loads(file.read_text("utf-8"))) for file in sorted(SHARED_NIGHTS.glob("*.json"))]
TRANSCRIPTS = [*night_files(), *(file for file, raw in _SHARED if str(raw["preset"]) in built_in_ids())]


def transcript_id(file: Path) -> str:
    return f"{file.parent.parent.name}-{file.stem}"


def expected_state(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))["expect"]
    return found


def varieties() -> list[Path]:
    """Return one transcript of every preset, with and without house rules of its own, finished and refused."""
    found: dict[tuple[object, ...], Path] = {}
    for file in TRANSCRIPTS:
        raw = json.loads(file.read_text("utf-8"))
        found.setdefault((str(raw["preset"]), bool(raw.get("options")), "refused" in raw["expect"]), file)
    return list(found.values())


VARIETIES = varieties()
