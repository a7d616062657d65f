"""The file of a night: download it, and bring one in from another machine, or nights from another app."""

import json
import re
from collections.abc import Sequence
from datetime import date

from flask import Blueprint, Response, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import new_id
from tracker.archive.brought_in import BroughtIn, in_wholes
from tracker.archive.tables import TABLES
from tracker.core.errors import BadEvent, Refused, TableError
from tracker.formats.codec import entry_from
from tracker.formats.other_apps import night_or_other
from tracker.formats.other_night import OtherFile, OtherNight
from tracker.formats.text import UNREADABLE, UnreadableError, json_value, typed_line
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import get_access
from tracker.web.access.request_guards import IMPORT_LIMIT
from tracker.web.access.roles import ALLOWED_IN, HOST, may
from tracker.web.base.context import (
    get_nights,
    get_people,
    get_summaries,
    get_table,
    redirect_to,
    redirect_to_night,
    show_again,
)
from tracker.web.responses import attachment, download, table_text
from tracker.web.wording.dates import day_of, day_words
from tracker.web.wording.texts import amount, gettext as _, reason, refusal

bp = Blueprint("files", __name__)

LARGEST_FILE = 4_000_000
"""Bytes of a night file; the form around it needs a little more (see guards)."""
MOST_FAULTS = 20
MOST_LISTED = 300
"""Plays that stay out, each on a line."""


@bp.get("/n/<code>/files")
@may(ALLOWED_IN)
def page(code: str) -> str:
    """Offer the night as a file, as tables and as text."""
    table = get_table(code)
    return render_template("nights/files.html", table=table, identity=g.identity, day=day_of(table.began_at))


@bp.get("/n/<code>/night.json")
@may(ALLOWED_IN)
def night(code: str) -> Response:
    """Return the night file: it can be brought in on any machine, and goes on there."""
    table = get_table(code)
    return download(table, table.export(), "json", "application/json")


@bp.get("/tables/<name>.csv")
@may(HOST)
def all_nights_table(name: str) -> Response:
    """Return a table over all nights: of the nights, of their hands or of the pots that were taken."""
    if name not in TABLES:
        abort(404)
    return attachment(name, table_text(TABLES[name](get_summaries().all(), get_people())), "csv", "text/csv")


# Bringing a night in


@bp.get("/import")
@may(HOST)
def bring(faults: Sequence[str] = ()) -> ResponseReturnValue:
    """Ask for a night file, or the code of a night; 422 with what was wrong with the one before."""
    return render_template("nights/import.html", faults=faults, key=new_id()), 422 if faults else 200


@bp.post("/import")
@may(HOST, most_bytes=IMPORT_LIMIT)
def take() -> ResponseReturnValue:
    """Add the night that a file or a code holds, once however often it is sent, and make this browser its host.

    Refused with every fault, and nothing changed.
    """
    sent = request.files.get("night")
    raw = sent.stream.read(LARGEST_FILE + 1) if sent else b""
    name = sent.filename or "" if sent else ""
    if sent:
        sent.close()
    raw = raw or request.form.get("code", "").strip().encode()
    if not raw or len(raw) > LARGEST_FILE:
        return bring(
            [_("The file is larger than 4 MB: that is no game night.") if raw else _("Choose a file, or paste a code.")]
        )
    try:
        text = night_or_other(raw)
        if isinstance(text, OtherFile):
            return ask_who(text)
    except UnreadableError as error:
        return bring([refusal(error)])
    try:
        table = get_nights().import_night(text, _name_of(name), key=id_from_key(request.form))
    except UnreadableError as error:
        return bring([refusal(error)])
    except TableError as error:
        return bring(faults_of(text, error))
    get_access().invites.open(table.code)
    get_access().devices.register_device(table.code, "host")
    return redirect_to("settlement.page", code=table.code) if table.night.is_over else redirect_to_night(table.code)


def _name_of(filename: str) -> str:
    """Return what a night from a file is called: the file's own name, made readable."""
    stem = re.sub(r"\.json$", "", filename.rsplit("/", 1)[-1].rsplit("\\", 1)[-1], flags=re.IGNORECASE)
    words_of_it = typed_line(" ".join(re.split(r"[\s_-]+", stem)), 60)
    return words_of_it[:1].upper() + words_of_it[1:]


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
            found.append(_("Event %(number)s (%(kind)s): %(why)s", number=number, kind=kind, why=reason(fault)))
    more = len(found) - MOST_FAULTS
    shown = found[:MOST_FAULTS] + ([_("… and %(n)s more.", n=more)] if more > 0 else [])
    return shown or [refusal(error)]


# Nights from other apps: who is who is chosen, all come in at once, and all are taken back at once


def names_in(nights: Sequence[OtherNight]) -> list[str]:
    """Return everybody's name, once."""
    return list(dict.fromkeys(name for night in nights for name in night.points))


def brought_in() -> BroughtIn:
    return BroughtIn(get_nights(), get_summaries())


def ask_who(file: OtherFile) -> str:
    """Return the page that says what of a file comes in, and asks who of its people is who; nobody is chosen before."""
    new = brought_in().new_ones(file.nights)
    replaced = [one for one in map(brought_in().replaced_by, new) if one]
    return _elsewhere(
        file=file,
        nights=new,
        known=len(file.nights) - len(new),
        replaced=[(one.code, day_words(one.evening) if one.evening else one.name) for one in replaced],
        names=names_in(new),
        people=[person for person in get_people().all() if not person.is_hidden],
        packed=json.dumps([night.value() for night in new], ensure_ascii=False),
    )


def _elsewhere(**facts: object) -> str:
    shown = {"file": None, "nights": (), "known": 0, "replaced": (), "names": (), "people": (), "packed": ""}
    own = {"wrong": "", "done": "", "reason": reason, "day_of": day_shown, "listed": MOST_LISTED, "amount": amount}
    return render_template("nights/elsewhere.html", **{**shown, **own, **facts})


def day_shown(day: str) -> str:
    """Return a day of a file in the reader's words; empty for none."""
    return day_words(date.fromisoformat(day)) if day else ""


@bp.post("/import/elsewhere")
@may(HOST, most_bytes=IMPORT_LIMIT)
def take_elsewhere() -> ResponseReturnValue:
    """Add all nights of the form that are not here yet, or none, and link the people that were chosen."""
    form, batch = request.form, id_from_key(request.form)
    try:
        nights = [OtherNight.read(one) for one in json_value(form.get("nights", ""))]
        chosen = {name: get_people().get(form.get(f"who-{place}", "")) for place, name in enumerate(names_in(nights))}
        nights = brought_in().new_ones(in_wholes(nights) if form.get("unit") == "whole" else nights)
        codes = brought_in().bring(nights, _("Shared costs"), batch, form.getlist("replaced"))
    except (UnreadableError, TableError) as error:
        return _elsewhere(wrong=refusal(error)), 422
    except UNREADABLE:
        return _elsewhere(wrong=_("The nights came damaged: choose the file again.")), 422
    for code, night in zip(codes, nights, strict=True):
        for number, name in enumerate(night.points, 1):
            if person := chosen[name]:
                get_people().link(code, f"p{number}", person.id)
    return _elsewhere(nights=nights, done=batch)


@bp.post("/import/elsewhere/undo")
@may(HOST)
def undo_elsewhere() -> ResponseReturnValue:
    """Take back all nights that came in together: they are deleted as a night is, and nobody is linked to them."""
    show_again(brought_in().undo(request.form.get("batch", ""), get_people()))
    return redirect_to("home.index")
