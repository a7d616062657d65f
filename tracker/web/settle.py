"""The end of a night: the last hand, the final split, the settlement, and the sheet to print."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.core.errors import TableError
from tracker.core.events import End, Event, Poker
from tracker.core.night import Night
from tracker.sealing import new_id
from tracker.seen import Seen
from tracker.table import Table
from tracker.web import moves
from tracker.web.chart import line_chart
from tracker.web.correction import refused, status_of
from tracker.web.ending import ending_of
from tracker.web.faces import faces, label_of
from tracker.web.fresh import fresh
from tracker.web.here import see, tables, the_table
from tracker.web.history import History, history_of
from tracker.web.kinds_pots import ante_sums
from tracker.web.logbook import Logbook
from tracker.web.reckoning import Reckoning
from tracker.web.report import day_of, due_text, result_text, share_links
from tracker.web.texts import gettext as _
from tracker.web.texts import listed, signed

bp = Blueprint("settle", __name__)

ROWS_ON_PAPER, FEWEST_EMPTY = 20, 6
"""Hands that fit on a page, and how many empty ones a scoresheet printed in mid-night has at least."""


@bp.get("/n/<code>/settle")
def page(code: str) -> str:
    """Show the settlement; before the end, what ending the night now would do."""
    return settle_page(the_table(code))


def settle_page(table: Table, wrong: str = "") -> str:
    name = "settle.html" if table.night.is_over else "ending.html"
    return render_template(name, **facts(table, wrong))


def facts(table: Table, wrong: str = "") -> dict[str, Any]:
    """Return what the pages of the end need."""
    history, settings = history_of(table), tables().store.settings(table.code)
    reckoning = Reckoning(history, settings)
    text = result_text(table, reckoning)
    return {
        "mark": f"{table.head} {' '.join(due.key for due in reckoning.dues if due.is_paid)}",
        "table": table,
        "who": g.who,
        "night": table.night,
        "faces": faces(table.night),
        "ending": ending_of(table.night),
        "reckoning": reckoning,
        "chart": chart_of(reckoning),
        "board": last_board(history),
        "is_last": settings.get("last") == "on",
        "day": day_of(table),
        "text": text,
        "links": share_links(table.name, text),
        "end": ended_by(history),
        "signed_text": signed,
        "listed": listed,
        "due_text": due_text,
        "ante_rule": ante_rule(table.night),
        "key": new_id(),
        "head": table.head,
        "wrong": wrong,
    }


def chart_of(reckoning: Reckoning, key: str = "chart") -> str:
    """Return the chart of the night, described in words for those who can't see it."""
    ends = ", ".join(f"{one.face.name} {signed(one.values[-1])}" for one in reckoning.series)
    title = _("What everybody had won or lost after each hand")
    return line_chart(
        reckoning.series, reckoning.moments, title=title, desc=_("At the end: %(ends)s", ends=ends), key=key
    )


def last_board(history: History) -> list[tuple[Any, int]]:
    """Return what lay on the board when the night ended, or lies there now: each place's card and chips."""
    night = history.night
    if night.is_over and history.events:
        night = history.before(history.events[-1][0])
    return [(label_of(pot), night.pot(pot.id) + night.ledger.notes_in(pot.id)) for pot in night.preset.board.values()]


def ended_by(history: History) -> int | None:
    """Return the number of the event that ended the night: taking it back opens it again."""
    return history.events[-1][0] if history.night.is_over and history.events else None


def ante_rule(night: Night) -> str:
    """Return what a hand costs, in words, for people who play on with pen and paper."""
    if night.preset.game != "pots":
        return ""
    others, dealer = ante_sums(night.preset, max(2, len(night.seats)))
    facts = {"each": others[0], "more": dealer, "card": night.preset["out.per_card"]}
    if len(set(others)) > 1:
        return _("%(card)s for every card left.", **facts)
    return _("Ante: %(each)s each, the dealer %(more)s. %(card)s for every card left.", **facts)


@bp.post("/n/<code>/settle/last")
def last(code: str) -> ResponseReturnValue:
    """Announce that this is the last hand, or that it is not."""
    the_table(code).change_setting("last", "on" if request.form.get("last") == "on" else None)
    return see("settle.page", code=code)


@bp.post("/n/<code>/settle/pool")
def pool(code: str) -> ResponseReturnValue:
    """Give the poker pool of the night to the best hand; several share it."""
    return _record(code, Poker(tuple(request.form.getlist("winners"))))


@bp.post("/n/<code>/settle")
def finish(code: str) -> ResponseReturnValue:
    """Split what is left, redeem the IOUs and end the night."""
    return _record(code, End(tuple(request.form.getlist("winners"))))


def _record(code: str, event: Event) -> ResponseReturnValue:
    table = the_table(code)
    head = moves.number(request.form, "head")
    try:
        table.record(event, id=moves.event_id(request.form, event), by=g.who.by, seen=Seen(head=head))
    except TableError as error:
        return settle_page(table, refused(error, history_of(table))), status_of(error)
    if table.night.is_over:
        table.change_setting("last", None)
    return see("settle.page", code=code)


@bp.get("/n/<code>/settle/dues")
def dues(code: str) -> ResponseReturnValue:
    """Show the payments again if another phone ticked one off."""
    return fresh("partials/_dues.html", facts(the_table(code)))


@bp.post("/n/<code>/settle/paid")
def paid(code: str) -> ResponseReturnValue:
    """Tick a payment off, or take the tick back."""
    table, key = the_table(code), request.form.get("paid", "")
    owed = Reckoning(history_of(table), tables().store.settings(code)).dues
    due = next((one for one in owed if one.key == key), None)
    if due is None:
        abort(404)
    table.change_setting(key, None if due.is_paid else "on")
    if request.headers.get("HX-Request"):
        return render_template("partials/_dues.html", **facts(table))
    return see("settle.page", code=code, _anchor="dues")


@bp.get("/n/<code>/print")
def sheet(code: str) -> str:
    """Show one page to print: the result, or a scoresheet to play on with pen and paper."""
    table = the_table(code)
    book = Logbook(history_of(table), g.who)
    strips = [book.strip(hand) for hand in book.history.hands if hand]
    empty = max(FEWEST_EMPTY, ROWS_ON_PAPER - len(strips))
    return render_template("print.html", **facts(table), book=book, strips=strips, empty_rows=empty)
