"""The table PIN: four digits before the host's phone ends the night or sends people away, for whoever wants them."""

from flask import Flask

from tracker.extras.pin.lock import PinLock, PinSettings, bp
from tracker.web.base.extra import Extra


def begin(app: Flask) -> None:
    """Have what would end a night or send somebody away wait for the PIN."""
    access = app.extensions["access"]
    access.lock = PinLock(access)


EXTRA = Extra([bp], places={"settings.links": "pin/_link.html"}, ways_in=[PinSettings.pin_hash.key], begin=begin)
