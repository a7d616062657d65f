"""Running the night: its settings and the first dealer."""

import secrets

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.event_rows import new_id
from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings
from tracker.core.errors import NotEnoughChips
from tracker.core.events import Amend, Hand, Order
from tracker.core.game import game_of
from tracker.core.house_rules import MOST_CHIPS
from tracker.formats.text import typed_line
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import is_house
from tracker.web.access.roles import ALLOWED_IN, HOST, may
from tracker.web.base.context import (
    form_page,
    get_extras,
    get_nights,
    get_table,
    is_lobby_open,
    redirect_to,
    redirect_to_night,
)
from tracker.web.drawing.player_token import player_tokens
from tracker.web.events.sentences import BY_LOT
from tracker.web.wording.rule_words import seats_note
from tracker.web.wording.texts import chips_typed, whole_number_from

bp = Blueprint("settings", __name__)


# What the table agreed on


@bp.get("/n/<code>/settings")
@may(HOST)
def settings(code: str, wrong: str = "") -> ResponseReturnValue:
    """Show what the host may change during the night."""
    table = get_table(code)
    return form_page(
        "nights/settings.html",
        wrong,
        table=table,
        stack=seating.starting_stack(table),
        is_open=table.settings.is_open_to_all,
        is_lobby_open=is_lobby_open(table),
        is_house=is_house(),
        key=new_id(),
    )


@bp.post("/n/<code>/settings")
@may(HOST)
def save_settings(code: str) -> ResponseReturnValue:
    """Keep the night's name, who may record, and before the first hand what everybody starts with; and of extras."""
    table = get_table(code)
    typed = request.form.get("stack", "")
    stack = chips_typed(typed, least=1)
    if typed.strip() and stack is None:
        return settings(code, whole_number_from(1, MOST_CHIPS))
    name = typed_line(request.form.get("title", ""), 60)
    if name and name != table.name:
        get_nights().store.rename(code, name)
    table.settings.is_open_to_all = "everyone" in request.form
    for one in get_extras():
        one.settings_form(request.form, code)
    if stack and stack != seating.starting_stack(table):
        table.settings.starting_stack = stack
        if is_lobby_open(table):
            correct_stacks(table, stack)
    return redirect_to_night(code)


def correct_stacks(table: OpenNight, chips: int) -> None:
    """Correct what everybody sat down with."""
    key = id_from_key(request.form)
    for one in table.night.seats:
        if table.night.stack(one) != chips:
            table.record(
                Amend(seating.sit_event_number(table, one), {"chips": chips}), id=f"{key}-{one}", by=g.identity.by
            )


@bp.get("/n/<code>/sounds")
@may(ALLOWED_IN)
def sounds(code: str) -> str:
    """Offer this phone to speak, sound and buzz; it keeps the choice by itself."""
    return render_template("nights/sounds.html", table=get_table(code))


# The first hand


@bp.get("/n/<code>/dealer")
@may(HOST)
def dealer(code: str) -> ResponseReturnValue:
    """Ask who deals first; a game without a dealer goes straight to its table."""
    table = get_table(code)
    night = table.night
    has_dealer = game_of(night).has_dealer(night.preset)
    is_sheet = has_dealer and not night.preset.is_pot_game
    if not is_lobby_open(table) or not has_dealer:
        return redirect_to("table.page", code=code)
    proposed = next(iter(night.seats), "") if is_sheet else table.settings.plan.of_hand(0).get("dealer", "")
    drawn = player_tokens(night)
    return render_template(
        "nights/dealer.html",
        table=table,
        faces=[drawn[seat] for seat in night.seats],
        proposed=proposed,
        is_sheet=is_sheet,
        key=new_id(),
        seats_note=seats_note(table.preset, len(table.night.seats)),
    )


@bp.post("/n/<code>/dealer")
@may(HOST)
def begin(code: str) -> ResponseReturnValue:
    """Begin the first hand; in a score game, or where antes can't be paid, everybody goes to the table without one."""
    table = get_table(code)
    night = table.night
    if is_lobby_open(table) and not table.preset.is_pot_game:
        if (first := request.form.get("seat")) and first != night.seats[0]:
            around = night.clockwise_from(night.require_seated(first))  # on a score sheet the first seat deals first
            table.record(Order((first, *around[:-1])), id=id_from_key(request.form), by=g.identity.by)
        table.settings.has_begun = len(night.seats) > 1
    elif is_lobby_open(table):
        # Drawing lots is no rule of the game, so it happens here, and the log says that nobody chose.
        chosen = request.form.get("seat")
        seat = night.require_seated(chosen or secrets.choice(night.seats or ("",)))
        try:
            table.record(Hand(seat), id=id_from_key(request.form), by=g.identity.by if chosen else BY_LOT)
        except NotEnoughChips:
            table.choose(NightSettings.plan, {"dealer": seat})
            table.settings.has_begun = True
    return redirect_to("table.page", code=code)
