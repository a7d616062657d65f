"""A night as it stands now, with what phones have typed and planned, and who looks at it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import g

from tracker.table import Table
from tracker.web import access
from tracker.web.here import tables
from tracker.web.views import Scene, Viewer


def scene_of(table: Table) -> Scene:
    """Return a night as it stands now, with what phones have typed and the host has planned."""
    night, draft = table.night, table.draft
    plan, waived = kept(table, "plan", night.hand), kept(table, "waived", night.hand)
    return Scene(
        night=night,
        entries=table.entries,
        struck=table.standing.struck,
        out=draft.winner,
        said={seat: cards for seat, cards in draft.said.items() if isinstance(cards, int)},
        plan={seat: source for seat, source in plan.items() if seat in night.people or seat == "dealer"},
        waived=frozenset(waived),
        is_last=table.setting("last") == "on",
        present=tables().live.present(table.code),
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
