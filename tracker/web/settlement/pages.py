"""The end of a night: the last hand, the final split, and the settlement."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import new_id
from tracker.app.log_history import History
from tracker.app.open_night import ExpectedState, OpenNight
from tracker.core.errors import AlreadyDone, TableError
from tracker.core.events import Cents, End, Event, Paid, Poker, Rule, Undo
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.night import Night
from tracker.core.payment_list import may_be_played_for_money, payment_list
from tracker.core.settlement import leftover, odd_moves
from tracker.web.access.answered_forms import id_from_content
from tracker.web.access.permissions import after_unlocking, is_own_night
from tracker.web.access.roles import ALLOWED_IN, AT_TABLE, HOST, may
from tracker.web.base.context import get_extras, get_table, redirect_to
from tracker.web.drawing.player_token import label_of, player_tokens
from tracker.web.error_pages import status_of
from tracker.web.events.event_kind import number
from tracker.web.log_sentences import refusal_in_log
from tracker.web.night_result import kept_for_next
from tracker.web.responses import poll_response
from tracker.web.settlement.report_view import SettlementReport, ending_of, left_on_board
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _, listed, signed, whole_number, whole_number_from

bp = Blueprint("settlement", __name__)


@bp.get("/n/<code>/settle")
@may(ALLOWED_IN, in_memory=True, follows="night")
def page(code: str, wrong: str = "", odd_chips: int = 0) -> str:
    """Show the settlement; before the end, what ending the night now would do."""
    table = get_table(code)
    name = "settlement/settlement.html" if table.night.is_over else "settlement/ending.html"
    shown = page_context(table, wrong)
    return render_template(name, **shown, odd=odd_chips or shown["ending"].odd)


def _stays(night: Night) -> str:
    """Return what becomes of chips that stay on the board after the night; empty where none do."""
    if not night.is_over or not leftover(night):
        return ""
    again = _("“Again!” puts them there again.")
    return f"{left_on_board(night)} {again}"


def page_context(table: OpenNight, wrong: str = "") -> dict[str, Any]:
    history = table.history()
    report = SettlementReport(history)
    return {
        "mark": str(table.head),
        "table": table,
        "identity": g.identity,
        "night": table.night,
        "faces": player_tokens(table.night),
        "ending": ending_of(table.night),
        "report": report,
        "board": last_board(history),
        "stays": _stays(table.night),
        "links_of": {seat: link for one in get_extras() for seat, link in one.person_links(table).items()},
        "may_open_nights": is_own_night(table.code),
        **kept_for_next(table.night),
        "asks_worth": may_be_played_for_money(table.night) and not table.night.payments_made,
        "is_last": table.settings.is_last_hand,
        "day": day_of(table.began_at),
        "end": ended_by(history),
        "signed_text": signed,
        "listed": listed,
        "key": new_id(),
        "head": table.head,
        "wrong": wrong,
    }


def last_board(history: History) -> list[tuple[Any, int]]:
    """Return what lay on the board when the night ended, or lies there now: each place's card and chips."""
    night = history.night
    if end := ended_by(history):
        night = history.before(end)
    return [(label_of(pot), night.ledger.holds(pot.id)) for pot in night.preset.board.values()]


def ended_by(history: History) -> int | None:
    """Return the number of the event that ended the night: taking it back opens it again."""
    return next((number for number, _, night in history.steps if night.is_over), None)


@bp.post("/n/<code>/settle/last")
@may(HOST, in_memory=True)
def set_last_hand(code: str) -> ResponseReturnValue:
    get_table(code).settings.is_last_hand = request.form.get("last") == "on"
    return redirect_to("settlement.page", code=code)


@bp.post("/n/<code>/settle/pool")
@may(HOST, in_memory=True)
def award_pool(code: str) -> ResponseReturnValue:
    """Give the poker pool of the night to the best hand; several share it."""
    return record(code, Poker(tuple(request.form.getlist("winners"))))


