"""Settle several nights together: choose them, share what somebody paid for others, tick off the fewest payments."""

from __future__ import annotations

import re
from collections.abc import Callable

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import new_id
from tracker.app.settle_up import NightCost
from tracker.archive.settle_lists import SettleLists
from tracker.core.errors import Malformed, TableError
from tracker.core.settlement import Owed
from tracker.formats.text import clean_text
from tracker.web.access.answered_forms import id_from_key
from tracker.web.context import get_nights, get_people, get_summaries, redirect_to
from tracker.web.error_pages import status_of
from tracker.web.night_result import share_links
from tracker.web.nights.settle_view import settle_view
from tracker.web.wording.dates import day_of
from tracker.web.wording.numbers import whole_number
from tracker.web.wording.refusals import refusal
from tracker.web.wording.texts import amount
from tracker.web.wording.texts import gettext as _

bp = Blueprint("settle_up", __name__)

MOST_WHAT = 40
MOST_PAID_NIGHTS = 12


def lists() -> SettleLists:
    """Return the lists of this data folder, with the people that were chosen for the seats."""
    people = get_people()

    def person_of(code: str, seat: str) -> str | None:
        person = people.person_of(code, seat)
        return person.id if person else None

    return SettleLists(get_nights(), get_summaries(), person_of)


@bp.get("/settle-up")
def index(wrong: str = "") -> str:
    """Offer the nights with open payments, the newest that are paid, and the lists that were made."""
    made = {name: settle_view(one, get_people(), get_summaries()) for name, one in lists().all().items()}
    free = lists().free_nights()
    return render_template(
        "nights/settle-up.html",
        nights=[one for one in free if one.unpaid],
        paid_nights=[one for one in free if not one.unpaid][:MOST_PAID_NIGHTS],
        unfinished={name: view for name, view in made.items() if not view.settle_up.is_recorded},
        finished={name: view for name, view in made.items() if view.settle_up.is_recorded},
        amount=amount,
        day_of=day_of,
        key=new_id(),
        wrong=wrong,
    )


@bp.post("/settle-up")
def make() -> ResponseReturnValue:
    """Make a list over the chosen nights."""
    name = id_from_key(request.form)
    try:
        lists().make(request.form.getlist("night"), name)
    except TableError as error:
        return index(refusal(error)), status_of(error)
    return redirect_to("settle_up.page", name=name)


@bp.get("/settle-up/<name>")
def page(name: str, wrong: str = "") -> str:
    """Show a list: who pays whom, ticked off, and what it is made of."""
    found = lists().find(name)
    view = settle_view(found, get_people(), get_summaries())
    changed = [view.night_name(code) for code in lists().changed_nights(found)]
    return render_template(
        "nights/settle-list.html",
        name=name,
        view=view,
        changed=changed,
        links=share_links(_("Settle up"), view.text),
        amount=amount,
        key=new_id(),
        wrong=wrong,
    )


@bp.post("/settle-up/<name>/tick")
def tick(name: str) -> ResponseReturnValue:
    """Bring one payment to the state that the form wants; the last tick is recorded in the nights."""
    place = whole_number(request.form.get("place", ""))
    wants = request.form.get("wants") == "paid"
    debtor, creditor, cents = [*request.form.getlist("owed"), "", "", ""][:3]
    owed = Owed(debtor, creditor, whole_number(cents) or 0) if cents else None

    def tick_payment() -> None:
        lists().tick(name, -1 if place is None else place, is_paid=wants, by=g.identity.by, owed=owed)

    return _done(name, tick_payment)


@bp.post("/settle-up/<name>/close")
def close(name: str) -> ResponseReturnValue:
    """Record a list in which all payments are ticked, or nobody owes anybody anything."""
    return _done(name, lambda: lists().close(name, by=g.identity.by))


@bp.post("/settle-up/<name>/undo")
def undo(name: str) -> ResponseReturnValue:
    """Take back the last tick, with all that it recorded."""
    return _done(name, lambda: lists().undo(name, by=g.identity.by))


@bp.post("/settle-up/<name>/delete")
def delete(name: str) -> ResponseReturnValue:
    """Delete a list that is not recorded."""
    try:
        lists().delete(name)
    except TableError as error:
        return page(name, refusal(error)), status_of(error)
    return redirect_to("settle_up.index")


@bp.post("/settle-up/<name>/cost")
def add_cost(name: str) -> ResponseReturnValue:
    """Add what somebody has paid for others; without choosing anybody it was for all of that evening."""
    form = request.form

    def add() -> None:
        found = lists().find(name)
        code, _slash, payer = form.get("payer", "").partition("|")
        everybody = list(dict.fromkeys(seat.party for seat in found.seats if seat.code == code))
        sharers = [party for party in everybody if f"{code}|{party}" in form.getlist("sharer")]
        what = clean_text(form.get("what", ""), MOST_WHAT)
        cost = NightCost(
            code, what, payer, tuple(sharers or everybody), cents_from(form.get("cost", "")), id_from_key(form)
        )
        lists().add_cost(name, cost)

    return _done(name, add)


@bp.post("/settle-up/<name>/cost/remove")
def remove_cost(name: str) -> ResponseReturnValue:
    """Remove a shared cost."""
    return _done(name, lambda: lists().remove_cost(name, request.form.get("cost", "")))


def _done(name: str, act: Callable[[], None]) -> ResponseReturnValue:
    try:
        act()
    except TableError as error:
        return page(name, refusal(error)), status_of(error)
    except Malformed as error:
        return page(name, refusal(error)), 422
    return redirect_to("settle_up.page", name=name)


def cents_from(text: str) -> int:
    """Return the cents of a sum as people type it, with a point or a comma; 0 for any other text."""
    found = re.fullmatch(r"(\d{1,7})(?:[.,](\d{1,2}))?", text.strip(), re.ASCII)
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else 0
