"""The page of a tablet that lies in the middle of the table: the board, and a dock for each person around it."""

import re
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

from flask import Blueprint, Response, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from tracker.app.open_night import OpenNight
from tracker.core.events import Order
from tracker.core.log import Entry
from tracker.core.night import LOBBY
from tracker.extras._template_pages import told_to_all
from tracker.extras.flat.places import PLACES, at_side, order_as_they_sit, sit_down, sitting
from tracker.extras.flat.way_in import remember_tablet
from tracker.streaming.hub import Frame
from tracker.streaming.stream import SLOT, Page, Part, slot
from tracker.web.access.admission import PhoneQuestions, questions_for
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.consent import check_may_record
from tracker.web.access.devices import Identity
from tracker.web.access.roles import AT_TABLE, may
from tracker.web.base.context import get_nights, get_table, get_template, redirect_to
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.drawing.board import art
from tracker.web.drawing.board_places import board_size
from tracker.web.drawing.player_token import player_tokens
from tracker.web.notices import Messages, notices_for
from tracker.web.responses import stream_response
from tracker.web.table.pages import pages_of, sent_move, viewer_of
from tracker.web.wording.texts import gettext, language

BUTTON = re.compile(r'<button[^>]* name="do" value="((?:go-on|pay|stock|waive:[^"]*))"[^>]*>(.*?)</button>', re.DOTALL)
SHARED = '<div id="shared"'
"""What everybody sees alike begins so on the page of each kind of game; what is one viewer's own stands before it."""
IDS = re.compile(r' (id|for|aria-labelledby|aria-describedby|aria-controls)="([^"]+)"')
TOLD = re.compile(r' data-(?:tell|asks)="[^"]*"')
FOR_ALL = frozenset({"deal", "go-on", "match", "pay", "stock", "waive"})
"""Verbs of what is said for the whole table, at the dock of whoever deals."""
RENAMED: WeakKeyDictionary[Part, dict[tuple[str, str], Part]] = WeakKeyDictionary()


class Said(NamedTuple):
    """What one dock is told beside the game: why its tap counted for nothing."""

    who: str = ""
    refusal: str = ""
    note: str = ""


class Answer(NamedTuple):
    """A button at a dock that is about the whole table."""

    value: str
    words: str
    is_asked: bool = True
    """Without it the button shows only after the tablet's menu has asked for it."""


NOTHING_SAID = Said()


def flat_page(table: OpenNight, identity: Identity, said: Said = NOTHING_SAID) -> Page:
    """Return everything on the tablet that changes; needs no request."""
    places = sitting(table)
    host = pages_of(table).fragments(table, viewer_of(table, identity), Messages(PhoneQuestions(table.code), ()))
    phones = {seat: _phone(table, seat, said) for seat in places.values()}
    for_all = list(_for_all(host, phones.values()))
    speaker = table.night.dealer if table.night.dealer in phones else next(iter(phones), "")  # for the whole table
    middle = _middle(table, identity, host, phones, said)
    docks = [
        _dock(table, places, place, phones[seat], for_all if seat == speaker else []) for place, seat in places.items()
    ]
    around = get_template("flat/_around.html").render(**_around(table, places), base=f"/n/{table.code}")
    pages = (middle, *docks)
    return Page("".join(page.frame for page in pages) + around, tuple(group for page in pages for group in page.groups))


def _around(table: OpenNight, places: Mapping[str, str]) -> dict[str, object]:
    """Return what the template of the free places needs."""
    night, faces = table.night, player_tokens(table.night)
    left = [faces[seat] for seat in night.seats if seat not in places.values()]
    free = [place for place in PLACES if place not in places] if left and not night.is_over else []
    order = order_as_they_sit(night.seats, places) if night.phase == LOBBY else ()
    return {
        "free": free,
        "beside": [place for place in free if len(at_side(places, place)) == 1],
        "left": left,
        "order": [faces[seat] for seat in order],
        "is_empty": not places,
        "is_over": night.is_over,
    }


def _middle(table: OpenNight, identity: Identity, host: Page, docked: Collection[str], said: Said) -> Page:
    """Return the board or the score sheet, with the seats of those who have no dock."""
    frame = slot("now") + host.frame[host.frame.index(SHARED) :]
    for seat in docked:
        frame = frame.replace(slot(f"s-{seat}"), "")
    around = get_template("flat/_middle.html").render(
        asked=questions_for(table, identity),
        notices=notices_for(table, identity),
        refusal=said.refusal if said.who == "host" else "",
        middle=frame,
    )
    told = told_to_all(table)
    return Page(around + slot(told.name), ((*_parts_in(host, frame), told),))


