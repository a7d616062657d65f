"""The pages of the games with a board; the table's in two fragments: what everybody sees alike, and one viewer's own.

Needs the app's context for its templates, and no request: everything else is handed in.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from flask import abort, render_template
from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.core.night import Night
from tracker.core.queries.prompts import most_cards, stages
from tracker.core.queries.summary import leaders
from tracker.streaming.stream import MARK
from tracker.web.access.consent import shown_requests
from tracker.web.access.permissions import get_access
from tracker.web.context import get_template
from tracker.web.drawing import board
from tracker.web.drawing.board_places import board_size
from tracker.web.events import sentences
from tracker.web.night_code import code_at_end
from tracker.web.night_result import NightResult
from tracker.web.notices import Messages, Notice
from tracker.web.snapshot import Viewer, snapshot_of
from tracker.web.table.seat_sheet import sheet_view
from tracker.web.table.view import BoardView, DockView, TableView, dock_view, table_view
from tracker.web.wording.house_rules import change_words
from tracker.web.wording.refusals import refusal
from tracker.web.wording.texts import language


class LastHtml:
    """The HTML of a page's parts as it was rendered last, for parts that show the same again after the next event."""

    def __init__(self) -> None:
        self._parts: dict[Hashable, tuple[object, Markup]] = {}
        self._macros: dict[str, Any] = {}

    def macros(self, name: str) -> Any:
        """Return the macros of a template, of `table` unless another folder is named."""
        if name not in self._macros:
            path = name if "/" in name else f"table/{name}"
            self._macros[name] = get_template(f"{path}.html").module
        return self._macros[name]

    def part(self, name: Hashable, render: Callable[..., Markup], *values: Any) -> Markup:
        """Return `render(*values)`; it is called only when the values are not those of the last time."""
        known = self._parts.get(name)
        if known is None or known[0] != values:
            known = self._parts[name] = values, render(*values)
        return known[1]


LAST_HTML: WeakKeyDictionary[OpenNight, dict[str, LastHtml]] = WeakKeyDictionary()


def last_html(table: OpenNight) -> LastHtml:
    """Return the parts of a night's page that are known in the language of now."""
    return LAST_HTML.setdefault(table, {}).setdefault(language(), LastHtml())


def page_fragments(view: TableView, table: OpenNight, messages: Messages) -> str:
    """Return both fragments for one viewer, as the page, every answer and the stream have them."""
    return "".join((own_fragment(view, table, messages), shared_fragment(view, table)))


def shared_fragment(view: TableView, table: OpenNight) -> Markup:
    """Return the board, the seats and the stages: rendered once for everybody who may tap the same."""
    taps = view.may_act, view.may_act and view.viewer.records_for_all
    return view.snapshot.cached(("shared", language(), *taps), partial(_shared, view, table, *taps))


def _shared(view: TableView, table: OpenNight, may_tap_places: bool, may_tap_seats: bool) -> Markup:
    facts = page_context(view, table)
    last = last_html(table)
    shared: Markup = last.macros("_shared").shared(
        *(facts[name] for name in ("board", "base", "news", "result")),
        last.part("rail", last.macros("_place").rail, stages(view.night), view.moment.stage),
        places_html(view, table, is_button=may_tap_places),
        _seats_html(view, table, is_button=may_tap_seats),
    )
    return shared


def places_html(view: BoardView, table: OpenNight, *, is_button: bool) -> Markup:
    """Return the places of the board, as buttons or to look at."""
    last = last_html(table)
    part, place = last.part, last.macros("_place").place
    make = lambda: _parts(part(("place", one.id, is_button), place, one, is_button) for one in view.places)  # noqa: E731
    return view.snapshot.cached(("places", language(), is_button), make)


def _seats_html(view: BoardView, table: OpenNight, *, is_button: bool) -> Markup:
    last = last_html(table)
    part, seat = last.part, last.macros("_place").seat
    return _parts(part(("seat", one.face.seat, is_button), seat, one, is_button) for one in view.seats)


def _parts(found: Iterable[Markup]) -> Markup:
    """Return elements, each marked as a part that a stream may send alone."""
    return Markup("".join(f"{MARK}{one}{MARK}" for one in found))  # noqa: S704  rendered by templates


