"""The page on which a night comes in: a night's file or code, or what another program exports."""

import re
from collections.abc import Sequence

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import new_id
from tracker.core.errors import BadEvent, TableError
from tracker.extras._night_files.codes import text_of_file
from tracker.extras._night_files.importing import FORM_LIMIT, import_night
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.extras._night_files.reading import Refused
from tracker.extras.imports.pages import read
from tracker.formats.codec import entry_from
from tracker.formats.text import typed_line
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import get_access
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, redirect_to, redirect_to_night
from tracker.web.error_pages import Words
from tracker.web.wording.texts import gettext as _, reason, refusal

bp = Blueprint("night_import", __name__, url_prefix="/import")

LARGEST_FILE = 4_000_000
"""Bytes of a night file; the form around it needs a little more."""
MOST_FAULTS = 20


@bp.get("")
@may(HOST)
def bring(faults: Sequence[str] = ()) -> ResponseReturnValue:
    """Ask for a night file, or the code of a night; 422 with what was wrong with the one before."""
    return render_template("imports/import.html", faults=faults, key=new_id()), 422 if faults else 200


@bp.post("")
@may(HOST, most_bytes=FORM_LIMIT)
def take() -> ResponseReturnValue:
    """Add the night of a file or a code, once, and make this browser its host; refused with every fault."""
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
        if found := read(raw):
            return found.page()
        text = text_of_file(raw)
    except UnreadableError as error:
        return bring([refusal(error)])
    try:
        table = import_night(get_nights(), text, _name_of(name), key=id_from_key(request.form))
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


def error_words() -> Words:
    """Return what is said of a form that is larger than any night's file."""
    return {bp.url_prefix or "": (_("Too big"), _("The file is larger than 4 MB: that is no game night."))}