@bp.post("/n/<code>/settle/odd")
@may(HOST, in_memory=True)
def award_odd_chips(code: str) -> ResponseReturnValue:
    """Give the chips that can't be shared to whoever drew the highest card."""
    table, form = get_table(code), request.form
    events = odd_moves(table.night, form.get("seat", ""), max(0, number(form.get("chips", ""))))
    head = ExpectedState(head=number(form.get("head", "")), is_exact=True)
    try:
        for at, event in enumerate(events):
            key = id_from_content(form, event)
            table.record(event, id=key, by=g.identity.by, seen=None if at else head)
    except TableError as error:
        return page(code, refusal_in_log(error, table.history())), status_of(error)
    return redirect_to("settlement.page", code=code)


@bp.post("/n/<code>/settle")
@may(HOST, in_memory=True)
@after_unlocking
def finish(code: str) -> ResponseReturnValue:
    """Split what is left, redeem the IOUs and end the night."""
    return record(code, End(tuple(request.form.getlist("winners"))))


def record(code: str, event: Event) -> ResponseReturnValue:
    """Record what ends the night or has to come before; a refusal stands on the page."""
    table = get_table(code)
    head = number(request.form.get("head", ""))
    try:
        table.record(event, id=id_from_content(request.form, event), by=g.identity.by, seen=ExpectedState(head=head))
    except TableError as error:
        odd_chips = int(error.facts.get("count", 0)) if isinstance(event, End) else 0
        return page(code, refusal_in_log(error, table.history()), odd_chips), status_of(error)
    if table.night.is_over:
        table.settings.is_last_hand = False
    return redirect_to("settlement.page", code=code)


@bp.post("/n/<code>/settle/worth")
@may(HOST, in_memory=True)
def set_worth(code: str) -> ResponseReturnValue:
    """Say what one chip or point is worth, once the night is over and until somebody has paid."""
    rule = HOUSE_RULES[get_table(code).preset.game].get("money.cents")
    cents = whole_number(request.form.get("cents", ""))
    if rule is None or cents is None or rule.fault(cents):
        return page(code, whole_number_from(1, rule.high if rule else 0)), 422
    return record(code, Rule({"money.chips": 1, "money.cents": cents}))


@bp.get("/n/<code>/settle/dues")
@may(ALLOWED_IN, in_memory=True, follows="part")
def payments(code: str) -> ResponseReturnValue:
    """Show the payments again if another phone ticked one off."""
    return poll_response("settlement/_payments.html", page_context(get_table(code)))


@bp.post("/n/<code>/settle/paid")
@may(AT_TABLE, in_memory=True)
def set_payment(code: str) -> ResponseReturnValue:
    """Bring a payment to the state that the form wants, made or open: sent twice, it changes nothing more."""
    table, form = get_table(code), request.form
    if payment_of(form) not in [one.event for one in payment_list(table.night)]:
        abort(404)
    with suppress(AlreadyDone):  # another phone was faster
        set_paid(table, form)
    if request.headers.get("HX-Request"):
        return render_template("settlement/_payments.html", **page_context(table))
    return redirect_to("settlement.page", code=code, _anchor="dues")


def payment_of(form: Mapping[str, str]) -> Paid:
    return Paid(
        form.get("source", ""), form.get("target", ""), Cents(whole_number(form.get("cents", ""), most_digits=13) or 0)
    )


def set_paid(table: OpenNight, form: Mapping[str, str]) -> None:
    """Record that a payment was made, or take that back, unless it stands so already. Raises TableError."""
    event, nth = payment_of(form), max(1, number(form.get("nth", "")))
    made = [at for at, recorded, _ in table.history().steps if recorded == event]
    if form.get("wants") == "paid" and len(made) < nth:
        table.record(event, id=f"{id_from_content(form, event)}-{nth}", by=g.identity.by)
    elif form.get("wants") == "open" and len(made) >= nth:
        undo = Undo(made[nth - 1])
        table.record(undo, id=id_from_content(form, undo), by=g.identity.by)
