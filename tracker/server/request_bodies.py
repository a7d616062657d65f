"""How large a request's body may be, and what happens to one that is larger: neither ever fills the memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from waitress.buffers import OverflowableBuffer
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import FixedStreamReceiver
from waitress.utilities import RequestEntityTooLarge

BODY_LIMIT = 64 * 1024  # bytes, of any request but an import by a host
DISCARD_LIMIT = 16 * 1024 * 1024  # a larger body is refused at once; up to this it is read and dropped, so that the
# browser has sent everything and shows the page that refuses it
BODY_BUDGET = 8 * 1024 * 1024  # bytes of all bodies together that are not served yet

BodyLimit = Callable[[str, str, str], int]
"""Returns the bytes that a body may have, from the request's path and its headers Cookie and Authorization."""


class DiscardedBody(FixedStreamReceiver):  # type: ignore[misc]
    """Reads a body of known length and keeps none of it."""

    def received(self, data: bytes) -> int:
        """Return how many bytes of the data belong to the body."""
        taken: int = min(self.remain, len(data))
        self.remain -= taken
        self.completed = not self.remain
        return taken


class RequestParser(HTTPRequestParser):  # type: ignore[misc]
    """Collects a request, and as much of its body as it may have.

    The app sees the length of one that is longer, and answers 413 in its own words: after all of it was read and
    dropped, or at once from DISCARD_LIMIT bytes on.
    """

    body_rcv: Any
    error: Any

    def __init__(self, adj: Any, limit: BodyLimit) -> None:
        super().__init__(adj)
        self._limit_of = limit
        self.body_limit = BODY_LIMIT

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the head, then set the limit of the body."""
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # urlsplit() about an address; waitress expects only UnicodeError
            raise ParsingError("Bad URI") from error
        if self.body_rcv is not None and self.content_length < DISCARD_LIMIT:
            cookies, authorization = self.headers.get("COOKIE", ""), self.headers.get("AUTHORIZATION", "")
            self.body_limit = self._limit_of(self.path, cookies, authorization)
            if self.content_length > self.body_limit:
                self.body_rcv = DiscardedBody(self.content_length, OverflowableBuffer(self.adj.inbuf_overflow))

    def received(self, data: bytes) -> int:
        """Take in data and return how many bytes were used; a body that is too long to be read ends the request."""
        used: int = super().received(data)
        is_too_long = self.chunked and self.body_bytes_received > self.body_limit and self.error is None
        if is_too_long or isinstance(self.error, RequestEntityTooLarge):
            self._end_without_body()
        return used

    def _end_without_body(self) -> None:
        """Leave the answer to the app, which sees the length; the connection ends with it, whatever is still sent."""
        self.error, self.body_rcv, self.completed = None, None, True
        self.headers["CONTENT_LENGTH"] = str(max(self.content_length, self.body_bytes_received))
        self.headers["CONNECTION"] = "close"

    @property
    def kept_bytes(self) -> int:
        """Bytes of the body that are in memory."""
        return 0 if self.body_rcv is None or isinstance(self.body_rcv, DiscardedBody) else int(self.body_bytes_received)

    @property
    def is_import(self) -> bool:
        """Whether the body may be larger than those of all other requests."""
        return self.body_limit > BODY_LIMIT
