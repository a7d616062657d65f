"""The chart of a night in its result: what everybody had won or lost after each hand, and its numbers as a table."""

from flask import Blueprint

from tracker.extras._chart.night_lines import NightLines
from tracker.web.base.extra import Extra

bp = Blueprint("hand_by_hand", __name__)
bp.add_app_template_global(NightLines, "night_lines")

EXTRA = Extra(
    [bp],
    places={
        "ending.head": "hand_by_hand/_styles.html",
        "result.head": "hand_by_hand/_styles.html",
        "result.chart": "hand_by_hand/_chart.html",
        "result.numbers": "hand_by_hand/_numbers.html",
    },
)
