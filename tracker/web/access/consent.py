"""Recording what takes chips from somebody by agreement, as the core says: that person's phone or the host says yes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from flask import abort
from markupsafe import Markup, escape

from tracker.app.open_night import ExpectedState, OpenNight, Outcome
from tracker.app.settings import NightSettings
from tracker.core.errors import AlreadyDone, NeedsConsent, NotEnoughChips, TableError
from tracker.core.events import Amend, Borrow, Buy, Collect, Event, Hand, Undo
from tracker.core.log import Entry, find
from tracker.core.night import Night
from tracker.core.queries.undo_policy import may_take_back, undone_by
from tracker.formats.codec import event_from, event_to
from tracker.formats.text import UNREADABLE
from tracker.web.access.answered_forms import id_from_content
from tracker.web.access.devices import Identity
from tracker.web.access.permissions import get_access
from tracker.web.base.context import bdi
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.drawing.player_token import PlayerToken, player_tokens
from tracker.web.events.registry import kind_of
from tracker.web.events.sentences import event_subject, sentence
from tracker.web.wording.texts import gettext as _, listed


def may_record(table: OpenNight, identity: Identity, event: Event) -> bool:
    """Return whether this phone may record this event, if nobody else has to agree to it; the host's may any."""
    if identity.role != "seat":
        return identity.role == "host"
    if not isinstance(event, Undo):
        is_open = table.settings.is_open_to_all
        return kind_of(event, table.night).may_record(event, table.night, identity.seat, is_open=is_open)
    log = snapshot_of(table)
    try:
        return may_take_back(log, identity.role, identity.seat, find(log.entries, event.event).number)
    except TableError:
        return False


def check_may_record(table: OpenNight, identity: Identity, event: Event) -> None:
    """Answer 403 unless this phone may record this event, and the night's lock is open where it needs that."""
    if not may_record(table, identity, event):
        abort(403)
    get_access().lock.check(table, identity, event)


def check_may_speak_for(table: OpenNight, identity: Identity, seat: str) -> None:
    """Answer 403 unless this phone may type what a seat holds or decides before it is recorded."""
    is_own = identity.role == "seat" and (identity.seat == seat or table.settings.is_open_to_all)
    if identity.role != "host" and not is_own:
        abort(403)


def agreed_by(table: OpenNight, identity: Identity, event: Event) -> frozenset[str] | None:
    """Return the seats that agree to an event when this phone sends it; None where it decides for everybody."""
    if identity.role == "host" or table.settings.is_open_to_all:
        return None
    own = frozenset({identity.seat or ""})
    if not isinstance(event, Hand):
        return own
    plan = snapshot_of(table).plan  # who lends for the ante, as the host said
    return own | {lender for payer, lender in event.cover.items() if plan.get(payer) == lender}


def record_or_ask(
    table: OpenNight,
    identity: Identity,
    event: Event,
    *,
    id: str,  # noqa: A002
    seen: ExpectedState | None = None,
) -> Outcome | None:
    """Record an event, or ask those whose yes it needs (None). Raises TableError; 403 where it is not theirs."""
    is_guests = identity.role == "seat" and not table.settings.is_open_to_all
    if is_guests and isinstance(event, Buy) and event.seat == identity.seat:  # the host keeps the box and says yes
        table.preview(event)
        _store(table, event.seat, ConsentRequest(id, event, frozenset()))
        return None
    check_may_record(table, identity, event)
    try:
        return table.record(event, id=id, by=identity.by, seen=seen, agreed=agreed_by(table, identity, event))
    except NeedsConsent as needed:
        if identity.seat is None:
            raise
        _store(table, identity.seat, ConsentRequest(id, event, frozenset(needed.seats)))
        return None


def claim_place(table: OpenNight, identity: Identity, _argument: str, form: Mapping[str, str]) -> None:
    """Correct who took a place in this hand, or ask for it. Raises TableError, also where nobody has taken it."""
    pot, seat = form.get("pot", ""), table.night.require_seated(form.get("seat", ""))
    check_may_speak_for(table, identity, seat)
    taken = {
        one.pot: (number, one.seat) for number, one, _after in snapshot_of(table).steps if isinstance(one, Collect)
    }
    if pot not in taken:
        raise AlreadyDone("this is not asked for any more: look at the table")
    number, taker = taken[pot]
    if taker == seat:
        return
    event, id_ = Amend(number, {"seat": seat}), id_from_content(form)
    if identity.role == "host":
        get_access().lock.check(table, identity, event)
        table.record(event, id=id_, by=identity.by)
    elif identity.seat:
        table.preview(event)
        _store(table, identity.seat, ConsentRequest(id_, event, frozenset({taker})))


def claimed(table: OpenNight, event: Event) -> Collect | None:
    """Return the event by which a place was taken that a correction gives to somebody else; None for any other one."""
    if not isinstance(event, Amend) or set(event.change) != {"seat"}:
        return None
    steps = snapshot_of(table).steps
    found = next((one for number, one, _after in steps if number == event.event), None)
    return found if isinstance(found, Collect) else None


@dataclass(frozen=True)
class ConsentRequest:
    """An event that a seat wants to record, and whose yes it needs."""

    id: str
    """Of the event: however many say yes at once, it is recorded once."""
    event: Event
    missing: frozenset[str]
    """The seats that are asked and have not said yes."""
    agreed: frozenset[str] = frozenset()

    @classmethod
    def read(cls, text: str) -> ConsentRequest:
        """Return a stored request; raises any of UNREADABLE."""
        raw = json.loads(text)
        return cls(str(raw["id"]), event_from(raw["event"]), frozenset(raw["missing"]), frozenset(raw["agreed"]))

    def text(self) -> str:
        seats = {"missing": sorted(self.missing), "agreed": sorted(self.agreed)}
        return json.dumps({"id": self.id, "event": event_to(self.event), **seats})


