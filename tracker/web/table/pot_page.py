"""The pages of the games with a board; the table's in two fragments: what everybody sees alike, and one viewer's own.

Needs the app's context for its templates, and no request: everything else is handed in.
"""

import secrets
from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any

from flask import abort, render_template
from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Amend, Event, Penalty, Undo
from tracker.core.night import Night
from tracker.core.queries.difference import difference
from tracker.core.queries.options import seat_options
from tracker.core.queries.prompts import most_cards, stages
from tracker.core.queries.undo_policy import may_take_back
from tracker.core.settlement import Payment, has_money, price_of
from tracker.streaming.stream import MARK
from tracker.web.access.consent import shown_requests
from tracker.web.access.permissions import get_access
from tracker.web.base.context import get_template
from tracker.web.base.snapshot import NightSnapshot, Viewer, snapshot_of
from tracker.web.drawing.board import art
from tracker.web.drawing.board_places import PlaceView
from tracker.web.events.registry import reason_name
from tracker.web.night_result import NightResult
from tracker.web.notices import Messages
from tracker.web.table.view import BoardView, LastSeconds, TableView, board_of, dock_view, last_seconds
from tracker.web.wording.house_rules import change_words
from tracker.web.wording.texts import amount, gettext, language, refusal, signed


def fragments(table: OpenNight, viewer: Viewer, messages: Messages) -> str:
    """Return both fragments for one viewer, as the page, every answer and the stream have them."""
    view = TableView(snapshot_of(table), viewer)
    taps = view.may_act, view.may_act and viewer.records_for_all
    shared = view.snapshot.cached(("shared", language(), *taps), partial(_shared, view, table, *taps))
    return "".join((own_fragment(view, table, messages), shared))


def _shared(view: TableView, table: OpenNight, may_tap_places: bool, may_tap_seats: bool) -> Markup:
    """Return the board, the seats and the stages: rendered once for everybody who may tap the same."""
    facts, lang, cached = page_context(view.board, table), language(), view.snapshot.cached
    parts = facts["place_macros"]
    seats = [
        cached(("seat", lang, one.face.seat, may_tap_seats), parts.seat, one, may_tap_seats) for one in view.board.seats
    ]
    shared: Markup = facts["shared_macros"].shared(
        *(facts[name] for name in ("board", "base", "news", "result")),
        cached(("rail", lang), parts.rail, stages(view.night), view.board.moment.stage),
        places_html(view.board, parts.place, is_button=may_tap_places),
        marked(seats),
    )
    return shared


def places_html(board: BoardView, place: Callable[[PlaceView, bool], Markup], *, is_button: bool) -> Markup:
    lang, cached = language(), board.snapshot.cached
    return marked(cached(("place", lang, one.id, is_button), place, one, is_button) for one in board.places)


def marked(found: Iterable[Markup]) -> Markup:
    """Return elements, each marked as a part that a stream may send alone."""
    return Markup("".join(f"{MARK}{one}{MARK}" for one in found))  # noqa: S704  rendered by templates


def own_fragment(view: TableView, table: OpenNight, messages: Messages) -> Markup:
    """Return what is one viewer's alone: the chips in hand, the dock and notices."""
    viewer, facts, hand, lang = view.viewer, page_context(view.board, table), Markup(), language()
    own, cached, base = facts["own_macros"], view.snapshot.cached, facts["base"]
    if view.is_own:
        told = view.me, view.board.dealer, view.board.hand_number, view.board.last_hand, view.night.is_over
        top = cached(("top", lang, viewer), own.top, *told, base)
        hand = cached(("hand", lang, viewer), own.strip, view.strip, view.slips, f"{base}/sheet/{viewer.seat}")
    else:
        top = facts["head_macros"].head(view, base, facts["result"])
    if view.board.moment.name == "count":
        with_phone = get_access().devices.seats_with_phone(table.code)
        html = get_template("table/_count.html").render(view=view, with_phone=with_phone, **facts)
        hand = Markup(html)  # noqa: S704
    if view.night.is_over and viewer.seat in view.night.people:
        hand = cached(("result", lang, viewer.seat), lambda: facts["ends"].own(facts["result"], viewer.seat))
    asks = cached(("asks", lang, viewer), _asks_html, messages.asked, messages.notices)
    requests = notice = Markup()
    if view.may_act and view.snapshot.requests and (shown := tuple(shown_requests(table, viewer))):
        requests = facts["requests_macros"].requests(shown, base, view.key, view.head, view.night.hand)
    place = view.board.seats.index(view.me) + 1 if view.me else None
    acts = view.is_own, place, view.may_act, view.own_turn, view.board.moment.name
    form = cached(("form", lang, viewer), own.form, viewer, base, *acts)
    if messages.refusal or messages.note:
        notice = facts["ui"].notice(messages.refusal, messages.note, view.head)
    recent, dock = last_seconds(view.snapshot, viewer.seat), _dock_html(view, facts, table)
    bubble = _bubble(recent, table.moment(recent.number)) if recent else None
    found: Markup = own.own(view, asks, messages.hint, requests, bubble, form, top, hand, notice, dock)
    return found


