"""What phones keep of a night: every line of its log with a seal, so that any phone that was there can hand it over.

The seal of a line is a hash over it and all before it. A phone that comes with another seal for the same line has seen
another log: an older copy was put back, or somebody has written a new history.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, jsonify, request

from tracker.app.open_night import OpenNight
from tracker.core.log import Entry
from tracker.formats.codec import entry_to, preset_to
from tracker.formats.night_file import night_to
from tracker.formats.text import file_name
from tracker.web.context import get_table
from tracker.web.wording.dates import day_of
from tracker.web.wording.numbers import whole_number
from tracker.web.wording.texts import gettext as _

bp = Blueprint("phone_backup", __name__)


@dataclass(frozen=True)
class BackupLine:
    """An entry as a phone keeps it."""

    entry: Entry
    text: str
    """Its JSON, as in a night file."""
    seal: str


@bp.get("/n/<code>/copy")
def copy(code: str) -> Response:
    """Give the lines after those that a phone has (`after`), and the seal of the last that it has."""
    table = get_table(code)
    lines = lines_of(table)
    after = whole_number(request.args.get("after", "")) or 0
    return jsonify(
        name=table.name,
        file=f"{file_name(f'{table.name} {day_of(table.began_at)}')}.json",
        frame=night_to(preset_to(table.preset), table.options, [], table.name),
        known=last_chain_hash(table, lines[:after]) if after <= len(lines) else "",
        lines=[line.text for line in lines[after:]],
        seal=last_chain_hash(table, lines),
        words=words(),
    )


def lines_of(table: OpenNight) -> list[BackupLine]:
    """Return every entry with its seal; worked out once, and again only from where the log is another."""
    known: dict[str, list[BackupLine]] = current_app.extensions.setdefault("backup_lines", {})
    lines, entries = list(known.get(table.code, ())), list(table.entries)
    while lines and (len(lines) > len(entries) or lines[-1].entry != entries[len(lines) - 1]):
        lines.pop()
    for entry in entries[len(lines) :]:
        text = json.dumps(entry_to(entry), ensure_ascii=False)
        lines.append(BackupLine(entry, text, chain_hash(last_chain_hash(table, lines), text)))
    known[table.code] = lines
    return list(lines)


def last_chain_hash(table: OpenNight, lines: list[BackupLine]) -> str:
    """Return the seal of the last line; of a night without any, one that is its own."""
    return lines[-1].seal if lines else chain_hash(table.code, table.created_at)


def chain_hash(before: str, text: str) -> str:
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()[:32]


def words() -> dict[str, str]:
    """Return what the phone says about its copy, in its language: it has to say it when there is no server to ask."""
    return {
        "gone": _("The table is out of reach. This phone has kept the night."),
        "other": _("The log of this night is not the one this phone saw."),
        "lost": _("This phone has kept a night that is not here any more."),
        "save": _("Save this night as a file"),
        "keep": _("Save"),
        "go": _("Go on without it"),
        "later": _("Put this away"),
    }
