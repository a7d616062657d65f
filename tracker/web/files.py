"""Files of a night: download it, its tables and its text, and bring one in from another machine."""

from __future__ import annotations

import re
import unicodedata

from flask import Blueprint, Response, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.codec import entry_from
from tracker.core.errors import BadEvent, Refused, TableError
from tracker.sealing import new_id
from tracker.strict import UnreadableError, json_value
from tracker.table import Table
from tracker.web import words
from tracker.web.access import door
from tracker.web.here import see_night, tables, the_table
from tracker.web.history import history_of
from tracker.web.logbook import Logbook
from tracker.web.reckoning import Reckoning
from tracker.web.report import csv_text, day_of, hand_rows, log_rows, result_text
from tracker.web.texts import gettext as _

bp = Blueprint("files", __name__)

LARGEST_FILE = 4_000_000
"""Bytes of a night file; the form around it needs a little more (see guards)."""
MOST_FAULTS = 20
BOM = "\ufeff"


@bp.get("/n/<code>/files")
def page(code: str) -> str:
    """Offer the night as a file, as tables and as text."""
    table = the_table(code)
    return render_template("files.html", table=table, who=g.who, day=day_of(table))


@bp.get("/n/<code>/night.json")
def night(code: str) -> Response:
    """Return the night file: it can be brought in on any machine, and goes on there."""
    table = the_table(code)
    return _download(table, table.export(), "json", "application/json")


@bp.get("/n/<code>/hands.csv")
def hands(code: str) -> Response:
    """Return a table with a row for every hand."""
    table = the_table(code)
    return _download(table, BOM + csv_text(hand_rows(history_of(table))), "csv", "text/csv", _("hands"))


@bp.get("/n/<code>/log.csv")
def log(code: str) -> Response:
    """Return a table with a row for every entry of the log."""
    table = the_table(code)
    return _download(table, BOM + csv_text(log_rows(Logbook(history_of(table), g.who))), "csv", "text/csv", _("log"))


@bp.get("/n/<code>/result.txt")
def text(code: str) -> Response:
    """Return the result as text."""
    table = the_table(code)
    reckoning = Reckoning(history_of(table), tables().store.settings(code))
    return _download(table, result_text(table, reckoning) + "\n", "txt", "text/plain")


def _download(table: Table, content: str, ending: str, mimetype: str, what: str = "") -> Response:
    name = file_name(" ".join(part for part in (table.name, day_of(table), what) if part))
    headers = {"Content-Disposition": f'attachment; filename="{name}.{ending}"', "Cache-Control": "no-store"}
    return Response(content, headers=headers, content_type=f"{mimetype}; charset=utf-8")


def file_name(text: str) -> str:
    """Return a text as a file name that every system takes: small ASCII letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:80] or "night"


# Bringing a night in


@bp.get("/import")
def bring() -> str:
    """Ask for a night file."""
    return render_template("import.html", faults=[], key=new_id())


@bp.post("/import")
def take() -> ResponseReturnValue:
    """Add the night that a file holds and make this browser its host; refused with every fault, and nothing changed."""
    sent = request.files.get("night")
    raw = sent.stream.read(LARGEST_FILE + 1) if sent else b""
    name = sent.filename or "" if sent else ""
    if sent:
        sent.close()
    if not raw or len(raw) > LARGEST_FILE:
        return _refuse(
            [_("The file is larger than 4 MB: that is no game night.") if raw else _("Choose a file first.")]
        )
    text = raw.decode("utf-8-sig", errors="replace")
    try:
        table = tables().import_night(text, _name_of(name))
    except UnreadableError as error:
        return _refuse([words.refusal(error)])
    except TableError as error:
        return _refuse(faults_of(text, error))
    door().invites.renew(table.code)
    door().devices.welcome(table.code, "host")
    return see_night(table.code)


def _refuse(faults: list[str]) -> ResponseReturnValue:
    return render_template("import.html", faults=faults, key=new_id()), 422


def _name_of(filename: str) -> str:
    """Return what a night from a file is called: the file's own name, made readable."""
    stem = re.sub(r"\.json$", "", filename.rsplit("/", 1)[-1].rsplit("\\", 1)[-1], flags=re.IGNORECASE)
    words_of_it = " ".join(part for part in re.split(r"[\s_-]+", stem) if part)[:60]
    return words_of_it[:1].upper() + words_of_it[1:] if words_of_it.isprintable() else ""


def faults_of(text: str, error: TableError) -> list[str]:
    """Return everything that is wrong with a night file's events, each as a sentence; at least the error given."""
    found: list[str] = []
    listed = json_value(text).get("events", [])
    is_malformed = isinstance(error, Refused) and isinstance(error.cause, BadEvent)
    for number, raw in enumerate(listed, start=1) if is_malformed else ():
        try:
            entry_from(raw, number)
        except BadEvent as fault:
            kind = raw.get("kind", "?") if isinstance(raw, dict) else "?"
            found.append(_("Event %(number)s (%(kind)s): %(why)s", number=number, kind=kind, why=words.reason(fault)))
    more = len(found) - MOST_FAULTS
    shown = found[:MOST_FAULTS] + ([_("… and %(n)s more.", n=more)] if more > 0 else [])
    return shown or [words.refusal(error)]
