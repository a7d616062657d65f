"""Setting up a new night: which game, whose table, what a chip is worth."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from tracker.core.preset import Preset
from tracker.presets.bundles import all_bundled
from tracker.sealing import new_id
from tracker.web import people
from tracker.web.access import door
from tracker.web.chips import antes_of
from tracker.web.here import readable, see, tables
from tracker.web.names import BadName, clean_name
from tracker.web.options import rules_typed
from tracker.web.rule_words import rule_form
from tracker.web.texts import weekday

bp = Blueprint("new", __name__)

NIGHT_TURNS_AT = timedelta(hours=5)
"""A night that goes on after midnight is still yesterday's."""
KEPT_AFTER_END = timedelta(hours=12)
MOST_TITLE = 60
AS_LAST = "as-last"
"""Stands for the newest night's board where its rules were changed for that night."""


@bp.get("/new")
def games() -> ResponseReturnValue:
    """Asks what is played; the game played last is on top."""
    return new_page()


def new_page(wrong: str = "", name: str | None = None) -> ResponseReturnValue:
    last = last_played()
    first, more = shelves(last)
    host = tables().store.setting(None, "host-name") if name is None else name
    page = render_template("new.html", first=first, more=more, last=last, host=host, wrong=wrong, key=new_id())
    return page, 422 if wrong else 200


def shelves(last: Preset | None) -> tuple[list[Preset], list[Preset]]:
    """Returns the boards to show at once, the one played last on top, and those behind "more"."""
    library = tables().library
    is_as_it_stands = last is not None and last in library.all()
    first = {one.id: one for one in ([last] if last and is_as_it_stands else []) + library.own() + all_bundled()}
    more = [one for one in library.all() if one.id not in first]
    return list(first.values()), more


def last_played() -> Preset | None:
    """Returns the board of the newest night with the house rules that it began with."""
    for row in tables().nights():
        table = readable(row.code)
        if table:
            return table.preset
    return None


@bp.get("/new/<preset>")
def set_up(preset: str) -> ResponseReturnValue:
    """Offers what a table may change before it sits down: chips, money, the name of the night."""
    return set_up_page(game_called(preset))


def set_up_page(game: Preset, wrong: Mapping[str, str] | None = None) -> ResponseReturnValue:
    host = request.form.get("host", tables().store.setting(None, "host-name"))
    typed = request.form if wrong else {}
    antes = antes_of(game, game.seats.min) if game.game == "pots" else (0, 0)
    asked = (request.view_args or {}).get("preset") or request.form.get("preset", game.id)
    page = render_template(
        "setup.html",
        game=game,
        preset_id=asked,
        host=host,
        wrong=wrong or {},
        typed=typed,
        antes=antes,
        key=new_id(),
        **rule_form(game.game),
    )
    return page, 422 if wrong else 200


def game_called(preset: str) -> Preset:
    """Returns the board of an id, or the one of the newest night with its house rules; Unknown when there is none."""
    last = last_played() if preset == AS_LAST else None
    return last or tables().library.find(preset)


@bp.post("/new")
def open_night() -> ResponseReturnValue:
    """Opens a table and makes this browser its host; the host sits down first if a name is given."""
    game = game_called(request.form.get("preset", ""))
    is_short = "full" not in request.form
    try:
        host = clean_name(request.form.get("host", "")) if request.form.get("host", "").strip() else ""
    except BadName as bad:
        sentence = people.why_refused(bad)
        return new_page(sentence, bad.name) if is_short else set_up_page(game, {"host": sentence})
    options, stack, wrong = typed_rules(game)
    if wrong:
        return set_up_page(game, wrong)
    forget_old_phones()
    table = tables().open(game, options, title(host))
    if stack is not None and stack != game.stack:
        tables().store.set_setting(table.code, "stack", str(stack))
    if "everyone" in request.form:
        tables().store.set_setting(table.code, "everyone", "on")
    door().invites.renew(table.code)
    tables().store.set_setting(None, "host-name", host or None)
    seat = people.sit_down(table, host, key=new_id(), by="")[0] if host else None
    door().devices.welcome(table.code, "host", seat=seat, name=host)
    return see("lobby.page", code=table.code)


def forget_old_phones() -> None:
    """Ends the devices of nights that have been over for half a day: a stolen cookie is worth one evening."""
    since = datetime.now(UTC) - KEPT_AFTER_END
    for row in tables().nights():
        phones = door().devices.devices_of(row.code)
        table = readable(row.code) if phones else None
        if table and table.night.is_over and datetime.fromisoformat(table.entries[-1].at or row.created_at) < since:
            for phone in phones:
                door().devices.dismiss(phone.id)


def typed_rules(game: Preset) -> tuple[dict[str, Any], int | None, dict[str, str]]:
    """Reads the set-up form: house rules that differ, the starting stack, and what is wrong with them."""
    wrong: dict[str, str] = {}
    options = rules_typed(request.form, game.game, game, wrong)
    stack = request.form.get("stack", "").strip()
    if stack and not 1 <= whole(stack) <= 100_000:
        wrong["stack"] = _("From 1 to 100,000 chips.")
    return options, whole(stack) if stack and "stack" not in wrong else None, wrong


def whole(text: str) -> int:
    """Returns a plain whole number, or -1 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 7 else -1


def title(host: str) -> str:
    """Returns the night's name: what was typed, else its weekday and whose table it is."""
    typed = " ".join(request.form.get("title", "").split())[:MOST_TITLE]
    if typed and typed.isprintable():
        return typed
    evening = (datetime.now(UTC).astimezone() - NIGHT_TURNS_AT).date()
    day = weekday(evening)
    return str(_("%(day)s at %(name)s’s", day=day, name=host) if host else day)
