"""What every page needs of the app it runs in: the nights, one by its code, who reads, the way to the next page."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, cast

from flask import current_app, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from jinja2 import Environment, Template
from markupsafe import Markup
from werkzeug.wrappers import Response

from tracker.app.known_nights import KnownNight, KnownNights
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings
from tracker.core.errors import TableError
from tracker.core.night import LOBBY
from tracker.formats.evening import moment_of
from tracker.storage import DiskTrouble
from tracker.web.base.extra import Extra
from tracker.web.wording.texts import language

RUNS_FOR = timedelta(days=2)
"""A night that has not ended and in which nothing was recorded for so long stands among those of the past."""


def common_template_context() -> dict[str, Any]:
    """Return what every template may use."""
    return {"lang": language(), "has_copies": current_app.config["HAS_COPIES"]}


def get_nights() -> Nights:
    return cast(Nights, current_app.extensions["nights"])


def get_story() -> Any:
    """Return the function that tells a `NightResult`'s story; None where no extra has one."""
    return current_app.extensions["story"]


def get_extras() -> Sequence[Extra]:
    """Return the extras of the app that answers, in the order of their names."""
    return cast(Sequence[Extra], current_app.extensions["extras"])


def get_known_nights() -> KnownNights:
    """Return what the lists of this app know of nights."""
    return cast(KnownNights, current_app.extensions["known_nights"])


def own_colours(code: str | None) -> Mapping[str, int]:
    """Return the colours that the seats of a night were given when somebody sat down there; for OWN_COLOURS."""
    with suppress(DiskTrouble):  # no page is refused for its colours
        if code:
            return NightSettings(get_nights().store, code).colours.all()
    return {}


def get_template(name: str) -> Template:
    """Return a template of this app; needs the app's context, and no request."""
    return current_app.jinja_env.get_template(name)


def macro_of(name: str) -> Callable[..., Markup]:
    """Return a macro of the templates of this app, by `file:name`; needs the app's context, and no request."""
    return _macro_of(current_app.jinja_env, name)


@cache
def _macro_of(templates: Environment, name: str) -> Callable[..., Markup]:
    file, _, macro = name.partition(":")
    return cast(Callable[..., Markup], getattr(templates.get_template(f"{file}.html").module, macro))


def get_table(code: str) -> OpenNight:
    """Return the table of a night; Unknown (404) when there is none of that code."""
    return get_nights().get(code)


def readable_night(code: str) -> OpenNight | None:
    """Return a night's table; None when its log can't be read (the start check has said so)."""
    try:
        return get_table(code)
    except TableError:
        return None


def is_running(night: KnownNight) -> bool:
    """Return whether a night goes on: it has not ended, and something was recorded or it was opened lately.

    By the log's times, or at this process, whatever the machine's clock was set to meanwhile.
    """
    if night.is_over:
        return False
    newest = moment_of(night.last_at) or moment_of(night.created_at)
    is_dated_lately = newest is not None and abs(datetime.now(UTC) - newest) < RUNS_FOR
    return is_dated_lately or get_nights().is_used(night.code, RUNS_FOR.total_seconds())


def redirect_to(endpoint: str, **values: Any) -> Response:
    """Send the browser on to a page: 303, so that a reload repeats nothing."""
    return redirect(url_for(endpoint, **values), 303)


def replaced_by(table: OpenNight) -> OpenNight:
    """Return the night that has taken a night's place before its first hand, by the choice of another game."""
    while is_lobby_open(table) and (later := readable_night(table.settings.next_night or "")):
        table = later
    return table


def where_now(table: OpenNight) -> str:
    """Return the address of the page at which a night is now: its lobby before the first hand, else the table."""
    return url_for("lobby.page" if is_lobby_open(table) else "table.page", code=table.code)


def redirect_to_night(code: str) -> Response:
    """Send the browser to where a night is now: its lobby before the first hand, else the table."""
    return redirect(where_now(get_table(code)), 303)


def form_page(template: str, wrong: object = "", **values: Any) -> ResponseReturnValue:
    """Return a page with a form; 422 where it says what is `wrong` with what was typed."""
    return render_template(template, wrong=wrong, **values), 422 if wrong else 200


def is_lobby_open(table: OpenNight) -> bool:
    """Return whether people are still sitting down: whoever scans the code now is let in without a question."""
    return table.night.phase == LOBBY and not table.settings.has_begun


def bdi(text: str) -> Markup:
    """Wrap a name that people typed, so that its writing direction stays its own."""
    return Markup("<bdi>{}</bdi>").format(text)
