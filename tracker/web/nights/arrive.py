"""Nights from hand to hand: the page where a link enters, the host's yes, links that lead away, what phones keep."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from flask import Blueprint, Response, abort, g, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app import night_transfer
from tracker.app.night_transfer import SealedLine, compared, head_of, is_transfer, last_seal, sealed, to_text
from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.formats.codec import preset_to
from tracker.formats.codes import is_night_code, night_text
from tracker.formats.night_file import night_from, night_to, states
from tracker.formats.text import UnreadableError, file_name
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import get_access
from tracker.web.base.context import get_nights, get_table, redirect_to, redirect_to_night, site_link
from tracker.web.nights.backups import let_host_in
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _, refusal, whole_number

bp = Blueprint("arrive", __name__)

KIND, PLACES, WAITING_SECONDS = "brought-night", ("1", "2", "3"), 600
"""So many nights wait for the host's yes at once, so long."""


@dataclass(frozen=True)
class BroughtNight:
    """A night that came by a link, read and played to its end."""

    text: str
    name: str
    entries: int
    relation: str
    """How it stands to the night of the same code here: as in `NightComparison`, or `code` for one without ids."""
    place: str = ""
    """Where it waits for the host's yes."""


def read(text: str, place: str = "") -> BroughtNight:
    """Return the night in a text. Raises UnreadableError, TableError."""
    if is_transfer(text):
        copy = night_transfer.night_from(text)
        return BroughtNight(text, copy.row.name, len(copy.events), compared(get_nights(), copy).relation, place)
    if not is_night_code(text):
        raise UnreadableError("this is no link to a night: copy all of it, from the first sign to the last")
    found = night_from(night_text(text), get_nights().library.find)
    for _night in states(found):
        pass
    return BroughtNight(text, found.name or found.preset.name, len(found.entries), "code", place)


# The nights that other browsers have sent and the host has not answered yet, a few at a time


def waiting() -> dict[str, str]:
    """Return the texts that wait, by place."""
    found = ((place, get_access().rows.value(KIND, place)) for place in PLACES)
    return {place: text for place, text in found if text}


def wait(text: str) -> bool:
    """Have a night wait, once; False when too many wait already."""
    known = waiting()
    place = next((place for place in PLACES if place not in known), None)
    if place and text not in known.values():
        get_access().rows.add(KIND, place, WAITING_SECONDS, text)
    return place is not None or text in known.values()


@bp.get("/arrive")
def page(night: BroughtNight | None = None, wrong: str = "", said: str = "") -> str:
    """Take what stands behind `#` of this page's address, or is pasted; a script of the page sends it."""
    is_asked = g.identity.role == "host" and not (night or wrong)
    nights = [read(text, place) for place, text in waiting().items()] if is_asked else []
    return render_template("nights/arrive.html", night=night, waiting=nights, wrong=wrong, said=said)


@bp.post("/arrive")
def send() -> ResponseReturnValue:
    """Show the night in a text to the host, to say yes; from another browser it waits for the host's yes."""
    try:
        night = read(request.form.get("text", ""))
    except (UnreadableError, TableError) as error:
        return page(wrong=refusal(error)), 422
    if g.identity.role == "host":
        return page(night)
    if not wait(night.text):
        return page(wrong=_("Too many nights wait for the host’s yes. Try again in some minutes.")), 429
    return page(night, said=_("Now the host says yes: on the first page of the host’s browser."))


@bp.post("/arrive/answer")
def answer() -> ResponseReturnValue:
    """Bring a night in that was shown or waits, or send it away."""
    form = request.form
    text = waiting().get(form.get("place", "")) if "place" in form else form.get("text", "")
    if form.get("do") == "no":
        get_access().rows.take(KIND, form.get("place", ""))
        return redirect_to("home.index")
    try:
        table = bring_in(text or abort(410), id_from_key(form))
    except (UnreadableError, TableError) as error:
        return page(wrong=refusal(error)), 422
    get_access().rows.take(KIND, form.get("place", ""))
    return redirect_to("settlement.page", code=table.code) if table.night.is_over else redirect_to_night(table.code)


def bring_in(text: str, key: str) -> OpenNight:
    """Add the night in a text and make this browser its host. Raises UnreadableError, TableError."""
    nights = get_nights()
    if not is_transfer(text):
        table = nights.import_night(night_text(text), key=key)
    else:
        copy = night_transfer.night_from(text)
        found, table = compared(nights, copy), night_transfer.take(nights, copy, key)
        let_host_in(found)
        if found.relation != "other":
            return table
    get_access().invites.renew(table.code)
    get_access().devices.register_device(table.code, "host")
    return table


@bp.get("/n/<code>/carry")
def carry(code: str) -> str:
    """Offer the night to go on elsewhere: on this phone in the site, at another host, or from its file."""
    table = get_table(code)
    text = to_text(table)
    is_short = len(text) <= night_transfer.LONGEST_TEXT
    return render_template(
        "nights/carry.html", table=table, text=text if is_short else "", link=site_link(text) if is_short else ""
    )


# What phones keep of a night: every line of its log with a seal, so that any phone that was there can hand it over


@bp.get("/n/<code>/copy")
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
