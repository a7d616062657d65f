"""Another game in the lobby: the people, their places, colours and phones stay, as long as no hand has begun.

A night has one game for good, so another night takes the place of this one. Everybody is led there by the page that
they look at or by the code that they scan, and the night that nobody has played is deleted: it can be brought back.
"""

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.event_rows import new_id, now
from tracker.app.open_night import OpenNight
from tracker.app.settings import DELETED
from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import get_access, identify, in_turn
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, get_table, is_lobby_open, redirect_to_night
from tracker.web.nights.new_night import game_choice, open_for_host
from tracker.web.nights.night_options import carry_over

bp = Blueprint("other_game", __name__)


@bp.get("/n/<code>/game")
@may(HOST)
def page(code: str) -> ResponseReturnValue:
    """Ask which game is played instead."""
    table = get_table(code)
    if not is_lobby_open(table):
        return redirect_to_night(code)
    return render_template("other_game/other-game.html", table=table, choice=game_choice(), key=new_id())


@bp.post("/n/<code>/game")
@may(HOST)
@in_turn
def change(code: str) -> ResponseReturnValue:
    """Open a night of another game in the place of one without a hand; sent twice, it opens one."""
    old, key = get_table(code), id_from_key(request.form)
    if old.is_temporary:
        abort(404)
    if next_night := old.settings.next_night:
        return redirect_to_night(next_night if identify(next_night).role else code)
    preset = get_nights().library.find(request.form.get("preset", ""))
    if not is_lobby_open(old) or preset == old.preset:
        return redirect_to_night(code)
    worth = worth_of_chips(old.night.preset, preset)
    table = get_nights().open(preset, worth, name=old.name, key=key, entries=seated_again(old, preset, key))
    take_the_place(old, table)
    return redirect_to_night(table.code)


def worth_of_chips(old: Preset, new: Preset) -> dict[str, Value]:
    """Return the options by which chips are worth in one game what they are in another; none where points are kept."""
    if not (old.is_pot_game and new.is_pot_game):
        return {}
    return {key: old[key] for key, rule in HOUSE_RULES[old.game].items() if rule.is_money and old[key] != new[key]}


def seated_again(old: OpenNight, preset: Preset, key: str) -> list[Entry]:
    """Return the entries by which the people of a lobby sit down at a night of another game."""
    sits = seating.first_sits(seating.seated_names(old.night), preset, preset.stack)
    return [Entry(at, sit, f"{key}-{at - 1}", now(), str(sit.seat)) for at, sit in enumerate(sits, 1)]


def take_the_place(old: OpenNight, table: OpenNight) -> None:
    """Lead everybody who is at a night, or comes to it by its code, to another one, and delete the former."""
    access, identity = get_access(), identify(old.code)
    open_for_host(table, access.owners.owner_of(old.code))
    table.settings.previous_night = old.settings.previous_night
    seats = carry_over(old, table)
    access.devices.bring_along(old.code, table.code, seats, identity.device)
    old.settings.next_night = table.code
    seat = seats.get(identity.seat or "")
    access.devices.register_device(table.code, "host", seat=seat, name=seating.name_of(table, seat) or identity.name)
    old.settings.put_away = DELETED
    for row in access.devices.devices_of(old.code):
        get_nights().live.end_device(str(row.id))
