"""Giving on what a phone is: the table to somebody else's phone, and one's own seat to the next phone."""

from flask import Flask

from tracker.extras._phones import error_words
from tracker.extras.hand_over import phone, table
from tracker.extras.hand_over.tokens import NewTokens
from tracker.web.base.extra import Extra


def begin(app: Flask) -> None:
    devices = app.extensions["access"].devices
    devices.old_tokens = app.extensions["new_tokens"] = NewTokens(devices)
    app.extensions["questions"].append(table.ask_to_take)
    app.extensions["error_words"].append(error_words)


EXTRA = Extra(
    [phone.bp, table.bp],
    places={
        "menu.people_end": "hand_over/_menu.html",
        "seat.phones": "hand_over/_seat.html",
        "settings.links": "hand_over/_settings.html",
    },
    begin=begin,
)
