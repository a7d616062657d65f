"""What a tap on the table's page does: who may do it, and whether it is an event yet or only typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import abort, g

from tracker.core.errors import AlreadyDone
from tracker.core.events import Out, Undo
from tracker.table import Outcome, Table
from tracker.web import access, moves
from tracker.web.moments import most_cards
from tracker.web.scenes import keep, scene_of
from tracker.web.views import Scene, Viewer, table_view


def do(table: Table, form: Mapping[str, str]) -> Outcome | None:
    """Record what the form says, or keep it until it is recorded (None). Raises TableError; 403 if it is not theirs."""
    verb, _, argument = form.get("do", "").partition(":")
    if verb in _KEPT:
        _KEPT[verb](table, argument, form)
        return None
    if known := table.recorded(moves.form_id(form), by=g.who.by):
        return known
    scene = scene_of(table)
    event = moves.event_of(form, scene, scene.moment)
    if isinstance(event, Undo):
        _check_undo(scene, event)
    else:
        may = access.may_record(g.who, event, scene.night, is_open=access.is_open_to_all(table.code))
        if not may:
            abort(403)
    if isinstance(event, Out) and verb == "out" and moves.has_count(scene.night, event.seat):
        _say_out(table, event.seat, form)
        return None
    done = table.record(event, id=moves.form_id(form), by=g.who.by, seen=moves.seen_of(form, event))
    if event.kind == "hand" and scene.plan:
        table.change_setting("plan", None)
    return done


def _check_undo(scene: Scene, event: Undo) -> None:
    """A seat's phone takes back only its own newest event of this hand; what nobody may is answered with 403."""
    if g.who.role == "host":
        return
    mine = table_view(scene, Viewer(g.who.role, g.who.seat)).undo
    if mine is None or event.event not in (mine.number, mine.further):
        abort(403)


def _may_for(seat: str, table: Table) -> bool:
    return g.who.role == "host" or g.who.seat == seat or (g.who.role == "seat" and access.is_open_to_all(table.code))


def _say(table: Table, cards: str, form: Mapping[str, str]) -> None:
    seat = form.get("seat", "")
    if not _may_for(seat, table):
        abort(403)
    left = moves.number({"n": cards}, "n")
    table.say(seat, left if 0 <= left <= most_cards(table.night) else None)


def _say_out(table: Table, seat: str, _: Mapping[str, str]) -> None:
    already = table.draft.winner
    if already and already != seat:
        raise AlreadyDone("{name} is out of cards already", name=table.night.name(already))
    table.say_out(seat)


def _not_out(table: Table, _: str, __: Mapping[str, str]) -> None:
    if table.draft.winner is None:
        return  # taken back already
    if not _may_for(table.draft.winner, table):
        abort(403)
    table.say_out(None)


def _waive(table: Table, question: str, _: Mapping[str, str]) -> None:
    if not _may_for("", table):
        abort(403)
    keep(table, "waived", {question: "nobody"})


def _plan(table: Table, choice: str, form: Mapping[str, str]) -> None:
    """Keep who sits the next hand out, who lends whom for the ante, or who deals."""
    seat = form.get("seat", "")
    if not _may_for(seat, table):
        abort(403)
    keep(table, "plan", {choice: seat} if choice == "dealer" else {seat: choice or None})


def _last(table: Table, choice: str, _: Mapping[str, str]) -> None:
    if g.who.role != "host":
        abort(403)
    table.change_setting("last", choice or None)


_KEPT: Mapping[str, Callable[[Table, str, Mapping[str, str]], None]] = {
    "say": _say,
    "not-out": _not_out,
    "waive": _waive,
    "plan": _plan,
    "last": _last,
}
"""Verbs that record nothing yet: what is typed or planned until an event says it."""
