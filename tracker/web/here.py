"""What every room needs of the app it runs in: the tables, a table by its code, the way to the next page."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from flask import current_app, redirect, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from tracker.core.errors import TableError
from tracker.core.night import LOBBY, Night
from tracker.table import Table
from tracker.tables import Tables


def tables() -> Tables:
    """Returns the tables this app serves."""
    return cast(Tables, current_app.extensions["tables"])


def the_table(code: str) -> Table:
    """Returns the table of a night; Unknown (404) when there is none of that code."""
    return tables().get(code)


def readable(code: str) -> Table | None:
    """Returns a night's table; None when its log can't be read (the start check has said so)."""
    try:
        return the_table(code)
    except TableError:
        return None


def see(endpoint: str, **values: Any) -> Response:
    """Sends the browser on to a page: 303, so that a reload repeats nothing."""
    return redirect(url_for(endpoint, **values), 303)


def see_night(code: str) -> Response:
    """Sends the browser to where a night is now: its lobby before the first hand, else the table."""
    return see("lobby.page" if is_gathering(the_table(code).night) else "table.page", code=code)


def is_gathering(night: Night) -> bool:
    """Says whether people are still sitting down: whoever scans the code now is let in without a question."""
    return night.phase == LOBBY


def clock(at: str) -> str:
    """Returns the time of day of a label such as `2025-11-21T20:15:00Z`, as this machine's clock shows it."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%H:%M")
    except ValueError:
        return ""


def bdi(text: str) -> Markup:
    """Wraps a name that people typed, so that its writing direction stays its own."""
    return Markup("<bdi>{}</bdi>").format(text)
