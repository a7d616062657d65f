"""The copies of all nights, on the page of the host's machine: make one, take one away, bring nights back."""

import secrets
from collections.abc import Sequence
from contextlib import closing

from flask import Blueprint, Response, abort, g, render_template, request, send_file
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import from_row
from tracker.app.log_history import History
from tracker.app.nights import Nights, newest_first
from tracker.app.settings import FolderSettings
from tracker.extras._backups import Backup, Backups, backups_of
from tracker.extras._night_files.importing import import_night
from tracker.extras._night_files.reading import UNLIMITED
from tracker.extras._night_lists import SEARCHED_FROM, day_texts, is_found
from tracker.extras.copies.brought_lines import NewLines, lines_after, may_need_unlocking
from tracker.extras.copies.merge import StalePlan
from tracker.extras.copies.night_transfer import RestorePlan, check_replay, plan_restore, restore_missing
from tracker.formats.evening import evening_of
from tracker.storage import NightRow, Store, Unreadable
from tracker.storage.database import rows_where
from tracker.streaming.hub import StreamHub
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.links import Invites
from tracker.web.access.permissions import get_access, identify, in_turn, is_own_night
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, redirect_to, redirect_to_night
from tracker.web.notices import sentences
from tracker.web.own_command import own_command
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _

bp = Blueprint("backups", __name__, url_prefix="/backups")

MOST_SHOWN = 5
"""Nights of which a page says line by line what comes back."""


@bp.get("")
@may(HOST, needs_others=True)
def page() -> str:
    """Show the copies there are, and what is wrong if none could be made."""
    kept = backups_of(get_nights())
    listed = kept.all() if kept else []
    names = {row.code: row.name for row in get_nights().nights()}
    return render_template(
        "copies/backups.html",
        copies=[one for one in listed if not one.is_night],
        night_files=[(one, names.get(code_of(one), code_of(one))) for one in listed if one.is_night],
        trouble=sentences()[kept.trouble] if kept and kept.trouble else "",
    )


def code_of(copy: Backup) -> str:
    return copy.path.stem.removeprefix("night-")


@bp.post("")
@may(HOST, needs_others=True)
def make() -> ResponseReturnValue:
    """Make a copy of all nights now; 503 when the disk has no room for it."""
    get_backups().make()
    return redirect_to("backups.page")


@bp.post("/new-codes")
@may(HOST, needs_others=True)
@in_turn
def new_codes() -> ResponseReturnValue:
    """Make new join codes for all nights: those of a copy that somebody else has lead nowhere from now on."""
    for code in renew_all(get_access().invites):
        get_access().devices.end_admissions(code)
    get_nights().publish_all()
    return redirect_to("backups.page")


def renew_all(invites: Invites) -> list[str]:
    """Make a new secret and new join codes for all nights that have one, and return the codes of these nights.

    Whoever has a copy of the data file has the old secret, and the codes of its time.
    """
    FolderSettings(invites.store).invite_secret = secrets.token_hex(32)
    codes = sorted({str(row["code"]) for row in rows_where(invites.store.connection, "invite")})
    for code in codes:
        invites.renew(code)
    return codes


@bp.get("/<name>")
@may(HOST, needs_others=True)
def look(name: str) -> str:
    """Show the nights that stand in a copy."""
    copy = get_backup(name)
    try:
        nights = [] if copy.is_night else copy.nights()
    except Unreadable:
        nights = []
    return copy_page(copy, nights)


def copy_page(copy: Backup, nights: Sequence[NightRow]) -> str:
    """Return the page of a copy with its nights, or those that are searched for: none where it can't be read."""
    query = " ".join(request.args.get("q", "").split())
    texts = {row.code: [row.name, *day_texts(evening_of(row.began_at))] for row in nights}
    return render_template(
        "copies/backup.html",
        copy=copy,
        nights=[row for row in newest_first(nights) if is_found(query, texts[row.code])],
        is_searched=len(nights) >= SEARCHED_FROM,
        is_read=bool(nights),
        query=query,
        day_of=day_of,
        command=own_command(),
    )


