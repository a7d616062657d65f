"""Pretend players: a rehearsal with pretend guests, in memory only, and made-up nights to look around in."""

from tracker.extras.rehearsal.pages import begin_app, bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    places={
        "home.notes": "rehearsal/_home_note.html",
        "home.try": "rehearsal/_home.html",
        "menu.in_memory": "rehearsal/_menu.html",
        "table.styles": "rehearsal/_table_styles.html",
        "table.scripts": "rehearsal/_table_scripts.html",
    },
    commands={"demo": ("tracker.extras.rehearsal.command", "demo")},
    begin=begin_app,
)
