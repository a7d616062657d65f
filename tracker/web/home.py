"""The first page, the link that makes a browser the host, and setting up a new night."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from babel.dates import format_date
from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import get_locale, ngettext
from flask_babel import gettext as _

from tracker.core.errors import TableError
from tracker.core.night import LOBBY, Night
from tracker.core.preset import Preset
from tracker.presets import all_built_in
from tracker.store import NightRow
from tracker.tables import Table, new_id
from tracker.web import people
from tracker.web.access import door, identify
from tracker.web.devices import label_of
from tracker.web.here import see, tables, the_table
from tracker.web.language import LANGUAGES, YEAR_SECONDS
from tracker.web.names import BadName, clean_name

bp = Blueprint("home", __name__)

NIGHT_TURNS_AT = timedelta(hours=5)
"""A night that goes on after midnight is still yesterday's."""
MOST_TITLE = 60
NEWEST = 30
"""How many nights the first page looks at; the others stand in the book of all nights."""


@dataclass(frozen=True)
class Evening:
    """A night as a card on the first page."""

    code: str
    name: str
    night: Night
    row: NightRow
    role: str | None

    @property
    def chips_on_board(self) -> int:
        return sum(self.night.pot(pot) for pot in self.night.preset.board)

    @property
    def dealer(self) -> str:
        """Who deals now, by name."""
        return self.night.people[self.night.dealer].name if self.night.dealer else ""

    @property
    def winners(self) -> list[str]:
        """Who came out best, by name; several when they are level."""
        if not self.night.people:
            return []
        score = self.night.points.get if self.night.preset.game != "pots" else self.night.net
        best = max(score(seat) or 0 for seat in self.night.people)
        return [person.name for seat, person in self.night.people.items() if (score(seat) or 0) == best]


# The first page


@bp.get("/")
def index() -> ResponseReturnValue:
    """Shows the nights this browser belongs to; to a stranger, the way to the table."""
    evenings = evenings_of(g.who.role == "host")
    if g.who.role is None and not evenings:
        return see("join.typed")
    open_ = [evening for evening in evenings if not evening.night.is_over]
    over = [evening for evening in evenings if evening.night.is_over]
    return render_template("home.html", who=g.who, open=open_, over=over[:8], evening_line=evening_line)


def evening_line(evening: Evening) -> str:
    """Returns where a night is, in a sentence."""
    night = evening.night
    count = ngettext("%(num)s player", "%(num)s players", len(night.seats))
    if night.phase == LOBBY:
        return _("People are sitting down. %(players)s so far.", players=count)
    if night.preset.game != "pots":
        return _("%(players)s, deal %(n)s.", players=count, n=night.hand)
    return _(
        "Hand %(n)s, %(dealer)s deals. %(players)s, %(chips)s chips on the board.",
        n=night.hand,
        dealer=evening.dealer,
        players=count,
        chips=evening.chips_on_board,
    )


def evenings_of(is_host: bool) -> list[Evening]:
    """Returns the nights that this browser may enter, the newest first."""
    mine = set(door().devices.nights_of(request))
    found = []
    for row in tables().nights()[:NEWEST]:
        role = identify(row.code).role if row.code in mine or is_host else None
        table = readable(row.code) if role else None
        if table:
            found.append(Evening(row.code, row.name, table.night, row, role))
    return found


def readable(code: str) -> Table | None:
    """Returns a night's table; None when its log can't be read (the start check has said so)."""
    try:
        return the_table(code)
    except TableError:
        return None


@bp.post("/language")
def language() -> ResponseReturnValue:
    """Keeps this device's language."""
    response = see("home.index")
    if request.form.get("lang") in LANGUAGES:
        response.set_cookie("lang", request.form["lang"], max_age=YEAR_SECONDS, samesite="Lax")
    return response


# Becoming the host


