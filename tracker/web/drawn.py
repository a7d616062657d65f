"""What makes a page quick to draw: places and seats drawn once for what they show, and sentences looked up once.

After an event most of the table looks as before, so most of its HTML is known already.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import flask_babel
from flask import current_app, g, url_for
from flask.sansio.app import App
from jinja2 import Environment, pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup

from tracker.web.places import PlaceView
from tracker.web.views import SeatView

MOST_KEPT = 4096


class Drawer:
    """Draws places and seats in one language."""

    def __init__(self, env: Environment, heaps: str) -> None:
        macros: Any = env.get_template("partials/_place.html").module
        self.place: Callable[[PlaceView, bool], Markup] = lru_cache(MOST_KEPT)(
            lambda place, is_button: macros.place(place, is_button, heaps)
        )
        self.seat: Callable[[SeatView, bool], Markup] = lru_cache(MOST_KEPT)(macros.seat)


def drawer() -> Drawer:
    """Return the drawer for the reader's language."""
    lang, known = language(), current_app.extensions.setdefault("drawers", {})
    if lang not in known:
        known[lang] = Drawer(current_app.jinja_env, url_for("static", filename="heaps.svg"))
    found: Drawer = known[lang]
    return found


def language() -> str:
    """Return the reader's language, asked for once in a request."""
    if "language" not in g:
        g.language = str(flask_babel.get_locale() or "en")
    return str(g.language)


def install(app: App) -> None:
    """Let templates look a sentence up once for each language, not at every use."""
    app.jinja_env.globals.update(_=_sentence, gettext=_sentence)


_known: dict[tuple[str, str], Markup] = {}


@pass_eval_context
def _sentence(context: EvalContext, message: str, **facts: Any) -> str:
    key = (language(), message)
    text = _known.get(key)
    if text is None:
        text = _known[key] = Markup(flask_babel.get_translations().gettext(message))  # noqa: S704 - our own sentences
    if not context.autoescape:
        return str(text) % facts
    return text % facts if facts or "%" in text else text
