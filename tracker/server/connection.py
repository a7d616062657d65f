"""One connection to the server: its requests and their bodies, a stream that is pushed to it, and all deadlines."""

import time
from collections.abc import Callable
from typing import Any

from waitress.buffers import OverflowableBuffer
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import FixedStreamReceiver
from waitress.task import WSGITask
from waitress.utilities import RequestEntityTooLarge

from tracker.formats.sender import THIS_MACHINE
from tracker.streaming.hub import HAND_OVER, StreamHandle

HEADER_SECONDS, REQUEST_SECONDS = 8.0, 30.0  # for sending the head of a request, and all of it
IMPORT_SECONDS = 180.0  # for sending a night's file: 4 MB over a slow Wi-Fi
STUCK_SECONDS = 20.0  # after which a client that takes none of what is waiting for it is left to itself

BODY_LIMIT = 64 * 1024  # bytes, of any request but an import by a host
DISCARD_LIMIT = 16 * 1024 * 1024  # a larger body is refused at once; up to this it is read and dropped, so that the
# browser has sent everything and shows the page that refuses it

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
    """Collects a request, and of a body that is too long its length: the app answers 413 when the rest was dropped."""

    body_rcv: Any
    error: Any
    path = ""  # of a request that can't be read; waitress names it in its log
    body_limit = BODY_LIMIT

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the head, then set the limit of the body."""
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # urlsplit() about an address; waitress expects only UnicodeError
            raise ParsingError("Bad URI") from error
        if self.body_rcv is not None and self.content_length < DISCARD_LIMIT:
            cookies, authorization = self.headers.get("COOKIE", ""), self.headers.get("AUTHORIZATION", "")
            self.body_limit = self.adj.body_limit(self.path, cookies, authorization)
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
    def is_import(self) -> bool:
        """Whether the body may be larger than those of all other requests."""
        return self.body_limit > BODY_LIMIT


class HandedOver(BaseException):
    """The request's answer goes on as a stream. A BaseException, so that waitress does not close the response."""

    def __init__(self, stream: StreamHandle, *, is_chunked: bool) -> None:
        super().__init__()
        self.stream, self.is_chunked = stream, is_chunked


UNNAMED_PROXY = "a proxy that was not named"
"""In place of the address of a proxy on this machine that the server was not told of."""


class RequestTask(WSGITask):  # type: ignore[misc]
    """One request. Its answer may be a stream, which then goes on without a thread."""

    stream: StreamHandle | None = None

    def get_environment(self) -> dict[str, Any]:
        """Return the request as the app gets it."""
        environ: dict[str, Any] = super().get_environment()
        environ["wsgi.url_scheme"] = "http" if getattr(self.channel.socket, "is_plain", True) else "https"
        uncounted = THIS_MACHINE - {*self.channel.server.proxies}
        if "HTTP_X_FORWARDED_FOR" in environ and environ["REMOTE_ADDR"] in uncounted:  # no browser sends that
            environ["REMOTE_ADDR"] = UNNAMED_PROXY
        environ[HAND_OVER] = self.hand_over
        return environ

    def hand_over(self, stream: StreamHandle) -> None:
        self.stream = stream

    def set_close_on_finish(self) -> None:
        """Have the connection closed after the answer, where the end of the answer or its client asks for that.

        waitress does so after each 204 and 304, too, for want of a length: the next tap would need a new connection.
        """
        is_closed_by_client = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or self.version != "1.1" or is_closed_by_client:
            super().set_close_on_finish()

    def finish(self) -> None:
        """End the answer, or raise HandedOver."""
        if self.stream:
            raise HandedOver(self.stream, is_chunked=self.chunked_response)
        super().finish()


