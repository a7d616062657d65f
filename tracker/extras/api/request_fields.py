"""What a script has sent: the JSON body, its fields, numbers in headers and addresses, and which page of a list."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from flask import Request, abort

from tracker.core.errors import BadEvent
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.extras.api.json_refusal import json_refusal
from tracker.formats.text import brief, clean_text
from tracker.web.wording.texts import whole_number

Row = TypeVar("Row")
ROWS_A_PAGE, MOST_ROWS_A_PAGE = 20, 100


def body_text(asked: Request) -> str:
    """Return the request's body, which has to be JSON in UTF-8; 400 or 415 when it is not."""
    if asked.mimetype != "application/json":
        abort(415)
    try:
        return asked.get_data().decode()
    except UnicodeDecodeError:
        abort(json_refusal(400, "not-json", "The body is not UTF-8 text."))


def body(asked: Request) -> Any:
    """Return what the request's JSON says; 400 or 415 when it has none."""
    try:
        return json_value(body_text(asked))
    except UnreadableError as error:
        abort(json_refusal(400, "not-json", str(error)))


def fields_of(asked: Request, known: set[str]) -> dict[str, Any]:
    """Return the fields of the request's JSON object; BadEvent for any that is not known."""
    raw = body(asked)
    if not isinstance(raw, dict):
        raise BadEvent("send an object, not {value}", value=brief(raw))
    unknown = sorted(set(raw) - known)
    if unknown:
        raise BadEvent("unknown field {name}", name=brief(unknown[0]), field=unknown[0])
    return raw


def text_of(field: str, value: object, longest: int) -> str:
    """Return a field's text; BadEvent when it is none, or too long."""
    try:
        return clean_text(value, longest)
    except ValueError as error:
        raise BadEvent("{field}: {error}", error=str(error), field=field) from None


def number_in_header(asked: Request, name: str) -> int | None:
    """Return the number of events in a header: a `head`, or the ETag of a state; 400 for anything else."""
    sent = asked.headers.get(name, "").strip().removeprefix('"').removesuffix('"')
    if not sent:
        return None
    number = whole_number(sent.partition("-")[0], most_digits=9)
    if number is None:
        abort(json_refusal(400, sentence=f"{name} takes a number of events, as `head` of the state.", field=name))
    return number


def page_of(rows: Sequence[Row], key: Callable[[Row], str], asked: Request) -> tuple[Sequence[Row], dict[str, Any]]:
    """Return the rows that a request asks for, and the fields of the next page's address; 400 for a bad `limit`."""
    after = asked.args.get("after", "")
    limit = whole_number(asked.args.get("limit", str(ROWS_A_PAGE)), most_digits=9)
    if not limit or limit > MOST_ROWS_A_PAGE:
        sentence = f"limit must be a whole number from 1 to {MOST_ROWS_A_PAGE}."
        abort(json_refusal(400, sentence=sentence, field="limit"))
    first = next((place for place, row in enumerate(rows, start=1) if key(row) == after), 0 if not after else len(rows))
    page = rows[first : first + limit]
    is_last = first + limit >= len(rows)
    return page, {} if is_last else {"limit": limit, "after": key(page[-1])}
