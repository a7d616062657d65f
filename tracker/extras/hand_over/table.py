"""Giving the table to somebody else: it is offered to a seat, and changes hands when that takes it."""

from typing import NamedTuple

from flask import Blueprint, abort, current_app, g, request
from flask.typing import ResponseReturnValue

from tracker.app.open_night import OpenNight
from tracker.app.seating import sit_event_number
from tracker.app.steady_clock import is_before
from tracker.extras._phones import RoleSettings, TableOffer
from tracker.extras.hand_over.tokens import NewTokens
from tracker.web.access.admission import Question, host_name, hosts_of
from tracker.web.access.devices import SCRIPT, Identity
from tracker.web.access.permissions import after_unlocking, get_access, in_turn
from tracker.web.access.roles import HOST, SEAT, may
from tracker.web.base.context import form_page, get_nights, get_table, redirect_to_night
from tracker.web.drawing.player_token import player_tokens
from tracker.web.wording.texts import gettext as _

bp = Blueprint("hand_over", __name__)

OFFER_SECONDS = 10 * 60


def settings_of(table: OpenNight) -> RoleSettings:
    return table.settings.declared_by(RoleSettings)


def offer_table(table: OpenNight, seat: str) -> bool:
    """Offer the table to the phones that hold a seat now, for ten minutes; False where no phone holds it."""
    devices = get_access().devices
    rows = [row for row in devices.at_seat(table.code, seat) if row.role == "seat" and row.label != SCRIPT]
    phones = tuple(row.id for row in rows if devices.has_arrived(row))
    if phones:
        until = int(devices.clock() + OFFER_SECONDS)
        settings_of(table).table_offer = TableOffer(seat, until, sit_event_number(table, seat), phones)
    return bool(phones)


def table_offer(table: OpenNight) -> TableOffer | None:
    """Return to whom the table is offered now: not after ten minutes, and not once that person has left."""
    offer = settings_of(table).table_offer
    is_open = offer and is_before(get_access().devices.clock(), offer.until, OFFER_SECONDS)
    if offer is None or not is_open or offer.seat not in table.night.seats:
        return None
    return offer if offer.sit == sit_event_number(table, offer.seat) else None


def offered_by(table: OpenNight, identity: Identity) -> str | None:
    """Return the name of the host who offers the table to this phone ("" for one without a seat), or None."""
    offer = table_offer(table) if identity.role == "seat" else None
    return host_name(table) if offer and identity.device in offer.devices else None


class OfferedTable(NamedTuple):
    """The question of whether to take the table over."""

    host: str
    """The name of who gives it; empty for a host without a seat."""
    template: str = "hand_over/_offer.html"
    is_first: bool = True


def ask_to_take(table: OpenNight, identity: Identity) -> Question | None:
    """Return the question to a phone that the table is offered to."""
    host = offered_by(table, identity)
    return None if host is None else OfferedTable(host)


@bp.get("/n/<code>/hand-over")
@may(HOST, needs_others=True)
def hand_over(code: str, wrong: str = "") -> ResponseReturnValue:
    """Ask who shall run the table from now on: anybody whose phone is here."""
    table = get_table(code)
    held, offer = get_access().devices.seats_with_phone(table.code), table_offer(table)
    drawn = player_tokens(table.night)
    return form_page(
        "hand_over/hand-over.html",
        wrong,
        table=table,
        faces=[drawn[seat] for seat in table.night.seats if seat in held and seat != g.identity.seat],
        offered=offer.seat if offer else "",
    )


@bp.post("/n/<code>/hand-over")
@may(HOST, needs_others=True)
@after_unlocking
def offer(code: str) -> ResponseReturnValue:
    """Offer the table to a person; it changes hands when they take it, so it is never without a host."""
    table = get_table(code)
    seat = request.form.get("seat", "")
    if not seat:
        settings_of(table).table_offer = None
    elif not offer_table(table, table.night.require_seated(seat)):
        wrong = _("%(name)s has no phone here that could run the table.", name=table.night.name(seat))
        return hand_over(code, wrong)
    return redirect_to_night(code)


@bp.post("/n/<code>/take-table")
@may(SEAT, needs_others=True)
@in_turn
def take_table(code: str) -> ResponseReturnValue:
    """Take the table that was offered: this phone gets a new token as host, the old host keeps the seat."""
    table, identity = get_table(code), g.identity
    hosts = hosts_of(code)
    if any(row.id == identity.device for row in hosts):
        return redirect_to_night(code)  # the second tap of a double tap
    taker = next((row for row in get_access().devices.devices_of(code) if row.id == identity.device), None)
    if taker is None or offered_by(table, identity) is None:
        abort(403)
    tokens: NewTokens = current_app.extensions["new_tokens"]
    tokens.hand_over(taker, hosts)
    settings_of(table).table_offer = None
    for row in (*hosts, taker):
        get_nights().live.end_device(str(row.id), again=True)
    get_nights().live.publish(code)
    return redirect_to_night(code)
