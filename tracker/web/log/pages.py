"""The log's pages: everything recorded tonight, taking back and correcting."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tracker.app.event_rows import new_id
from tracker.app.log_history import History, HistoryLine, try_event
from tracker.app.open_night import OpenNight, Outcome
from tracker.core.errors import N_, TableError
from tracker.core.events import Amend, Event, Undo
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import DUMMY, LOBBY, PLAY, SHOWDOWN, Night
from tracker.core.queries.difference import Difference, difference
from tracker.core.queries.undo_policy import may_take_back, own_newest, undone_by
from tracker.core.settlement import Payment
from tracker.web.access.answered_forms import expected_state, id_from_content
from tracker.web.access.consent import check_may_record, record_or_ask
from tracker.web.access.devices import Identity
from tracker.web.access.roles import ALLOWED_IN, AT_TABLE, HOST, may
from tracker.web.base.context import get_table, redirect_to
from tracker.web.drawing.player_token import label_of, player_tokens
from tracker.web.error_pages import status_of
from tracker.web.events import sentences
from tracker.web.events.event_kind import Vocabulary, number
from tracker.web.events.registry import kind_of
from tracker.web.log_sentences import HandLine, hand_line, line_sentence, refusal_in_log
from tracker.web.wording.game_words import words_of
from tracker.web.wording.texts import gettext as _

bp = Blueprint("log", __name__)

PageContext = dict[str, Any]
HANDS_SHOWN = 12
"""Folded hands on one page; older ones are fetched when somebody asks."""
OUTDATED = N_("Something was recorded in the meantime. This is the difference now: look again, then save.")


# The log


@bp.get("/n/<code>/log")
@may(ALLOWED_IN, in_memory=True)
def log(code: str, wrong: str = "") -> str:
    """Show everything recorded tonight, the newest first; hands that are over are folded."""
    table = get_table(code)
    history = table.history()
    opened, given = request.args.get("open", type=int), request.args.get("given", type=int)
    return render_template(
        "log/log.html",
        **log_context(table, wrong),
        opened=opened if opened in history.hands else None,
        given=lines_of(history, given) if given else [],
    )


def log_context(table: OpenNight, wrong: str = "", before: int | None = None) -> PageContext:
    """Return what the log's changing part needs."""
    book = LogView(table.history(), g.identity)
    return {
        "table": table,
        "book": book,
        "night": book.night,
        "older": book.older(before if before is not None else request.args.get("before", type=int)),
        "key": new_id(),
        "wrong": wrong,
    }


@bp.get("/n/<code>/log/<int:hand>")
@may(ALLOWED_IN, in_memory=True)
def hand(code: str, hand: int) -> ResponseReturnValue:
    """Show the entries of one hand: asked for when its strip is opened."""
    table = get_table(code)
    if hand not in table.history().hands:
        abort(404)
    if not request.headers.get("HX-Request"):
        return redirect_to("log.log", code=code, open=hand, before=hand + 1, _anchor=f"hand-{hand}")
    return render_template("log/_log_rows.html", hand=hand, **log_context(table))


@bp.get("/n/<code>/log/before/<int:hand>")
@may(ALLOWED_IN, in_memory=True)
def older_hands(code: str, hand: int) -> ResponseReturnValue:
    if not request.headers.get("HX-Request"):
        return redirect_to("log.log", code=code, before=hand)
    return render_template("log/_log_older.html", opened=None, **log_context(get_table(code), before=hand))


def lines_of(history: History, number: int) -> list[Markup]:
    """Return what to hand over to bring the table to what a correction made of the book; none for any other entry."""
    if not 1 <= number <= len(history.entries) or not isinstance(history.entries[number - 1].event, Undo | Amend):
        return []
    then, now = history.state_after(number - 1), history.state_after(number)
    return [hand_over(with_everybody(then, now), move) for move in difference(then, now).moves]


