"""Any file that somebody chooses: a night, what another app exports, or a sentence that says what it seems to be."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tracker.core.errors import N_, Fault, TranslatableText
from tracker.extras._night_files.codes import is_night_code
from tracker.extras._night_files.json_text import UnreadableError, decoded, json_value
from tracker.extras.imports.bg_stats import FIELDS, plays_of
from tracker.extras.imports.cost_programs import bills_json, costs_of_table, is_bills_json, is_spliit_json, spliit_json
from tracker.extras.imports.csv_tables import rows_of
from tracker.extras.imports.other_night import OtherFile, name_from
from tracker.formats.night_file import FORMAT
from tracker.formats.text import brief

WESTERN = "cp1252"
READ_AS_WESTERN = N_("The file is in an old encoding (Windows-1252): look at the names.")
LOOKS_LIKE = N_("this looks like {what}, which is not taken here; {taken}")
TAKEN = TranslatableText(
    N_("taken are a night’s file, and what BG Stats, Splitwise, Spliit, ihatemoney, Cospend or a poker site export")
)
AS_CSV = TranslatableText(N_("save it as CSV there, and take that file"))

_BEGINNINGS: Sequence[tuple[bytes, str]] = (
    (b"%PDF", N_("a PDF")),
    (b"\x89PNG", N_("a picture")),
    (b"\xff\xd8\xff", N_("a picture")),
    (b"GIF8", N_("a picture")),
    (b"RIFF", N_("a picture")),
    (b"SQLite format 3", N_("the data file of a Board Tracker or of another program")),
    (b"\x1f\x8b", N_("a packed file")),
    (b"\xd0\xcf\x11\xe0", N_("an old Excel file")),
    (b"{\\rtf", N_("a text document")),
    (b"<", N_("a web page")),
)
_OWN_TABLES = {
    ("code", "night", "day", "game"): N_("a table that a Board Tracker has written: nights travel as .json files"),
    ("entry", "at", "order"): N_("the log of a poker site: its ledger is taken"),
}


def nights_in(raw: bytes) -> OtherFile | None:
    """Return what a file of another program holds; None for a night file. UnreadableError says what else it is."""
    if not raw.strip():
        raise UnreadableError("the file is empty")
    _refuse_what_is_no_text(raw)
    text, remarks = _decoded(raw)
    text = text.strip()
    if is_night_code(text):
        return None
    found = _json(text) if text[:1] in ("{", "[") else _table(text)
    return replace(found, remarks=(*remarks, *found.remarks)) if found else None


def _looks_like(what: str, taken: str = TAKEN) -> UnreadableError:
    return UnreadableError(LOOKS_LIKE, what=TranslatableText(what), taken=taken)


def _refuse_what_is_no_text(raw: bytes) -> None:
    if raw.startswith(b"PK\x03\x04"):
        if b"xl/" in raw or b"opendocument.spreadsheet" in raw[:200]:
            raise _looks_like(N_("a spreadsheet (.xlsx or .ods)"), AS_CSV)
        raise _looks_like(N_("a packed file"))
    if raw[4:12] in (b"ftypheic", b"ftypmif1", b"ftypavif", b"ftypheix"):
        raise _looks_like(N_("a picture"))
    for beginning, what in _BEGINNINGS:
        if raw.lstrip().startswith(beginning):
            raise _looks_like(what)


def _decoded(raw: bytes) -> tuple[str, tuple[Fault, ...]]:
    """Return the text of a file, and what is to be said of its encoding. Raises UnreadableError for no text."""
    remarks = tuple[Fault, ...]()
    try:
        try:
            text = decoded(raw)
        except UnicodeDecodeError:
            text, remarks = raw.decode(WESTERN), (Fault(READ_AS_WESTERN),)
    except UnicodeDecodeError:
        raise _looks_like(N_("no text")) from None
    if any(sign in text for sign in "\0\1\2\3\4\5\6\7\x08"):
        raise _looks_like(N_("no text"))
    return text, remarks


HALF_ALONE = re.compile(
    r"(?<!\\)\\u(?:[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u)[dD][c-fC-F][0-9a-fA-F]{2})"
)
"""The escape of half a character without the other half."""


def _json(text: str) -> OtherFile | None:
    # One name in another program's file with half a character takes no whole history with it.
    value: Any = json_value(HALF_ALONE.sub(r"\\ufffd", text))
    if isinstance(value, dict) and value.get("format") == FORMAT:
        return None
    if isinstance(value, dict) and value.keys() >= FIELDS:
        return plays_of(value)
    if is_spliit_json(value):
        return spliit_json(value)
    if is_bills_json(value):
        return bills_json(value)
    names = [*value] if isinstance(value, dict) else []
    shown = ", ".join(brief(name) for name in names[:5]) or brief(value)
    raise UnreadableError("this is JSON of another kind ({shown}); {taken}", shown=shown, taken=TAKEN)


def _table(text: str) -> OtherFile:
    rows = rows_of(text)
    if len(rows) < 2:
        raise _looks_like(N_("a text"))
    head = tuple(cell.casefold() for cell in rows[0])
    for beginning, what in _OWN_TABLES.items():
        if head[: len(beginning)] == beginning:
            raise UnreadableError("this is {what}", what=TranslatableText(what))
    if found := costs_of_table(rows):
        return found
    shown = ", ".join(name_from(cell) or "?" for cell in rows[0][:6])
    raise UnreadableError("this is a table with other columns ({shown}); {taken}", shown=shown, taken=TAKEN)