def own_fragment(view: TableView, table: OpenNight, messages: Messages) -> Markup:
    """Return what is one viewer's alone: the chips in hand, the dock and notices."""
    viewer, last, base, hand = view.viewer, last_html(table), base_of(table), Markup()
    macros, part = last.macros("_own"), last.part
    if view.is_own:
        told = view.me, view.dealer, view.hand_number, view.last_hand, view.night.is_over
        top = part(("top", viewer), macros.top, *told, base)
        hand = part(("hand", viewer), macros.strip, view.strip)
    else:
        top = last.macros("_head").head(view, base, page_context(view, table)["result"])
    if view.moment.name == "count":
        with_phone = get_access().devices.seats_with_phone(table.code)
        hand = _rendered("_count", view, table, view=view, with_phone=with_phone)
    if view.night.is_over:
        hand = _own_result(view, table)
    asks = part(("asks", viewer), _asks_html, messages.asked, messages.trouble)
    requests = Markup()
    if view.may_act and (shown := tuple(shown_requests(table, viewer))):
        requests = last.macros("_requests").requests(shown, base, view.key, view.head, view.night.hand)
    acts = view.is_own, view.place, view.may_act, view.own_turn, view.moment.name
    form = part(("form", viewer), macros.form, viewer, base, *acts)
    notice, dock = _notice_html(view, table, messages), _dock_html(view, table)
    own: Markup = macros.own(view, asks, messages.hint, requests, form, top, hand, notice, dock)
    return own


def _notice_html(view: TableView, table: OpenNight, messages: Messages) -> Markup:
    if not messages.refusal and not messages.note:
        return Markup()
    notice: Markup = last_html(table).macros("shared/_macros").notice(messages.refusal, messages.note, view.head)
    return notice


def _own_result(view: TableView, table: OpenNight) -> Markup:
    seat = view.viewer.seat
    if seat not in view.night.people:
        return Markup()
    ends = last_html(table).macros("shared/_night_result")
    make: Callable[[], Markup] = lambda: ends.own(page_context(view, table)["result"], seat)  # noqa: E731
    return view.snapshot.cached(("result", language(), seat), make)


def _asks_html(asked: object, trouble: object) -> Markup:
    return Markup(get_template("join/_join_requests.html").render(asked=asked, trouble=trouble))  # noqa: S704


def _dock_html(view: TableView, table: OpenNight) -> Markup:
    last = _last_event(view, table)
    if not view.may_act:
        result = f"{base_of(table)}/settle" if view.night.is_over else ""
        html: Markup = last_html(table).macros("_own").no_dock(last, result)
        return html
    dock = dock_view(view, last)
    return view.snapshot.cached(("dock", language(), dock), partial(_rendered_dock, dock, view, table))


def _rendered_dock(dock: DockView, view: TableView, table: OpenNight) -> Markup:
    macros, facts, collect = last_html(table).macros("_dock"), page_context(view, table), Markup()
    if view.collecting:
        all_ = dock.records_for_all
        mine = dock.may_collect, dock.may_take, dock.waits, dock.is_barred
        of_place = view.turn_ups if all_ else (), all_ and view.sharing
        collect = last_html(table).part(("collect", all_, *mine), macros.collect, all_, *mine, *of_place)
    html: Markup = macros.dock(dock, facts["board"], facts["base"], facts["ante_fault"], collect)
    return html


def _last_event(view: TableView, table: OpenNight) -> Markup:
    make: Callable[[], Markup] = lambda: last_html(table).macros("_sentences").last(view.last_event)  # noqa: E731
    return view.snapshot.cached(("last", language(), view.viewer.seat if view.did else None), make)


def _rendered(name: str, board: BoardView, table: OpenNight, **values: object) -> Markup:
    return Markup(get_template(f"table/{name}.html").render(**values, **page_context(board, table)))  # noqa: S704


def page_context(view: BoardView, table: OpenNight) -> dict[str, Any]:
    """Return what the table's templates need beside the viewer: the same for all who look at one snapshot."""
    return view.snapshot.cached(
        ("facts", language()),
        lambda: {
            "snapshot": view.snapshot,
            "night": view.night,
            "moment": view.moment,
            "base": base_of(table),
            "most": most_cards(view.night),
            "news": rule_news(view.night),
            "board": BoardView(view.snapshot),
            "ante_fault": refusal(view.ante_fault) if view.ante_fault else "",
            "ui": last_html(table).macros("shared/_macros"),
            "words": last_html(table).macros("_sentences"),
            "result": NightResult(table.history()) if view.night.is_over else None,
            "ends": last_html(table).macros("shared/_night_result"),
        },
    )


