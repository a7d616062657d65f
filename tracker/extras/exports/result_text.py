"""The result of a night as plain text."""

from flask import Blueprint, Response

from tracker.app.open_night import OpenNight
from tracker.extras._share import share_links
from tracker.extras._spreadsheets import safe
from tracker.web.access.roles import ALLOWED_IN, may
from tracker.web.base.context import get_table
from tracker.web.night_result import PaymentRow
from tracker.web.responses import download
from tracker.web.settlement.report_view import SettlementReport
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _, ngettext, signed

bp = Blueprint("result_text", __name__)
bp.add_app_template_global(share_links)


@bp.app_template_global()
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
    return ngettext(one, many, worth)


def due_text(due: PaymentRow) -> str:
    box = _("the bank")
    debtor, creditor = due.debtor.name if due.debtor else box, due.creditor.name if due.creditor else box
    return _("%(debtor)s pays %(creditor)s %(amount)s", debtor=debtor, creditor=creditor, amount=due.amount)


@bp.get("/n/<code>/result.txt")
@may(ALLOWED_IN)
def result_text_file(code: str) -> Response:
    table = get_table(code)
    report = SettlementReport(table.history())
    return download(table, result_text(table, report) + "\n", "txt", "text/plain")
