"""What the host does with a night of the list, outside of `/n/`: open it, rename it, play again."""

from datetime import UTC, datetime

from flask import Blueprint, abort, current_app, g, request, url_for
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.event_rows import new_id, now
from tracker.app.open_night import OpenNight
from tracker.app.person_names import BadName
from tracker.app.settings import NightSettings
from tracker.core.game import game_of
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.settlement import kept_board, refill
from tracker.formats.evening import evening_at, evening_of
from tracker.formats.text import typed_line
from tracker.web.access.admission import revoke_old_devices
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import get_access, identify, in_turn, is_house, own_nights
from tracker.web.access.roles import HOST, OPENS_NIGHTS, may
from tracker.web.access.seat_colours import colours_at, give_colours
from tracker.web.base.context import (
    form_page,
    get_extras,
    get_known_nights,
    get_nights,
    get_table,
    is_lobby_open,
    readable_night,
    redirect_to,
    redirect_to_night,
)
from tracker.web.night_result import kept_for_next
from tracker.web.nights.home import may_take_over
from tracker.web.nights.new_night import known_name, open_for_host, unlike_others
from tracker.web.wording.dates import day_of, weekday
from tracker.web.wording.texts import gettext as _, refusal

bp = Blueprint("night_options", __name__)

MOST_TITLE, MOST_NOTE = 60, 200


def find(night: str) -> OpenNight:
    """Return an own night that is kept and can be read, or answer 404."""
    table = readable_night(night) if own_nights()(night) else None
    return table if table and not table.is_temporary else abort(404)


@bp.get("/nights/<night>")
@may(OPENS_NIGHTS)
def page(night: str, wrong: str = "") -> ResponseReturnValue:
    """Offer what can be done with a night; one that can't be read is refused."""
    old = find(night)
    summary = get_known_nights().of_open(old)
    return form_page(
        "nights/night-options.html",
        wrong,
        night=summary,
        day=day_of(summary.day),
        back=url_for(current_app.extensions["nights_page"]),
        note=old.settings.note,
        is_house=is_house(),
        may_open=identify(night).role is not None,
        may_host=may_take_over(summary),
        key=new_id(),
        **kept_for_next(old.night),
    )


@bp.post("/nights/<night>/name")
@may(OPENS_NIGHTS)
def rename(night: str) -> ResponseReturnValue:
    """Change what a night is called, its note, and what extras keep of it; an empty name changes nothing."""
    table, settings = find(night), NightSettings(get_nights().store, night)
    try:
        for one in get_extras():
            one.night_form(request.form, night)
    except BadName as bad:
        return page(night, refusal(bad))
    name, typed = typed_line(request.form.get("title", ""), MOST_TITLE), request.form.get("note", "")
    note = typed_line(typed, MOST_NOTE)
    if name and name != table.name:
        get_nights().store.rename(night, name)
    if "note" in request.form and (note or not typed.strip()) and note != settings.note:
        settings.note = note
    return redirect_to(current_app.extensions["nights_page"])


@bp.post("/nights/<night>/again")
@may(OPENS_NIGHTS)
@in_turn
def play_again(night: str) -> ResponseReturnValue:
    """Open a night with the same people, colours, rules and phones, once; the board is filled by those ticked."""
    key, next_night = id_from_key(request.form) + g.identity.owner, get_table(night).settings.next_night
    next_table = readable_night(next_night) if next_night else None
    is_open = next_table and (is_lobby_open(next_table) or get_nights().opened_with(key))
    if next_table and is_open and identify(next_table.code).role == "host":
        return redirect_to_night(next_table.code)  # another tap, on this page or another one
    if "ask" in request.form and kept_board(get_table(night).night):
        return redirect_to("night_options.page", night=night)  # whose form asks who plays for the board that was left
    if full := get_access().owners.refusal(g.identity.owner, key):
        return page(night, full)
    return open_again(find(night), g.identity.owner, key)


