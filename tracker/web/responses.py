"""Answers that pages of several features give: a file to keep, a part of a page that asks again, a stream of pages."""

from collections.abc import Callable, Iterable
from typing import Any

from flask import Response, g, render_template, request
from flask.globals import app_ctx

from tracker.app.open_night import OpenNight
from tracker.formats.text import file_name
from tracker.streaming.hub import HAND_OVER, Frame, TooManyStreams
from tracker.web.access.devices import Identity
from tracker.web.access.permissions import get_access
from tracker.web.access.roles import AT_TABLE
from tracker.web.base.context import get_nights
from tracker.web.base.snapshot import snapshot_of
from tracker.web.drawing.player_token import OWN_COLOURS
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import in_language, language


def download(table: OpenNight, content: str, ending: str, mimetype: str, what: str = "") -> Response:
    """Answer with a text file named after the night, its day and `what` it holds."""
    name = " ".join(part for part in (table.name, day_of(table.began_at), what) if part)
    return attachment(name, content, ending, mimetype)


def attachment(name: str, content: str, ending: str, mimetype: str) -> Response:
    """Answer with a text file to keep, by a name that every system takes."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name(name)}.{ending}"', "Cache-Control": "no-store"}
    return Response(content, headers=headers, content_type=f"{mimetype}; charset=utf-8")


def poll_response(template: str, facts: dict[str, Any]) -> Response:
    """Answer with the part, and its mark in X-Mark; 204 to a page that has `seen` this mark already."""
    if request.args.get("seen") == facts["mark"]:
        return Response(status=204)
    return Response(render_template(template, **facts), headers={"X-Mark": facts["mark"]})


def stream_response(
    table: OpenNight, view: str, render: Callable[[Identity], Frame], *, is_page: bool = True
) -> Response:
    """Answer with a stream of what `render` returns for whoever asks, called in any thread without a request.

    `view` names the page and all of the reader that it depends on. A stream that is no page's takes no place of players
    and ends no other. Without room a page is sent once and told to ask later; what is no page gets 503.
    """
    identity: Identity = g.identity
    render_for_reader = _rendering(table, render, identity)
    live, headers = get_nights().live, {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    messages: Iterable[bytes]
    try:
        messages = live.stream(
            table.code,
            view,
            render_for_reader,
            device=str(identity.device or ""),
            tab=request.args.get("tab", "")[:16] if is_page else view,
            is_player=is_page and identity.role in AT_TABLE,
            hand_over=request.environ.get(HAND_OVER),
        )
    except TooManyStreams as full:
        get_access().count_refusal("stream")
        headers["Retry-After"] = str(full.retry_after)
        if not is_page:
            return Response(str(full), 503, headers)
        messages = [live.only_now(table.code, view, render_for_reader)]
    return Response(messages, headers=headers, mimetype="text/event-stream")


def _rendering(table: OpenNight, render: Callable[[Identity], Frame], identity: Identity) -> Callable[[], Frame]:
    """Return what renders a page of a night for a reader in the language of this request, in any thread."""
    app, lang = app_ctx.app, language()

    def render_for_reader() -> Frame:
        with app.app_context(), in_language(lang):
            before = OWN_COLOURS.set(snapshot_of(table).colours)
            try:
                return render(identity)
            finally:
                OWN_COLOURS.reset(before)

    return render_for_reader