def _phone(table: OpenNight, seat: str, said: Said) -> Page:
    """Return what is one viewer's own on the page of a seat's phone."""
    told = (said.refusal, said.note) if said.who == seat else ("", "")
    page = pages_of(table).fragments(table, Viewer("seat", seat), Messages(PhoneQuestions(table.code), (), *told))
    own = page.frame[: page.frame.index(SHARED)]
    return Page(own, (_parts_in(page, own),))


def _dock(table: OpenNight, places: Mapping[str, str], place: str, phone: Page, for_all: Sequence[Answer]) -> Page:
    """Return the dock of one seat: the parts of the own phone, and what is asked there for the whole table."""
    base, moment, seat = f"/n/{table.code}", snapshot_of(table).moment, places[place]
    answers = [*for_all]
    if table.preset.is_pot_game and moment.name == "ante":
        answers.append(Answer(f"deal:{seat}", gettext("I deal"), not moment.dealer))
    if table.preset.is_pot_game and moment.name == "match":
        answers.append(Answer(f"match:{moment.pot}/{moment.offender}", gettext("I have it")))
    also = Part(f"d-{seat}-also", get_template("flat/_also.html").render(seat=seat, answers=answers))
    parts = tuple([_renamed(part, seat, base) for part in phone.groups[0]])
    own = _named(phone.frame, seat, base)
    face = player_tokens(table.night)[seat]
    frame = get_template("flat/_dock.html").render(
        place=place, is_alone=len(at_side(places, place)) == 1, face=face, own=own, also=slot(also.name)
    )
    return Page(frame, ((*parts, also),))


def _for_all(host: Page, phones: Collection[Page]) -> Iterator[Answer]:
    """Yield the buttons that only a phone has that records for everybody, and that name nobody: "Nobody", "Go on"."""
    own = host.frame[: host.frame.index(SHARED)]
    there = {found[1] for phone in phones for found in BUTTON.finditer(str(phone))}
    for found in BUTTON.finditer(str(Page(own, (_parts_in(host, own),)))):
        if found[1] not in there and " disabled" not in found[0].partition(">")[0]:
            there.add(found[1])
            yield Answer(found[1], Markup(found[2]))  # noqa: S704  rendered by a template


# Ids of their own


def _parts_in(page: Page, frame: str) -> tuple[Part, ...]:
    names = set(frame.split(SLOT)[1::2])
    return tuple([part for group in page.groups for part in group if part.name in names])


def _renamed(part: Part, seat: str, base: str) -> Part:
    """Return a part as it stands in a dock: the same object for the same part, so that it is sent only when changed."""
    known = RENAMED.setdefault(part, {})
    found = known.get((seat, base))
    if found is None:
        html = with_own_ids(part.html, seat, base)
        found = known[seat, base] = Part(f"d-{seat}-{part.name}", html)
    return found


def _named(frame: str, seat: str, base: str) -> str:
    """Return a frame whose places are those of the parts of a dock."""
    pieces = frame.split(SLOT)
    named = [f"d-{seat}-{piece}" if at % 2 else with_own_ids(piece, seat, base) for at, piece in enumerate(pieces)]
    return SLOT.join(named)


def with_own_ids(html: str, who: str, base: str) -> str:
    """Return a phone's HTML with the ids of one dock and the tablet's forms, without what screen readers are told."""
    html = TOLD.sub("", IDS.sub(rf' \1="d-{who}-\2"', html))
    return re.sub(rf'"{re.escape(base)}/(record|sheet)\b', rf'"{base}/flat/{who}/\1', html)


bp = Blueprint("flat", __name__)
TABLET = "host"
"""Stands in an address for the tablet itself, beside the seats that it records for."""
AT_TABLET = "at-tablet-"
"""So begin the ids of what is recorded at the tablet."""


@bp.app_template_test("at_tablet")
def is_at_tablet(entry: Entry) -> bool:
    """Return whether an entry was made at a dock: its seat says who, and this that another hand may have tapped."""
    return bool(entry.id and entry.id.startswith(AT_TABLET))


def tablet_of(code: str) -> OpenNight:
    """Return the night of a tablet; 403 for a device that may not record for everybody."""
    table = get_table(code)
    if not viewer_of(table, g.identity).records_for_all:
        abort(403)
    return table


