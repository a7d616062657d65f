"""What a tap on the table's page does: who may do it, and whether it is an event yet or only typed."""

from collections.abc import Callable, Mapping

from flask import abort

from tracker.app.open_night import OpenNight, Outcome
from tracker.app.settings import HandChoices, NightSettings
from tracker.core.errors import AlreadyDone, BadEvent, NotAllowed, NotEnoughChips
from tracker.core.events import Amount, Borrow, Out
from tracker.core.queries.consent import with_default_cover
from tracker.core.queries.prompts import is_asked_for_cards, most_cards
from tracker.web.access.answered_forms import Form, expected_state, id_from_content
from tracker.web.access.consent import agreed_by, answer_request, check_may_record, check_may_speak_for, record_or_ask
from tracker.web.access.devices import Identity
from tracker.web.context import viewer_of
from tracker.web.events.correction_form import whole
from tracker.web.events.event_kind import MoveForm, number
from tracker.web.events.registry import event_of
from tracker.web.snapshot import snapshot_of
from tracker.web.table.score_page import deal_ending, save_deal_ending, view_of
from tracker.web.table.score_view import NOBODY, ONE_TURN, STOCK, RumView


def handle_move(table: OpenNight, identity: Identity, form: Form) -> Outcome | None:
    """Record what the form says, or keep it until it is recorded (None). Raises TableError; 403 if it is not theirs."""
    verb, _, argument = form.get("do", "").partition(":")
    if keep := KEPT[table.preset.game].get(verb):
        keep(table, identity, argument, form)
        return None
    if known := table.outcome_of(id_from_content(form), by=identity.by):
        return known
    snapshot = snapshot_of(table)
    deal = _counted_deal(table, identity) if table.preset.game in ("rum", "points") else None
    event = event_of(MoveForm(form, snapshot.night, snapshot.moment, snapshot.plan, snapshot.count, deal))
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


# What is said while a deal of a score game is counted, and recorded only when it is paid


def _counted_deal(table: OpenNight, identity: Identity) -> RumView:
    view = view_of(table, viewer_of(table, identity))
    if not isinstance(view, RumView):
        raise BadEvent("this game counts no hands", field="hands")
    return view


def _say_points(table: OpenNight, identity: Identity, points: str, form: Form) -> None:
    """Keep the points that somebody still holds; without any they are asked for again."""
    seat = form.get("seat", "")
    check_may_speak_for(table, identity, seat)
    _restore(table, identity)
    held, view = whole(points), _counted_deal(table, identity)
    least, most = view.least_in_hand, view.most_in_hand
    if points and not (isinstance(held, int) and least <= held <= most):
        raise BadEvent("points are whole numbers from {least} to {most}", least=least, most=most, field="hands")
    table.set_draft_value(seat, int(held) if points else None, form.get("claim", ""))


def _say_deal_out(table: OpenNight, identity: Identity, seat: str, form: Form) -> None:
    """Keep who is out, so that the others are asked for their hands."""
    seat = seat or form.get("seat", "")
    check_may_speak_for(table, identity, seat)
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
    check_may_speak_for(table, identity, table.draft.winner or "")
    _restore(table, identity)
    save_deal_ending(table, ONE_TURN if choice == "on" else "")


def _not_deal_out(table: OpenNight, identity: Identity, _: str, __: Form) -> None:
    if table.draft.winner is None and deal_ending(table) == NOBODY:
        return  # taken back already
    check_may_speak_for(table, identity, table.draft.winner or "")
    save_deal_ending(table, NOBODY)
    table.set_draft_winner(None)


def _restore(table: OpenNight, identity: Identity) -> None:
    """Put the hands of a payment that was just taken back where phones can change them one by one."""
    if table.draft.winner or table.draft.counts or deal_ending(table):
        return
    view = _counted_deal(table, identity)
    if view.moment == "count":
        table.start_draft(view.winner, view.counts or {})
        save_deal_ending(table, view.how)


Keep = Callable[[OpenNight, Identity, str, Form], None]
_COUNTED: Mapping[str, Keep] = {
    "say": _say_points,
    "out": _say_deal_out,
    "stock": _stock,
    "one-turn": _one_turn,
    "not-out": _not_deal_out,
}
KEPT: Mapping[str, Mapping[str, Keep]] = {
    "pots": {
        "say": _say,
        "cover": _cover,
        "not-out": _not_out,
        "waive": _waive,
        "excuse": _excuse,
        "plan": _plan,
        "last": _last,
        "agree": answer_request,
    },
    "rounds": {},
    "rum": _COUNTED,
    "points": _COUNTED,
}
"""The verbs of each game that record nothing yet: what is typed or planned until an event says it."""
