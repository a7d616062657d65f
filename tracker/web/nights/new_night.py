"""Setting up a new night: which game, whose table, what a chip is worth."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from flask import Blueprint, g, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.event_rows import new_id
from tracker.app.open_night import OpenNight
from tracker.app.person_names import BadName, clean_name
from tracker.core.errors import TableError
from tracker.core.game import game_of
from tracker.core.house_rules import MOST_CHIPS
from tracker.core.preset import Preset, antes_of
from tracker.formats.built_in import printed_game
from tracker.formats.evening import evening_at
from tracker.formats.text import typed_line
from tracker.web.access.admission import revoke_old_devices
from tracker.web.access.answered_forms import id_from_content, id_from_key
from tracker.web.access.permissions import get_access, in_turn, is_house, is_own_night, own_nights, site_identity
from tracker.web.access.roles import OPENS_NIGHTS, may
from tracker.web.base.context import (
    form_page,
    get_extras,
    get_known_nights,
    get_nights,
    is_running,
    readable_night,
    redirect_to,
)
from tracker.web.wording.dates import weekday
from tracker.web.wording.game_words import rule_form, rules_typed
from tracker.web.wording.texts import chips_typed, gettext as _, refusal, whole_number_from


def known_name() -> str:
    """Return the name under which this browser has opened a table before, or was let open nights."""
    return get_nights().settings.host_name if is_house() else site_identity().name


bp = Blueprint("new_night", __name__)

MOST_TITLE = 60
AS_LAST = "as-last"
"""Stands for the newest night's board where its rules were changed for that night."""


@bp.get("/new")
@may(OPENS_NIGHTS)
def games(wrong: str = "", name: str | None = None) -> ResponseReturnValue:
    """Ask what is played."""
    return form_page(
        "nights/choose-game.html",
        wrong,
        choice=game_choice(),
        host=known_name() if name is None else name,
        key=new_id(),
        is_house=is_house(),
    )


class GameChoice(NamedTuple):
    """The games to choose from."""

    last: Preset | None
    """What the newest night plays, with the house rules that it began with."""
    as_printed: Preset | None
    """The game of the library that this stands for; None where the library has none of its id."""
    groups: Mapping[str, Sequence[Preset]]
    """By heading."""


def game_choice() -> GameChoice:
    library, last = get_nights().library, last_played()
    own = library.own()
    others = [one for one in library.all() if one not in own]
    groups = {
        _("On a board"): [one for one in others if one.is_pot_game],
        _("On a score sheet"): [one for one in others if not one.is_pot_game],
        _("Your own"): own,
    }
    same = next((one for one in library.all() if last and one.id == last.id), None)
    if last and same is None:
        groups[_("Your own")] = [last, *own]
    in_order = {  # the one played last stands first under its heading
        heading: sorted(games, key=lambda one: last is None or one.id != last.id)
        for heading, games in groups.items()
        if games
    }
    return GameChoice(last, same, in_order)


def last_played() -> Preset | None:
    """Return the board of the newest night with the house rules that it began with."""
    is_own = own_nights()
    for row in get_nights().nights():
        table = readable_night(row.code) if is_own(row.code) else None
        if table:
            return table.preset
    return None


@bp.get("/new/<preset>")
@may(OPENS_NIGHTS)
def set_up(preset: str, wrong: Mapping[str, str] | None = None) -> ResponseReturnValue:
    """Offer what a table may change before it sits down: chips, money, the name of the night."""
    game = preset_from_form(preset)
    host = request.form.get("host", known_name())
    typed = request.form if wrong else {}
    antes = antes_of(game, game.seats.min) if game.is_pot_game else (0, 0)
    return form_page(
        "nights/setup.html",
        wrong or {},
        game=game,
        has_money=game_of(game).has_money,
        preset_id=preset,
        host=host,
        typed=typed,
        antes=antes,
        key=new_id(),
        **rule_form(game, printed=printed_game(game)),
    )


def preset_from_form(preset: str) -> Preset:
    """Return the board of an id, or the one of the newest night with its house rules; Unknown when there is none."""
    last = last_played() if preset == AS_LAST else None
    return last or get_nights().library.find(preset)


@bp.post("/new")
@may(OPENS_NIGHTS)
@in_turn
def open_night() -> ResponseReturnValue:
    """Open a night and make this browser its host, who sits down first if a name is given; sent twice, it opens one."""
    preset, like = request.form.get("preset", ""), request.form.get("like", "")
    before = readable_night(like) if is_own_night(like) else None
    game = before.night.preset if before else preset_from_form(preset)
    is_short = "full" not in request.form
    host = request.form.get("host", "").strip()
    try:
        host = clean_name(host) if host else ""
    except BadName as bad:
        sentence = refusal(bad)
        return games(sentence, bad.name) if is_short else set_up(preset, {"host": sentence})
    options, stack, wrong = typed_rules(game)
    if wrong:
        return set_up(preset, wrong)
    revoke_old_devices()
    try:
        kept = [one.new_night(request.form, game) for one in get_extras()]
    except TableError as error:
        return games(refusal(error))
    key = id_from_content({**request.form, "key": id_from_key(request.form), "owner": g.identity.owner})
    if full := get_access().owners.refusal(g.identity.owner, key):
        return games(full)
    table = get_nights().open(game, options, title(host), key=key)
    for keep in kept:
        keep(table)
    open_for_host(table, g.identity.owner)
    if stack is not None and stack != game.stack:
        table.settings.starting_stack = stack
    if "everyone" in request.form:
        table.settings.is_open_to_all = True
    if is_house():
        get_nights().settings.host_name = host
    seat = seating.sit_down(table, host, key=f"{key}-host", by="")[0] if host else None
    get_access().devices.register_device(table.code, "host", seat=seat, name=host)
    return redirect_to("lobby.page", code=table.code)


def typed_rules(game: Preset) -> tuple[dict[str, Any], int | None, dict[str, str]]:
    """Read the set-up form: house rules that differ, the starting stack, and what is wrong with them."""
    wrong: dict[str, str] = {}
    options = rules_typed(request.form, game, game, wrong)
    typed = request.form.get("stack", "").strip()
    stack = chips_typed(typed, least=1)
    if typed and stack is None:
        wrong["stack"] = whole_number_from(1, MOST_CHIPS)
    return options, stack, wrong


def title(host: str) -> str:
    """Return the night's name: what was typed, else its weekday and whose table it is."""
    if typed := typed_line(request.form.get("title", ""), MOST_TITLE):
        return typed
    day = weekday(evening_at(datetime.now(UTC)))
    return unlike_others(str(_("%(day)s at %(name)s’s", day=day, name=host) if host else day))


NEWEST = 30
"""How many nights are looked at for another one of the same evening."""


def unlike_others(name: str) -> str:
    """Return a night's name, with a number where another night of this evening, or one that goes on, has it."""
    today = evening_at(datetime.now(UTC))
    known = get_known_nights().newest_listed(own_nights(), NEWEST)
    tonight = {one.name for one in known if is_running(one) or one.evening == today}
    stem = name.rpartition(" (")[0] if name[-1:] == ")" and name[:-1].rpartition(" (")[2].isdecimal() else name
    tries = (stem, *(f"{stem} ({number})" for number in range(2, len(tonight) + 3)))
    return next(one for one in tries if one not in tonight)


def open_for_host(table: OpenNight, owner: str) -> None:
    """Note whose a new night is, and let phones join it."""
    access = get_access()
    access.owners.set_owner(table.code, owner)
    access.invites.open(table.code)
