"""Nights from hand to hand: the page where a link enters, the host's yes, links that lead away, what phones keep."""

import secrets
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import cast
from weakref import WeakKeyDictionary

from flask import Blueprint, Flask, Response, current_app, g, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras.copies import brought_nights, night_transfer
from tracker.extras.copies.backups import let_host_in
from tracker.extras.copies.brought_lines import NewLines, new_lines
from tracker.extras.copies.brought_nights import MOST_OF_STRANGERS, STORED, BroughtNight, read
from tracker.extras.copies.line_seals import SealedLine, SealSettings, last_seal, proof, sealed
from tracker.extras.copies.merge import StalePlan
from tracker.extras.copies.night_code import site_link
from tracker.extras.copies.night_transfer import head_of, to_text
from tracker.formats.codec import preset_to
from tracker.formats.evening import moment_of
from tracker.formats.night_file import MOST, NightLimits, night_to
from tracker.formats.text import UNREADABLE, file_name
from tracker.storage import DiskTrouble, ExpiringRows
from tracker.web.access.answered_forms import id_from_key, keep_no_answer
from tracker.web.access.permissions import Access, get_access, identify
from tracker.web.access.rate_limits import GuessLimit
from tracker.web.access.request_guards import SERVER_LIMIT, sender
from tracker.web.access.roles import ALLOWED_IN, ANYONE, HOST, may
from tracker.web.base.context import get_nights, get_table, redirect_to, redirect_to_night
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _, refusal, whole_number

bp = Blueprint("arrive", __name__)

KIND, PLACES, WAITING_SECONDS = "brought-night", ("1", "2", "3"), 600
"""So many nights wait for the host's yes at once, so long."""


class TextLimits:
    """What limits the texts from outside that are read."""

    def __init__(self, rows: ExpiringRows) -> None:
        self.limit = GuessLimit(5, 30, rows=rows, kind="brought")
        self.reading = threading.Lock()
        """Held while a text from outside is unpacked, read or played: one at a time, whoever sends them."""


def begin(app: Flask) -> None:
    """Make what an app needs that takes nights by link."""
    access: Access = app.extensions["access"]
    app.extensions["text_limits"] = TextLimits(access.rows)
    with suppress(DiskTrouble):  # without a key nothing is proved, and all lines that come are asked about
        SealSettings(access.devices.store).made_once(SealSettings.log_key, lambda: secrets.token_hex(32))


def text_limits() -> TextLimits:
    return cast(TextLimits, current_app.extensions["text_limits"])


# The nights that other browsers have sent and the host has not answered yet, a few at a time


@bp.app_template_global("nights_by_link")
def waiting() -> dict[str, BroughtNight]:
    """Return the nights that wait, by place, as they were read when they came: nothing of them is read again."""
    return dict(_waiting())


def _waiting() -> Iterator[tuple[str, BroughtNight]]:
    for place in PLACES:
        with suppress(*UNREADABLE):  # another version of the program may have left it in a shared database
            if stored := get_access().rows.value(KIND, place):
                yield place, STORED.read(stored)


@bp.get("/arrive")
@may(ANYONE)
def page(
    night: BroughtNight | None = None, news: NewLines | None = None, wrong: str = "", said: str = "", place: str = ""
) -> str:
    """Take what stands behind `#` of this page's address, or is pasted; a script of the page sends it.

    The host is shown what waits, too, as it was read: it is played when the host looks at it.
    """
    is_host = g.identity.role == "host"
    return render_template(
        "copies/arrive.html",
        night=night,
        news=news,
        place=place,
        waiting=waiting() if is_host and not night else {},
        wrong=wrong,
        said=said,
        day_of=day_of,
        is_to_come=is_to_come,
    )


@bp.post("/arrive")
@may(ANYONE, most_bytes=SERVER_LIMIT - 1000)
def send() -> ResponseReturnValue:
    """Show the host what a text, or one that waits, would bring; from another browser it waits for the host's yes."""
    try:
        if g.identity.role == "host":
            return look()
        with text_limits().reading:
            return receive(request.form.get("text", ""))
    except (UnreadableError, TableError) as error:
        return page(wrong=refusal(error)), 422


def receive(text: str) -> ResponseReturnValue:
    """Keep a text of a stranger, after it was read; the lock is held, so of many at once the second one is refused."""
    known, access = waiting(), get_access()
    night = next((one for one in known.values() if one.text == text), None)
    if night is None:
        free = next((place for place in PLACES if place not in known), None)
        if free is None:
            return page(wrong=_("Too many nights wait for the host’s yes. Try again in some minutes.")), 429
        if not text_limits().limit.take(sender()):
            return page(wrong=_("Too many links at once: try again in a minute.")), 429
        night = read(get_nights(), text, MOST_OF_STRANGERS)
        access.rows.add(KIND, free, WAITING_SECONDS, STORED.text(night))
    return page(night, said=_("Now the host says yes: on the first page of the host’s browser."))


def look(wrong: str = "", status: int = 200) -> ResponseReturnValue:
    """Show the host what a text would bring, line by line. Raises UnreadableError, TableError."""
    text, place, most = asked_about()
    if text is None:
        return outdated()
    with text_limits().reading:
        night = read(get_nights(), text, most)
        news = new_lines(night, brought_nights.played(get_nights(), night, most))
    return page(night, news, wrong, place=place), status


