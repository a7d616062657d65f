"""The lobby: who sits where, in which order, who deals first, and who runs the table."""

import secrets
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.event_rows import new_id
from tracker.app.open_night import OpenNight
from tracker.app.person_names import BadName
from tracker.core.events import Order
from tracker.core.game import game_of
from tracker.core.pot_game import with_new_rules
from tracker.streaming.hub import Frame
from tracker.web.access.admission import host_name, hosts_of, questions_for
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.devices import Identity
from tracker.web.access.join_link import join_link
from tracker.web.access.permissions import get_access, identify, is_house
from tracker.web.access.roles import ALLOWED_IN, HOST, may
from tracker.web.access.seat_colours import give_colour
from tracker.web.base.context import (
    form_page,
    get_extras,
    get_nights,
    get_table,
    is_lobby_open,
    redirect_to,
    redirect_to_night,
    replaced_by,
)
from tracker.web.drawing.player_token import PlayerToken, player_tokens
from tracker.web.notices import notices_for
from tracker.web.responses import stream_response
from tracker.web.wording.rule_words import chips_count, money_sentence, seats_note
from tracker.web.wording.texts import language, refusal

bp = Blueprint("lobby", __name__)


@dataclass(frozen=True)
class LobbySeat:
    """A seat as the lobby draws it."""

    face: PlayerToken
    phone: str
    """`this`, `joined` or `none`."""
    is_host: bool


def lobby_seats(table: OpenNight, identity: Identity) -> list[LobbySeat]:
    """Return everybody at the table, clockwise."""
    night = table.night
    held = get_access().devices.seats_with_phone(table.code)
    hosts = {row.seat for row in hosts_of(table.code)}
    drawn = player_tokens(night)
    return [
        LobbySeat(
            drawn[seat],
            phone="this" if seat == identity.seat else "joined" if seat in held else "none",
            is_host=seat in hosts,
        )
        for seat in night.seats
    ]


# The lobby's page


@bp.get("/n/<code>/lobby")
@may(ALLOWED_IN, follows="night")
def page(code: str, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    """Show the code to scan and the seats as they fill."""
    table = get_table(code)
    if (later := replaced_by(table)) is not table and identify(later.code).role:
        return redirect_to_night(later.code)
    preset = with_new_rules(table.night).preset
    return form_page(
        "join/lobby.html",
        wrong,
        table=table,
        identity=g.identity,
        join_link=join_link(table.code),
        seats=seats_html(table, g.identity, is_house=is_house()),
        host=host_name(table),
        is_open=is_lobby_open(table),
        tab=secrets.token_hex(4),
        key=new_id(),
        typed=typed,
        stack=seating.starting_stack(table),
        values=chips_count(preset),
        has_money=game_of(preset).has_money,
        is_priced=bool(preset.house_rules.money_cents),
        money=money_sentence(preset),
    )


def seats_html(table: OpenNight, identity: Identity, *, is_house: bool) -> str:
    """Return the part of the lobby that changes, as one who looks sees it."""
    night = table.night
    return current_app.jinja_env.get_template("join/_lobby.html").render(
        table=table,
        night=night,
        identity=identity,
        lobby_seats=lobby_seats(table, identity),
        asked=questions_for(table, identity),
        notices=notices_for(table, identity),
        first_dealer=first_dealer(table),
        is_house=is_house,
        seats_note="" if night.is_over else seats_note(table.preset, len(night.seats)),
        is_unreached=is_lobby_open(table) and not get_access().addresses.reached,
        begun="" if is_lobby_open(table) else f"/n/{table.code}",
        code_mark=code_mark(table),
        key=new_id(),
    )


def code_mark(table: OpenNight) -> str:
    """Return a text that changes with the code on the screens: a page that shows an older one loads itself again."""
    shown = get_access().invites.shown(table.code)
    best = next(iter(get_access().addresses.candidates()), "")  # it changes when this machine joins another network
    return f"{shown[1] if shown else ''} {get_nights().settings.address} {best}"


@bp.get("/n/<code>/lobby/seats")
@may(ALLOWED_IN, follows="part")
def seats(code: str) -> str:
    """Return the part of the lobby that changes."""
    return seats_html(get_table(code), g.identity, is_house=is_house())


@bp.get("/n/<code>/lobby/stream")
@may(ALLOWED_IN, follows="part")
def stream(code: str) -> Response:
    """Send that part again whenever somebody sits down, asks to join or leaves."""
    table, identity, is_of_house = get_table(code), g.identity, is_house()
    view = "/".join(("lobby", identity.role or "", identity.seat or "", str(is_of_house), language()))

    return stream_response(
        table, view, lambda identity: Frame(table.head, seats_html(table, identity, is_house=is_of_house))
    )


# Who sits where


@bp.post("/n/<code>/seats")
@may(HOST)
def add_person(code: str) -> ResponseReturnValue:
    """Seat somebody without a phone."""
    table, wrong, typed = get_table(code), "", ""
    chosen = next((found for one in get_extras() if (found := one.offered(table, request.form))), None)
    name = chosen.name if chosen else request.form.get("name", "")
    try:
        seat, _outcome = seating.sit_down(table, name, key=id_from_key(request.form), by=g.identity.by)
        if chosen:
            wish = chosen.take(seat)
            table.settings.colours.put(seat, None)
            give_colour(table, seat, wish)
            table.show_again()
    except BadName as bad:
        wrong, typed = refusal(bad), bad.name
    if request.headers.get("HX-Request"):
        # The stream shows the new seat; this form comes back empty, with a key of its own.
        return form_page("join/_add_person.html", wrong, code=code, table=table, key=new_id(), typed=typed)
    return page(code, wrong, typed) if wrong else redirect_to("lobby.page", code=code)


def first_dealer(table: OpenNight) -> PlayerToken | None:
    """Return who deals first at a table whose last night says it, or that is a score sheet with a dealer."""
    night, seat = table.night, table.settings.plan.of_hand(0).get("dealer")
    if not night.preset.is_pot_game:
        seat = game_of(night).dealer(night)
    return player_tokens(night)[seat] if is_lobby_open(table) and seat in night.seats else None


@bp.get("/n/<code>/order")
@may(HOST)
def order(code: str) -> str:
    """Ask for the people clockwise: each tap adds one, kept in the address until it is saved."""
    table = get_table(code)
    taken = [seat for seat in request.args.getlist("o") if seat in table.night.seats]
    taken = list(dict.fromkeys(taken))
    rest = [seat for seat in table.night.seats if seat not in taken]
    if len(rest) == 1:
        taken, rest = [*taken, *rest], []
    drawn = player_tokens(table.night)
    return render_template(
        "join/order.html",
        table=table,
        taken=[drawn[seat] for seat in taken],
        rest=[drawn[seat] for seat in rest],
        key=new_id(),
    )


@bp.post("/n/<code>/order")
@may(HOST)
def save_order(code: str) -> ResponseReturnValue:
    """Record the order in which people sit."""
    table = get_table(code)
    event = Order(tuple(request.form.getlist("seat")))
    if event.seats != table.night.seats:
        table.record(event, id=id_from_key(request.form), by=g.identity.by)
    return redirect_to_night(code)
