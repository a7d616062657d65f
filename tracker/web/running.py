"""Running the night: its settings, the first dealer, and giving the table to somebody else."""

from __future__ import annotations

import secrets

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from tracker.core.errors import NotEnoughChips
from tracker.core.events import Amend, Hand
from tracker.sealing import new_id
from tracker.table import Table
from tracker.web import people
from tracker.web.access import door
from tracker.web.faces import faces
from tracker.web.here import is_gathering, see, see_night, tables, the_table
from tracker.web.join import form_key
from tracker.web.knock import OFFER, hosts_of
from tracker.web.lobby import advice
from tracker.web.scenes import keep
from tracker.web.seat import sitting

bp = Blueprint("running", __name__)


# What the table agreed on


@bp.get("/n/<code>/settings")
def settings(code: str) -> ResponseReturnValue:
    """Shows what the host may change during the night."""
    return settings_page(the_table(code))


def settings_page(table: Table, wrong: str = "") -> ResponseReturnValue:
    page_ = render_template(
        "settings.html",
        table=table,
        stack=people.starting_stack(table),
        is_open=table.setting("everyone") == "on",
        advice=advice(table),
        is_gathering=is_gathering(table.night),
        wrong=wrong,
        key=new_id(),
    )
    return page_, 422 if wrong else 200


@bp.post("/n/<code>/settings")
def save_settings(code: str) -> ResponseReturnValue:
    """Keeps the night's name, who may record, and before the first hand the starting stack of everybody."""
    table = the_table(code)
    stack = request.form.get("stack", "").strip()
    if stack and not (stack.isascii() and stack.isdigit() and len(stack) < 7 and int(stack) > 0):
        return settings_page(table, _("From 1 to 999,999 chips."))
    name = " ".join(request.form.get("title", "").split())[:60]
    if name and name.isprintable() and name != table.name:
        tables().store.rename(code, name)
    table.change_setting("everyone", "on" if "everyone" in request.form else None)
    if stack and int(stack) != people.starting_stack(table):
        table.change_setting("stack", str(int(stack)))
        if is_gathering(table.night):
            give_everybody(table, int(stack))
    return see_night(code)


def give_everybody(table: Table, chips: int) -> None:
    """Corrects what everybody sat down with."""
    key = form_key()
    for one in table.night.seats:
        if table.night.stack(one) != chips:
            table.record(Amend(sitting(table, one), {"chips": chips}), id=f"{key}-{one}", by=g.who.by)


# The first hand


@bp.get("/n/<code>/dealer")
def dealer(code: str) -> ResponseReturnValue:
    """Asks who deals first; a game without a dealer goes straight to its table."""
    table = the_table(code)
    if not is_gathering(table.night) or table.preset.game != "pots":
        return see("table.page", code=code)
    drawn = faces(table.night)
    return render_template("dealer.html", table=table, faces=[drawn[seat] for seat in table.night.seats], key=new_id())


@bp.post("/n/<code>/dealer")
def begin(code: str) -> ResponseReturnValue:
    """Begins the first hand: the antes go in. If somebody can't pay them, the table asks what to do."""
    table = the_table(code)
    night = table.night
    if is_gathering(night):
        # Drawing lots is no rule of the game, so it happens here and the log only knows who deals.
        seat = night.present(request.form.get("seat") or secrets.choice(night.seats or ("",)))
        try:
            table.record(Hand(seat), id=form_key(), by=g.who.by)
        except NotEnoughChips:
            keep(table, "plan", {"dealer": seat})
    return see("table.page", code=code)


# Giving the table to somebody else


@bp.get("/n/<code>/hand-over")
def hand_over(code: str) -> str:
    """Asks who shall run the table from now on: anybody whose phone is here."""
    table = the_table(code)
    held = door().devices.seats_with_phone(code)
    drawn = faces(table.night)
    return render_template(
        "hand-over.html",
        table=table,
        faces=[drawn[seat] for seat in table.night.seats if seat in held and seat != g.who.seat],
        offered=table.setting(OFFER),
    )


@bp.post("/n/<code>/hand-over")
def offer(code: str) -> ResponseReturnValue:
    """Offers the table to a person; it changes hands when they take it, so it is never without a host."""
    table = the_table(code)
    seat = request.form.get("seat", "")
    table.change_setting(OFFER, table.night.present(seat) if seat else None)
    return see_night(code)


@bp.post("/n/<code>/take-table")
def take_table(code: str) -> ResponseReturnValue:
    """Takes the table that was offered: this phone gets a new token as host, the old host keeps the seat."""
    table, who = the_table(code), g.who
    hosts = hosts_of(code)
    if any(row.id == who.device for row in hosts):
        return see_night(code)  # the second tap of a double tap
    taker = next((row for row in door().devices.devices_of(code) if row.id == who.device), None)
    if not taker or not who.seat or table.setting(OFFER) != who.seat:
        abort(403)
    table.change_setting(OFFER, None)
    for row in hosts:
        door().devices.step_down(row)
    door().devices.step_up(taker)
    for row in (*hosts, taker):
        tables().live.end_device(str(row.id), again=True)
    tables().live.publish(code)
    return see_night(code)
