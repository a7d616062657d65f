"""Boards of one's own: change one, keep it, read its rule card, carry it as a file or a code."""

from tracker.extras.editor.pages import bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    places={"games.below": "editor/_games.html", "rules.card": "editor/_night_card.html"},
    commands={"presets": ("tracker.extras.editor.command", "presets")},
)