def recorder(table: OpenNight, who: str, verb: str = "") -> Identity:
    """Return who records by a tap: the tablet's own device, or a seat that sits at it; 404 for any other."""
    own: Identity = g.identity
    if who == TABLET:
        return own
    if who not in sitting(table).values():
        abort(404)
    role = own.role if verb in FOR_ALL else "seat"
    return replace(own, role=role, seat=who)


@bp.get("/n/<code>/flat")
@may(AT_TABLE, in_memory=True, follows="night")
def page(code: str) -> str:
    """Show the board in the middle, and a dock for each who sits at the tablet, turned to their side."""
    table = tablet_of(code)
    remember_tablet(code)
    is_pots = table.preset.is_pot_game
    return render_template(
        "flat/page.html",
        night=table.night,
        name=table.name,
        base=f"/n/{code}",
        is_pots=is_pots,
        art=art(board_size(table.night)) if is_pots else "",
        live=str(flat_page(table, g.identity)),
        tab=secrets.token_hex(4),
    )


@bp.get("/n/<code>/flat/live")
@may(AT_TABLE, in_memory=True, follows="part")
def live(code: str) -> str:
    return str(flat_page(tablet_of(code), g.identity))


@bp.get("/n/<code>/flat/stream")
@may(AT_TABLE, in_memory=True)
def stream(code: str) -> Response:
    table = tablet_of(code)
    return stream_response(table, view_name(), lambda identity: Frame(table.head, flat_page(table, identity)))


def view_name() -> str:
    return "/".join(("flat", g.identity.role or "", g.identity.seat or "", language()))


@bp.post("/n/<code>/flat/sit")
@may(AT_TABLE, in_memory=True)
def sit(code: str) -> ResponseReturnValue:
    """Keep who sits at a place of the tablet, or that somebody sits there no more."""
    table, place, seat = tablet_of(code), request.form.get("place", ""), request.form.get("seat", "")
    if seat not in table.night.seats or place not in ("", *PLACES):
        abort(404)
    sit_down(table, place, seat)
    return answer(table)


@bp.post("/n/<code>/flat/order")
@may(AT_TABLE, in_memory=True)
def order(code: str) -> ResponseReturnValue:
    """Record the order in which people sit around the tablet."""
    table = tablet_of(code)
    event = Order(tuple(request.form.getlist("seat")))
    check_may_record(table, g.identity, event)
    if event.seats != table.night.seats:
        table.record(event, id=id_from_key(request.form), by=g.identity.by)
    return answer(table)


@bp.get("/n/<code>/flat/<who>/sheet")
@bp.get("/n/<code>/flat/<who>/sheet/<seat>")
@may(AT_TABLE, in_memory=True)
def sheet(code: str, who: str, seat: str | None = None) -> str:
    """Show a sheet of the table's page, whose forms record as that seat or, of the menu, as the tablet."""
    table = tablet_of(code)
    recorder(table, who)
    viewer = viewer_of(table, g.identity) if who == TABLET else Viewer("seat", who)
    html = with_own_ids(
        pages_of(table).sheet(table, viewer, seat or (None if who == TABLET else who)), who, f"/n/{code}"
    )
    sits = "" if who == TABLET else who
    night = table.night
    may_finish = (
        night.preset.is_pot_game and bool(night.hand) and night.is_between_hands
    )  # as the host's own dock offers
    return render_template("flat/sheet.html", sheet=html, seat=sits, base=f"/n/{code}", may_finish=may_finish)


@bp.post("/n/<code>/flat/<who>/record")
@may(AT_TABLE, in_memory=True)
def record(code: str, who: str) -> ResponseReturnValue:
    """Do what a form of a dock asks, as the seat that sits there; a refusal is shown in that dock."""
    table = tablet_of(code)
    form = request.form.to_dict()
    identity = recorder(table, who, form.get("do", "").partition(":")[0])
    key = form.get("key") or f"{who}-{form.get('head', '')}"
    form["key"] = f"{AT_TABLET}{key}"
    done = sent_move(table, identity, form)
    return answer(table, Said(who, done.error, done.note), done.status)


def answer(table: OpenNight, said: Said = NOTHING_SAID, status: int = 200) -> tuple[str, int] | AnyResponse:
    """Return what the tablet shows now; nothing where its stream has shown that already."""
    if not request.headers.get("HX-Request"):
        return redirect_to("flat.page", code=table.code)
    device = str(g.identity.device or "")
    if not (said.refusal or said.note) and get_nights().live.has_newest(table.code, view_name(), device):
        return Response(status=204, headers={"X-At": snapshot_of(table).at})
    return str(flat_page(table, g.identity, said)), status