def asked_about() -> tuple[str | None, str, NightLimits]:
    """Return the text that a form is about, its place where it waits, and how large it may be; None for one that is
    no more there, or not the one that was shown."""
    form = request.form
    if "place" not in form:
        return form.get("text", ""), "", MOST
    night = waiting().get(form["place"])
    is_shown = night is not None and form.get("mark") == night.mark
    return (night.text if night and is_shown else None), form["place"], MOST_OF_STRANGERS


def outdated() -> ResponseReturnValue:
    return page(wrong=_("Something else waits here now, or nothing any more: look again.")), 409


@bp.post("/arrive/answer")
@may(HOST, most_bytes=SERVER_LIMIT - 1000)
def answer() -> ResponseReturnValue:
    """Bring a night in that was shown, or send one away that waits: the form says what it was about."""
    text, place, most = asked_about()
    if text is None:
        return outdated()
    if request.form.get("do") == "no":
        get_access().rows.take(KIND, place)
        return redirect_to("home.index")
    try:
        night = as_shown(text, most)
        if wrong := lock_fault(night, most):
            keep_no_answer()
            return look(wrong, 422)
        table = bring_in(night, id_from_key(request.form))
    except StalePlan:
        return look(_("Something has changed meanwhile: look again, then say yes."), 409)
    except (UnreadableError, TableError) as error:
        return page(wrong=refusal(error)), 422
    get_access().rows.take(KIND, place)
    return redirect_to("settlement.page", code=table.code) if table.night.is_over else redirect_to_night(table.code)


def as_shown(text: str, most: NightLimits) -> BroughtNight:
    """Return the night in a text. Raises StalePlan when it is not what the form has shown, or the night here is not."""
    with text_limits().reading:
        night = read(get_nights(), text, most)
    if request.form.get("seal") != night.seal:
        raise StalePlan
    return night


def lock_fault(night: BroughtNight, most: NightLimits) -> str:
    """Return what is wrong with what the form has to open the night's lock, where any of its new lines needs that."""
    lock = get_access().lock
    if night.relation != "shorter" or not lock.is_locked(night.code, identify(night.code).device):
        return ""
    with text_limits().reading:
        news = new_lines(night, brought_nights.played(get_nights(), night, most))
    return lock.refusal(get_table(night.code), request.form.get("pin", "").strip()) if news.is_locked else ""


def bring_in(night: BroughtNight, key: str) -> OpenNight:
    """Add a night and make this browser its host. Raises UnreadableError, TableError."""
    with text_limits().reading:
        table = brought_nights.bring_in(get_nights(), night, key, g.identity.by)
    if night.code:
        return table
    if night.relation == "missing":
        let_host_in(table.code)
        return table
    get_access().invites.renew(table.code)
    get_access().devices.register_device(table.code, "host")
    return table


@bp.get("/n/<code>/carry")
@may(HOST)
def carry(code: str) -> str:
    """Offer the night to go on elsewhere: on this phone in the site, at another host, or from its file."""
    table = get_table(code)
    text = to_text(table)
    is_short = len(text) <= night_transfer.LONGEST_TEXT
    return render_template(
        "copies/carry.html", table=table, text=text if is_short else "", link=site_link(text) if is_short else ""
    )


# What phones keep of a night: every line of its log with a seal, so that any phone that was there can hand it over


@bp.get("/n/<code>/copy")
@may(ALLOWED_IN, needs_others=True)
def phone_copy(code: str) -> Response:
    """Give the lines after those that a phone has (`after`), and the seal of the last that it has."""
    table = get_table(code)
    lines = lines_of(table)
    after = whole_number(request.args.get("after", "")) or 0
    return jsonify(
        name=table.name,
        file=f"{file_name(f'{table.name} {day_of(table.began_at)}')}.json",
        frame=night_to(preset_to(table.preset), table.options, [], table.name),
        night=head_of(table),
        site=site_link(""),
        known=last_seal(table.row, lines[:after]) if after <= len(lines) else "",
        lines=[line.text for line in lines[after:]],
        seal=last_seal(table.row, lines),
        proof=proof(SealSettings(table.settings.store).log_key, table.row, lines),
        words=words(),
    )


LINES: WeakKeyDictionary[OpenNight, list[SealedLine]] = WeakKeyDictionary()
"""Of the nights in memory that a phone has asked for."""


def lines_of(table: OpenNight) -> list[SealedLine]:
    """Return every entry with its seal; worked out once, and again only from where the log is another."""
    LINES[table] = lines = sealed(table, LINES.get(table, ()))
    return list(lines)


def words() -> dict[str, str]:
    """Return what the phone says about its copy, in its language: it has to say it when there is no server to ask."""
    return {
        "gone": _("The table is out of reach. This phone has kept the night."),
        "on": _("The table’s computer is gone? One phone goes on, the others say what happens."),
        "here": _("Go on"),
        "other": _("The log of this night is not the one this phone saw."),
        "lost": _("This phone has kept a night that is not here any more."),
        "save": _("Save this night as a file"),
        "keep": _("Save"),
        "go": _("Go on without it"),
        "later": _("Put this away"),
    }


def is_to_come(label: object) -> bool:
    """Return whether a label's moment is days ahead of this machine's clock: that one or the other is wrong."""
    moment = moment_of(label)
    return moment is not None and moment > datetime.now(UTC) + timedelta(days=2)
