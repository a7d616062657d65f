"""What the host does with a night of the list: rename it, play again with the same people, archive or delete it.

The addresses name the night outside of `/n/`: these pages belong to the browser that opens nights, at none of them.
"""

from __future__ import annotations

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.event_rows import new_id, now
from tracker.app.open_night import OpenNight
from tracker.app.settings import ARCHIVED, DELETED, NightSettings
from tracker.archive.night_summary import NightSummary
from tracker.archive.person_offers import carry_links
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.payment_list import nets_in_cents
from tracker.core.settlement import kept_board, refill
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.old_devices import revoke_old_devices
from tracker.web.access.permissions import get_access, identify, in_turn
from tracker.web.context import get_nights, get_people, get_summaries, get_table, readable_night, redirect_to
from tracker.web.nights.home import may_take_over, past_rows
from tracker.web.nights.host_person import known_name
from tracker.web.nights.quota import open_for_host, too_many
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import amount
from tracker.web.wording.texts import gettext as _

bp = Blueprint("night_options", __name__)

MOST_TITLE, MOST_NOTE = 60, 200


def find(night: str) -> NightSummary:
    """Return the summary of a night, or answer 404."""
    return get_summaries().get(night) or abort(404)


@bp.get("/nights/<night>")
def page(night: str) -> ResponseReturnValue:
    """Offer what can be done with a night."""
    return night_page(night)


def night_page(night: str, wrong: str = "") -> ResponseReturnValue:
    summary = find(night)
    role = identify(night).role
    old = readable_night(night)
    board = kept_board(old.night) if old else {}
    shown = render_template(
        "nights/night-options.html",
        wrong=wrong,
        night=summary,
        day=day_of(summary.day),
        note=NightSettings(get_nights().store, night).note,
        may_open=role is not None,
        may_host=may_take_over(summary),
        key=new_id(),
        kept=sum(board.values()),
        people=seating.seated_names(old.night) if old and board else [],
        money=nets_in_cents(old.night).get(BANK, 0) if old and board else 0,
        amount=amount,
        is_kept_for_ever=get_access().retention is None,
    )
    return shown, 422 if wrong else 200


@bp.post("/nights/<night>/name")
def rename(night: str) -> ResponseReturnValue:
    """Change what a night is called, and its note; an empty name changes nothing."""
    summary, settings = find(night), NightSettings(get_nights().store, night)
    name, note = (" ".join(request.form.get(key, "").split()) for key in ("title", "note"))
    if name and name.isprintable() and name[:MOST_TITLE] != summary.name:
        get_nights().store.rename(night, name[:MOST_TITLE])
    if "note" in request.form and note.isprintable() and note[:MOST_NOTE] != settings.note:
        settings.note = note[:MOST_NOTE]
    return redirect_to("home.index")


@bp.post("/nights/<night>/put-away")
def put_away(night: str) -> ResponseReturnValue:
    """Archive or delete a night, or list it again. Its log stays in any case."""
    find(night)
    where = request.form.get("where", "")
    if where not in (ARCHIVED, DELETED, ""):
        abort(400)
    NightSettings(get_nights().store, night).put_away = where
    return redirect_to("home.index", gone=night) if where else redirect_to("home.index")


@bp.get("/put-away")
def list_put_away() -> str:
    """List the archived and the deleted nights, to bring them back."""
    summaries = get_summaries()
    archived = [one for one in summaries.all() if one.put_away == ARCHIVED]
    return render_template(
        "nights/put-away.html",
        archived=past_rows(archived),
        deleted=past_rows(summaries.deleted()),
        is_kept_for_ever=get_access().retention is None,
    )


@bp.post("/nights/<night>/again")
@in_turn
def play_again(night: str) -> ResponseReturnValue:
    """Open a night with the same people and house rules, everybody one seat further; sent twice, it opens one.

    A board that was left as it was is filled again by those who are ticked, if the form says so.
    """
    old, key = get_table(night), id_from_key(request.form) + g.identity.owner
    revoke_old_devices()
    if full := too_many(g.identity, key):
        return night_page(night, full)
    entries = first_entries(old, key)
    table = get_nights().open(old.night.preset, name=find(night).name, key=key, entries=entries)
    open_for_host(table, g.identity.owner)
    table.settings.starting_stack = old.settings.starting_stack
    table.settings.is_open_to_all = old.settings.is_open_to_all
    carry_links(get_people(), old, table)
    host = known_name()
    get_access().devices.register_device(
        table.code, "host", seat=seating.seat_by_name(table.night, host) if host else None, name=host
    )
    return redirect_to("lobby.page", code=table.code)


def first_entries(old: OpenNight, key: str) -> list[Entry]:
    """Return the entries that a night begins with which is played again: everybody sits, and the board is filled."""
    names = seating.seated_names(old.night)
    names = [*names[1:], *names[:1]]
    board = kept_board(old.night) if "board" in request.form else {}
    if board:
        there = request.form.getlist("name")
        names = [name for name in names if name in there] or names
    stack = old.settings.starting_stack or old.night.preset.stack
    sits = seating.first_sits(names, old.night.preset, stack)
    filled = refill(board, [one.seat for one in sits], _("left on the board last time")) if board and sits else []
    signed = [*((one, str(one.seat)) for one in sits), *((one, "host") for one in filled)]
    return [Entry(at, event, f"{key}-{at - 1}", now(), by) for at, (event, by) in enumerate(signed, 1)]
