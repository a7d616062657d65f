"""Downloads made from a night's history: hands and log as CSV, the result as text."""

from flask import Blueprint, Response

from tracker.formats.table_text import BOM, csv_text
from tracker.web.context import get_table
from tracker.web.responses import download
from tracker.web.settlement.report_view import SettlementReport
from tracker.web.settlement.text_report import hand_rows, log_rows, result_text
from tracker.web.wording.texts import gettext as _

bp = Blueprint("tables", __name__)


@bp.get("/n/<code>/hands.csv")
def hands_csv(code: str) -> Response:
    table = get_table(code)
    return download(table, BOM + csv_text(hand_rows(table.history())), "csv", "text/csv", _("hands"))


@bp.get("/n/<code>/log.csv")
def log_csv(code: str) -> Response:
    table = get_table(code)
    return download(table, BOM + csv_text(log_rows(table.history())), "csv", "text/csv", _("log"))


@bp.get("/n/<code>/result.txt")
def result_text_file(code: str) -> Response:
    table = get_table(code)
    report = SettlementReport(table.history())
    return download(table, result_text(table, report) + "\n", "txt", "text/plain")
