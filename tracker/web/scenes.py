"""A night as it stands now, with what phones have typed and planned, and who looks at it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

from flask import current_app, g

from tracker.table import Table
from tracker.web import access
from tracker.web.here import tables
from tracker.web.views import Scene, Viewer

SERVER = secrets.token_hex(4)
"""Which start of the server has made a scene: versions are counted anew with each."""


def scene_of(table: Table) -> Scene:
    """Return a night as it stands now, with what phones have typed and the host has planned.

    It is made once for all who look at the same moment, and carries what was drawn for the first of them.
    """
    known: dict[str, tuple[Table, int, Scene]] = current_app.extensions.setdefault("scenes", {})
    version, present = table.version, tables().live.present(table.code)
    found = known.get(table.code)
    if found and found[:2] == (table, version) and found[2].present == present:
        return found[2]
    # Of that version, or newer: then it is made again the next time.
    scene = _made(table, present, f"{SERVER}{id(table):x}:{version}")
    if found:
        scene.take_over(found[2])
    known[table.code] = (table, version, scene)
    return scene


def _made(table: Table, present: frozenset[str], at: str) -> Scene:
    entries, struck, night, draft = table.now()
    plan, waived = kept(table, "plan", night.hand), kept(table, "waived", night.hand)
    return Scene(
        night=night,
        entries=entries,
        struck=struck,
        out=draft.winner,
        said={seat: cards for seat, cards in draft.said.items() if isinstance(cards, int)},
        plan={seat: source for seat, source in plan.items() if seat in night.people or seat == "dealer"},
        waived=frozenset(waived),
        is_last=table.setting("last") == "on",
        present=present,
        at=at,
    )


def kept(table: Table, key: str, hand: int) -> dict[str, str]:
    """Return what was decided for this hand's next step; nothing when it was decided in another hand."""
    found: dict[str, Any] = json.loads(table.setting(key) or "{}")
    return dict(found.get("is", {})) if found.get("hand") == hand else {}


def keep(table: Table, key: str, changes: Mapping[str, str | None]) -> None:
    """Add to what was decided for this hand's next step; None takes a decision back."""
    now = {**kept(table, key, table.night.hand), **changes}
    chosen = {name: value for name, value in now.items() if value}
    table.change_setting(key, json.dumps({"hand": table.night.hand, "is": chosen}))


def viewer_of(table: Table) -> Viewer:
    return Viewer(g.who.role, g.who.seat, is_open=access.is_open_to_all(table.code))
