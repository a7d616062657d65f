"""What the buttons of the score games do: record an event, or keep what is said while a deal is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import abort, g

from tracker.app.open_night import OpenNight
from tracker.core.errors import AlreadyDone, BadEvent
from tracker.core.events import Undo
from tracker.web.access.pin import check_pin
from tracker.web.access.record_permission import may_record, may_speak_for, may_undo
from tracker.web.events.move_form import MoveForm, number
from tracker.web.events.registry import event_of
from tracker.web.idempotency import expected_state, idempotency_key
from tracker.web.reader import viewer_of
from tracker.web.scene import scene_of
from tracker.web.score.pages import how, keep_how, view_of
from tracker.web.score.rum_view import NOBODY, ONE_TURN, STOCK, RumView

Form = Mapping[str, str]
MOST_POINTS = 999


def handle_move(table: OpenNight, form: Form) -> None:
    """Do what a form asks. TableError when the table refuses, 403 when this phone may not."""
    verb, _, argument = form.get("do", "").partition(":")
    if verb in _SAID and table.preset.game == "rum":
        _SAID[verb](table, argument, form)
        return
    if table.outcome_of(idempotency_key(form), by=g.who.by):
        return
    count = _rum_view(table) if table.preset.game == "rum" else None
    event = event_of(MoveForm(form, table.night, count=count))
    if isinstance(event, Undo):
        if not may_undo(g.who, event, scene_of(table)):
            abort(403)
    elif not may_record(g.who, event, table.night, is_open=table.settings.is_open_to_all):
        abort(403)
    check_pin(table, event)
    table.record(event, id=idempotency_key(form), by=g.who.by, seen=expected_state(form, event))


def _rum_view(table: OpenNight) -> RumView:
    view = view_of(table, viewer_of(table, g.who))
    if not isinstance(view, RumView):
        raise BadEvent("this game counts no hands", field="hands")
    return view


# What is said while a deal is counted, and recorded only when it is paid


def _say(table: OpenNight, points: str, form: Form) -> None:
    """Keep the points that somebody still holds; without any they are asked for again."""
    seat = form.get("seat", "")
    if not may_speak_for(g.who, seat, is_open=table.settings.is_open_to_all):
        abort(403)
    _restore(table)
    held = number(points)
    if points and not 0 <= held <= MOST_POINTS:
        raise BadEvent("a hand counts 0 to {most} points", most=MOST_POINTS, field="hands")
    table.set_draft_value(seat, held if points else None)


def _say_out(table: OpenNight, seat: str, form: Form) -> None:
    """Keep who is out, so that the others are asked for their hands."""
    seat = seat or form.get("seat", "")
    if not may_speak_for(g.who, seat, is_open=table.settings.is_open_to_all):
        abort(403)
    already = table.draft.winner
    if already and already != seat:
        raise AlreadyDone("{name} has gone out already", name=table.night.name(already))
    keep_how(table, "")
    table.set_draft_winner(seat)


def _stock(table: OpenNight, _: str, __: Form) -> None:
    _only_for_all(table)
    keep_how(table, STOCK)
    table.set_draft_winner(None)


def _one_turn(table: OpenNight, choice: str, __: Form) -> None:
    if not may_speak_for(g.who, table.draft.winner or "", is_open=table.settings.is_open_to_all):
        abort(403)
    _restore(table)
    keep_how(table, ONE_TURN if choice == "on" else "")


def _not_out(table: OpenNight, _: str, __: Form) -> None:
    if table.draft.winner is None and how(table) == NOBODY:
        return  # taken back already
    if not may_speak_for(g.who, table.draft.winner or "", is_open=table.settings.is_open_to_all):
        abort(403)
    keep_how(table, NOBODY)
    table.set_draft_winner(None)


def _only_for_all(table: OpenNight) -> None:
    if not viewer_of(table, g.who).records_for_all:
        abort(403)


def _restore(table: OpenNight) -> None:
    """Put the hands of a payment that was just taken back where phones can change them one by one."""
    if table.draft.winner or table.draft.said or how(table):
        return
    view = _rum_view(table)
    if view.moment == "count":
        table.draft.winner, table.draft.said = view.winner, dict(view.said or {})
        keep_how(table, view.how)


_SAID: Mapping[str, Callable[[OpenNight, str, Form], None]] = {
    "say": _say,
    "out": _say_out,
    "stock": _stock,
    "one-turn": _one_turn,
    "not-out": _not_out,
}
"""Verbs that record nothing yet."""