def _store(table: OpenNight, asker: str, request: ConsentRequest | None) -> None:
    table.choose(NightSettings.requests, {asker: request.text() if request else None})


def _requests(table: OpenNight) -> Iterator[tuple[str, ConsentRequest]]:
    """Yield who asks, and for what, as far as that seat may still record it."""
    for asker, text in snapshot_of(table).requests.items():
        with suppress(*UNREADABLE):
            request = ConsentRequest.read(text)
            needs_host = isinstance(request.event, Buy) or claimed(table, request.event)
            may_ask = needs_host or may_record(table, Identity(role="seat", seat=asker), request.event)
            if asker in table.night.seats and may_ask:
                yield asker, request


def answer_request(table: OpenNight, identity: Identity, argument: str, form: Mapping[str, str]) -> None:
    """Record or drop what a seat asks for, by `yes/<seat>` or `no/<seat>`; 403 for the wrong one. Raises TableError."""
    answer, _slash, asker = argument.partition("/")
    shown = form.get("request", "")
    if table.outcome_of(shown, by=identity.by):
        return
    request = dict(_requests(table)).get(asker)
    if request is None and answer == "no":  # withdrawn, or answered with no, a moment before
        return
    if request is None or request.id != shown:  # a yes is for what the page has shown, not for what is asked since
        raise AlreadyDone("this is not asked for any more: look at the table")
    may_answer = identity.role == "host" or (identity.role == "seat" and identity.seat in request.missing)
    if not may_answer and (answer == "yes" or identity.role != "seat" or identity.seat != asker):
        abort(403)
    if answer == "yes":
        get_access().lock.check(table, identity, request.event)
        agreed = request.agreed | {asker, identity.seat or ""}
        everybody = None if identity.role == "host" else agreed
        try:
            table.record(request.event, id=request.id, by=identity.by, agreed=everybody)
        except NeedsConsent as needed:
            _store(table, asker, replace(request, missing=frozenset(needed.seats), agreed=agreed))
            return
    _store(table, asker, None)


@dataclass(frozen=True)
class ShownRequest:
    """What somebody asks for, as one viewer is shown it."""

    id: str
    asker: PlayerToken
    words: Markup
    may_answer: bool
    """Whether this viewer is asked, or is the host; who asks can only withdraw it."""
    is_possible: bool
    """Whether those who are asked have so many chips now."""


def shown_requests(table: OpenNight, viewer: Viewer) -> Iterator[ShownRequest]:
    """Yield what this phone is asked to agree to, or has asked for itself."""
    faces = player_tokens(table.night)
    for asker, request in _requests(table):
        is_mine = viewer.role == "seat" and viewer.seat in request.missing
        if viewer.role == "host" or is_mine or viewer.seat == asker:
            try:
                after = table.preview(request.event)
            except NotEnoughChips:
                after = None
            except TableError:
                continue
            words = _words(table, asker, request, after, viewer)
            yield ShownRequest(request.id, faces[asker], words, viewer.role == "host" or is_mine, after is not None)


def _words(table: OpenNight, asker: str, request: ConsentRequest, after: Night | None, viewer: Viewer) -> Markup:
    """Return what is asked for; `after` is the state that it leads to, None where that is impossible just now."""
    event, is_mine = request.event, viewer.seat in request.missing
    lenders = Markup(listed(bdi(table.night.name(seat)) for seat in sorted(request.missing)))  # noqa: S704 - escaped
    facts = {"name": bdi(table.night.name(asker)), "lender": lenders}
    if taken := claimed(table, event):
        facts["place"] = bdi(_(table.night.name(taken.pot)))
        facts["winner"] = bdi(table.night.name(str(event.change["seat"]))) if isinstance(event, Amend) else Markup()
        mine, own = _("%(winner)s took %(place)s, not you?"), _("You say: %(place)s was yours.")
        of_others = _("%(winner)s took %(place)s, not %(lender)s?")
    elif isinstance(event, Buy):
        facts["n"] = escape(event.chips)
        mine = of_others = _("%(name)s wants to buy %(n)s")
        own = _("The host is asked for %(n)s chips")
    elif isinstance(event, Borrow):
        facts["n"] = escape(event.chips)
        mine = _("%(name)s wants to borrow %(n)s from you")
        own, of_others = _("%(lender)s is asked for %(n)s chips"), _("%(name)s wants to borrow %(n)s from %(lender)s")
    else:
        facts["what"] = _what(table, event, after)
        mine = _("%(name)s needs your chips: %(what)s")
        own, of_others = _("%(lender)s is asked: %(what)s"), _("%(name)s needs chips of %(lender)s: %(what)s")
    return Markup(escape(mine if is_mine else own if viewer.seat == asker else of_others)) % facts  # noqa: S704 - escaped


def _what(table: OpenNight, event: Event, after: Night | None) -> Markup:
    """Return what an event would do; of an undo, what it brings back or takes back."""
    if after is None:
        return event_subject(event, table.night)
    if not isinstance(event, Undo):
        return sentence(event, table.night, after)
    undone, _undos = undone_by(table.entries, Entry(table.head + 1, event))
    what = sentence(undone.event, None, after)
    return Markup(escape(_("Counts again: %(what)s"))) % {"what": what}  # noqa: S704 - escaped
