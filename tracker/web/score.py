"""The table pages of the two score games. Their addresses are the table's, their moves are in `score_moves`."""

from __future__ import annotations

import secrets
from typing import Any

from flask import abort, current_app, render_template
from markupsafe import Markup

from tracker.core.events import Undo
from tracker.core.settlement import in_money
from tracker.table import Table
from tracker.web import score_art, score_chart, words
from tracker.web.reckoning import money
from tracker.web.scenes import scene_of
from tracker.web.score_rounds import RoundsView
from tracker.web.score_rum import DealRow, RumView, rum_view
from tracker.web.score_views import DEALS
from tracker.web.taking_back import undone
from tracker.web.texts import MINUS
from tracker.web.texts import gettext as _
from tracker.web.views import Viewer

HOW = "deal-ends"
"""The setting that keeps how a deal ends while its hands are counted, after the length of the log at that moment."""


def page(table: Table, viewer: Viewer, open_sheet: str = "") -> str:
    """Return the whole page, with a sheet open on it when there is one."""
    view = view_of(table, viewer)
    live = _rendered(f"partials/_score_{table.preset.game}.html", table, view)
    more = {"live": live, "sheet": open_sheet, "name": table.name, "tab": secrets.token_hex(4)}
    return render_template("score.html", **more, **_facts(table, view))


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
    return rum_view(scene, viewer, how(table), _deals(table))


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
        "chart": score_chart,
        "told": _told(view),
        "undone": undone(view.scene),
        "money": _money(view),
        "worth": _worth(view),
    }


def _told(view: RoundsView | RumView) -> Markup | str:
    """Return what the newest entry did; nothing before the first."""
    last = view.scene.entries[-1] if view.scene.entries else None
    return words.sentence(last, last.event, None, view.night) if last and not isinstance(last.event, Undo) else ""


def _money(view: RoundsView | RumView) -> dict[str, str]:
    """Return what everybody's points are worth; nothing when the table plays for nothing."""
    rule = view.night.preset
    if rule.game != "rum" or not rule.number("money.cents"):
        return {}
    chips, cents, coin = (rule.number(f"money.{key}") for key in ("chips", "cents", "coin"))
    points = {seat: view.night.points.get(seat, 0) for seat in view.night.ring}
    sums = in_money(points, chips=chips, cents=cents, coin=coin)
    return {seat: money(sum_).replace("-", MINUS) for seat, sum_ in sums.items()}


def _worth(view: RoundsView | RumView) -> str:
    """Return what points are worth in money, as a sentence; nothing when they are worth nothing."""
    rule = view.night.preset
    if rule.game != "rum" or not rule.number("money.cents"):
        return ""
    return _("%(n)s points are worth %(money)s.", n=rule["money.chips"], money=money(rule.number("money.cents")))


def how(table: Table) -> str:
    """Return how the deal that is being counted ends; nothing when somebody simply goes out."""
    head, _colon, kept = table.setting(HOW).partition(":")
    is_past = not head or any(entry.event.kind in DEALS for entry in table.entries[int(head) :])
    return "" if is_past else kept


def keep_how(table: Table, kept: str) -> None:
    if kept != how(table):
        table.change_setting(HOW, f"{table.head}:{kept}")
