"""Lists of the API that come page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from flask import Request

from tracker.web.api.request_fields import number_in_query

Row = TypeVar("Row")
ROWS_A_PAGE, MOST_ROWS_A_PAGE = 20, 100


def page_of(rows: Sequence[Row], key: Callable[[Row], str], asked: Request) -> tuple[Sequence[Row], dict[str, Any]]:
    """Return the rows that a request asks for, and the fields of the next page's address, none for the last page.

    400 for a bad `limit`.
    """
    after = asked.args.get("after", "")
    limit = number_in_query(asked, "limit", ROWS_A_PAGE, 1, MOST_ROWS_A_PAGE)
    first = next((place for place, row in enumerate(rows, start=1) if key(row) == after), 0 if not after else len(rows))
    page = rows[first : first + limit]
    is_last = first + limit >= len(rows)
    return page, {} if is_last else {"limit": limit, "after": key(page[-1])}
