"""What other programs and paper get of one night: hands and log as CSV, the play for BG Stats, one page to print."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from urllib.parse import quote

from flask import Blueprint, Response, abort, render_template, request

from tracker.app.log_history import History
from tracker.app.open_night import OpenNight
from tracker.core.night import Night
from tracker.core.payment_list import totals, won_in_hand
from tracker.core.preset import ante_sums
from tracker.core.queries.summary import fewest_win, leaders
from tracker.extras._chart.night_lines import NightLines
from tracker.extras._night_summaries.pages import get_summaries
from tracker.extras._people import get_people
from tracker.extras.exports.all_nights import SEPARATORS, TABLES, csv_text
from tracker.extras.exports.result_text import due_text
from tracker.formats.evening import moment_of
from tracker.web.access.roles import ALLOWED_IN, HOST, may
from tracker.web.base.context import get_table
from tracker.web.events import sentences
from tracker.web.log_sentences import hand_line, hand_winners, line_sentence
from tracker.web.responses import attachment, download
from tracker.web.settlement.pages import page_context
from tracker.web.settlement.report_view import SettlementReport
from tracker.web.wording.texts import gettext as _, listed

bp = Blueprint("exports", __name__)

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
LONGEST_LINK = 8000
"""Signs; longer ones don't arrive there."""
ROWS_ON_PAPER, FEWEST_EMPTY = 20, 6
"""Hands that fit on a page, and how many empty ones a scoresheet printed in mid-night has at least."""


@bp.app_template_global()
def play_link(table: OpenNight) -> str:
    """Return the link of a night that is over, which BG Stats opens as a play; empty for too many long names, and for a
    night that goes on.
    """
    if not table.night.is_over:
        return ""
    night, moment = table.night, moment_of(table.began_at)
    points, winners = totals(night), leaders(night)
    play = {
        "sourceName": "Board Tracker",
        "sourcePlayId": table.code,
        "playDate": f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}" if moment else "",
        "game": {"name": night.preset.name, "sourceGameId": night.preset.id, "highestWins": not fewest_win(night)},
        "players": [
            {
                "name": night.people[seat].name,
                "sourcePlayerId": seat,
                "score": str(points[seat]),
                "winner": seat in winners,
                "startPlayer": False,  # it is never recorded who plays the first card; the field must be there
            }
            for seat in night.all_seats
        ],
    }
    link = ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")))
    return link if len(link) < LONGEST_LINK else ""


# Tables for a spreadsheet


def table_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV for a spreadsheet of the reader's language: semicolons where decimals have a comma.

    The address may say otherwise: `separator=` with `comma`, `semicolon` or `tab`.
    """
    of_language = ";" if _("1,234.50")[5] == "," else ","
    return csv_text(rows, SEPARATORS.get(request.args.get("separator", ""), of_language))


def hand_rows(history: History) -> Iterator[list[object]]:
    """Yield a row for each hand: who dealt, who was out, what everybody won or lost in it and altogether."""
    lines = NightLines(SettlementReport(history))
    seats = [one.face.name for one in lines.series]
    yield [_("hand"), _("dealer"), _("winner"), *seats, *(_("%(name)s, total", name=name) for name in seats)]
    for at, moment in enumerate(lines.moments[1:], start=1):
        hand = int(moment) if moment.isdigit() else 0
        deal = history.deal_of(hand) if hand else None
        now = [one.in_table(at) for one in lines.series]
        won = won_in_hand(history.after_hand(hand - 1), history.before_end(hand)) if hand else {}
        no_part = "" if history.night.deals else 0  # who pauses in a round has no points in it
        moved = [
            won.get(one.face.seat, no_part) if hand else one.values[at] - one.values[at - 1] for one in lines.series
        ]
        yield [
            hand or moment,
            history.night.name(deal.dealer) if deal else "",
            listed(history.night.name(seat) for seat in hand_winners(history, hand)) if hand else "",
            *("" if total is None else change for change, total in zip(moved, now, strict=True)),
            *("" if total is None else total for total in now),
        ]


def log_rows(history: History) -> Iterator[list[object]]:
    """Yield a row for each entry of the log, those that were taken back too."""
    yield [_("number"), _("time"), _("recorded by"), _("hand"), _("kind"), _("what happened"), _("taken back")]
    for entry in history.entries:
        line = history.line(entry.number)
        yield [
            entry.number,
            entry.at or "",
            sentences.recorder_name(entry.by, history.night),
            line.hand,
            entry.event.kind,
            line_sentence(history, line).striptags(),
            _("yes") if line.undone_by else "",
        ]


@bp.get("/n/<code>/hands.csv")
@may(ALLOWED_IN)
def hands_csv(code: str) -> Response:
    table = get_table(code)
    return download(table, table_text(hand_rows(table.history())), "csv", "text/csv", _("hands"))


@bp.get("/n/<code>/log.csv")
@may(ALLOWED_IN)
def log_csv(code: str) -> Response:
    table = get_table(code)
    return download(table, table_text(log_rows(table.history())), "csv", "text/csv", _("log"))


# Tables over all nights


@bp.get("/tables/<name>.csv")
@may(HOST)
def all_nights_table(name: str) -> Response:
    """Return a table over all nights: of the nights, of their hands or of the pots that were taken."""
    if name not in TABLES:
        abort(404)
    return attachment(name, table_text(TABLES[name](get_summaries().all(), get_people())), "csv", "text/csv")


# On paper


def ante_rule(night: Night) -> str:
    """Return what a hand costs, in words, for people who play on with pen and paper."""
    if not night.preset.is_pot_game:
        return ""
    others, dealer = ante_sums(night.preset, max(2, len(night.seats)))
    page_context = {"each": others[0], "more": dealer, "card": night.house_rules.out_per_card}
    if len(set(others)) > 1:
        return _("%(card)s for every card left.", **page_context)
    return _("Ante: %(each)s each, the dealer %(more)s. %(card)s for every card left.", **page_context)


@bp.get("/n/<code>/print")
@may(ALLOWED_IN, in_memory=True)
def print_page(code: str) -> str:
    """Show one page to print: the result, or a scoresheet to play on with pen and paper."""
    table = get_table(code)
    history = table.history()
    strips = [hand_line(history, hand) for hand in SettlementReport(history).hands]
    empty = max(FEWEST_EMPTY, ROWS_ON_PAPER - len(strips))
    facts = {**page_context(table), "due_text": due_text, "ante_rule": ante_rule(table.night)}
    facts["lines"] = NightLines(facts["report"])
    return render_template("exports/print.html", **facts, strips=strips, empty_rows=empty)
