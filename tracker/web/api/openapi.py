"""The OpenAPI description of the API, made from its routes, their types and the roles that may use them."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Flask, Response, current_app, jsonify
from werkzeug.routing import Rule

from tracker import __version__
from tracker.web.access.role_table import ANYONE, MAY
from tracker.web.api.answers import Fields, Refusal
from tracker.web.api.description import Description, described, description_of
from tracker.web.api.schema import Schema, Schemas
from tracker.web.json_refusal import REASONS

bp = Blueprint("openapi", __name__, url_prefix="/api")

JSON, EVENT_STREAM = "application/json", "text/event-stream"
STATUS_WORDS = {
    200: "Done, or done before",
    201: "Made",
    304: "Not changed since",
    409: "Not as the sender thought",
    422: "Malformed, or not possible now",
}
ROLE_WORDS = {"watcher": "a watcher", "seat": "a seat", "host": "the night's host"}
COMMON_REFUSALS = (400, 429, 500, 503)


@bp.get("/openapi.json")
@described({200: Fields})
def document() -> Response:
    """Return this description."""
    return jsonify(openapi_document(current_app))


def openapi_document(app: Flask) -> Schema:
    """Return the description of every address below /api/ of this app (OpenAPI 3.1)."""
    schemas = Schemas()
    paths: dict[str, Schema] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda one: one.rule):
        if rule.rule.startswith("/api/"):
            path = re.sub(r"<(\w+)>", r"{\1}", rule.rule)
            method = "post" if "POST" in (rule.methods or ()) else "get"
            paths.setdefault(path, {})[method] = operation(app, rule, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Board Tracker", "version": __version__, "description": "See docs/api.md."},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas.named,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def operation(app: Flask, rule: Rule, schemas: Schemas) -> Schema:
    """Return the description of one address and method."""
    view = app.view_functions[rule.endpoint]
    noted = description_of(view)
    roles = MAY[rule.endpoint]
    made: Schema = {
        "operationId": rule.endpoint.replace(".", "-"),
        "summary": " ".join((view.__doc__ or "").split()),
        "description": who_may(rule),
        "parameters": parameters(rule, noted),
        "responses": responses(rule, noted, schemas),
    }
    if noted.body is not None:
        made["requestBody"] = {"required": True, "content": {JSON: {"schema": schemas.of(noted.body)}}}
    if roles == ANYONE:
        made["security"] = []
    return made


def who_may(rule: Rule) -> str:
    """Return in a sentence whose token may use an address."""
    roles = MAY[rule.endpoint]
    if roles == ANYONE:
        return "For everybody: no token is needed."
    if "code" not in rule.arguments:
        return "For the token of `board-tracker token`."
    named = [words for role, words in ROLE_WORDS.items() if role in roles]
    return f"For the token of {', '.join(named)}, and for that of `board-tracker token`."


def parameters(rule: Rule, noted: Description) -> list[Schema]:
    """Return the parts of the address, the fields behind its question mark, and the headers that it takes."""
    in_path: list[Schema] = [{"name": name, "in": "path", "required": True} for name in sorted(rule.arguments)]
    in_query = [{"name": name, "in": "query", "description": words} for name, words in noted.query.items()]
    in_header = [{"name": name, "in": "header", "description": words} for name, words in noted.headers.items()]
    return [{**one, "schema": {"type": "string"}} for one in (*in_path, *in_query, *in_header)]


def responses(rule: Rule, noted: Description, schemas: Schemas) -> Schema:
    """Return what an address answers, by status."""
    found: Schema = {}
    for status, kind in noted.answers.items():
        found[str(status)] = {"description": STATUS_WORDS[status], **content(kind, schemas)}
    refused = {*COMMON_REFUSALS, *noted.refusals}
    if MAY[rule.endpoint] != ANYONE:
        refused |= {401, 403}
    if rule.arguments:
        refused.add(404)
    if noted.body is not None:
        refused |= {413, 415}
    for status in sorted(refused):
        words = REASONS[status][1] if status in REASONS else STATUS_WORDS.get(status, "Refused")
        found[str(status)] = {"description": words, **content(Refusal, schemas)}
    return found


def content(kind: Any, schemas: Schemas) -> Schema:
    """Return the body of an answer; of a stream only that it is text."""
    if kind is None:
        return {}
    if kind is bytes:
        return {"content": {EVENT_STREAM: {"schema": {"type": "string"}}}}
    return {"content": {JSON: {"schema": schemas.of(kind)}}}
