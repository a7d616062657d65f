"""What the log says of lines that came by link, from a copy or a file, and taking them back together."""

from collections.abc import Iterator, Sequence
from operator import gt

from flask import Blueprint, abort, g, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import now, replay_log, to_row
from tracker.app.open_night import OpenNight
from tracker.core import log
from tracker.core.errors import NotAllowed, Stale, TableError
from tracker.core.events import Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.extras._night_files.importing import BroughtLines, BroughtSettings
from tracker.formats.codec import amended
from tracker.formats.night_file import MOST, LogSize
from tracker.storage import IdExists, NumberTaken
from tracker.storage.database import EVENTS, ChangeNotice
from tracker.storage.rows import append_event
from tracker.web.access.answered_forms import id_from_content
from tracker.web.access.permissions import after_unlocking
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_table
from tracker.web.error_pages import status_of
from tracker.web.events.event_kind import number
from tracker.web.events.sentences import recorder_name
from tracker.web.log.pages import LogView, undo_answer
from tracker.web.log_sentences import refusal_in_log
from tracker.web.wording.texts import gettext as _

bp = Blueprint("brought_log", __name__)


def brought_lines(table: OpenNight) -> dict[int, BroughtLines]:
    """Return by the number of the first one the lines of a night's log that were not recorded here."""
    brought = table.settings.declared_by(BroughtSettings).brought
    return {int(first): lines for first, lines in brought.all().items() if first.isdecimal()}


@bp.app_template_global()
def is_by_link(table: OpenNight, line: int) -> bool:
    return any(one.how == "link" and first <= line <= one.last for first, one in brought_lines(table).items())


@bp.app_template_global()
def brought_notes(table: OpenNight, book: LogView) -> Iterator[tuple[int, str, bool]]:
    """Yield of lines that came together the first one, what is said of them, and whether they can be taken back."""
    for first, lines in brought_lines(table).items():
        is_in_force = any(line not in book.history.undone for line in range(first, lines.last + 1))
        may_undo = first > 1 and is_in_force and book.identity.role == "host"
        yield first, brought_text(first, lines, book.night), may_undo


def brought_text(first: int, lines: BroughtLines, night: Night) -> str:
    """Return how some lines came in, or a whole night, and who said yes."""
    facts = {"first": first, "last": lines.last, "who": recorder_name(lines.by, night)}
    if first == 1 and lines.how != "link":
        return _("This night came from a file.")
    if first == 1:
        return _("This night came by link, with the yes of %(who)s.", **facts)
    if lines.how == "copy":
        return (
            _("Entry %(first)s came back from a copy, with the yes of %(who)s.", **facts)
            if first == lines.last
            else _("Entries %(first)s to %(last)s came back from a copy, with the yes of %(who)s.", **facts)
        )
    return (
        _("Entry %(first)s came by link, with the yes of %(who)s.", **facts)
        if first == lines.last
        else _("Entries %(first)s to %(last)s came by link, with the yes of %(who)s.", **facts)
    )


@bp.post("/n/<code>/undo-brought")
@may(HOST, in_memory=True)
@after_unlocking
def undo(code: str) -> ResponseReturnValue:
    """Take all lines back that came together by a link or from a copy."""
    table, first = get_table(code), number(request.form.get("first", ""))
    lines = brought_lines(table).get(first) or abort(404)
    try:
        undo_all(table, range(first, lines.last + 1), key=id_from_content(request.form), by=g.identity.by)
    except TableError as error:
        return undo_answer(table, refusal_in_log(error, table.history()), status_of(error))
    return undo_answer(table)


def undo_all(table: OpenNight, numbers: Sequence[int], *, key: str, by: str) -> None:
    """Record an undo of each of these entries that is in force, the newest first: all or none, once for a `key`.

    Raises TableError where one can't be taken back, NotSaved.
    """
    entries, *_ = table.snapshot()
    head, entries = len(entries), [*entries]
    if f"{key}-1" in {entry.id for entry in entries}:
        return
    table.check_not_truncated()
    steps = replay_log(table.code, table.preset, entries)
    for line in sorted(numbers, reverse=True):
        if not steps.corrections.is_undone(line):
            undo = Entry(len(entries) + 1, Undo(line), f"{key}-{len(entries) + 1 - head}", now(), by)
            log.record(entries, undo, amended, steps)
            entries.append(undo)
    if any(map(gt, LogSize(entries).size, MOST)):
        raise NotAllowed("this night is full: go on in a new one")
    try:
        with table.settings.store.connection.write(ChangeNotice(EVENTS, table.code)) as db:
            for entry in entries[head:]:
                append_event(db, table.code, to_row(entry))
    except (IdExists, NumberTaken):
        raise Stale("somebody was faster: look at the table and tap again") from None
    table.reload()
