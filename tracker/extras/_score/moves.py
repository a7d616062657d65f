"""What is said while a deal of a score game is counted, and recorded only when it is paid."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from flask import abort

from tracker.app.open_night import OpenNight
from tracker.app.settings import HandDraft
from tracker.core.errors import AlreadyDone, BadEvent
from tracker.extras._score.pages import DealPages, deal_ending, save_deal_ending
from tracker.extras._score.view import NOBODY, STOCK, DealView
from tracker.web.access.answered_forms import Form
from tracker.web.access.consent import check_may_speak_for
from tracker.web.access.devices import Identity
from tracker.web.events.correction_form import whole
from tracker.web.table.game_pages import Keep
from tracker.web.table.pages import pages_of, viewer_of


def _deal(table: OpenNight, identity: Identity) -> DealView:
    pages = pages_of(table)
    assert isinstance(pages, DealPages)
    view: DealView = pages.view(table, viewer_of(table, identity))
    return view


def say_points(table: OpenNight, identity: Identity, points: str, form: Form) -> None:
    """Keep the points that somebody still holds; without any they are asked for again."""
    seat = form.get("seat", "")
    check_may_speak_for(table, identity, seat)
    restore(table, identity)
    held, view = whole(points), _deal(table, identity)
    least, most = view.least_in_hand, view.most_in_hand
    if points and not (isinstance(held, int) and least <= held <= most):
        raise BadEvent("points are whole numbers from {least} to {most}", least=least, most=most, field="hands")
    table.set_draft_value(seat, int(held) if points else None, form.get("claim", ""))


def say_out(table: OpenNight, identity: Identity, seat: str, form: Form) -> None:
    """Keep who is out, so that the others are asked for their hands."""
    seat = seat or form.get("seat", "")
    check_may_speak_for(table, identity, seat)
    already = table.draft.winner
    if already and already != seat:
        raise AlreadyDone("{name} has gone out already", name=table.night.name(already))
    save_deal_ending(table, "")
    table.set_draft_winner(seat)


def say_over(table: OpenNight, identity: Identity, _: str, __: Form) -> None:
    """Ask for everybody's hand; where the view says so, any phone at the table may."""
    viewer = viewer_of(table, identity)
    if not (viewer.records_for_all or (_deal(table, identity).may_any_seat_end and viewer.seat)):
        abort(403)
    if deal_ending(table) == STOCK:
        return  # said already: what was typed since stays
    if table.draft.winner or table.draft.counts or table.draft.withdrawn:
        table.set_draft_winner(None)  # before the count opens, so that nothing is typed for an older claim
    save_deal_ending(table, STOCK)


def take_back(table: OpenNight, identity: Identity, _: str, __: Form) -> None:
    if table.draft.winner is None and deal_ending(table) == NOBODY:
        return  # taken back already
    check_may_speak_for(table, identity, table.draft.winner or "")
    save_deal_ending(table, NOBODY)
    table.set_draft_winner(None)


def restore(table: OpenNight, identity: Identity) -> None:
    """Put the hands of a payment that was just taken back where phones can change them one by one."""
    if table.draft.winner or table.draft.counts or deal_ending(table):
        return
    view = _deal(table, identity)
    if view.moment == "count":
        table.change_draft(partial(_with_hands_of, view))
        save_deal_ending(table, view.how)


def _with_hands_of(view: DealView, draft: HandDraft) -> HandDraft:
    """Return a draft with the hands of a payment, unless some were typed in the meantime."""
    if draft.winner or draft.counts:
        return draft
    return replace(draft, winner=view.winner, counts=view.counts, cover={**draft.cover, **view.said_of})


COUNTED: Mapping[str, Keep] = {
    "say": say_points,
    "out": say_out,
    "stock": say_over,
    "not-out": take_back,
}
"""The verbs of a game whose hands are counted."""
