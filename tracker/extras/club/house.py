"""What whoever runs the house sees and does: its tables, its hosts, the club's link. No chips and no log of a night."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from random import SystemRandom
from typing import Any

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import now
from tracker.app.person_names import BadName
from tracker.extras._backups import backups_of
from tracker.extras._night_lists import SEARCHED_FROM, is_found
from tracker.extras._night_summaries.night_summary import NightSummary, SeatSummary
from tracker.extras._night_summaries.pages import get_all_summaries
from tracker.extras.club.club import ASSISTANT, SCREEN, SEES_HOUSE, deal_out
from tracker.extras.club.pages import club_here, end_hosts, free_name, get_club, host_nights
from tracker.extras.club.settings import Announcement, Series
from tracker.formats.evening import moment_of
from tracker.formats.text import without_marks
from tracker.storage import DeviceRow
from tracker.web.access.admission import end_scripts, has_host_browser
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.join_link import link_to, own_addresses
from tracker.web.access.permissions import HOUSE, get_access, in_turn
from tracker.web.access.roles import HOST, OWNER, may
from tracker.web.base.context import form_page, get_nights, is_running, redirect_to
from tracker.web.drawing.qr_code import qr_code
from tracker.web.notices import sentences
from tracker.web.wording.dates import day_words, time_of_day
from tracker.web.wording.texts import gettext as _, ngettext, refusal, whole_number

NEWEST = 500
"""How many nights are looked at for those that go on."""


@dataclass(frozen=True)
class TableLine:
    """A table that goes on, without anything that is played at it."""

    night: NightSummary
    name: str
    """With the number of its table in the room."""
    host: str
    """Whose table it is; empty for one of the house."""
    phones: int
    is_of_house: bool
    is_without_host: bool
    """Whether no browser hosts it, and whoever it belonged to is no host any more."""


@dataclass(frozen=True)
class HostLine:
    """A host of the club."""

    row: DeviceRow
    tables: int
    """How many of this host's nights go on."""
    nights: int


def table_lines() -> list[TableLine]:
    """Return the tables that go on, by name, numbers in their order."""
    owners, names = get_club().owners(), {row.seat: row.name for row in get_club().hosts()}
    places = {table.night: number for number, table in get_club().room_tables().items()}
    found = []
    for one in get_all_summaries().newest(NEWEST):
        if not is_running(one):
            continue
        owner = owners.get(one.code, HOUSE)
        line = TableLine(
            night=one,
            name=f"{_('Table %(n)s', n=places[one.code])} · {one.name}" if one.code in places else one.name,
            host=names.get(owner, ""),
            phones=len(get_nights().live.presence.devices(one.code)),
            is_of_house=owner == HOUSE,
            is_without_host=owner not in (HOUSE, *names) and not has_host_browser(one.code),
        )
        found.append(line)
    return sorted(found, key=lambda line: (table_order(line.name), when(line.night.created_at)))