def base_of(table: OpenNight) -> str:
    """Return where the night's pages are."""
    return f"/n/{table.code}"


def rule_news(night: Night) -> list[str]:
    """Return the house rules that change with the next hand, in words."""
    return [change_words(night.preset, key, value) for key, value in night.new_rules.items()]


def page(table: OpenNight, viewer: Viewer, live: str, open_sheet: str) -> str:
    """Return the whole page around its fragments, with a sheet open on it when there is one."""
    view = table_view(snapshot_of(table), viewer)
    return render_template(
        "table/table.html",
        view=view,
        sheet=open_sheet,
        live=live,
        art=board.art(view.board_size),
        name=table.name,
        is_temporary=table.is_temporary,
        tab=secrets.token_hex(4),
        **page_context(view, table),
    )


def fragments(table: OpenNight, viewer: Viewer, messages: Messages) -> str:
    """Return both fragments of the page."""
    return page_fragments(table_view(snapshot_of(table), viewer), table, messages)


def sheet(table: OpenNight, viewer: Viewer, seat: str | None) -> str:
    """Return what can happen to one person, or what else the table offers; 404 for somebody who was never here."""
    view = table_view(snapshot_of(table), viewer)
    if seat is not None and seat not in view.night.people:
        abort(404)
    name = "table/_menu.html" if seat is None else "table/_sheet.html"
    whose = seat or viewer.seat  # the menu offers who looks to leave
    own = {
        "view": view,
        "sheet": sheet_view(view, whose, table.preview) if whose else None,
        "is_temporary": table.is_temporary,
    }
    return render_template(name, **own, **page_context(view, table))


def tv_page(table: OpenNight, **facts_: Any) -> str:
    """Return the page for a big screen."""
    return render_template("table/tv.html", art=board.art(board_size(table.night)), **facts_)


COLUMN, MOST_COLUMNS = 20, 12
LINES = 3
BIG_WIN_PART = 5
"""A win of a fifth of a starting stack fills the screen for two seconds."""


@dataclass(frozen=True)
class Stack:
    """A column of chips: how many lie in it, and where it stands, in widths of a column."""

    at: int
    chips: int


def columns(chips: int) -> tuple[Stack, ...]:
    """Return a stack as columns of twenty, so that wealth is seen from the sofa; a rich one ends in full columns."""
    full, rest = divmod(chips, COLUMN)
    heights = [COLUMN] * min(full, MOST_COLUMNS) + ([rest] if rest and full < MOST_COLUMNS else [])
    return tuple(Stack(at, height) for at, height in enumerate(heights))


def big_win(view: BoardView) -> tuple[str, int] | None:
    """Return who has just won a lot by one event, and how much; None for anything smaller or not a win."""
    last = view.last
    if last is None or last.event.kind not in ("collect", "out", "poker", "sweep"):
        return None
    gains: dict[str, int] = {}
    for one in view.night.last_transfers:
        if one.target in view.night.people:
            gains[one.target] = gains.get(one.target, 0) + one.chips
    if not gains:
        return None
    seat = max(gains, key=lambda one: gains[one])
    is_big = gains[seat] * BIG_WIN_PART >= max(view.night.preset.stack, BIG_WIN_PART)
    return (seat, gains[seat]) if is_big else None


def tv_fragment(table: OpenNight, trouble: Notice | None) -> str:
    """Return the HTML of everything on the big screen that changes."""
    board_view = BoardView(snapshot_of(table))
    night = board_view.night
    return get_template("table/_tv.html").render(
        big_win=big_win(board_view),
        columns=columns,
        lines=lines(table),
        won=leaders(night) if night.is_over else [],
        places=places_html(board_view, table, is_button=False),
        trouble=trouble,
        night_code=code_at_end(table),
        **page_context(board_view, table),
    )


def lines(table: OpenNight) -> list[Markup]:
    """Return the newest events in force in words, the newest first."""
    history = table.history()
    newest = [history.line(number) for number, _, _ in history.steps[-LINES:]]
    return [sentences.sentence(one.entry, one.event, one.before, one.after) for one in reversed(newest) if one.after]
