"""Answers that pages of several features give: a file to keep, and a part of a page that asks again by itself."""

from __future__ import annotations

from typing import Any

from flask import Response, render_template, request

from tracker.app.open_night import OpenNight
from tracker.formats.text import file_name
from tracker.web.wording.dates import day_of


def download(table: OpenNight, content: str, ending: str, mimetype: str, what: str = "") -> Response:
    """Answer with a text file named after the night, its day and `what` it holds."""
    name = file_name(" ".join(part for part in (table.name, day_of(table.began_at), what) if part))
    headers = {"Content-Disposition": f'attachment; filename="{name}.{ending}"', "Cache-Control": "no-store"}
    return Response(content, headers=headers, content_type=f"{mimetype}; charset=utf-8")


def poll_response(template: str, facts: dict[str, Any]) -> Response:
    """Answer with the part, and its mark in X-Mark; 204 to a page that has `seen` this mark already."""
    if request.args.get("seen") == facts["mark"]:
        return Response(status=204)
    return Response(render_template(template, **facts), headers={"X-Mark": facts["mark"]})
