"""The film of a night: frames, player, and one file that plays it without a network."""

from tracker.extras.film.pages import bp
from tracker.web.base.extra import Extra

EXTRA = Extra([bp], places={"result.head": "film/_result_head.html", "result.after_chart": "film/_result.html"})