@bp.post("/n/<code>/again")
@may(HOST)
@in_turn
def play_on(code: str) -> ResponseReturnValue:
    """Do the same, once, for the host of a table that ended: whoever opens nights may have handed it over."""
    old, owners, key = get_table(code), get_access().owners, id_from_key(request.form)
    owner = owners.owner_of(code)
    if not old.night.is_over or old.is_temporary or owners.refusal(owner, key):
        abort(409)
    if next_night := old.settings.next_night:
        return redirect_to_night(next_night if identify(next_night).role else code)  # whose page leads along
    return open_again(old, owner, key)


def open_again(old: OpenNight, owner: str, key: str) -> ResponseReturnValue:
    """Open the next night after one, of the same owner, with this browser as its host."""
    night, devices = old.code, get_access().devices
    before = identify(night)
    revoke_old_devices()
    table = get_nights().open(old.night.preset, name=name_again(old), key=key, entries=first_entries(old, key))
    open_for_host(table, owner)
    table.settings.starting_stack = old.settings.starting_stack
    seats = carry_over(old, table)
    if dealer := first_dealer(old.night, table.night):
        table.choose(NightSettings.plan, {"dealer": dealer})
    table.settings.previous_night = old.code
    if old.night.is_over:
        devices.bring_along(night, table.code, seats, before.device)
        old.settings.next_night = table.code
    host = known_name()
    seat = seats.get(before.seat or "") or (seating.seat_by_name(table.night, host) if host else None)
    devices.register_device(table.code, "host", seat=seat, name=seating.name_of(table, seat) or host)
    for row in devices.devices_of(night):
        get_nights().live.end_device(str(row.id))
    return redirect_to("lobby.page", code=table.code)


def carry_over(old: OpenNight, table: OpenNight) -> dict[str, str]:
    """Give a night the settings, colours and people of another; return its seats by those there."""
    table.settings.is_open_to_all = old.settings.is_open_to_all
    colours, seats = colours_at(old), seats_again(old.night, table.night)
    for known, now_at in seats.items():
        table.settings.colours.put(now_at, colours[known])
    for one in get_extras():
        one.next_night(old, table)
    give_colours(table, table.night.seats, current_app.extensions["wished_colours"])
    return seats


def seats_again(old: Night, new: Night) -> dict[str, str]:
    """Return which seat somebody of an earlier night has at the next one, by the seat that they had."""
    found = {seat: seating.seat_by_name(new, old.name(seat)) for seat in old.seats}
    return {seat: known for seat, known in found.items() if known}


def has_dealer(night: Night) -> bool:
    return game_of(night).has_dealer(night.preset)


def first_dealer(old: Night, new: Night) -> str | None:
    """Return which seat of the next night deals first: whoever there would have dealt; None where nobody has yet."""
    around = old.clockwise_from(old.dealer) if old.dealer and has_dealer(old) else ()
    return next((seat for one in around if (seat := seating.seat_by_name(new, old.name(one)))), None)


def name_again(old: OpenNight) -> str:
    """Return what a night is called that is played again: like the first one, with the weekday of today."""
    today = weekday(evening_at(datetime.now(UTC)))
    day = evening_of(old.began_at)
    return unlike_others(old.name.replace(weekday(day), today) if day else old.name)


def first_entries(old: OpenNight, key: str) -> list[Entry]:
    """Return the entries that a night begins with which is played again: everybody sits, and the board is filled."""
    night = old.night
    names = seating.seated_names(night)
    if not night.preset.is_pot_game and night.dealer and has_dealer(night):  # on a score sheet the first who sits deals
        names = [night.name(seat) for seat in night.clockwise_from(night.dealer)]
    board = kept_board(night) if "board" in request.form else {}
    if board:
        there = request.form.getlist("name")
        names = [name for name in (*names, *seating.names_of_leavers(night)) if name in there] or names
    stack = old.settings.starting_stack or night.preset.stack
    sits = seating.first_sits(names, night.preset, stack)
    filled = refill(board, [one.seat for one in sits], _("left on the board last time")) if board and sits else []
    signed = [*((one, str(one.seat)) for one in sits), *((one, "host") for one in filled)]
    return [Entry(at, event, f"{key}-{at - 1}", now(), by) for at, (event, by) in enumerate(signed, 1)]