@bp.get("/<name>/file")
@may(HOST, needs_others=True)
def download(name: str) -> Response:
    response = send_file(get_backup(name).path, as_attachment=True, max_age=0)
    response.headers["Cache-Control"] = "no-store"
    return response


@bp.get("/<name>/all")
@may(HOST, needs_others=True)
def ask(name: str) -> ResponseReturnValue:
    """Show what bringing back a whole copy would do, before anything is done."""
    return asking(get_backup(name))


def asking(copy: Backup, status: int = 200, wrong: str = "") -> ResponseReturnValue:
    """Return the page that says what would come back, and what stays."""
    try:
        found = None if copy.is_night else plan_restore(get_nights(), copy.path)
    except Unreadable:
        found = None
    if found is None or found.is_empty:  # perhaps it has come back already, and the answer got lost
        status, wrong = 200, ""
    news = news_of(found) if found else {}
    return render_template("copies/restore-all.html", copy=copy, plan=found, news=news, wrong=wrong, done=None), status


def news_of(plan: RestorePlan) -> dict[str, NewLines]:
    """Return what comes back of nights that are here, by code; of a few, as each is played for it."""
    found: dict[str, NewLines] = {}
    for one in plan.compared:
        if one.relation == "shorter" and len(found) < MOST_SHOWN:
            history = History([*map(from_row, one.events)], check_replay(one))
            found[one.row.code] = lines_after(one.events_here, history)
    return found


@bp.post("/<name>/all")
@may(HOST, needs_others=True)
def bring_all_back(name: str) -> ResponseReturnValue:
    """Bring back all that the page has shown; 409 with the page as it would be now when that has changed."""
    copy = get_backup(name)
    try:
        if code := night_that_asks(copy):
            return get_access().lock.page_first(code)
        done = restore_missing(get_nights(), copy.path, request.form.get("seal", ""), g.identity.by)
    except (StalePlan, Unreadable):
        return asking(copy, 409, _("Something has changed meanwhile. Nothing was brought back yet: look again."))
    for one in done.added:
        if one.relation == "missing":
            let_host_in(one.row.code)
    return render_template("copies/restore-all.html", copy=copy, plan=None, news={}, wrong="", done=done)


def night_that_asks(copy: Backup) -> str:
    """Return the code of a night whose lock this browser, its host, opens first: what comes back of it may end it."""
    for one in plan_restore(get_nights(), copy.path).compared:
        asks = one.relation == "shorter" and get_access().lock.asks(one.row.code, identify(one.row.code))
        if asks and may_need_unlocking([*map(from_row, one.events)], one.events_here):
            return one.row.code
    return ""


def let_host_in(code: str) -> None:
    """Open a night that was missing to phones, with this browser as its host unless it is what it was before."""
    get_access().invites.renew(code)
    if identify(code).role is None and is_own_night(code):
        get_access().devices.register_device(code, "host")


@bp.post("/<name>/<night>")
@may(HOST, needs_others=True)
def bring_one_back(name: str, night: str) -> ResponseReturnValue:
    """Bring one night of a copy back, as a new one beside those that are there; this browser is its host."""
    copy = get_backup(name)
    try:
        with closing(Store(copy.path, read_only=True)) as store:
            text = Nights(store, StreamHub()).get(night).export()
    except Unreadable:
        return copy_page(copy, []), 422
    table = import_night(get_nights(), text, most=UNLIMITED, key=id_from_key(request.form))
    get_access().invites.renew(table.code)
    get_access().devices.register_device(table.code, "host")
    return redirect_to_night(table.code)


def get_backups() -> Backups:
    """Return what makes copies; 404 where none are kept."""
    return backups_of(get_nights()) or abort(404)


def get_backup(name: str) -> Backup:
    """Return a copy by the name of its file; 404 when there is none, whatever else may stand in the folder."""
    return next((copy for copy in get_backups().all() if copy.name == name), None) or abort(404)
