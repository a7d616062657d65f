"""The table's page, the moves made on it, and its stream: who may do what, and whether it is only typed yet."""

from typing import NamedTuple

from flask import Blueprint, Response, abort, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from tracker.app.open_night import OpenNight, Outcome
from tracker.app.settings import HandChoices, NightSettings
from tracker.core.errors import AlreadyDone, NotAllowed, NotEnoughChips, Stale, TableError
from tracker.core.events import Amount, Borrow, Out
from tracker.core.queries.consent import with_default_cover
from tracker.core.queries.prompts import is_asked_for_cards, most_cards
from tracker.storage import NotSaved
from tracker.streaming.hub import Frame
from tracker.streaming.stream import Page
from tracker.web.access.admission import questions_for
from tracker.web.access.answered_forms import Form, expected_state, id_from_content
from tracker.web.access.consent import (
    agreed_by,
    answer_request,
    check_may_record,
    check_may_speak_for,
    claim_place,
    record_or_ask,
)
from tracker.web.access.devices import Identity
from tracker.web.access.roles import ALLOWED_IN, AT_TABLE, may
from tracker.web.base.context import get_nights, get_table
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.events import sentences
from tracker.web.events.event_kind import MoveForm, number
from tracker.web.events.registry import event_of
from tracker.web.log_sentences import refusal_in_log
from tracker.web.notices import Messages, notices_for
from tracker.web.responses import stream_response
from tracker.web.table import pot_page
from tracker.web.table.game_pages import KEPT, PAGES, GamePages
from tracker.web.wording.texts import gettext, language

bp = Blueprint("table", __name__)


@bp.app_template_global()
def server_seconds() -> int:
    """Return the time in seconds since 1970, by which pages know how long ago something was."""
    return int(get_nights().seconds())


def pages_of(table: OpenNight) -> GamePages:
    """Return what makes the pages of the kind of game that a night plays."""
    return PAGES[table.preset.game]


def viewer_of(table: OpenNight, identity: Identity) -> Viewer:
    return Viewer(identity.role or "", identity.seat, is_open=table.settings.is_open_to_all)


def shown(table: OpenNight, identity: Identity, refusal: str = "", note: str = "") -> Page:
    """Return what changes on the page of this night, as one phone sees it; needs no request."""
    hint = current_app.extensions["hint"](table) if table.is_temporary else ""
    messages = Messages(questions_for(table, identity), notices_for(table, identity), refusal, note, hint)
    return pages_of(table).fragments(table, viewer_of(table, identity), messages)


@bp.get("/n/<code>")
@may(ALLOWED_IN, in_memory=True, follows="night")
def page(code: str, sheet: str = "") -> str:
    """Show the table to whoever sits at it or watches, with a sheet open on it when there is one."""
    table = get_table(code)
    return pages_of(table).page(table, viewer_of(table, g.identity), str(shown(table, g.identity)), sheet)


@bp.get("/n/<code>/live")
@may(ALLOWED_IN, in_memory=True, follows="part")
def live(code: str) -> str:
    """Show what changes on the page: asked for when a phone wakes up or finds that it missed something."""
    return str(shown(get_table(code), g.identity))


@bp.get("/n/<code>/stream")
@may(ALLOWED_IN, in_memory=True)
def stream(code: str) -> Response:
    """Send the page's changing part again after every change, to everybody who sees the same."""
    table = get_table(code)
    return stream_response(table, view_name(), lambda identity: Frame(table.head, shown(table, identity)))


def view_name() -> str:
    """Return the name that everybody's view has who sees the same as whoever asks."""
    return "/".join(("table", g.identity.role or "", g.identity.seat or "", language()))


@bp.get("/n/<code>/sheet")
@bp.get("/n/<code>/sheet/<seat>")
@may(AT_TABLE, in_memory=True)
def sheet(code: str, seat: str | None = None) -> str:
    """Show what can happen to one person, or what else the table offers; alone for a script, else on its page."""
    table = get_table(code)
    html = pages_of(table).sheet(table, viewer_of(table, g.identity), seat)
    return html if request.headers.get("HX-Request") else page(code, html)


@bp.post("/n/<code>/record")
@may(AT_TABLE, in_memory=True)
def record(code: str) -> str | tuple[str, int] | AnyResponse:
    """Do what a form asks and answer with the page's changing part; a refusal comes with its reason."""
    table, form = get_table(code), request.form.to_dict()  # in a MultiDict, a field that is missing costs an exception
    error, note, status = sent_move(table, g.identity, form)
    if not request.headers.get("HX-Request") and not error:
        return redirect(f"/n/{code}", code=303)
    is_shown = not (error or note) and get_nights().live.has_newest(code, view_name(), str(g.identity.device or ""))
    if is_shown:
        return Response(status=204, headers={"X-At": snapshot_of(table).at})
    return str(shown(table, g.identity, error, note)), status


class MoveAnswer(NamedTuple):
    """What a move is answered with beside the page: why it was refused, who was faster, the status."""

    error: str = ""
    note: str = ""
    status: int = 200