# Taking back and correcting


@bp.post("/n/<code>/undo")
@may(AT_TABLE, in_memory=True)
def undo(code: str) -> ResponseReturnValue:
    """Take an entry back: any for the host, the own newest of this hand for a seat."""
    table, target = get_table(code), number(request.form.get("event", ""))
    event = Undo(target)
    known = recorded_before(table)
    if not known:
        check_may_record(table, g.identity, event)
    try:
        if not known and is_preview_outdated(table, event):
            return correction_page(table, undone_line(table, target), event, _(OUTDATED)), 409
        done = known or correct(table, event)
    except TableError as error:
        return undo_answer(table, refusal_in_log(error, table.history()), status_of(error))
    if done and request.form.get("at-table") == "hand":
        return redirect_to("log.log", code=code, given=done.entry.number)
    return undo_answer(table)


def undo_answer(table: OpenNight, wrong: str = "", status: int = 200) -> ResponseReturnValue:
    """Answer an undo with the log's changing part, or send a plain browser to the log."""
    if request.headers.get("HX-Request"):
        return render_template("log/_log.html", opened=None, given=[], **log_context(table, wrong)), status
    return (log(table.code, wrong), status) if wrong else redirect_to("log.log", code=table.code)


@bp.get("/n/<code>/take-back/<int:number>")
@may(AT_TABLE, in_memory=True)
def undo_preview(code: str, number: int) -> str:
    """Show what taking an entry back would change, before anything is changed."""
    table = get_table(code)
    return correction_page(table, undone_line(table, number), Undo(number))


@bp.get("/n/<code>/change/<int:number>")
@may(HOST, in_memory=True)
def amend_form(code: str, number: int) -> str:
    """Ask what an entry should have said, and show the difference that makes."""
    table = get_table(code)
    line = line_of(table, number)
    event = amend_of(line, request.args)
    if request.headers.get("HX-Request"):
        return render_template("log/_difference.html", **correction_context(table, line, event))
    return correction_page(table, line, event)


@bp.post("/n/<code>/change/<int:number>")
@may(HOST, in_memory=True)
def amend(code: str, number: int) -> ResponseReturnValue:
    """Correct an entry, if the difference is still the one that was shown."""
    table = get_table(code)
    line = line_of(table, number)
    if known := recorded_before(table):
        return corrected(table, line, known.entry.number)
    event = amend_of(line, request.form)
    if event is None:
        return corrected(table, line, 0)
    try:
        if is_preview_outdated(table, event):
            return correction_page(table, line, event, _(OUTDATED)), 409
        done = correct(table, event)
    except TableError as error:
        return correction_page(table, line, event, refusal_in_log(error, table.history())), status_of(error)
    return corrected(table, line, done.entry.number if done else 0)


def corrected(table: OpenNight, line: HistoryLine, correction: int) -> ResponseReturnValue:
    """Lead to the log: to what people hand over now, or to the entry."""
    if correction and request.form.get("at-table") == "hand":
        return redirect_to("log.log", code=table.code, given=correction)
    return redirect_to("log.log", code=table.code, open=line.hand, _anchor=f"e-{line.number}")


def recorded_before(table: OpenNight) -> Outcome | None:
    """Return what this very form has recorded, if it was sent before: its answer may have got lost."""
    return table.outcome_of(id_from_content(request.form), by=g.identity.by)


def line_of(table: OpenNight, number: int) -> HistoryLine:
    """Return an entry with what it did; 404 when there is none of that number."""
    history = table.history()
    if not 1 <= number <= len(history.entries):
        abort(404)
    return history.line(number)


def undone_line(table: OpenNight, number: int) -> HistoryLine:
    """Return the entry that an undo of `number` finally takes back or brings back; 404 when there is none."""
    line = line_of(table, number)
    return table.history().line(undone_by(table.entries, line.entry)[0].number)


