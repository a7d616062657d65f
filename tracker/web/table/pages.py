"""The table's page: the board, the seats and the dock, the moves made on it, and the stream that keeps it true."""

import time
from collections.abc import Sequence
from typing import Any, Protocol

from flask import Blueprint, Response, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from tracker.app.open_night import OpenNight, Outcome
from tracker.core.errors import AlreadyDone, Stale, TableError
from tracker.core.night import ENDED, LOBBY, SHOWDOWN
from tracker.formats.evening import moment_of
from tracker.storage import NotSaved
from tracker.streaming.hub import Frame
from tracker.streaming.stream import MARK, data_of
from tracker.web.access.admission import questions_for
from tracker.web.context import Reader, get_nights, get_reader, get_table, viewer_of
from tracker.web.events import sentences
from tracker.web.log_sentences import refusal_in_log
from tracker.web.notices import Messages, Notice, notices_for
from tracker.web.responses import stream_response
from tracker.web.snapshot import Viewer
from tracker.web.table import pot_page, score_page
from tracker.web.table.moves import handle_move
from tracker.web.wording.texts import gettext, in_language, language, ngettext

bp = Blueprint("table", __name__)


@bp.app_template_global()
def server_seconds() -> int:
    """Return the time of this machine in seconds since 1970: a page reads times of the log by it."""
    return int(time.time())


class GamePages(Protocol):
    """What the pages of one kind of game are made of: HTML, for which the app's context is needed and no request."""

    def page(self, table: OpenNight, viewer: Viewer, live: str, open_sheet: str) -> str: ...
    def fragments(self, table: OpenNight, viewer: Viewer, messages: Messages) -> str: ...
    def sheet(self, table: OpenNight, viewer: Viewer, seat: str | None) -> str: ...
    def tv_page(self, table: OpenNight, **facts: Any) -> str: ...
    def tv_fragment(self, table: OpenNight, notices: Sequence[Notice]) -> str: ...


def pages_of(table: OpenNight) -> GamePages:
    """Return what makes the pages of the kind of game that a night plays."""
    return pot_page if table.preset.is_pot_game else score_page


def shown(table: OpenNight, reader: Reader, refusal: str = "", note: str = "") -> str:
    """Return what changes on the page of this night, for this reader; needs no request."""
    return marked(table, reader, refusal, note).replace(MARK, "")


def marked(table: OpenNight, reader: Reader, refusal: str = "", note: str = "") -> str:
    """Return the same with its parts marked, for a stream."""
    identity = reader.identity
    hint = current_app.extensions["hint"](table) if table.is_temporary else ""
    with in_language(reader.language):
        messages = Messages(questions_for(table, identity), notices_for(table, identity), refusal, note, hint)
        return pages_of(table).fragments(table, viewer_of(table, identity), messages) + clock_part(table)


def clock_part(table: OpenNight) -> str:
    """Return the part of a page from which the clock is painted: the table's own, else that of all tables, or nothing.

    It has the moment when the clock ends, in seconds since 1970: of a hand, by the time of the entry that began it.
    """
    if (clock := table.settings.clock) is None:
        return series_part(table)
    entries, _, _, night, draft = table.snapshot()
    number = draft.state.began if clock.kind == "hand" else len(entries)
    runs = night.phase not in (LOBBY, SHOWDOWN, ENDED)
    start = moment_of(entries[number - 1].at) if runs else None
    ends = f' data-ends="{start.timestamp() + clock.seconds:.0f}" data-over="{gettext("Time!")}"' if start else ""
    return f'{MARK}<i id="clock" hidden{ends}></i>{MARK}'


def series_part(table: OpenNight) -> str:
    """Return the same for the clock of all tables of a club: a moment, or how many hands."""
    series = get_nights().settings.series
    if series is None or table.night.is_over or table.is_temporary:
        return ""
    hands = f'data-words="{ngettext("%(num)s hand", "%(num)s hands", series.hands)}"'
    ends = f'data-ends="{series.ends_at}" data-over="{gettext("Time!")}"'
    return f'{MARK}<i id="clock" hidden {hands if series.hands else ends}></i>{MARK}'


@bp.get("/n/<code>")
def page(code: str, sheet: str = "") -> str:
    """Show the table to whoever sits at it or watches, with a sheet open on it when there is one."""
    table = get_table(code)
    return pages_of(table).page(table, viewer_of(table, g.identity), shown(table, get_reader()), sheet)


@bp.get("/n/<code>/live")
def live(code: str) -> str:
    """Show what changes on the page: asked for when a phone wakes up or finds that it missed something."""
    return shown(get_table(code), get_reader())


@bp.get("/n/<code>/stream")
def stream(code: str) -> Response:
    """Send the page's changing part again after every change, to everybody who sees the same."""
    table = get_table(code)
    return stream_response(table, view_name(), lambda reader: Frame(table.head, marked(table, reader)))


def view_name() -> str:
    """Return the name that everybody's view has who sees the same as whoever asks."""
    return "/".join(("table", g.identity.role or "", g.identity.seat or "", language()))


def answer(table: OpenNight, error: str, note: str) -> str:
    """Return what changes on the page; where nothing else is to be said, what its stream was sent just now."""
    sent = None if error or note else get_nights().live.last_message(table.code, view_name())
    return data_of(sent) if sent else shown(table, get_reader(), error, note)


@bp.get("/n/<code>/sheet")
@bp.get("/n/<code>/sheet/<seat>")
def sheet(code: str, seat: str | None = None) -> str:
    """Show what can happen to one person (penalties, chips, sitting out, leaving), or what else the table offers.

    For an address that was typed or loaded again, the whole page with the sheet open on it.
    """
    table = get_table(code)
    html = pages_of(table).sheet(table, viewer_of(table, g.identity), seat)
    return html if request.headers.get("HX-Request") else page(code, html)


@bp.post("/n/<code>/record")
def record(code: str) -> str | tuple[str, int] | AnyResponse:
    """Do what a form asks and answer with the page's changing part; a refusal comes with its reason."""
    table, error, note, status = get_table(code), "", "", 200
    form = request.form.to_dict()  # in a MultiDict, each field that is missing costs an exception
    try:
        note = repeat_note(table, handle_move(table, g.identity, form))
    except NotSaved:
        error, status = gettext("Not saved: the disk is full or read-only. The table can only be read."), 503
    except (Stale, AlreadyDone) as refusal:
        error, status = refusal_in_log(refusal, table.history()), 409
    except TableError as refusal:
        error, status = refusal_in_log(refusal, table.history()), 422
    if not request.headers.get("HX-Request") and not error:
        return redirect(f"/n/{code}", code=303)
    return answer(table, error, note), status


def repeat_note(table: OpenNight, done: Outcome | None) -> str:
    """Return who was faster with the same entry, as a sentence; nothing for a form that one phone sent twice."""
    if done is None or done.is_fresh or done.entry.by == g.identity.by:
        return ""
    name = sentences.recorder_name(done.entry.by, table.night)
    sentence: str = gettext("%(name)s has recorded that already. Nothing counts twice.", name=name)
    return sentence
