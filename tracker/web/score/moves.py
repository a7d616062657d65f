"""What the buttons of the score games do: record an event, or keep what is said while a deal is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import abort

from tracker.app.open_night import OpenNight
from tracker.core.errors import AlreadyDone, BadEvent
from tracker.web.access.answered_forms import expected_state, id_from_content
from tracker.web.access.consent import record_or_ask
from tracker.web.access.devices import Identity
from tracker.web.access.record_permission import may_speak_for
from tracker.web.context import viewer_of
from tracker.web.events.correction_form import whole
from tracker.web.events.event_kind import MoveForm
from tracker.web.events.registry import event_of
from tracker.web.game_kinds import GameKind
from tracker.web.score import pages
from tracker.web.score.pages import deal_ending, save_deal_ending, view_of
from tracker.web.score.rum_view import NOBODY, ONE_TURN, STOCK, RumView

Form = Mapping[str, str]


def handle_move(table: OpenNight, identity: Identity, form: Form) -> None:
    """Record what a form says. Raises TableError; answers 403 to a phone that may not."""
    _record(table, identity, form, None)


def handle_counted_move(table: OpenNight, identity: Identity, form: Form) -> None:
    """Record what a form says, or keep it while a deal is counted. Raises TableError; 403 to a phone that may not."""
    verb, _, argument = form.get("do", "").partition(":")
    if verb in _SAID:
        _SAID[verb](table, identity, argument, form)
    else:
        _record(table, identity, form, _rum_view(table, identity))


def _record(table: OpenNight, identity: Identity, form: Form, count: RumView | None) -> None:
    if table.outcome_of(id_from_content(form), by=identity.by):
        return
    event = event_of(MoveForm(form, table.night, count=count))
    record_or_ask(table, identity, event, id=id_from_content(form), seen=expected_state(form, event))


def _rum_view(table: OpenNight, identity: Identity) -> RumView:
    view = view_of(table, viewer_of(table, identity))
    if not isinstance(view, RumView):
        raise BadEvent("this game counts no hands", field="hands")
    return view


# What is said while a deal is counted, and recorded only when it is paid


def _say(table: OpenNight, identity: Identity, points: str, form: Form) -> None:
    """Keep the points that somebody still holds; without any they are asked for again."""
    seat = form.get("seat", "")
    if not may_speak_for(identity, seat, is_open=table.settings.is_open_to_all):
        abort(403)
    _restore(table, identity)
    held, view = whole(points), _rum_view(table, identity)
    least, most = view.least_in_hand, view.most_in_hand
    if points and not (isinstance(held, int) and least <= held <= most):
        raise BadEvent("points are whole numbers from {least} to {most}", least=least, most=most, field="hands")
    table.set_draft_value(seat, int(held) if points else None, form.get("claim", ""))


def _say_out(table: OpenNight, identity: Identity, seat: str, form: Form) -> None:
    """Keep who is out, so that the others are asked for their hands."""
    seat = seat or form.get("seat", "")
    if not may_speak_for(identity, seat, is_open=table.settings.is_open_to_all):
        abort(403)
    already = table.draft.winner
    if already and already != seat:
        raise AlreadyDone("{name} has gone out already", name=table.night.name(already))
    save_deal_ending(table, "")
    table.set_draft_winner(seat)


def _stock(table: OpenNight, identity: Identity, _: str, __: Form) -> None:
    """Ask for everybody's hand; that a round of a score sheet is over, any phone at the table may say."""
    viewer = viewer_of(table, identity)
    if not (viewer.records_for_all or (table.preset.game == "points" and viewer.seat)):
        abort(403)
    if deal_ending(table) == STOCK:
        return  # said already: what was typed since stays
    save_deal_ending(table, STOCK)
    table.set_draft_winner(None)


def _one_turn(table: OpenNight, identity: Identity, choice: str, __: Form) -> None:
    if not may_speak_for(identity, table.draft.winner or "", is_open=table.settings.is_open_to_all):
        abort(403)
    _restore(table, identity)
    save_deal_ending(table, ONE_TURN if choice == "on" else "")


def _not_out(table: OpenNight, identity: Identity, _: str, __: Form) -> None:
    if table.draft.winner is None and deal_ending(table) == NOBODY:
        return  # taken back already
    if not may_speak_for(identity, table.draft.winner or "", is_open=table.settings.is_open_to_all):
        abort(403)
    save_deal_ending(table, NOBODY)
    table.set_draft_winner(None)


def _restore(table: OpenNight, identity: Identity) -> None:
    """Put the hands of a payment that was just taken back where phones can change them one by one."""
    if table.draft.winner or table.draft.counts or deal_ending(table):
        return
    view = _rum_view(table, identity)
    if view.moment == "count":
        table.start_draft(view.winner, view.counts or {})
        save_deal_ending(table, view.how)


_SAID: Mapping[str, Callable[[OpenNight, Identity, str, Form], None]] = {
    "say": _say,
    "out": _say_out,
    "stock": _stock,
    "one-turn": _one_turn,
    "not-out": _not_out,
}
"""Verbs that record nothing yet."""


ROUNDS_GAME = GameKind(pages.page, pages.fragments, pages.sheet, pages.tv_page, pages.tv_fragment, handle_move)
COUNTED_GAME = GameKind(pages.page, pages.fragments, pages.sheet, pages.tv_page, pages.tv_fragment, handle_counted_move)
