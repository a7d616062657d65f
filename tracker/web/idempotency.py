"""What tells a form that was sent again from a new one, and what its sender's page showed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from werkzeug.datastructures import MultiDict

from tracker.app.event_rows import new_id
from tracker.app.expected_state import ExpectedState
from tracker.core.events import Event
from tracker.formats.codec import event_to
from tracker.web.events.move_form import number

Form = Mapping[str, str]


def id_from_key(form: Form) -> str:
    """Return the key that the page gave its form, as the id of what it records; a new one if the form has none."""
    key = form.get("key", "")
    return key if len(key) == 32 and key.isascii() and key.isalnum() else new_id()


def id_from_content(form: Form, event: Event | None = None) -> str:
    """Return the id of what a form records: sent again, because its answer got lost, it records nothing more.

    A page may offer several buttons under one key, so what the form says is part of the id; of a form that records
    several events it is each event instead.
    """
    pairs = form.items(multi=True) if isinstance(form, MultiDict) else form.items()
    content = event_to(event) if event is not None else sorted(pairs)
    fingerprint = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]
    return f"{form.get('key', '')[:40]}-{fingerprint}"


def expected_state(form: Form, event: Event) -> ExpectedState:
    """Return what the sender's page showed, as far as the event depends on it."""
    pots = {form["pot"]: number(form["held"])} if event.kind == "collect" and form.get("held") else {}
    head, hand = (number(form[name]) if form.get(name) else None for name in ("head", "hand"))
    return ExpectedState(head=head, hand=hand, pots=pots)
