"""Nights that come back: out of copies of all nights, by links from other machines, from what phones keep of them."""

from flask import Flask

from tracker.extras.copies import after_hands, arrive, backups, brought_log, night_code
from tracker.web.base.extra import Extra


def begin(app: Flask) -> None:
    """Have copies made while a server runs, and nights taken that come by links."""
    after_hands.begin(app)
    arrive.begin(app)


EXTRA = Extra(
    [arrive.bp, backups.bp, brought_log.bp, night_code.bp],
    places={
        "home.notes": "copies/_waiting_note.html",
        "machine.rows": "copies/_home_link.html",
        "home.scripts": "copies/_phone_script.html",
        "join.scripts": "copies/_phone_script.html",
        "error.scripts": "copies/_phone_script.html",
        "table.later_scripts": "copies/_table_script.html",
        "files.below_download": "copies/_carry_link.html",
        "left_over.link": "copies/_link.html",
        "log.notes": "copies/_log_notes.html",
        "log.entry": "copies/_log_entry.html",
        "result.code": "copies/_night_code.html",
        "screen.end": "copies/_screen_code.html",
        "unreadable.hint": "copies/_look_there.html",
    },
    options=[night_code.PAGES_OPTION],
    commands={name: ("tracker.extras.copies.command", name) for name in ("backup", "restore")},
    begin=begin,
)
