"""What the buttons of the score games do: record an event, or keep what is said while a deal is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import abort, g

from tracker.codec import event_from
from tracker.core.errors import AlreadyDone, BadEvent, Stale
from tracker.core.events import Event, Undo
from tracker.table import Table
from tracker.web import access, moves
from tracker.web.scenes import scene_of, viewer_of
from tracker.web.score import how, keep_how, view_of
from tracker.web.score_rum import NOBODY, ONE_TURN, STOCK, RumView
from tracker.web.score_views import undo_for

Form = Mapping[str, str]
Raw = dict[str, Any]
MOST_POINTS = 999


def do(table: Table, form: Form) -> None:
    """Do what a form asks. TableError when the table refuses, 403 when this phone may not."""
    verb, _, argument = form.get("do", "").partition(":")
    if verb in _SAID and table.preset.game == "rum":
        _SAID[verb](table, argument, form)
        return
    if table.recorded(moves.form_id(form), by=g.who.by):
        return
    event = event_of(table, verb, argument, form)
    if isinstance(event, Undo):
        mine = undo_for(scene_of(table), viewer_of(table))
        if g.who.role != "host" and (mine is None or mine.number != event.event):
            abort(403)
    elif not access.may_record(g.who, event, table.night, is_open=access.is_open_to_all(table.code)):
        abort(403)
    table.record(event, id=moves.form_id(form), by=g.who.by, seen=moves.seen_of(form, event))


def event_of(table: Table, verb: str, argument: str, form: Form) -> Event:
    """Return the event that a button's words stand for; BadEvent when they stand for none."""
    build = _BUILD.get(verb)
    raw = build(table, argument, form) if build else {}
    return event_from({"kind": verb, **raw})


def _round(_: Table, argument: str, form: Form) -> Raw:
    winner, _slash, jokers = argument.partition("/")
    return {"winner": winner or form.get("seat", ""), "jokers": moves.number({"n": jokers or "0"}, "n")}


def _pay(table: Table, _: str, form: Form) -> Raw:
    """Return the deal's end as the sender has seen it counted; Stale when a hand was changed since."""
    view = _rum_view(table)
    if view.moment != "count":
        raise AlreadyDone("this deal is paid already: look at the table")
    seen = {seat: moves.number({"n": points}, "n") for seat, _eq, points in _pairs(form.get("hands", ""))}
    if seen != view.hands:
        raise Stale("a hand has just been changed: look at the payments and tap again")
    if view.is_stock_out:
        return {"kind": "stock-out", "hands": seen}
    return {"kind": "rummy", "seat": view.winner, "hands": seen, "one_turn": view.one_turn}


def _pairs(text: str) -> list[tuple[str, str, str]]:
    return [pair.partition("=") for pair in text.split()]


def _rum_view(table: Table) -> RumView:
    view = view_of(table, viewer_of(table))
    if not isinstance(view, RumView):
        raise BadEvent("this game counts no hands", field="hands")
    return view


def _penalty(_: Table, offence: str, form: Form) -> Raw:
    return {"seat": form.get("seat", ""), "offence": offence}


def _leave(_: Table, seat: str, __: Form) -> Raw:
    return {"seat": seat}


def _undo(_: Table, number: str, __: Form) -> Raw:
    return {"event": moves.number({"n": number}, "n")}


_BUILD: Mapping[str, Callable[[Table, str, Form], Raw]] = {
    "round": _round,
    "pay": _pay,
    "penalty": _penalty,
    "leave": _leave,
    "undo": _undo,
}
"""verb of a button -> the event's fields; `reverse` and `end` have none"""


# What is said while a deal is counted, and recorded only when it is paid


def _may_for(seat: str, table: Table) -> bool:
    return g.who.role == "host" or (g.who.role == "seat" and (g.who.seat == seat or access.is_open_to_all(table.code)))


def _say(table: Table, points: str, form: Form) -> None:
    """Keep the points that somebody still holds; without any they are asked for again."""
    seat = form.get("seat", "")
    if not _may_for(seat, table):
        abort(403)
    _restore(table)
    held = moves.number({"n": points}, "n")
    if points and not 0 <= held <= MOST_POINTS:
        raise BadEvent("a hand counts 0 to {most} points", most=MOST_POINTS, field="hands")
    table.say(seat, held if points else None)


def _say_out(table: Table, seat: str, form: Form) -> None:
    """Keep who is out, so that the others are asked for their hands."""
    seat = seat or form.get("seat", "")
    if not _may_for(seat, table):
        abort(403)
    already = table.draft.winner
    if already and already != seat:
        raise AlreadyDone("{name} has gone out already", name=table.night.name(already))
    keep_how(table, "")
    table.say_out(seat)


def _stock(table: Table, _: str, __: Form) -> None:
    _only_for_all(table)
    keep_how(table, STOCK)
    table.say_out(None)


def _one_turn(table: Table, choice: str, __: Form) -> None:
    if not _may_for(table.draft.winner or "", table):
        abort(403)
    _restore(table)
    keep_how(table, ONE_TURN if choice == "on" else "")


def _not_out(table: Table, _: str, __: Form) -> None:
    if table.draft.winner is None and how(table) == NOBODY:
        return  # taken back already
    if not _may_for(table.draft.winner or "", table):
        abort(403)
    keep_how(table, NOBODY)
    table.say_out(None)


def _only_for_all(table: Table) -> None:
    if not viewer_of(table).records_for_all:
        abort(403)


def _restore(table: Table) -> None:
    """Put the hands of a payment that was just taken back where phones can change them one by one."""
    if table.draft.winner or table.draft.said or how(table):
        return
    view = _rum_view(table)
    if view.moment == "count":
        table.draft.winner, table.draft.said = view.winner, dict(view.said or {})
        keep_how(table, view.how)


_SAID: Mapping[str, Callable[[Table, str, Form], None]] = {
    "say": _say,
    "out": _say_out,
    "stock": _stock,
    "one-turn": _one_turn,
    "not-out": _not_out,
}
"""Verbs that record nothing yet."""
