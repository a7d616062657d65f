"""The table pages of the two score games: what they show and what their buttons do. Their addresses are the table's."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from flask import abort, current_app, g, render_template
from markupsafe import Markup

from tracker.codec import event_from
from tracker.core.errors import AlreadyDone, BadEvent
from tracker.core.events import Event, Undo
from tracker.tables import Table
from tracker.web import access, moves, score_art, words
from tracker.web.here import tables
from tracker.web.score_rounds import RoundsView
from tracker.web.score_rum import NOBODY, ONE_TURN, STOCK, DealRow, RumView, rum_view
from tracker.web.score_views import DEALS, undo_for
from tracker.web.views import Scene, Viewer, undone

Form = Mapping[str, str]
MOST_POINTS = 999
HOW = "deal-ends"
"""The setting that keeps, beside the deal's number, how it ends while its hands are counted."""


# What is shown


def page(table: Table, viewer: Viewer) -> str:
    """Return the whole page."""
    view = view_of(table, viewer)
    live = _rendered(f"partials/_score_{table.preset.game}.html", table, view)
    return render_template("score.html", live=live, name=table.name, tab=secrets.token_hex(4), **_facts(table, view))


def fragment(table: Table, viewer: Viewer, error: str = "") -> str:
    """Return the HTML of everything on the page that changes."""
    return _rendered(f"partials/_score_{table.preset.game}.html", table, view_of(table, viewer), error=error)


def tv_fragment(table: Table) -> str:
    """Return what the big screen shows of the night."""
    return _rendered(f"partials/_score_{table.preset.game}_tv.html", table, view_of(table, Viewer()))


def sheet(table: Table, viewer: Viewer, seat: str | None) -> str:
    """Return what else the table offers, or what can happen to one person; 404 for somebody who isn't here."""
    view = view_of(table, viewer)
    if seat is not None and seat not in view.night.seats:
        abort(404)
    return _rendered("partials/_score_sheet.html", table, view, who=seat)


def view_of(table: Table, viewer: Viewer) -> RoundsView | RumView:
    """Return what `viewer` sees of a night of a score game."""
    scene = scene_of(table)
    if table.preset.game == "rounds":
        return RoundsView(scene, viewer)
    return rum_view(scene, viewer, _how(table), _deals(table))


def scene_of(table: Table) -> Scene:
    draft = table.draft
    return Scene(
        night=table.night,
        entries=table.entries,
        struck=table.standing.struck,
        out=draft.winner,
        said={seat: points for seat, points in draft.said.items() if isinstance(points, int)},
        present=tables().live.present(table.code),
    )


def _deals(table: Table) -> tuple[DealRow, ...]:
    rows = []
    for entry, night in table.states():
        if entry.event.kind in DEALS:
            rows.append(DealRow(len(night.deals), entry.number, night.deals[-1], night.points))
    return tuple(rows)


def _rendered(template: str, table: Table, view: RoundsView | RumView, **more: Any) -> str:
    return current_app.jinja_env.get_template(template).render(**_facts(table, view), **more)


def _facts(table: Table, view: RoundsView | RumView) -> dict[str, Any]:
    return {
        "view": view,
        "base": f"/n/{table.code}",
        "art": score_art,
        "told": _told(view),
        "undone": undone(view.scene),
    }


def _told(view: RoundsView | RumView) -> Markup | str:
    """Return what the newest entry did; nothing before the first."""
    last = view.scene.entries[-1] if view.scene.entries else None
    return words.sentence(last, last.event, None, view.night) if last and not isinstance(last.event, Undo) else ""


# What is done


def do(table: Table, form: Form) -> None:
    """Do what a form asks. TableError when the table refuses, 403 when this phone may not."""
    verb, _, argument = form.get("do", "").partition(":")
    if verb in _SAID:
        _SAID[verb](table, argument, form)
        return
    event = event_of(table, verb, argument, form)
    if isinstance(event, Undo):
        mine = undo_for(scene_of(table), viewer_here(table))
        if g.who.role != "host" and (mine is None or mine.number != event.event):
            abort(403)
    elif not access.may_record(g.who, event, table.night, is_open=access.is_open_to_all(table.code)):
        abort(403)
    table.record(event, id=moves.event_id(form, event), by=g.who.by, seen=moves.seen_of(form, event))


def viewer_here(table: Table) -> Viewer:
    """Return who sent this request, as the views know them."""
    return Viewer(g.who.role or "watcher", g.who.seat, is_open=access.is_open_to_all(table.code))


