"""What a tap on the table's page does: who may do it, and whether it is an event yet or only typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import abort

from tracker.app.open_night import OpenNight, Outcome
from tracker.app.settings import HandChoices, NightSettings
from tracker.core.errors import AlreadyDone, NotAllowed, NotEnoughChips
from tracker.core.events import Amount, Borrow, Out
from tracker.core.queries.consent import with_default_cover
from tracker.core.queries.prompts import is_asked_for_cards, most_cards
from tracker.web.access.answered_forms import expected_state, id_from_content
from tracker.web.access.consent import agreed_by, answer_request, record_or_ask
from tracker.web.access.devices import Identity
from tracker.web.access.record_permission import check_may_record, may_speak_for
from tracker.web.events.event_kind import MoveForm, number
from tracker.web.events.registry import event_of
from tracker.web.snapshot import snapshot_of


def handle_move(table: OpenNight, identity: Identity, form: Mapping[str, str]) -> Outcome | None:
    """Record what the form says, or keep it until it is recorded (None). Raises TableError; 403 if it is not theirs."""
    verb, _, argument = form.get("do", "").partition(":")
    if verb in _KEPT:
        _KEPT[verb](table, identity, argument, form)
        return None
    if known := table.outcome_of(id_from_content(form), by=identity.by):
        return known
    snapshot = snapshot_of(table)
    event = event_of(MoveForm(form, snapshot.night, snapshot.moment, snapshot.plan, snapshot.count))
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


def _say(table: OpenNight, identity: Identity, cards: str, form: Mapping[str, str]) -> None:
    seat = form.get("seat", "")
    if not may_speak_for(identity, seat, is_open=table.settings.is_open_to_all):
        abort(403)
    left = number(cards)
    value = left if 0 <= left <= most_cards(table.night) else None
    table.set_draft_value(seat, value, form.get("claim", ""))


def _cover(table: OpenNight, identity: Identity, argument: str, form: Mapping[str, str]) -> None:
    """Keep how somebody with too few chips pays for cards left, until the hand is paid."""
    seat, _, source = argument.partition(":")
    if not may_speak_for(identity, seat, is_open=table.settings.is_open_to_all):
        abort(403)
    table.set_draft_cover(seat, source, form.get("claim", ""))


def _say_out(table: OpenNight, seat: str) -> None:
    already = table.draft.winner
    if already and already != seat:
        raise AlreadyDone("{name} is out of cards already", name=table.night.name(already))
    table.set_draft_winner(seat)


def _not_out(table: OpenNight, identity: Identity, _: str, form: Mapping[str, str]) -> None:
    if table.draft.winner is None:
        return  # taken back already
    if not may_speak_for(identity, table.draft.winner, is_open=table.settings.is_open_to_all):
        abort(403)
    table.set_draft_winner(None, form.get("claim", ""))


def _waive(table: OpenNight, identity: Identity, question: str, _: Mapping[str, str]) -> None:
    if not may_speak_for(identity, "", is_open=table.settings.is_open_to_all):
        abort(403)
    table.choose(NightSettings.waived, {question: "nobody"})


def _excuse(table: OpenNight, identity: Identity, seat: str, form: Mapping[str, str]) -> None:
    """Keep who pays nothing for cards left, until the hand is paid."""
    if not may_speak_for(identity, "", is_open=table.settings.is_open_to_all):
        abort(403)
    table.set_draft_excused(table.night.require_in_hand(seat) if seat else None, form.get("claim", ""))


def _plan(table: OpenNight, identity: Identity, choice: str, form: Mapping[str, str]) -> None:
    """Keep who sits the next hand out, who lends whom for the ante, or who deals."""
    seat = form.get("seat", "")
    if not may_speak_for(identity, seat, is_open=table.settings.is_open_to_all):
        abort(403)
    short = snapshot_of(table).moment.short.get(seat)
    if short and choice in table.night.seats:
        loan = Borrow(seat, choice, Amount(short))
        if agreed_by(table, identity, loan) is not None:
            record_or_ask(table, identity, loan, id=id_from_content(form))
            return
    table.choose(NightSettings.plan, {choice: seat} if choice == "dealer" else {seat: choice or None})


def _last(table: OpenNight, identity: Identity, choice: str, _: Mapping[str, str]) -> None:
    if identity.role != "host":
        abort(403)
    table.settings.is_last_hand = choice == "on"


_KEPT: Mapping[str, Callable[[OpenNight, Identity, str, Mapping[str, str]], None]] = {
    "say": _say,
    "cover": _cover,
    "not-out": _not_out,
    "waive": _waive,
    "excuse": _excuse,
    "plan": _plan,
    "last": _last,
    "agree": answer_request,
}
"""Verbs that record nothing yet: what is typed or planned until an event says it."""