def _bubble(found: LastSeconds, at: float | None) -> tuple[int, int, str]:
    """Return the entry and the time (in seconds since 1970) that the bubble is about, and what it says."""
    parts = [
        f"{gettext(one.label.name) if one.label else reason_name(one.what)} {signed(one.chips)}" for one in found.items
    ]
    total = signed(sum(one.chips for one in found.items))
    said = gettext("%(sum)s in all: %(parts)s", sum=total, parts=", ".join(parts))
    return found.number, int(at or 0), said


def _asks_html(asked: object, notices: object) -> Markup:
    return Markup(get_template("join/_join_requests.html").render(asked=asked, notices=notices))  # noqa: S704


def _own_moves(view: TableView, table: OpenNight) -> list[Payment]:
    """Return what the viewer pays and gets so that the table is as the log says after its newest entry.

    That may be a correction. Nobody's chips but those that the entry has changed are handed over.
    """
    night, seat, last = view.night, view.viewer.seat, view.board.last
    is_correction = last is not None and isinstance(last.event, Undo | Amend)
    before = table.history().state_after(view.head - 1) if is_correction else view.board.before
    if before is None or not seat or before.stack(seat) == night.stack(seat):
        return []
    moves = view.snapshot.cached("moves", lambda: difference(before, night).moves)
    return [one for one in moves if seat in (one.debtor, one.creditor)]


def _dock_html(view: TableView, facts: dict[str, Any], table: OpenNight) -> Markup:
    """Return the dock: rendered once for all viewers with the same one."""
    lang, cached = language(), view.snapshot.cached
    reader = view.viewer.seat if view.did or view.deals else None
    last = cached(("last", lang, reader), lambda: facts["words"].last(view.last_event))
    seat, newest = view.viewer.seat, view.board.last
    is_said = view.did and newest and newest.event.kind == "collect"
    if not is_said and (view.is_own or (seat and get_access().devices.seats_with_phone(table.code) - {seat})):
        moves = _own_moves(view, table)
        last = facts["words"].own_moves(moves, seat, view.night.people) + last if moves else last
    if not view.may_act:
        html: Markup = facts["own_macros"].no_dock(last, f"{facts['base']}/settle" if facts["result"] else "")
        return html
    docks: dict[tuple[object, ...], Markup] = cached(("docks", lang), dict)
    dock = dock_view(view, last)
    key = tuple(vars(dock).values())
    if key not in docks:
        parts, collect = facts["dock_macros"], Markup()
        if facts["board"].collecting:
            all_ = dock.records_for_all
            mine = all_, dock.may_collect, dock.may_take, dock.waits, dock.is_barred
            of_place = (view.board.turn_ups, view.board.sharing) if all_ else ((), False)
            collect = cached(("collect", lang, *mine), parts.collect, *mine, *of_place)
        docks[key] = parts.dock(dock, facts["board"], facts["base"], facts["ante_fault"], collect)
    return docks[key]


MACROS = {
    "ui": "shared/_macros",
    "words": "table/_sentences",
    "ends": "shared/_night_result",
    **{f"{name}_macros": f"table/_{name}" for name in ("own", "shared", "place", "dock", "head", "requests")},
}
"""Under which names the parts of pages find the macros that they call."""


def page_context(board: BoardView, table: OpenNight) -> dict[str, Any]:
    """Return what the table's templates need beside the viewer: the same for all who look at one snapshot."""
    return board.snapshot.cached(
        ("facts", language()),
        lambda: {
            "snapshot": board.snapshot,
            "night": board.night,
            "moment": board.moment,
            "base": f"/n/{table.code}",
            "most": most_cards(board.night),
            "news": [change_words(board.night.preset, key, value) for key, value in board.night.new_rules.items()],
            "board": board,
            "ante_fault": refusal(board.ante_fault) if board.ante_fault else "",
            "result": NightResult(table.history()) if board.night.is_over else None,
            **{name: get_template(f"{file}.html").module for name, file in MACROS.items()},
        },
    )