def amend_of(line: HistoryLine, filled: Any) -> Amend | None:
    """Return the correction that a filled form describes; None when it changes nothing."""
    if line.undone_by or line.is_correction:
        abort(404)
    changed = kind_of(line.event, line.before).correction.change(line.event, line.before, filled)
    return Amend(line.number, changed) if changed else None


def correct(table: OpenNight, event: Event) -> Outcome | None:
    """Record a correction, or ask those whose chips it takes (None); the same form sent twice is one."""
    form = request.form
    return record_or_ask(table, g.identity, event, id=id_from_content(form), seen=expected_state(form, event))


def is_preview_outdated(table: OpenNight, event: Event) -> bool:
    """Say whether the difference is not the one any more that the form has shown."""
    mark = request.form.get("mark")
    return mark is not None and difference(table.night, table.preview(event)).mark != mark


def correction_page(table: OpenNight, line: HistoryLine, event: Event | None, wrong: str = "") -> str:
    return render_template("log/amend.html", **correction_context(table, line, event, wrong))


def correction_context(table: OpenNight, line: HistoryLine, event: Event | None, wrong: str = "") -> PageContext:
    """Return what the form of an entry, and the difference under it, need."""
    book = LogView(table.history(), g.identity)
    shown = preview(table, event)
    filled = request.values if isinstance(event, Amend) else None
    return {
        "table": table,
        "book": book,
        "row": book.row(line),
        "fields": []
        if isinstance(event, Undo)
        else kind_of(line.event, line.before).correction.fields(line.event, line.before),
        "filled": filled,
        "event": event,
        "is_bring_back": isinstance(event, Undo) and line.undone_by is not None,
        "preview": shown,
        "faces": player_tokens(shown.everybody),
        "labels": {pot.id: label_of(pot) for pot in table.night.preset.board.values()},
        "key": new_id(),
        "wrong": wrong,
    }


# The log as values that templates only have to print


@dataclass(frozen=True)
class LogView:
    """The log of a night for one reader."""

    history: History
    identity: Identity

    @property
    def night(self) -> Night:
        return self.history.night

    @cached_property
    def now(self) -> int:
        """The hand that is on, or was played last."""
        return max(self.history.hands, default=0)

    @property
    def now_line(self) -> HandLine:
        return hand_line(self.history, self.now)

    @property
    def first(self) -> int:
        """The oldest group of entries: 0 when somebody sat down before the first hand."""
        return min(self.history.hands, default=0)

    def rows(self, hand: int) -> list[SimpleNamespace]:
        """Return the entries of a hand, the newest first."""
        return [self.row(line) for line in self.history.lines(hand)]

    def older(self, before: int | None = None) -> list[HandLine]:
        """Return the strips of the hands before one (the present by default), the newest first."""
        hands = [hand for hand in self.history.hands if hand < (self.now if before is None else before)]
        return [hand_line(self.history, hand) for hand in reversed(hands[-HANDS_SHOWN:])]

    def row(self, line: HistoryLine) -> SimpleNamespace:
        """Return one entry as the log's templates show it."""
        event, history, seat = line.event, self.history, self.identity.seat
        mine, target = self._mine, history.target(line.entry)
        # The event that can be taken back here: this entry, or what took it back.
        undo = line.undone_by.number if line.undone_by else line.number
        is_newest = line.number == history.newest
        is_offered = line.undone_by is not None or is_newest or (mine is not None and undo == mine.number)
        may_undo = is_offered and may_take_back(history, self.identity.role, seat, undo)
        return SimpleNamespace(
            line=line,
            text=line_sentence(history, line),
            recorded_by=sentences.recorded_by(line.entry, self.night),
            face=player_tokens(self.night).get(kind_of(event, self.night).token_of(event) or ""),
            label=sentences.pot_label(event, self.night),
            icon=kind_of(line.entry.event, self.night).icon,
            # What the entry said before each correction in force, with who corrected it and when.
            earlier_texts=tuple(self._said_before(line)),
            undone=sentences.recorded_by(line.undone_by, self.night) if line.undone_by else None,
            undo=undo if may_undo else None,
            # Of the newest change one tap takes it back; the difference of any other is shown before.
            is_newest=undo == len(history.entries) if line.undone_by else is_newest,
            # Of a correction: the hand in which it changed something.
            of_hand=None if target is None else history.hand_of(target),
            may_change=self.identity.role == "host" and not line.undone_by and not line.is_correction,
        )

    def _said_before(self, line: HistoryLine) -> Iterator[Markup]:
        for change, event in self.history.before_changes(line.number):
            if after := try_event(line.before, event):
                said = sentences.sentence(event, line.before, after)
            else:
                said = sentences.event_subject(event, line.before)
            yield Markup("<s>{}</s> <small>{}</small>").format(said, sentences.recorded_by(change, self.night))

    # Who may take back what

    @cached_property
    def _mine(self) -> Entry | None:
        seat = self.identity.seat if self.identity.role == "seat" else None
        return own_newest(self.history, seat) if seat else None


