"""Downloads made from a night's history: hands and log as CSV, the result as text, the play for BG Stats."""

import json
from collections.abc import Iterator
from datetime import UTC
from urllib.parse import quote

from flask import Blueprint, Response

from tracker.app.log_history import History
from tracker.app.open_night import OpenNight
from tracker.core.payment_list import totals, won_in_hand
from tracker.core.queries.summary import fewest_win, leaders
from tracker.formats.evening import moment_of
from tracker.formats.tables import safe
from tracker.web.access.roles import ALLOWED_IN, may
from tracker.web.base.context import get_table
from tracker.web.events import sentences
from tracker.web.log_sentences import hand_winners, line_sentence
from tracker.web.night_result import PaymentRow
from tracker.web.responses import download, table_text
from tracker.web.settlement.report_view import SettlementReport
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _, listed, ngettext, plain, signed

bp = Blueprint("tables", __name__)

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
LONGEST_LINK = 8000
"""Signs; longer ones don't arrive there."""


def result_text(table: OpenNight, report: SettlementReport) -> str:
    """Return the result as plain text to copy or send."""
    lines = [f"{table.name}, {day_of(table.began_at)}", _(table.preset.name)]
    for rank in report.ranks:
        won = f" ({signed(rank.net)})" if report.is_pots else ""
        cash = f" = {rank.money}" if rank.money else ""
        place = f"{rank.place}." if rank.place else "–"
        part = f" ({rank.part})" if rank.part else ""
        lines.append(f"{place} {rank.face.name}{part}: {_worth(rank.worth, report)}{won}{cash}")
    if report.dues:
        lines += ["", _("To settle:"), *(due_text(due) for due in report.dues)]
    return "\n".join(str(safe(line)) for line in lines)  # pasted into a spreadsheet, each line is a cell


def _worth(worth: int, report: SettlementReport) -> str:
    one, many = ("%(num)s chip", "%(num)s chips") if report.is_pots else ("%(num)s point", "%(num)s points")
    return ngettext(one, many, worth).replace(str(worth), plain(worth))


def due_text(due: PaymentRow) -> str:
    box = _("the bank")
    debtor, creditor = due.debtor.name if due.debtor else box, due.creditor.name if due.creditor else box
    return _("%(debtor)s pays %(creditor)s %(amount)s", debtor=debtor, creditor=creditor, amount=due.amount)


def play_link(table: OpenNight) -> str:
    """Return the link of a night that is over, which BG Stats opens as a play; empty for too many long names."""
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


def hand_rows(history: History) -> Iterator[list[object]]:
    """Yield a row for each hand: who dealt, who was out, what everybody won or lost in it and altogether."""
    report = SettlementReport(history)
    seats = [one.face.name for one in report.series]
    yield [_("hand"), _("dealer"), _("winner"), *seats, *(_("%(name)s, total", name=name) for name in seats)]
    for at, moment in enumerate(report.moments[1:], start=1):
        hand = int(moment) if moment.isdigit() else 0
        deal = history.deal_of(hand) if hand else None
        now = [one.in_table(at) for one in report.series]
        won = won_in_hand(history.after_hand(hand - 1), history.before_end(hand)) if hand else {}
        no_part = "" if history.night.deals else 0  # who pauses in a round has no points in it
        moved = [
            won.get(one.face.seat, no_part) if hand else one.values[at] - one.values[at - 1] for one in report.series
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


@bp.get("/n/<code>/result.txt")
@may(ALLOWED_IN)
def result_text_file(code: str) -> Response:
    table = get_table(code)
    report = SettlementReport(table.history())
    return download(table, result_text(table, report) + "\n", "txt", "text/plain")