def page(table: OpenNight, viewer: Viewer, live: str, open_sheet: str) -> str:
    """Return the whole page around its fragments, with a sheet open on it when there is one."""
    view = TableView(snapshot_of(table), viewer)
    return render_template(
        "table/table.html",
        view=view,
        sheet=open_sheet,
        live=live,
        art=art(view.board.board_size),
        name=table.name,
        is_temporary=table.is_temporary,
        tab=secrets.token_hex(4),
        **page_context(view.board, table),
    )


def sheet(table: OpenNight, viewer: Viewer, seat: str | None) -> str:
    """Return what can happen to one person, or what else the table offers; 404 for somebody who was never here."""
    view = TableView(snapshot_of(table), viewer)
    if seat is not None and seat not in view.night.people:
        abort(404)
    name = "table/_menu.html" if seat is None else "table/_sheet.html"
    whose = seat or viewer.seat  # the menu offers who looks to leave
    own = {
        "view": view,
        "sheet": sheet_view(view, whose, table.preview) if whose else None,
        "is_temporary": table.is_temporary,
    }
    return render_template(name, **own, **page_context(view.board, table))


tv = ""


def counted(_table: OpenNight, _viewer: Viewer) -> None:
    """Return that no deal is counted as in score games."""


def render_for_all(table: OpenNight, template: str, **more: Any) -> str:
    """Return what a template shows of this night to somebody who has no seat."""
    board = board_of(snapshot_of(table))
    facts = page_context(board, table)
    places = places_html(board, facts["place_macros"].place, is_button=False)
    return get_template(template).render(places=places, **facts, **more)


def sheet_view(view: TableView, seat: str, preview: Callable[[Event], Night]) -> SimpleNamespace | None:
    """Return all that the sheet of a seat at the table offers just now, for its template; None for somebody who left.

    `preview` returns the state after an event that is not recorded; it raises TableError where it would be refused.
    """
    night = view.night
    found = next((one for one in view.board.seats if one.face.seat == seat), None)
    if found is None:
        return None
    return SimpleNamespace(
        seat=found,
        options=seat_options(night, view.board.moment, seat),
        # The penalty that bars this seat, by its number, where the viewer may take it back and nothing hangs on it.
        lift=_lift(view, seat, preview),
        lenders=_lenders(night, seat),
        amounts=amounts(night),
        prices=prices(night, *amounts(night), found.stack),
    )


def amounts(night: Night) -> tuple[int, ...]:
    """Return the sums to buy or borrow with one tap: a small one, half a stack and a whole one."""
    stack = night.preset.stack or 100
    return tuple(sorted({max(1, stack // 10), max(1, stack // 5), max(1, stack // 2), stack}))


def prices(night: Night, *sums: int) -> dict[int, str]:
    """Return what each of some sums of chips costs in money, in the reader's language; nothing without money."""
    decimals = night.house_rules.money_decimals
    return {chips: amount(price_of(night, chips), decimals) for chips in sums} if has_money(night) else {}


def _lift(view: TableView, seat: str, preview: Callable[[Event], Night]) -> int | None:
    number, viewer = _penalty_of(view.snapshot, seat), view.viewer
    if number is None or not may_take_back(view.snapshot, viewer.role, viewer.seat, number):
        return None
    try:
        preview(Undo(number))
    except TableError:  # a withheld card that was matched since, for one
        return None
    return number


def _penalty_of(snapshot: NightSnapshot, seat: str) -> int | None:
    """Return the number of the newest penalty that bars a seat in this hand."""
    if snapshot.night.deal is None or seat not in snapshot.night.deal.barred:
        return None
    for entry in reversed(snapshot.entries):
        if entry.event.kind == "hand" and entry.number not in snapshot.undone:
            return None
        if isinstance(entry.event, Penalty) and entry.event.seat == seat and entry.number not in snapshot.undone:
            return entry.number
    return None


def _lenders(night: Night, seat: str) -> tuple[tuple[str, int], ...]:
    """Return the seats and pots that chips can be borrowed from, with what they hold, the richest first."""
    accounts = [*(one for one in night.seats if one != seat), *night.preset.board]
    found = [(one, chips) for one in accounts if (chips := night.ledger.balance(one))]
    return tuple(sorted(found, key=lambda one: -one[1]))
