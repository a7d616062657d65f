"""Which language a device reads."""

from __future__ import annotations

from flask import g, request

LANGUAGES = ("en", "de")
YEAR_SECONDS = 365 * 24 * 3600


def asked_for() -> str:
    """Returns the language that a request asks for: the device's own choice, else the best its browser asks for."""
    chosen = request.cookies.get("lang", "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, "en")


def language() -> str:
    """Returns the reader's language, asked for once in a request."""
    if "language" not in g:
        g.language = asked_for()
    return str(g.language)