@dataclass(frozen=True)
class Preview:
    """What a correction would come to: a difference, or the sentence that refuses it; nothing when none was asked."""

    everybody: Night
    """The state that knows everybody in the difference: a correction may bring somebody or take them out."""
    difference: Difference | None = None
    refused: str = ""
    moment: str = ""
    """What the table would be asked to do again."""

    @property
    def moves(self) -> list[Markup]:
        return [hand_over(self.everybody, move) for move in self.difference.moves] if self.difference else []


def preview(table: OpenNight, event: Event | None) -> Preview:
    """Return what `event` would change; nothing is recorded."""
    then = table.night
    if event is None:
        return Preview(then)
    try:
        now = table.preview(event)
    except TableError as error:
        return Preview(then, refused=refusal_in_log(error, table.history()))
    return Preview(with_everybody(then, now), difference(then, now), moment=_moment(then, now))


def with_everybody(then: Night, now: Night) -> Night:
    """Return the later state with the people of both: a correction may take out somebody whose chips move."""
    return replace(now, people={**then.people, **now.people})


def _moment(then: Night, now: Night) -> str:
    if (then.hand, then.phase) == (now.hand, now.phase):
        return ""
    if note := words_of(then.preset).correction_note(then, now):
        return note
    if now.hand < then.hand and not then.preset.is_pot_game:
        return _("Round %(round)s has not been played then.", round=then.hand)
    if now.hand < then.hand:
        return _("Hand %(hand)s has not begun then.", hand=then.hand)
    return {
        LOBBY: _("The first hand has not begun then."),
        DUMMY: _("The dummy hand is open again then."),
        PLAY: _("The hand is being played again then."),
        SHOWDOWN: _("The night goes on then."),
    }.get(now.phase, _("The night is over then."))


def hand_over(night: Night, move: Payment) -> Markup:
    """Return a sentence for one move of chips from hand to hand."""
    words = Vocabulary(None, night, is_markup=True)
    facts = {"a": words.name(move.debtor), "b": words.name(move.creditor), "n": move.chips}
    if move.creditor == BANK:
        text = _("%(a)s: %(n)s back into the box", **facts)
    elif move.debtor == BANK:
        text = _("%(b)s: %(n)s from the box", **facts)
    elif move.creditor in night.people and move.debtor in night.people:
        text = _("%(a)s gives %(b)s %(n)s", **facts)
    elif move.debtor in night.people:
        text = _("%(a)s puts %(n)s here: %(b)s", **facts)
    elif move.creditor in night.people:
        text = _("%(b)s takes %(n)s from here: %(a)s", **facts)
    else:
        text = _("%(n)s from here: %(a)s, to here: %(b)s", **facts)
    return Markup(text)  # noqa: S704  escaped in words