def sent_move(table: OpenNight, identity: Identity, form: dict[str, str]) -> MoveAnswer:
    """Do what a form asks; a refusal is returned as a sentence. 403 if it is not theirs."""
    form.setdefault("key", f"{identity.seat or identity.role}-{form.get('head', '')}")
    try:
        done = handle_move(table, identity, form)
    except NotSaved:
        return MoveAnswer(gettext("Not saved: the disk is full or read-only. The table can only be read."), "", 503)
    except (Stale, AlreadyDone) as refusal:
        return MoveAnswer(refusal_in_log(refusal, table.history()), "", 409)
    except TableError as refusal:
        return MoveAnswer(refusal_in_log(refusal, table.history()), "", 422)
    return MoveAnswer(note="" if done is None or done.is_fresh else repeat_note(identity, table, done))


def repeat_note(identity: Identity, table: OpenNight, done: Outcome) -> str:
    """Return who was faster with the same entry, as a sentence; nothing for a form that one phone sent twice."""
    if done.entry.by == identity.by:
        return ""
    name = sentences.recorder_name(done.entry.by, table.night)
    sentence: str = gettext("%(name)s has recorded that already. Nothing counts twice.", name=name)
    return sentence


# What a tap does


def handle_move(table: OpenNight, identity: Identity, form: Form) -> Outcome | None:
    """Record what the form says, or keep it until it is recorded (None). Raises TableError; 403 if it is not theirs."""
    verb, _, argument = form.get("do", "").partition(":")
    if keep := KEPT[table.preset.game].get(verb):
        keep(table, identity, argument, form)
        return None
    if known := table.outcome_of(id_from_content(form), by=identity.by):
        return known
    snapshot = snapshot_of(table)
    counted = pages_of(table).counted(table, viewer_of(table, identity))
    event = event_of(MoveForm(form, snapshot.night, snapshot.moment, snapshot.plan, snapshot.count, counted))
    if isinstance(event, Out) and verb == "out" and is_asked_for_cards(snapshot.night, event.seat):
        check_may_record(table, identity, event)
        _say_out(table, event.seat)
        return None
    event = with_default_cover(snapshot.night, event)
    seen = expected_state(form, event)
    try:
        done = record_or_ask(table, identity, event, id=id_from_content(form), seen=seen)
    except (NotAllowed, NotEnoughChips):
        if verb != "deal":
            raise
        _plan(table, identity, "dealer", form)  # it can't begin yet: the table shows what is missing
        return None
    if isinstance(event, Out) and done:
        table.settings.waived = HandChoices()  # what was answered about an end that was taken back
    return done


# What is said or planned at a board, until an event says it


def _say(table: OpenNight, identity: Identity, cards: str, form: Form) -> None:
    seat = form.get("seat", "")
    check_may_speak_for(table, identity, seat)
    left = number(cards)
    value = left if 0 <= left <= most_cards(table.night) else None
    table.set_draft_value(seat, value, form.get("claim", ""))


def _cover(table: OpenNight, identity: Identity, argument: str, form: Form) -> None:
    """Keep how somebody with too few chips pays for cards left, until the hand is paid."""
    seat, _, source = argument.partition(":")
    check_may_speak_for(table, identity, seat)
    table.set_draft_cover(seat, source, form.get("claim", ""))


def _say_out(table: OpenNight, seat: str) -> None:
    already = table.draft.winner
    if already and already != seat:
        raise AlreadyDone("{name} is out of cards already", name=table.night.name(already))
    table.set_draft_winner(seat)


def _not_out(table: OpenNight, identity: Identity, _: str, form: Form) -> None:
    if table.draft.winner is None:
        return  # taken back already
    check_may_speak_for(table, identity, table.draft.winner)
    table.set_draft_winner(None, form.get("claim", ""))


def _waive(table: OpenNight, identity: Identity, question: str, _: Form) -> None:
    check_may_speak_for(table, identity, "")
    table.choose(NightSettings.waived, {question: "nobody"})


def _excuse(table: OpenNight, identity: Identity, seat: str, form: Form) -> None:
    """Keep who pays nothing for cards left, until the hand is paid."""
    check_may_speak_for(table, identity, "")
    table.set_draft_excused(table.night.require_in_hand(seat) if seat else None, form.get("claim", ""))


def _plan(table: OpenNight, identity: Identity, choice: str, form: Form) -> None:
    """Keep who sits the next hand out, who lends whom for the ante, or who deals."""
    seat = form.get("seat", "")
    check_may_speak_for(table, identity, seat)
    short = snapshot_of(table).moment.short.get(seat)
    if short and choice in table.night.seats:
        loan = Borrow(seat, choice, Amount(short))
        if agreed_by(table, identity, loan) is not None:
            record_or_ask(table, identity, loan, id=id_from_content(form))
            return
    table.choose(NightSettings.plan, {choice: seat} if choice == "dealer" else {seat: choice or None})


def _last(table: OpenNight, identity: Identity, choice: str, _: Form) -> None:
    if identity.role != "host":
        abort(403)
    table.settings.is_last_hand = choice == "on"


PAGES["pots"] = pot_page
KEPT["pots"] = {
    "say": _say,
    "cover": _cover,
    "not-out": _not_out,
    "waive": _waive,
    "excuse": _excuse,
    "plan": _plan,
    "last": _last,
    "agree": answer_request,
    "whose": claim_place,
}
