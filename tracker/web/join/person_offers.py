"""Who a seat is over many nights: offered, asked and chosen in the lobby and on a seat's page.

Only the host of this machine sees the people of earlier nights, not whoever hosts a night by a handed-over table, and
no guest: the code on the table lets in everybody who sees it, and the list says who has ever played in this house. A
guest types a name; if somebody of earlier nights has it, the host is asked.
"""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from tracker.app.open_night import OpenNight
from tracker.archive.person_offers import NightOffers
from tracker.web.access.permissions import is_house
from tracker.web.context import get_people, get_summaries, get_table, redirect_to, redirect_to_night

bp = Blueprint("person_offers", __name__)

STRANGER = "stranger"
"""Sent for a seat that is nobody of earlier nights: nothing is asked about it any more."""


def offers_for(table: OpenNight, *, is_allowed: bool) -> NightOffers | None:
    """Return what is offered at a night; None for whoever may not see it, and at a rehearsal."""
    if not is_allowed or table.is_temporary:
        return None
    return NightOffers(get_people(), get_summaries().all(), table.code)


@bp.post("/n/<code>/seat/<seat>/who")
def choose(code: str, seat: str) -> ResponseReturnValue:
    """State which person of earlier nights a seat is, or that it is none of them."""
    table = get_table(code)
    table.night.require_seated(seat)
    offers = checked_offers(table)
    chosen = request.form.get("person", "")
    offers.take(seat, "" if chosen == STRANGER else chosen)
    table.settings.strangers.put(seat, chosen == STRANGER or None)
    table.show_again()
    if request.form.get("from") == "seat":
        return redirect_to("seat.page", code=code, seat=seat)
    return redirect_to_night(code)


@bp.post("/n/<code>/who")
def confirm_all(code: str) -> ResponseReturnValue:
    """State that each seat is the person of earlier nights that the page has asked about."""
    table = get_table(code)
    offers, asked = checked_offers(table), request.form.getlist("like")
    for one in offers.likenesses(table.night, table.settings.strangers.names()):
        if f"{one.seat} {one.offer.value}" in asked:
            offers.take(one.seat, one.offer.value)
    table.show_again()
    return redirect_to_night(code)


def checked_offers(table: OpenNight) -> NightOffers:
    """Return what is offered at a night; answer 403 to whoever may not see it."""
    return offers_for(table, is_allowed=is_house()) or abort(403)
