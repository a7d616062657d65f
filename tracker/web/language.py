"""Which language a device reads."""

from __future__ import annotations

from flask import request

LANGUAGES = ("en", "de")
YEAR_SECONDS = 365 * 24 * 3600


def language() -> str:
    """Returns the language of this request: the device's own choice, else the best its browser asks for."""
    chosen = request.cookies.get("lang", "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, "en")
