"""How a night went: what everybody had won or lost after each hand, as a chart and as a table, and by what."""

from flask import Blueprint

from tracker.extras._chart.net_reasons import rank_reasons
from tracker.extras._chart.night_lines import NightLines
from tracker.extras._story import story_of_night
from tracker.web.base.extra import Extra

bp = Blueprint("hand_by_hand", __name__)
bp.add_app_template_global(NightLines, "night_lines")
bp.add_app_template_global(rank_reasons, "rank_reasons")
bp.add_app_template_global(story_of_night, "story_of_night")

EXTRA = Extra(
    [bp],
    places={
        "ranking.below": "hand_by_hand/_why.html",
        "ending.head": "hand_by_hand/_styles.html",
        "result.head": "hand_by_hand/_styles.html",
        "result.chart": "hand_by_hand/_chart.html",
        "result.numbers": "hand_by_hand/_numbers.html",
    },
)
