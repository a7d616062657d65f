"""Parts of a page that look again by themselves: nothing is sent while nothing is new."""

from __future__ import annotations

from typing import Any

from flask import Response, render_template, request


def fresh(template: str, facts: dict[str, Any]) -> Response:
    """Answer with the part, and its mark in X-Mark; 204 to a page that has `seen` this mark already."""
    if request.args.get("seen") == facts["mark"]:
        return Response(status=204)
    return Response(render_template(template, **facts), headers={"X-Mark": facts["mark"]})
