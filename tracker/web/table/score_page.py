"""The pages of the two score games."""

import secrets
from typing import Any

from flask import abort, render_template

from tracker.app.open_night import OpenNight
from tracker.app.settings import DealEnding
from tracker.core.payment_list import nets_in_cents
from tracker.web.base.context import get_template
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.drawing import round_cards
from tracker.web.events.sentences import last_event
from tracker.web.night_result import NightResult
from tracker.web.notices import Messages
from tracker.web.table.score_view import DEALS, DealRow, PointsView, RoundsView, RumView, counted_view
from tracker.web.wording.house_rules import rule_lines
from tracker.web.wording.texts import amount, language


def page(table: OpenNight, viewer: Viewer, live: str, open_sheet: str) -> str:
    view = view_of(table, viewer)
    more = {"live": live, "sheet": open_sheet, "name": table.name, "tab": secrets.token_hex(4), "is_temporary": False}
    return render_template("score/score.html", **more, **_page_context(table, view))


def fragments(table: OpenNight, viewer: Viewer, messages: Messages) -> str:
    view, game = view_of(table, viewer), table.preset.game
    told = {"asked": messages.asked, "notices": messages.notices, "error": messages.refusal}
    own = _rendered(f"score/_{game}_own.html", table, view, **told)
    may = {"may_tap": view.records_for_all, "may_change": viewer.role == "host"}  # a person; the correction of a deal
    key = ("shared", language(), *may.values())
    template = f"score/_{'rounds' if game == 'rounds' else 'rum'}_shared.html"  # of all counted games the same
    return own + view.snapshot.cached(key, lambda: render_for_all(table, template, **may))


def render_for_all(table: OpenNight, template: str, **more: Any) -> str:
    """Return what a template shows of this night to somebody who has no seat."""
    return _rendered(template, table, view_of(table, Viewer()), **more)


def sheet(table: OpenNight, viewer: Viewer, seat: str | None) -> str:
    """Return what else the table offers, or what can happen to one person; 404 for somebody who isn't here."""
    view = view_of(table, viewer)
    if seat is not None and seat not in view.night.seats:
        abort(404)
    return _rendered("score/_sheet.html", table, view, seat=seat, lang=language())


def view_of(table: OpenNight, viewer: Viewer) -> RoundsView | RumView:
    """Return what `viewer` sees of a night of a score game."""
    is_rounds = table.preset.game == "rounds"
    return RoundsView(snapshot_of(table), viewer) if is_rounds else counted_deal(table, viewer)


def counted_deal(table: OpenNight, viewer: Viewer) -> RumView:
    """Return the same of a game whose hands, or points of a round, are counted."""
    kind = PointsView if table.preset.game == "points" else RumView
    deals = tuple(
        DealRow(len(night.deals), number, night.deals[-1], night.points)
        for number, event, night in table.history().steps
        if event.kind in DEALS
    )
    return counted_view(kind, snapshot_of(table), viewer, deal_ending(table), deals)


def _rendered(template: str, table: OpenNight, view: RoundsView | RumView, **more: Any) -> str:
    return get_template(template).render(**_page_context(table, view), **more)


def _page_context(table: OpenNight, view: RoundsView | RumView) -> dict[str, Any]:
    decimals = view.night.house_rules.money_decimals
    return {
        "view": view,
        "base": f"/n/{table.code}",
        "art": round_cards,
        "last": last_event(view.snapshot, view.night),
        "money": {account: amount(cents, decimals) for account, cents in nets_in_cents(view.night).items()},
        "rule_lines": rule_lines(view.night.preset),
        "result": NightResult(table.history()) if view.is_over else None,
    }


def deal_ending(table: OpenNight) -> str:
    """Return how the deal that is being counted ends; nothing when somebody simply goes out."""
    ending = table.settings.deal_ending
    is_past = any(entry.event.kind in DEALS for entry in table.entries[ending.head :])
    return "" if is_past else ending.how


def save_deal_ending(table: OpenNight, kept: str) -> None:
    if kept != deal_ending(table):
        table.settings.deal_ending = DealEnding(table.head, kept)
