"""Streams of pages: what each watcher sees, rendered in the thread of whoever makes a change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import Flask, Response, abort, g, has_request_context, request
from flask.globals import app_ctx
from flask_babel import force_locale

from tracker.connection import HAND_OVER
from tracker.live import Frame, TooManyStreams
from tracker.table import Table
from tracker.web.devices import Who
from tracker.web.here import tables
from tracker.web.language import language

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


def stream_response(table: Table, view: str, render: Callable[[], Frame]) -> Response:
    """Answer with a stream of what `render` shows; 503 when too many screens watch already."""
    app, who, lang = app_ctx.app, g.who, language()
    asked = {name: value for name, value in request.environ.items() if isinstance(value, str)}

    def as_asked() -> Frame:
        with reading_as(who, lang) if has_request_context() else asking_again(app, who, asked):
            return render()

    try:
        messages = tables().live.stream(
            table.code,
            view,
            as_asked,
            device=str(who.device or ""),
            tab=request.args.get("tab", "")[:16],
            seat=who.seat,
            hand_over=request.environ.get(HAND_OVER),
        )
    except TooManyStreams as full:
        abort(Response(str(full), 503, {"Retry-After": str(full.retry_after)}))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(messages, headers=headers, mimetype="text/event-stream")


@contextmanager
def reading_as(who: Who, lang: str) -> Iterator[None]:
    """Render for somebody else than who asks: whoever makes a change draws what the others watch."""
    was, g.who = g.who, who
    try:
        if lang == language():
            yield
            return
        own, g.language = g.language, lang
        try:
            with force_locale(lang):
                yield
        finally:
            g.language = own
    finally:
        g.who = was


@contextmanager
def asking_again(app: Flask, who: Who, asked: WSGIEnvironment) -> Iterator[None]:
    """Render as if the stream were asked for now: where nobody's request is being answered."""
    with app.request_context(asked):
        g.who = who
        yield
