"""A form that is sent again gets the answer that it got first, and changes nothing more.

It is sent again by a double tap, or because its answer got lost on the way. A page gives each of its forms a random
key (`key_field`); the same key with the same content is the same form. Refusals are not kept: what was refused may be
sent again and succeed. Only whoever may use the page now gets an answer again, or a browser that the form itself made
another one: by its answer, which got lost, it would have come in, or it has sent itself away.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from flask import Flask, Response, abort, current_app, g, has_request_context, request
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from tracker.app.event_rows import new_id
from tracker.app.open_night import ExpectedState
from tracker.core.events import Event
from tracker.formats.codec import event_to
from tracker.web.access.request_guards import sender
from tracker.web.events.event_kind import number

Form = Mapping[str, str]
KEEP_SECONDS = 3600.0
WAIT_SECONDS = 20.0
"""How long a form waits for the answer to the same one that came a moment before."""
MOST_BYTES, LONGEST_ANSWER = 4 << 20, 1 << 16
"""Of all answers that are kept, and of one of them."""
COOKIES = "Set-Cookie"


@dataclass(frozen=True)
class KeptAnswer:
    """The answer to a form, and the cookies that its browser had before."""

    status: int
    headers: list[list[str]]
    body: str
    cookies: str
    given: list[int]
    """The devices that the form made, or gave another role."""
    has_ended_sender: bool
    """Whether the form ended the device that sent it."""

    @property
    def size(self) -> int:
        return len(self.body) + sum(len(value) for _, value in self.headers)


class AnsweredForms:
    """The answers to the forms of the last hour. Any thread may call any method."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._answering: set[str] = set()
        self._answers: dict[str, tuple[float, KeptAnswer]] = {}  # the oldest first
        self._size = 0

    def begin(self, form: str) -> KeptAnswer | None:
        """Return the form's answer, waiting for it; None for the first sender, who calls `end`. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: form not in self._answering, WAIT_SECONDS):
                raise TimeoutError
            since = self._clock() - KEEP_SECONDS
            while self._answers:
                oldest, (at, answer) = next(iter(self._answers.items()))
                if at >= since and self._size <= MOST_BYTES:
                    break
                del self._answers[oldest]
                self._size -= answer.size
            if form in self._answers:
                return self._answers[form][1]
            self._answering.add(form)
            return None

    def end(self, form: str, answer: KeptAnswer | None) -> None:
        """Keep the answer to a form; with None it may be sent again as if for the first time."""
        with self._changed:
            self._answering.discard(form)
            if answer:
                self._answers[form] = self._clock(), answer
                self._size += answer.size
            self._changed.notify_all()


def key_field(about: str = "") -> Markup:
    """Return the hidden field with the key of a form: random, or of what it is about where a stream renders it anew."""
    key = sha256(about.encode()).hexdigest()[:32] if about else new_id()
    return Markup('<input type="hidden" name="key" value="%s">') % key


def install(app: Flask) -> None:
    """Look for the answer that a form got before anything else looks at it; `permissions.install` has it kept."""
    app.before_request(look_up)
    app.after_request(keep)
    app.add_template_global(key_field)


def look_up() -> None:
    """Find the answer that this form got, or begin with it; one that is being answered is waited for."""
    if request.method != "POST" or not has_key(request.form):
        return
    content = [sender(), request.full_path, sorted(request.form.items(multi=True))]
    form = sha256(json.dumps(content).encode()).hexdigest()  # tells it from every other one
    g.answered_forms = current_app.extensions["access"].answered_forms
    try:
        answer = g.answered_forms.begin(form)
    except TimeoutError:
        abort(503)
    if answer is None:
        g.sent_form = form
    else:
        g.known_answer = answer


def answer_again(*, is_allowed: bool, is_there: Callable[[int], bool]) -> Response | None:
    """Return the answer that `look_up` has found; None for a sender who may not have it any more.

    `is_allowed` says whether the sender may use the page now, `is_there` of a device whether it has not ended.
    """
    answer: KeptAnswer = g.known_answer
    is_own = answer.cookies == request.headers.get("Cookie", "")  # else the answer has arrived
    is_changed_by_it = all(map(is_there, answer.given)) if answer.given else answer.has_ended_sender and is_own
    if not is_allowed and not is_changed_by_it:
        return None
    headers = [(name, value) for name, value in answer.headers if is_own or name != COOKIES]
    return Response(answer.body.encode("latin-1"), answer.status, headers)


def note_given(device: int) -> None:
    """Note that this form has made a device or given it another role."""
    if has_request_context():
        g.setdefault("given_devices", []).append(device)


def note_ended(device: int) -> None:
    """Note that this form has ended a device, if that is the one that sent it."""
    if has_request_context() and "identity" in g and device == g.identity.device:
        g.has_ended_sender = True


def keep(response: Response) -> Response:
    is_done = response.status_code < 400 and not response.is_streamed and "keeps_no_answer" not in g
    if "sent_form" in g and is_done:
        body = response.get_data().decode("latin-1")
        if len(body) <= LONGEST_ANSWER:
            headers = [[name, value] for name, value in response.headers if name != "Content-Length"]
            g.answer = KeptAnswer(
                response.status_code,
                headers,
                body,
                request.headers.get("Cookie", ""),
                g.get("given_devices", []),
                g.get("has_ended_sender", False),
            )
    return response


def has_key(form: Form) -> bool:
    key = form.get("key", "")
    return len(key) == 32 and key.isascii() and key.isalnum()


def keep_no_answer() -> None:
    """Let this form be sent again as if for the first time, though its answer is no refusal."""
    g.keeps_no_answer = True


def id_from_key(form: Form) -> str:
    """Return the key that the page gave its form, as the id of what it records; a new one if the form has none."""
    return form["key"] if has_key(form) else new_id()


def id_from_content(form: Form, event: Event | None = None) -> str:
    """Return the id of what a form records, by its key and what it says, or by each `event` of several."""
    pairs = form.items(multi=True) if isinstance(form, MultiDict) else form.items()
    content = event_to(event) if event is not None else sorted(pairs)
    fingerprint = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]
    return f"{form.get('key', '')[:40]}-{fingerprint}"


def expected_state(form: Form, event: Event) -> ExpectedState:
    """Return what the sender's page showed, as far as the event depends on it."""
    pots = {form["pot"]: number(form["held"])} if event.kind == "collect" and form.get("held") else {}
    head, hand = (number(form[name]) if form.get(name) else None for name in ("head", "hand"))
    return ExpectedState(head=head, hand=hand, pots=pots)
