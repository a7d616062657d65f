"""The pages of a rehearsal: begin it, leave it, and at its table the hint what to tap next."""

from dataclasses import dataclass
from typing import Any, cast

from flask import Blueprint, Flask, current_app, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from tracker.app.open_night import OpenNight
from tracker.core.events import Bid, Collect, Event, Exchange, Hand, NoSale, Out, Pass, Sale
from tracker.core.night import LOBBY, Night
from tracker.extras.rehearsal.guests import Rehearsal, Rehearsals, RehearsalStep
from tracker.web.access.permissions import identify
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, get_template, redirect_to
from tracker.web.error_pages import refused
from tracker.web.wording.texts import gettext as _


@dataclass(frozen=True)
class Hint:
    """One sentence beside what it is about."""

    name: str
    """One that was put away stays away until there is one of another name."""
    text: str
    at: str
    """The CSS selector of what to tap."""
    then_text: str = ""
    """What is said once the question `then_asked` is on the page."""
    then_at: str = ""
    then_asked: str = ""
    is_end: bool = False


def hint_of(rehearsal: Rehearsal) -> Hint | None:
    """Return the hint for now; None while there is nothing to say."""
    step, night = rehearsal.step, rehearsal.table.night
    if step is None:
        return Hint("end", "", "", is_end=True)
    if step.seat != rehearsal.host:
        return _while_guests_play(rehearsal, night)
    if step.event is None:
        return _cards_left(night, step, rehearsal.table.draft.winner)
    return _own_turn(night, step.event, rehearsal)


def _while_guests_play(rehearsal: Rehearsal, night: Night) -> Hint | None:
    newest = rehearsal.table.entries[-1].event
    if night.phase == LOBBY:
        text = _(
            "You are %(name)s, the others only pretend. Watch: all the antes go in.", name=night.name(rehearsal.host)
        )
        return Hint("hello", text, ".seats")
    if isinstance(newest, Collect) and newest.seat == rehearsal.host and night.hand == 1:
        return Hint("undo", _("That was it: the chips are yours. After a wrong tap, tap Undo."), ".a-rest .undo")
    return None


def _cards_left(night: Night, step: RehearsalStep, winner: str | None) -> Hint:
    facts = {"name": night.name(winner or ""), "n": step.cards_left}
    text = _("%(name)s is out of cards. You still hold %(n)s: tap %(n)s.", **facts)
    return Hint("cards", text, f".pad [data-key='{step.cards_left}']")


def _own_turn(night: Night, event: Event, rehearsal: Rehearsal) -> Hint | None:
    hint, own_seat, name = None, f"#s-{rehearsal.host}", night.name(rehearsal.host)
    then = _("Now tap %(name)s: that is you.", name=name)
    match event:
        case Collect():
            card = _(night.name(event.pot))
            text = _("You play the %(card)s. Tap it on the board, then %(name)s.", card=card, name=name)
            hint = Hint(f"collect {event.pot}", text, f"#p-{event.pot}", then, own_seat, "collect")
        case Hand():
            text = _("You deal now. One tap, and all the antes are on the board.")
            hint = Hint("ante", text, f"#ante-{night.hand + 1}")
        case Exchange() | NoSale() | Sale():
            text = _("The dealer may swap for the dummy hand. Yours are good cards: leave it.")
            hint = Hint("dummy", text, "#do-dead")
        case Bid() | Pass():
            hint = Hint("bid", _("Your bid for the dummy hand: tap a number, or pass."), ".a-rest .row")
        case Out() if rehearsal.table.draft.winner is None:
            text = _("You play your last card! Tap “Someone is out”, then %(name)s.", name=name)
            hint = Hint("out", text, "#do-out", then, own_seat, "out")
        case Out():
            hint = Hint("pay", _("Everybody has said what they hold. Tap here, and they pay you."), "#pay")
    return hint


bp = Blueprint("rehearsal", __name__)
NAME = "Alex"
"""Of somebody who has not been a host yet."""


def begin_app(app: Flask) -> None:
    """Let an app have a rehearsal: its hints beside the table, and its guests' turns where no thread takes them."""
    rehearsals = app.extensions["rehearsals"] = Rehearsals(app.extensions["nights"])
    app.extensions["hint"] = hint_html
    app.extensions["due"].append(rehearsals.look)


def get_rehearsals() -> Rehearsals:
    return cast(Rehearsals, current_app.extensions["rehearsals"])


def hint_html(table: OpenNight) -> Markup:
    """Return the hint beside what is to be tapped next in a rehearsal; needs no request."""
    rehearsal = get_rehearsals().current
    hint = hint_of(rehearsal) if rehearsal and rehearsal.table is table else None
    macros: Any = get_template("rehearsal/_hint.html").module
    return cast(Markup, macros.hint(hint)) if hint else Markup()


@bp.app_errorhandler(403)
def lead_away_from_ended(error: HTTPException) -> ResponseReturnValue:
    """Lead whoever opens the address of a rehearsal that is over to the first page, which says so."""
    code = str((request.view_args or {}).get("code", ""))
    is_page = request.method == "GET" and (request.endpoint or "").endswith(".page")
    if is_page and get_rehearsals().has_ended(code) and identify(None).role == "host":
        return redirect_to("home.index", rehearsal="over")
    return refused(error)


@bp.post("/rehearsal")
@may(HOST, in_memory=True)
def begin() -> ResponseReturnValue:
    """Begin a rehearsal; one that goes on ends."""
    name = get_nights().settings.host_name or NAME
    return redirect_to("table.page", code=get_rehearsals().begin(name).table.code)


@bp.post("/rehearsal/end")
@may(HOST, in_memory=True)
def end() -> ResponseReturnValue:
    """Send the guests home; nothing is left of the night."""
    get_rehearsals().end()
    return redirect_to("new_night.games" if "next" in request.form else "home.index")
