"""The list of all nights, of those put away and of those that can't be shown; what takes a night out of the first."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, g, make_response, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.settings import ARCHIVED, DELETED, NightSettings
from tracker.core.game import GAMES
from tracker.extras._night_lists import SEARCHED_FROM, NamesByNight, groups_of_nights, is_found
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._night_summaries.pages import get_all_summaries, get_summaries
from tracker.extras._night_summaries.stored import ListedNight
from tracker.extras.earlier_nights.view import page_of_nights, put_away_line, texts_of
from tracker.storage import Store
from tracker.storage.database import rows_where
from tracker.storage.rows import as_text
from tracker.web.access.permissions import is_house, own_nights
from tracker.web.access.roles import ANYONE, OPENS_NIGHTS, PageRules, may
from tracker.web.base.context import get_nights, redirect_to
from tracker.web.nights.home import codes_of_own, past_rows
from tracker.web.nights.night_options import find
from tracker.web.nights.past_night import PastNight
from tracker.web.responses import attachment
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _

bp = Blueprint("earlier_nights", __name__)

LONGEST_QUERY = 60


def begin(app: Flask) -> None:
    app.extensions["nights_page"] = "earlier_nights.nights"
    app.extensions["guards"].append(lead_to_list)
    app.extensions["error_answers"].append(unreadable)


def lead_to_list(_rules: PageRules) -> None:
    """Lead a search on the first page, as bookmarks have it, to the list."""
    if request.endpoint == "home.index" and {"q", "until"} & request.args.keys():
        abort(redirect_to("earlier_nights.nights", **request.args))


@bp.get("/nights")
@may(ANYONE)
def nights() -> ResponseReturnValue:
    """List all nights of this browser by month, or those that a query finds."""
    is_host, is_house = g.identity.role in OPENS_NIGHTS, g.identity.role == "host"
    mine, is_own = codes_of_own(), own_nights()
    if not is_host and not mine:
        return redirect_to("home.index")
    query = " ".join(request.args.get("q", "").split())[:LONGEST_QUERY]
    known = get_all_summaries().listed(lambda code: code in mine or is_own(code))
    own, listed = [one for one in known if is_own(one.code)], [one for one in known if not one.put_away]
    left_out = get_summaries().left_out() if is_host else 0
    past = past_rows(listed)
    shown = found(query, past, searched_names(own) if query and is_house else {})
    return render_template(
        "earlier_nights/all-nights.html",
        left_out=left_out,
        unreadable=listed_unreadable() if is_host and not left_out else [],
        past_unpaid=is_house and any(one.unpaid for one in listed),
        past=page_of_nights(past, shown, request.args.get("until", "")),
        query=query,
        gone=get_summaries().get(request.args["gone"]) if is_host and "gone" in request.args else None,
        is_host=is_host,
        is_house=is_house,
        own_codes={one.code for one in own},
        mine=mine,
    )


@bp.get("/put-away")
@may(OPENS_NIGHTS)
def list_put_away() -> str:
    """List the archived and the deleted nights, to bring them back: all, or those that a query finds."""
    summaries, query = get_summaries(), request.args.get("q", "")
    archived = past_rows(one for one in summaries.all() if one.put_away == ARCHIVED)
    deleted = past_rows(summaries.deleted())
    return render_template(
        "earlier_nights/put-away.html",
        archived=found(query, archived, {}),
        deleted=found(query, deleted, {}),
        line_of=put_away_line,
        unreadable=listed_unreadable(put_away=True),
        query=query,
        is_searched=len(archived) + len(deleted) >= SEARCHED_FROM,
    )


@bp.post("/nights/<night>/put-away")
@may(OPENS_NIGHTS)
def put_away(night: str) -> ResponseReturnValue:
    """Archive or delete a night, or list it again. Its log stays in any case."""
    find(night)
    where = request.form.get("where", "")
    if where not in (ARCHIVED, DELETED, ""):
        abort(400)
    NightSettings(get_nights().store, night).put_away = where
    return redirect_to("earlier_nights.nights", gone=night if where else None)


def searched_names(nights: Sequence[NightSummary]) -> Mapping[str, Collection[str]]:
    """Return by night the names by which the house finds it besides those at its seats."""
    several: Sequence[NamesByNight] = current_app.extensions.get("searched_names", ())
    found = [names(nights) for names in several]
    return {night.code: [name for one in found for name in one.get(night.code, ())] for night in nights}


def found(
    query: str, nights: Iterable[PastNight[NightSummary]], names: Mapping[str, Collection[str]]
) -> list[PastNight[NightSummary]]:
    """Return the nights that a query finds, also by the names of their groups and by other `names` of each."""
    groups = groups_of_nights()
    others = ((one, (groups.get(one.summary.code, ""), *names.get(one.summary.code, ()))) for one in nights)
    return [one for one, more in others if is_found(query, texts_of(one, more))]


# Nights that can't be shown


def listed_unreadable(*, put_away: bool = False) -> list[ListedNight]:
    """Return the nights that can't be shown, of those in the list or of those put away."""
    return [one for one in get_summaries().unreadable() if bool(one.setting) is put_away]


def unreadable(status: int, _reason: str, _text: str, _error: Exception | None) -> Response | None:
    """Answer who asks for the page of a night that can't be read with its rows, and to erase it."""
    if request.endpoint != "night_options.page" or status not in (404, 422):
        return None
    night = get_summaries().row((request.view_args or {})["night"])
    if night is None:
        return None
    day = day_of(night.created_at)
    return make_response(render_template("earlier_nights/unreadable.html", night=night, is_house=is_house(), day=day))


@bp.get("/nights/<night>/rows.json")
@may(OPENS_NIGHTS)
def rows(night: str) -> Response:
    """Return what is stored of a night, unread: of one that can't be shown, it is all there is to save."""
    row = get_summaries().row(night) or abort(404)
    text = json.dumps(as_stored(get_nights().store, night), ensure_ascii=False, indent=1)
    return attachment(row.name, text, "json", "application/json")


def as_stored(store: Store, code: str) -> dict[str, Any]:
    """Return a night's row and its events as they are in the tables, unread and unproved: bytes are hex digits."""
    return {
        table: [
            {column: _plain(value) for column, value in row.items() if column not in left_out}
            for row in rows_where(store.connection, table, "code = ?", [code], order=order)
        ]
        for table, order, left_out in (("night", "code", ("name",)), ("event", "number", ("code",)))
    }


def _plain(value: Any) -> Any:
    """Return a stored value as JSON can hold it."""
    if isinstance(value, bytes):
        return value.hex()
    return value if isinstance(value, int | float | None) else as_text(value)


@bp.app_template_global()
def why_unreadable(code: str, *, is_long: bool = False) -> str:
    """Return why a night can't be shown: a damaged log, or a game that an extra brings which is not there."""
    row = get_nights().store.night(code)
    if row and (game := game_in(row.preset)) and game not in GAMES:
        if is_long:
            return _("This night can’t be shown: its game is not in this program. All other nights are as they were.")
        return _("It can’t be shown: its game is not in this program.")
    if is_long:
        return _("This night can’t be shown: its log is not what was recorded. All other nights are as they were.")
    return _("It can’t be shown: its log is not what was recorded.")


def game_in(preset: str) -> str:
    """Return the kind of game that a stored preset names; nothing where it can't be read."""
    with suppress(ValueError):
        stored = json.loads(preset)
        return str(stored.get("game", "")) if isinstance(stored, dict) else ""
    return ""