@bp.get("/host/<token>")
def host_link(token: str) -> ResponseReturnValue:
    """Asks for one tap; a link preview or a prefetch that opens this page uses nothing up."""
    if not door().host_links.is_good(token):
        abort(410)
    others = [row for row in tables().nights() if identify(row.code).role != "host" and is_on(row.code)]
    return render_template("host.html", token=token, others=others)


def is_on(code: str) -> bool:
    table = readable(code)
    return table is not None and not table.night.is_over


@bp.post("/host")
def redeem() -> ResponseReturnValue:
    """Makes this browser the host of new nights, and of one that is going on if that was chosen."""
    code = request.form.get("night", "")
    table = the_table(code) if code else None
    if not door().host_links.redeem(request.form.get("token", "")):
        abort(410)
    label = label_of(request.headers.get("User-Agent", ""))
    door().devices.welcome(None, "host", label=label)
    if table is None:
        return see("home.index")
    before = identify(code)
    door().devices.welcome(code, "host", seat=before.seat, name=before.name, label=label)
    return see("table.page", code=code)


# A new night


@bp.get("/new")
def new() -> ResponseReturnValue:
    """Asks what is played; the game played last is on top."""
    return new_page()


def new_page(wrong: str = "", name: str | None = None) -> ResponseReturnValue:
    last = last_played()
    games = sorted(choices(), key=lambda preset: preset.id not in last)
    host = tables().store.setting(None, "host-name") if name is None else name
    page = render_template("new.html", games=games, last=last, host=host, wrong=wrong, key=new_id())
    return page, 422 if wrong else 200


def choices() -> list[Preset]:
    """Returns every game that can be played here."""
    return all_built_in()


def last_played() -> dict[str, str]:
    """Returns the id of the game of the newest night, and when that was."""
    for row in tables().nights():
        table = readable(row.code)
        if table:
            return {table.preset.id: row.created_at}
    return {}


@bp.get("/new/<preset>")
def set_up(preset: str) -> ResponseReturnValue:
    """Offers what a table may change before it sits down: chips, money, the name of the night."""
    return set_up_page(game_called(preset))


def set_up_page(game: Preset, wrong: Mapping[str, str] | None = None) -> ResponseReturnValue:
    host = request.form.get("host", tables().store.setting(None, "host-name"))
    typed = request.form if wrong else {}
    pots = len(game.board) if game.game == "pots" else 0
    antes = [game.number(rule) * pots for rule in ("ante.dealer", "ante.each")] if pots else [0, 0]
    page = render_template(
        "setup.html", game=game, host=host, wrong=wrong or {}, typed=typed, antes=antes, key=new_id()
    )
    return page, 422 if wrong else 200


def game_called(preset: str) -> Preset:
    found = next((one for one in choices() if one.id == preset), None)
    return found or tables().find_preset(preset)


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
    table = tables().open(game, options, title(host))
    if stack is not None and stack != game.stack:
        tables().store.set_setting(table.code, "stack", str(stack))
    if "everyone" in request.form:
        tables().store.set_setting(table.code, "everyone", "on")
    door().invites.renew(table.code)
    tables().store.set_setting(None, "host-name", host or None)
    seat = people.sit_down(table, host, key=new_id(), by="")[0] if host else None
    label = label_of(request.headers.get("User-Agent", ""))
    door().devices.welcome(table.code, "host", seat=seat, name=host, label=label)
    return see("lobby.page", code=table.code)


def typed_rules(game: Preset) -> tuple[dict[str, Any], int | None, dict[str, str]]:
    """Reads the set-up form: house rules that differ, the starting stack, and what is wrong with them."""
    options: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for key in ("money.chips", "money.cents", "money.coin"):
        text = request.form.get(key, "").strip()
        if not text:
            continue
        value = whole(text)
        try:
            game.with_options({key: value})
        except TableError:
            wrong[key] = _("A whole number, please.")
            continue
        if value != game[key]:
            options[key] = value
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
    day = format_date(evening, "EEEE", locale=get_locale())
    return str(_("%(day)s at %(name)s’s", day=day, name=host) if host else day)  # noqa: RUF001 - an apostrophe