class HttpConnection(HTTPChannel):  # type: ignore[misc]
    """One connection. No thread waits for its client: what it does not read is kept, and its next request waits.

    One request at a time is parsed and served; what comes behind it stays unparsed, and no more is read. Once a stream
    has begun, no other request of the connection is served. Only the server's loop parses, sends what had to wait and
    closes; a thread that serves a request or has news for a stream appends to what is sent, under `outbuf_lock`.
    """

    task_class, parser_class = RequestTask, RequestParser
    heard_at: float | None = None  # since when an unfinished request has been coming in
    full_since, sent_at = 0.0, 0.0  # since when nothing of what is waiting could be sent, and what was sent last
    is_stream = False  # whether a stream has begun
    is_pending = False  # whether a request waits for a thread or is being served
    _unparsed = b""  # what was read behind the request that is pending, at most `recv_bytes`
    _stream: StreamHandle | None = None
    _is_chunked = False
    _active_at = 0.0
    outbufs: list[Any]
    request: RequestParser | None
    sent_continue: bool

    @property
    def last_activity(self) -> float:
        """When something was read or sent last, by the monotonic clock, as waitress's time of day may be set back."""
        return self._active_at

    @last_activity.setter
    def last_activity(self, _time_of_day: float) -> None:
        self._active_at = time.monotonic()

    def readable(self) -> bool:
        """Return whether more may be read: a hang-up is noticed while a request is served, unless more was sent."""
        return not self._unparsed and bool(super().readable())

    def handle_read(self) -> None:
        """Take in what has come; with TLS that may be nothing yet."""
        try:
            data = self.recv(self.adj.recv_bytes)
        except BlockingIOError:
            if self.request is None and getattr(self.socket, "is_ready", False):
                self.heard_at = None  # they have agreed, and no request has begun
            return
        except OSError:
            self.handle_close()
            return
        if data:
            self.last_activity = 0
            self.received(data)
        else:
            self.connected = False

    def received(self, data: bytes) -> None:
        """Take in data; called by the server's loop."""
        self._unparsed += data
        self.parse()

    def parse(self) -> None:
        """Parse the next request, if none is pending and the client has read enough, and have it served."""
        while self._unparsed and not (self.is_pending or self.has_unread_answers):
            if self.will_close or self.close_when_flushed or not self.connected:
                break
            request = self.request = self.request or self.parser_class(self.adj)
            used = request.received(self._unparsed)
            self._unparsed = self._unparsed[used:]
            if request.expect_continue and request.headers_finished and not self.sent_continue:
                self.send_continue()
            if request.completed:
                self.request, self.sent_continue = None, False
                if not request.empty:  # between requests a line may be
                    self.requests.append(request)
                    self.is_pending = True
                    self.server.add_task(self)
        if self.request is None:
            self.heard_at = None
        elif self.heard_at is None:
            self.heard_at = time.monotonic()

    def served(self) -> None:
        """Go on with the next request, unless a stream has begun; called by the server's loop."""
        self.is_pending = bool(self.requests)
        self.parse()

    def handle_write(self) -> None:
        """Send what is waiting. A stream may be pushed to by another thread meanwhile, so only one of them sends."""
        with self.outbuf_lock:
            super().handle_write()
            self._release_sent()
        if self._stream and self.is_free:
            self._stream.catch_up()
        self.parse()  # the client may have read enough for its next request

    def _release_sent(self) -> None:
        """Free the memory of what was sent: waitress's last buffer keeps it for as long as the connection lasts."""
        if self.connected and not self.total_outbufs_len and self.outbufs[-1].buf is not None:
            sent, self.outbufs = self.outbufs, [OverflowableBuffer(self.adj.outbuf_overflow)]
            self.current_outbuf_count = 0
            for buffer in sent:
                buffer.close()

    # A request waits for its reader, and no thread does

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Send what the client takes now; waitress would keep the thread here until the client has read enough."""
        if self.has_unread_answers:
            with self.outbuf_lock:
                _, has_failed = self._flush_exception(self._flush_some, do_close=False)
            if has_failed:
                self.server.pull_trigger()

    @property
    def has_unread_answers(self) -> bool:
        """Whether more is waiting to be read than may be, before another request is served."""
        return bool(self.total_outbufs_len > self.adj.outbuf_high_watermark)

    def handle_close(self) -> None:
        """Close, and forget the stream."""
        super().handle_close()
        stream, self._stream = self._stream, None
        if stream:
            stream.leave()

    # A stream, sent by whoever has news

    def service(self) -> None:
        """Answer a request; a stream that it begins stays the request being answered, so that others wait."""
        try:
            super().service()
        except HandedOver as kept:
            self._stream, self._is_chunked, self.is_stream = kept.stream, kept.is_chunked, True
            kept.stream.attach(self)
            if not self.connected:
                kept.stream.leave()
        finally:
            with self.outbuf_lock:
                self._release_sent()  # what the client has read while the answer was made
            self.server.call_soon(self.served)

    def wake(self) -> None:
        """Have the loop of the server see what there is to do."""
        self.server.pull_trigger()

    @property
    def is_free(self) -> bool:
        """Whether the client has taken all that was sent."""
        return self.connected and not self.total_outbufs_len

    def push(self, data: bytes) -> None:
        """Send a message of the stream; what the client can't take at once waits."""
        self._put(b"%X\r\n%s\r\n" % (len(data), data) if self._is_chunked else data)

    def end(self, data: bytes) -> None:
        """Send what is left to say of the stream, then close."""
        if data:
            self.push(data)
        if self._is_chunked:
            self._put(b"0\r\n\r\n")
        self.close_when_flushed = True
        self.wake()

    def _put(self, data: bytes) -> None:
        with self.outbuf_lock:
            if not self.connected:
                return
            try:
                sent = 0 if self.total_outbufs_len else self._sent(data)
            except OSError:
                self._give_up()
                return
            if sent < len(data):
                self.outbufs.append(OverflowableBuffer(self.adj.outbuf_overflow))  # each is freed when it is sent
                self.outbufs[-1].append(data[sent:])
                self.total_outbufs_len += len(data) - sent
                self.wake()

    def _sent(self, data: bytes) -> int:
        """Return how much of it the system has taken."""
        sent = 0
        while sent < len(data) and (taken := self.send(data[sent:], do_close=False)):
            sent += taken
            self.last_activity = 0
        return sent

    def _give_up(self) -> None:
        self.will_close = True
        self.wake()

    # Who takes too long

    def is_late(self, now: float) -> bool:
        """Return whether the client takes too long over its request."""
        if self.heard_at is None:
            return False
        request, allowed = self.request, HEADER_SECONDS
        if request is not None and request.headers_finished:
            allowed = IMPORT_SECONDS if request.is_import else REQUEST_SECONDS
        return now - self.heard_at > allowed

    def is_stuck(self, now: float) -> bool:
        """Return whether the client has read nothing for long although something is waiting; asked again and again."""
        if not self.total_outbufs_len or self.last_activity != self.sent_at:
            self.full_since, self.sent_at = now, self.last_activity
        return now - self.full_since > STUCK_SECONDS