def event_of(table: Table, verb: str, argument: str, form: Form) -> Event:
    """Return the event that a button's words stand for; BadEvent when they stand for none."""
    build = _BUILD.get(verb)
    raw = build(table, argument, form) if build else {}
    return event_from({"kind": verb, **raw})


def _round(_: Table, argument: str, form: Form) -> dict[str, Any]:
    winner, _slash, jokers = argument.partition("/")
    return {"winner": winner or form.get("seat", ""), "jokers": moves.number({"n": jokers or "0"}, "n")}


def _pay(table: Table, _: str, __: Form) -> dict[str, Any]:
    """Return the deal's end as everybody has seen it counted."""
    view = view_of(table, viewer_here(table))
    assert isinstance(view, RumView)
    if view.moment != "count":
        raise AlreadyDone("this deal is paid already: look at the table")
    if view.is_stock_out:
        return {"kind": "stock-out", "hands": dict(view.hands)}
    return {"kind": "rummy", "seat": view.winner, "hands": dict(view.hands), "one_turn": view.one_turn}


def _penalty(_: Table, offence: str, form: Form) -> dict[str, Any]:
    return {"seat": form.get("seat", ""), "offence": offence}


def _leave(_: Table, seat: str, __: Form) -> dict[str, Any]:
    return {"seat": seat}


def _undo(_: Table, number: str, __: Form) -> dict[str, Any]:
    return {"event": moves.number({"n": number}, "n")}


_BUILD: Mapping[str, Callable[[Table, str, Form], dict[str, Any]]] = {
    "round": _round,
    "pay": _pay,
    "penalty": _penalty,
    "leave": _leave,
    "undo": _undo,
}
"""verb of a button -> the event's fields; `reverse` and `end` have none"""


# What is said while a deal is counted, and recorded only when it is paid


def _may_for(seat: str, table: Table) -> bool:
    return g.who.role == "host" or (
        g.who.role == "seat" and (g.who.seat == seat or access.is_open_to_all(table.code))
    )


def _say(table: Table, points: str, form: Form) -> None:
    """Keep the points that somebody still holds; without any they are asked for again."""
    seat = form.get("seat", "")
    if not _may_for(seat, table):
        abort(403)
    _restore(table)
    held = moves.number({"n": points}, "n")
    if points and not 0 <= held <= MOST_POINTS:
        raise BadEvent("a hand counts 0 to {most} points", most=MOST_POINTS, field="hands")
    table.say(seat, held if points else None)


def _say_out(table: Table, seat: str, form: Form) -> None:
    seat = seat or form.get("seat", "")
    if not _may_for(seat, table):
        abort(403)
    already = table.draft.winner
    if already and already != seat:
        raise AlreadyDone("{name} has gone out already", name=table.night.name(already))
    _keep_how(table, "")
    table.say_out(seat)


def _stock(table: Table, _: str, __: Form) -> None:
    _host_only(table)
    _keep_how(table, STOCK)
    table.say_out(None)


def _one_turn(table: Table, choice: str, __: Form) -> None:
    if not _may_for(table.draft.winner or "", table):
        abort(403)
    _restore(table)
    _keep_how(table, ONE_TURN if choice == "on" else "")


def _not_out(table: Table, _: str, __: Form) -> None:
    if not _may_for(table.draft.winner or "", table):
        abort(403)
    _keep_how(table, NOBODY)
    table.say_out(None)


def _host_only(table: Table) -> None:
    if not viewer_here(table).records_for_all:
        abort(403)


def _restore(table: Table) -> None:
    """Put the hands of a payment that was just taken back where phones can change them one by one."""
    if table.draft.winner or table.draft.said or _how(table):
        return
    view = view_of(table, viewer_here(table))
    if isinstance(view, RumView) and view.moment == "count":
        table.draft.winner, table.draft.said = view.winner, dict(view.said or {})
        _keep_how(table, view.how)


def _how(table: Table) -> str:
    deal, _, how = table.setting(HOW).partition(":")
    return how if deal == str(table.night.hand) else ""


def _keep_how(table: Table, how: str) -> None:
    if how != _how(table):
        table.change_setting(HOW, f"{table.night.hand}:{how}")


_SAID: Mapping[str, Callable[[Table, str, Form], None]] = {
    "say": _say,
    "out": _say_out,
    "stock": _stock,
    "one-turn": _one_turn,
    "not-out": _not_out,
}
"""Verbs that record nothing yet."""
