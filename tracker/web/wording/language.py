"""Which language a device reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from flask import g, has_request_context, request

LANGUAGES = ("en", "en-US", "de")
YEAR_SECONDS = 365 * 24 * 3600
_chosen: ContextVar[str] = ContextVar("language")


def asked_for() -> str:
    """Return the language that a request asks for: the device's own choice, else the best its browser asks for."""
    chosen = request.cookies.get("lang", "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, "en")


def language() -> str:
    """Return the language that texts are in now: the one set by `in_language`, else the request's, else English."""
    chosen = _chosen.get("")
    if chosen or not has_request_context():
        return chosen or "en"
    if "language" not in g:
        g.language = asked_for()
    return str(g.language)


@contextmanager
def in_language(lang: str) -> Iterator[None]:
    """Have texts in this language until the block ends, whoever's request is being answered."""
    before = _chosen.set(lang)
    try:
        yield
    finally:
        _chosen.reset(before)