def table_order(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts `Table 2` before `Table 10`."""
    parts = re.findall(r"\d+|\D+", without_marks(name))
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def host_lines() -> list[HostLine]:
    """Return the hosts of the club, the first one first."""
    nights, going_on = Counter[str](), Counter[str]()
    owners, summaries = get_club().owners(), get_all_summaries()
    for one in (*summaries.all(), *summaries.deleted()):
        owner = owners.get(one.code, HOUSE)
        nights[owner] += 1
        going_on[owner] += is_running(one)
    return [HostLine(row, going_on[row.seat], nights[row.seat]) for row in get_club().hosts() if row.seat]


def troubles() -> list[str]:
    """Return what is wrong just now, each as a sentence."""
    disk = get_nights().disk
    found = [f"{sentences()[disk.trouble]} {_('Nothing can be recorded at any table.')}"] if disk.trouble else []
    if said := disk.warning():
        found.append(said)
    backups = backups_of(get_nights())
    if backups and backups.trouble:
        found.append(f"{_('No copy could be made.')} {sentences().get(backups.trouble, '')}".strip())
    return found


def refusals() -> list[str]:
    """Return what was refused in the last hour, each as a sentence."""
    counts = get_access().rows.sums("refused")
    counts["full"] = sum(counts[why] for why in ("waiting", "waiting-house", "club-full", "table-full"))
    said = {
        "not-saved": ngettext(
            "%(num)s entry could not be saved.", "%(num)s entries could not be saved.", counts["not-saved"]
        ),
        "stream": ngettext(
            "%(num)s phone was refused live pages: there are too many.",
            "%(num)s phones were refused live pages: there are too many.",
            counts["stream"],
        ),
        "guess": ngettext("%(num)s guess was refused.", "%(num)s guesses were refused.", counts["guess"]),
        "pace": ngettext(
            "%(num)s tap came too fast and was refused.", "%(num)s taps came too fast and were refused.", counts["pace"]
        ),
        "full": ngettext(
            "%(num)s person found no room to wait or to come in.",
            "%(num)s people found no room to wait or to come in.",
            counts["full"],
        ),
    }
    return [sentence for why, sentence in said.items() if counts[why]]


def when(label: str) -> str:
    """Return a moment of today as `20:15`, another one as its day and time; nothing for no moment."""
    moment = moment_of(label)
    if moment is None:
        return ""
    if moment.astimezone().date() == datetime.now(UTC).astimezone().date():
        return time_of_day(label)
    return f"{day_words(moment.astimezone().date())}, {time_of_day(label)}"


def nights_in_room() -> dict[int, NightSummary]:
    """Return the nights that go on at the tables of the room, by the numbers of these in order."""
    found = ((number, get_all_summaries().get(table.night)) for number, table in get_club().room_tables().items())
    return {number: night for number, night in found if night and is_running(night)}


def people_at(night: NightSummary) -> list[SeatSummary]:
    return [seat for seat in night.seats if seat.is_here]


def draw() -> Mapping[str, int]:
    """Return which table is drawn for everybody who sits at one, as `ClubSettings.drawn_seats` has it."""
    nights = nights_in_room()
    seats = [f"{night.code}/{one.seat}" for night in nights.values() for one in people_at(night)]
    return deal_out(seats, [*nights], SystemRandom()) if nights else {}


def drawn_names() -> dict[int, list[str]]:
    """Return who was drawn to which table, by number in order; without people whose night was erased since."""
    names: dict[int, list[str]] = {}
    for key, number in sorted(get_club().settings.drawn_seats.items(), key=lambda one: one[1]):
        code, _slash, seat = key.partition("/")
        night = get_all_summaries().get(code)
        if night and seat in night.place_of:
            names.setdefault(number, []).append(night.seats[night.place_of[seat]].name)
    return names


def who_could_move() -> str:
    """Return who could move from the fullest table to the emptiest: who deals next there; empty where none has to."""
    nights = nights_in_room()
    sizes = {number: len(people_at(night)) for number, night in nights.items()}
    full, few = max(sizes, key=sizes.__getitem__, default=0), min(sizes, key=sizes.__getitem__, default=0)
    if sizes.get(full, 0) - sizes.get(few, 0) < 2:
        return ""
    night = nights[full]
    start = night.place_of[night.dealer] + 1 if night.dealer else -1
    mover = next(one for one in night.seats[start:] + night.seats[:start] if one.is_here)
    return _(
        "%(name)s from table %(a)s (%(m)s) to table %(b)s (%(n)s)",
        name=mover.name,
        a=full,
        m=sizes[full],
        b=few,
        n=sizes[few],
    )


def is_series_over() -> bool:
    """Return whether the clock of all tables has run out: its moment, or its hands at every table of the room."""
    series = get_club().settings.series
    if series is None or not series.hands:
        return series is not None and get_nights().seconds() >= series.ends_at
    played = [max((seat.hands for seat in night.seats), default=0) for night in nights_in_room().values()]
    return min(played, default=0) >= series.hands


bp = Blueprint("house", __name__)

LONGEST_LINE = 60


@bp.app_template_global()
def sees_house() -> bool:
    """Return whether whoever asks is led to the overview."""
    return club_here() is not None and g.identity.role in SEES_HOUSE


@bp.get("/house")
@may(SEES_HOUSE)
def page() -> ResponseReturnValue:
    """Show the tables, the hosts and, to whoever runs the house, its links and what else the room has."""
    club, series = get_club(), get_club().settings.series
    link, helping = public_link(f"/club/link/{club.token}"), club.settings.assistant_token
    assistant_link = public_link(f"/club/assist/{helping}") if helping else ""
    return render_template(
        "club/house.html",
        link=link,
        qr=qr_code(link) if link else None,
        assistant_link=assistant_link,
        assistant_qr=qr_code(assistant_link) if assistant_link else None,
        has_assistants=bool(helping),
        assistants=len(browsers_of(ASSISTANT)),
        screens=len(browsers_of(SCREEN)),
        line=club.settings.announcement,
        longest_line=LONGEST_LINE,
        series=series,
        series_end=end_of(series) if series else "",
        returnable=club.returnable(),
        room_tables=len(club.room_tables()),
        most_room_tables=club.limits.room_tables,
        **live_context(),
    )


@bp.get("/house/live")
@may(SEES_HOUSE)
def live() -> ResponseReturnValue:
    """Return the part of the page that changes; the page asks every few seconds."""
    return render_template("club/_house.html", **live_context())


def live_context() -> dict[str, Any]:
    """Return what `club/_house.html` shows: of tables and hosts all, or those that a query finds."""
    query, tables, hosts = request.args.get("q", ""), table_lines(), host_lines()
    return {
        "query": query,
        "when": when,
        "is_searched": len(tables) + len(hosts) >= SEARCHED_FROM,
        "is_house": g.identity.role == "host",
        "asking": get_access().devices.join_requests(None),
        "tables": [one for one in tables if is_found(query, (one.name, one.host, _(one.night.game_name)))],
        "may_draw": len(nights_in_room()) > 1,
        "drawn": drawn_names(),
        "mover": who_could_move(),
        "is_series_over": is_series_over(),
        "hosts": hosts,
        "found_hosts": [one for one in hosts if is_found(query, [one.row.name])],
        "troubles": troubles(),
        "refusals": refusals(),
    }


def public_link(path: str) -> str:
    """Return a link to a path that other people can open; empty where this machine has no address."""
    addresses = own_addresses()
    return link_to(addresses[0], path) if addresses else ""


@bp.post("/house/link")
@may(HOST)
def renew_link() -> ResponseReturnValue:
    """Make another link for the club; whoever is a host already stays one."""
    get_club().renew_link()
    return redirect_to("house.page")


# Assistants


@bp.post("/house/assistant")
@may(HOST)
@in_turn
def make_assistant_link() -> ResponseReturnValue:
    if not get_club().settings.assistant_token:
        get_club().set_assistant_link(is_open=True)
    return redirect_to("house.page")


@bp.post("/house/assistant/withdraw")
@may(HOST)
@in_turn
def withdraw_assistants() -> ResponseReturnValue:
    """End the link for assistants, and all who came by it."""
    get_club().set_assistant_link(is_open=False)
    end_all(ASSISTANT)
    return redirect_to("house.page")


def browsers_of(role: str) -> Sequence[DeviceRow]:
    """Return the browsers of assistants, or of the room's screens."""
    return get_access().devices.store.devices.of(None, role)


def end_all(role: str) -> None:
    for row in browsers_of(role):
        get_access().devices.dismiss(row.id)


# The screen of the room


@bp.get("/house/screen")
@may(SEES_HOUSE | {SCREEN})
def screen() -> ResponseReturnValue:
    """Show the tables of this evening and what extras have of it, for all in the room to read: nothing to tap."""
    return render_template("club/screen.html", **screen_context())


@bp.get("/house/screen/live")
@may(SEES_HOUSE | {SCREEN})
def screen_live() -> ResponseReturnValue:
    """Return the part of the screen that changes; it asks every few seconds."""
    return render_template("club/_screen.html", **screen_context())


def screen_context() -> dict[str, Any]:
    """Return what `club/_screen.html` shows."""
    return {
        "tables": table_lines(),
        "drawn": drawn_names(),
        "line": get_club().settings.announcement,
        "time": time_of_day(now()),
        "series": get_club().settings.series,
    }


@bp.post("/house/screen/end")
@may(HOST)
@in_turn
def end_screens() -> ResponseReturnValue:
    """End the screens of the room: each shows nothing more until it is let in again."""
    end_all(SCREEN)
    return redirect_to("house.page")


# A line to all tables


@bp.post("/house/line")
@may(HOST)
def announce() -> ResponseReturnValue:
    """Show a line on every screen, or with an empty one take it away."""
    typed = "".join(sign for sign in " ".join(request.form.get("line", "").split()) if sign.isprintable())
    line = Announcement(id_from_key(request.form), typed[:LONGEST_LINE]) if typed else None
    get_club().settings.announcement = line
    get_nights().publish_all()
    return redirect_to("house.page")


def end_of(series: Series) -> str:
    """Return the time of day, by the machine's clock, when a series ends."""
    return time_of_day(datetime.fromtimestamp(get_nights().seconds.on_machine(series.ends_at), UTC).isoformat())


@bp.post("/house/series")
@may(HOST)
def start_series() -> ResponseReturnValue:
    """Have all tables show one clock, of so many minutes or hands; without a number, none."""
    count, is_hands = whole_number(request.form.get("length", ""), 3), request.form.get("of") == "hands"
    series = (
        Series(count) if count and is_hands else Series(0, int(get_nights().seconds()) + 60 * count) if count else None
    )
    get_club().settings.series = series
    get_nights().publish_all()
    return redirect_to("house.page")


# Seats by lot


@bp.post("/house/seats")
@may(HOST)
@in_turn
def draw_seats() -> ResponseReturnValue:
    """Draw who sits at which table, in place of an earlier draw; without `draw` take that away."""
    get_club().settings.drawn_seats = draw() if "draw" in request.form else {}
    get_nights().publish_all()
    return redirect_to("house.page")


# The tables of the room


@bp.post("/house/tables")
@may(HOST)
@in_turn
def set_room_tables() -> ResponseReturnValue:
    count = whole_number(request.form.get("count", ""))
    if count is not None and count <= get_club().limits.room_tables:
        get_club().set_room_tables(count)
    return redirect_to("house.codes" if count else "house.page")


@bp.get("/house/codes")
@may(HOST)
def codes() -> ResponseReturnValue:
    """Show the codes of all tables of the room, to print."""
    links = ((number, public_link(f"/t/{table.token}")) for number, table in get_club().room_tables().items())
    return render_template("club/codes.html", codes=[(number, link, qr_code(link)) for number, link in links if link])


# Who asks to become a host


@bp.post("/house/knocks/<int:device>/in")
@may(SEES_HOUSE)
def let_in(device: int) -> ResponseReturnValue:
    """Let somebody who waits become a host; who has no name is the screen of the room."""
    if row := get_access().devices.join_request(None, device):
        get_access().devices.let_in(row, OWNER if row.name else SCREEN, None)
    return redirect_to("house.page")


@bp.post("/house/knocks/<int:device>/away")
@may(SEES_HOUSE)
def refuse(device: int) -> ResponseReturnValue:
    if row := get_access().devices.join_request(None, device):
        get_access().devices.dismiss(row.id)
    return redirect_to("house.page")


# A host


@bp.get("/house/hosts/<owner>")
@may(HOST)
def host_page(owner: str, link: str = "", wrong: str = "") -> ResponseReturnValue:
    """Show a host: the name, a link to another browser, the way out."""
    find_host(owner)
    return form_page(
        "club/host.html",
        wrong,
        host=next(one for one in host_lines() if one.row.seat == owner),
        link=link,
        qr=qr_code(link) if link else None,
        dismissed=get_club().dismissed(),
        when=when,
    )


def find_host(owner: str) -> DeviceRow:
    """Return the host of an id, or answer 404."""
    return get_club().host(owner) or abort(404)


@bp.post("/house/hosts/<owner>/name")
@may(HOST)
@in_turn
def rename(owner: str) -> ResponseReturnValue:
    """Change what a host is called."""
    row = find_host(owner)
    try:
        name = free_name(request.form.get("name", ""), owner)
    except BadName as bad:
        return host_page(owner, wrong=refusal(bad))
    get_access().devices.store.devices.change(row.id, name=name)
    return redirect_to("house.host_page", owner=owner)


@bp.post("/house/hosts/<owner>/link")
@may(HOST)
def make_link(owner: str) -> ResponseReturnValue:
    """Show a link by which this host goes on with another browser; it works once, and older ones end."""
    find_host(owner)
    return host_page(owner, public_link(f"/club/move/{get_club().new_link(owner)}"))


@bp.post("/house/hosts/<owner>/dismiss")
@may(HOST)
def dismiss(owner: str) -> ResponseReturnValue:
    """End a host, who opens nothing more and hosts none of the tables that go on, and their scripts; players stay."""
    row = find_host(owner)
    get_club().dismiss(row)
    for code in host_nights(owner):
        end_hosts(code)
        end_scripts(code)
    return redirect_to("house.page")


@bp.post("/house/hosts/<owner>/back")
@may(HOST)
def take_back(owner: str) -> ResponseReturnValue:
    """Undo that a host was dismissed; sent twice, or when another host has the name now, it changes nothing."""
    get_club().take_back(owner)
    return redirect_to("house.page")


@bp.post("/house/hosts/<owner>/nights")
@may(HOST)
def give_nights(owner: str) -> ResponseReturnValue:
    """Give a host all nights of one who was dismissed; sent twice, it changes nothing more."""
    find_host(owner)
    get_club().give_nights(request.form.get("from", ""), owner)
    return redirect_to("house.host_page", owner=owner)


@bp.post("/house/tables/<night>/give")
@may(HOST)
def give(night: str) -> ResponseReturnValue:
    """Give a table that nobody hosts to a host of the club, whose first page offers it from now on."""
    owner = request.form.get("owner", "")
    find_host(owner)
    is_given = get_club().owner_of(night) == owner  # the same form again
    if not is_given and not any(one.night.code == night and one.is_without_host for one in table_lines()):
        abort(409, description="has-host")
    get_club().set_owner(night, owner)
    return redirect_to("house.page")
