"""The two fragments of the table's page: what everybody sees alike, and what is one viewer's own.

Needs the app's context for its templates, and no request: everything else is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.core.night import Night
from tracker.core.queries.prompts import most_cards, stages
from tracker.web.context import get_template
from tracker.web.game_kinds import Messages
from tracker.web.night_result import NightResult
from tracker.web.table.dock_view import DockView, dock_view
from tracker.web.table.loan_requests import loan_requests
from tracker.web.table.view import BoardView, TableView
from tracker.web.wording.language import language
from tracker.web.wording.refusals import refusal
from tracker.web.wording.rule_labels import change_words


class LastHtml:
    """The HTML of a page's parts as it was rendered last, for parts that show the same again after the next event."""

    def __init__(self) -> None:
        self._parts: dict[Hashable, tuple[object, Markup]] = {}

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
    shared: Markup = _macros("_shared").shared(
        *(facts[name] for name in ("board", "base", "news", "result")),
        last_html(table).part("rail", _macros("_place").rail, stages(view.night), view.moment.stage),
        places_html(view, table, is_button=may_tap_places),
        _seats_html(view, table, is_button=may_tap_seats),
    )
    return shared


def places_html(view: BoardView, table: OpenNight, *, is_button: bool) -> Markup:
    """Return the places of the board, as buttons or to look at."""
    part, place = last_html(table).part, _macros("_place").place
    make = lambda: Markup("").join(part(("place", one.id, is_button), place, one, is_button) for one in view.places)  # noqa: E731
    return view.snapshot.cached(("places", language(), is_button), make)


def _seats_html(view: BoardView, table: OpenNight, *, is_button: bool) -> Markup:
    part, seat = last_html(table).part, _macros("_place").seat
    return Markup("").join(part(("seat", one.face.seat, is_button), seat, one, is_button) for one in view.seats)


def own_fragment(view: TableView, table: OpenNight, messages: Messages) -> Markup:
    """Return what is one viewer's alone: the chips in hand, the dock and notices."""
    viewer, macros, part, base, hand = view.viewer, _macros("_own"), last_html(table).part, base_of(table), Markup()
    if view.is_own:
        told = view.me, view.dealer, view.hand_number, view.last_hand, view.night.is_over
        top = part(("top", viewer), macros.top, *told, base)
        hand = part(("hand", viewer), macros.strip, view.strip)
    else:
        top = _macros("_head").head(view, base, page_context(view, table)["result"])
    if view.moment.name == "count":
        hand = _rendered("_count", view, table, view=view)
    if view.night.is_over:
        hand = _own_result(view, table)
    asks = part(("asks", viewer), _asks_html, messages.asked, messages.trouble)
    requests = loan_requests(view)
    loans = _macros("_loans").loans(requests, base, view.key, view.head, view.night.hand) if requests else Markup()
    acts = view.is_own, view.place, view.may_act, view.own_turn, view.moment.name
    form = part(("form", viewer), macros.form, viewer, base, *acts)
    notice, dock = _notice_html(view, messages), _dock_html(view, table)
    own: Markup = macros.own(view, asks, messages.hint, loans, form, top, hand, notice, dock)
    return own


def _notice_html(view: TableView, messages: Messages) -> Markup:
    if not messages.refusal and not messages.note:
        return Markup()
    notice: Markup = _macros("shared/_macros").notice(messages.refusal, messages.note, view.head)
    return notice


def _own_result(view: TableView, table: OpenNight) -> Markup:
    seat = view.viewer.seat
    if seat not in view.night.people:
        return Markup()
    make: Callable[[], Markup] = lambda: _macros("shared/_night_result").own(page_context(view, table)["result"], seat)  # noqa: E731
    return view.snapshot.cached(("result", language(), seat), make)


def _asks_html(asked: object, trouble: object) -> Markup:
    return Markup(get_template("join/_join_requests.html").render(asked=asked, trouble=trouble))  # noqa: S704


def _dock_html(view: TableView, table: OpenNight) -> Markup:
    last = _last_event(view)
    if not view.may_act:
        result = f"{base_of(table)}/settle" if view.night.is_over else ""
        html: Markup = _macros("_own").no_dock(last, result)
        return html
    dock = dock_view(view, last)
    return view.snapshot.cached(("dock", language(), dock), partial(_rendered_dock, dock, view, table))


def _rendered_dock(dock: DockView, view: TableView, table: OpenNight) -> Markup:
    macros, facts, collect = _macros("_dock"), page_context(view, table), Markup()
    if view.collecting:
        all_ = dock.records_for_all
        mine = dock.may_collect, dock.may_take, dock.waits, dock.is_barred
        of_place = view.turn_ups if all_ else (), all_ and view.sharing
        collect = last_html(table).part(("collect", all_, *mine), macros.collect, all_, *mine, *of_place)
    html: Markup = macros.dock(dock, facts["board"], facts["base"], facts["ante_fault"], collect)
    return html


def _last_event(view: TableView) -> Markup:
    make: Callable[[], Markup] = lambda: _macros("_sentences").last(view.last_event)  # noqa: E731
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
            "ui": _macros("shared/_macros"),
            "words": _macros("_sentences"),
            "result": NightResult(table.history()) if view.night.is_over else None,
            "ends": _macros("shared/_night_result"),
        },
    )


def base_of(table: OpenNight) -> str:
    """Return where the night's pages are."""
    return f"/n/{table.code}"


def rule_news(night: Night) -> list[str]:
    """Return the house rules that change with the next hand, in words."""
    return [change_words(night.preset.game, key, value) for key, value in night.new_rules.items()]


def _macros(name: str) -> Any:
    path = name if "/" in name else f"table/{name}"
    return get_template(f"{path}.html").module
