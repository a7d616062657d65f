"""The pages of a rehearsal, in memory only: two hands with pretend guests, and hints what to tap next."""

import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast
from weakref import finalize

from flask import Blueprint, Flask, current_app, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.app.open_night import ExpectedState, OpenNight
from tracker.app.person_names import comparison_key
from tracker.app.seating import sit_down
from tracker.core import pot_game
from tracker.core.errors import TableError
from tracker.core.events import Bid, Chips, Collect, Event, Exchange, Hand, NoSale, Out, Pass, Sale
from tracker.core.night import LOBBY, PLAY, SHOWDOWN, Night
from tracker.extras.rehearsal.players import cards_of, next_events, with_cover
from tracker.storage import Store
from tracker.web.access.permissions import identify
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, get_template, redirect_to
from tracker.web.error_pages import refused
from tracker.web.wording.texts import gettext as _

PRESET = "michigan-rummy"
GUESTS = ("Mia", "Ben", "Tom", "Ana")
"""The first three of these whose name is not that of whoever tries it."""
HANDS, PEOPLE = 2, 4
SEED = "rehearsal 2930"
"""Deals cards with which a guest takes the first pot and whoever tries it the queen of hearts, and then goes out."""
PACE_SECONDS = 3.5
"""How long guests take for one thing."""
COLLECT_SECONDS = 90.0
"""How long guests wait for a pot that is not theirs before they play on."""
ALONE_SECONDS = 300.0
"""How long a rehearsal waits for a page that was closed."""
LONGEST_SECONDS = 3600.0
_POLL_SECONDS = 0.25
MOST_ENDED = 100
"""How many codes of rehearsals are remembered: a page that is still open is told that its table is gone."""


@dataclass(frozen=True)
class RehearsalStep:
    """What comes next, and whose it is: an event, or the cards left that a seat says before the hand is paid."""

    seat: str
    event: Event | None = None
    cards_left: int = 0


def next_step(night: Night, seed: str, out: str | None, said: Mapping[str, int], host: str) -> RehearsalStep | None:
    """Return what comes next, None when both hands are over; `out` says to be out, `said` the cards left known."""
    if night.phase == PLAY and out in pot_game.players(night) and out is not None:
        return _count_step(night, seed, out, said, host)
    if is_finished(night, seed):
        return None
    event = next(next_events(night, seed), None)
    return RehearsalStep(_seat_of(night, event, host), event) if event else None


def is_finished(night: Night, seed: str) -> bool:
    """Return whether both hands have been played, or the night was ended before."""
    is_over = night.phase == SHOWDOWN and isinstance(next(next_events(night, seed), None), Hand)
    return night.is_over or (night.hand >= HANDS and is_over)


def _count_step(night: Night, seed: str, out: str, said: Mapping[str, int], host: str) -> RehearsalStep:
    """Return who says their cards left next, the guests first; else that the hand is paid."""
    cards = cards_of(night, seed)
    end = cards.finishes.get(out, len(cards.plays))
    payers = sorted(
        (seat for seat in pot_game.players(night) if seat not in (out, *said)), key=lambda seat: seat == host
    )
    if payers:
        return RehearsalStep(payers[0], None, len(cards.left(payers[0], end)))
    left = {seat: Chips(said.get(seat, 0)) for seat in night.current_deal().seats if seat != out}
    return RehearsalStep(out, with_cover(night, Out(out, left)))


def _seat_of(night: Night, event: Event, host: str) -> str:
    """Return who records an event: the person it is about, the dealer, or for what everybody sees a guest."""
    if isinstance(event, Hand):
        return event.dealer
    seat = getattr(event, "seat", None) or getattr(event, "buyer", None)
    if seat is None and not night.is_between_hands and night.dealer:
        return night.dealer
    return seat or next(one for one in night.seats if one != host)


class Rehearsal:
    """One rehearsal with its guests, who play in a thread of their own until it ends."""

    def __init__(self, nights: Nights, host_name: str, *, pace_seconds: float = PACE_SECONDS) -> None:
        self._nights, self._pace = nights, pace_seconds
        store = Store(None)
        self.table = Nights(store, nights.live).open(PRESET, name="")
        # A request may still be reading a night that has ended, so its store is closed with the last reference to it.
        finalize(self.table, store.close)
        nights.temporary[self.table.code] = self.table
        names = [host_name, *(guest for guest in GUESTS if comparison_key(guest) != comparison_key(host_name))]
        self.host, *_ = [sit_down(self.table, name, key=new_id(), by="")[0] for name in names[:PEOPLE]]
        self._ended = threading.Event()
        self._began = self._watched = self._changed = time.monotonic()
        self._version = -1
        self._thread = threading.Thread(target=self._play, name="rehearsal", daemon=True)
        with suppress(RuntimeError):  # the system gives no more threads, or has none: whoever began it calls `look`
            self._thread.start()

    @property
    def step(self) -> RehearsalStep | None:
        """What comes next at the table; None when it is finished."""
        _, _, _, night, draft = self.table.snapshot()
        return next_step(night, SEED, draft.winner, draft.counts, self.host)

    def end(self) -> None:
        """Send the guests home and forget the night; a second call does nothing."""
        self._ended.set()
        self._nights.temporary.pop(self.table.code, None)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    @property
    def is_ended(self) -> bool:
        return self._ended.is_set()

    def _play(self) -> None:
        while not self._ended.wait(_POLL_SECONDS):
            self.look()

    def look(self) -> None:
        """Do what is the guests' to do, after a pause, as long as somebody watches; else end the rehearsal."""
        now, live = time.monotonic(), self._nights.live
        if live.is_stopped or now - self._began > LONGEST_SECONDS or now - self._watched > ALONE_SECONDS:
            self.end()
            return
        is_watched = bool(live.presence.devices(self.table.code))
        if self.table.version != self._version or not is_watched:
            self._changed, self._version = now, self.table.version
        if is_watched:
            self._watched = now
            self._act(now - self._changed)

    def _act(self, seconds: float) -> None:
        """Do the next thing if it is a guest's, and the state has been what it is for so many seconds."""
        step = self.step
        if step and step.seat == self.host and isinstance(step.event, Collect) and seconds > COLLECT_SECONDS:
            step = self._without_host()
        if step is None or step.seat == self.host or seconds < self._pace:
            return
        with suppress(TableError):  # the host was faster: the next look finds what comes now
            self._do(step)

    def _without_host(self) -> RehearsalStep | None:
        """Return what comes next if the host leaves a pot lying."""
        for event in next_events(self.table.night, SEED):
            seat = _seat_of(self.table.night, event, self.host)
            if seat != self.host:
                return RehearsalStep(seat, event)
        return None

    def _do(self, step: RehearsalStep) -> None:
        head = self.table.head
        if step.event is None:
            self.table.set_draft_value(step.seat, step.cards_left)
        elif isinstance(step.event, Out) and self.table.draft.winner is None:
            self.table.set_draft_winner(step.seat)
        else:
            self.table.record(step.event, id=new_id(), by=step.seat, seen=ExpectedState(head=head, is_exact=True))


class Rehearsals:
    """The rehearsal of this server: one at a time."""

    def __init__(self, nights: Nights) -> None:
        self._nights, self._lock = nights, threading.Lock()
        self.pace_seconds = PACE_SECONDS
        self._current: Rehearsal | None = None
        self._codes = deque[str](maxlen=MOST_ENDED)

    @property
    def current(self) -> Rehearsal | None:
        return self._current if self._current and not self._current.is_ended else None

    def look(self) -> None:
        """Take the guests' turns that are due, where no thread does."""
        if current := self.current:
            current.look()

    def has_ended(self, code: str) -> bool:
        """Return whether a code was that of a rehearsal which is over."""
        current = self.current
        return code in self._codes and not (current and current.table.code == code)

    def begin(self, host_name: str) -> Rehearsal:
        """Begin a rehearsal; one that goes on ends."""
        with self._lock:
            if self._current:
                self._current.end()
            self._current = Rehearsal(self._nights, host_name, pace_seconds=self.pace_seconds)
            self._codes.append(self._current.table.code)
            return self._current

    def end(self) -> None:
        with self._lock:
            if self._current:
                self._current.end()
                self._current = None


@dataclass(frozen=True)
class Hint:
    """One sentence beside what it is about."""

    name: str
    """One that was put away stays away until there is one of another name."""
    text: str
    at: str
    """The CSS selector of what to tap."""
    then_text: str = ""
    """What is said once the question `then_asked` is on the page."""
    then_at: str = ""
    then_asked: str = ""
    is_end: bool = False


def hint_of(rehearsal: Rehearsal) -> Hint | None:
    """Return the hint for now; None while there is nothing to say."""
    step, night = rehearsal.step, rehearsal.table.night
    if step is None:
        return Hint("end", "", "", is_end=True)
    if step.seat != rehearsal.host:
        return _while_guests_play(rehearsal, night)
    if step.event is None:
        return _cards_left(night, step, rehearsal.table.draft.winner)
    return _own_turn(night, step.event, rehearsal)


def _while_guests_play(rehearsal: Rehearsal, night: Night) -> Hint | None:
    newest = rehearsal.table.entries[-1].event
    if night.phase == LOBBY:
        text = _(
            "You are %(name)s, the others only pretend. Watch: all the antes go in.", name=night.name(rehearsal.host)
        )
        return Hint("hello", text, ".seats")
    if isinstance(newest, Collect) and newest.seat == rehearsal.host and night.hand == 1:
        return Hint("undo", _("That was it: the chips are yours. After a wrong tap, tap Undo."), ".a-rest .undo")
    return None


def _cards_left(night: Night, step: RehearsalStep, winner: str | None) -> Hint:
    facts = {"name": night.name(winner or ""), "n": step.cards_left}
    text = _("%(name)s is out of cards. You still hold %(n)s: tap %(n)s.", **facts)
    return Hint("cards", text, f".pad [data-key='{step.cards_left}']")


def _own_turn(night: Night, event: Event, rehearsal: Rehearsal) -> Hint | None:
    hint, own_seat, name = None, f"#s-{rehearsal.host}", night.name(rehearsal.host)
    then = _("Now tap %(name)s: that is you.", name=name)
    match event:
        case Collect():
            card = _(night.name(event.pot))
            text = _("You play the %(card)s. Tap it on the board, then %(name)s.", card=card, name=name)
            hint = Hint(f"collect {event.pot}", text, f"#p-{event.pot}", then, own_seat, "collect")
        case Hand():
            text = _("You deal now. One tap, and all the antes are on the board.")
            hint = Hint("ante", text, f"#ante-{night.hand + 1}")
        case Exchange() | NoSale() | Sale():
            text = _("The dealer may swap for the dummy hand. Yours are good cards: leave it.")
            hint = Hint("dummy", text, "#do-dead")
        case Bid() | Pass():
            hint = Hint("bid", _("Your bid for the dummy hand: tap a number, or pass."), ".a-rest .row")
        case Out() if rehearsal.table.draft.winner is None:
            text = _("You play your last card! Tap “Someone is out”, then %(name)s.", name=name)
            hint = Hint("out", text, "#do-out", then, own_seat, "out")
        case Out():
            hint = Hint("pay", _("Everybody has said what they hold. Tap here, and they pay you."), "#pay")
    return hint


bp = Blueprint("rehearsal", __name__)
NAME = "Alex"
"""Of somebody who has not been a host yet."""


def begin_app(app: Flask) -> None:
    """Let an app have a rehearsal: its hints beside the table, and its guests' turns where no thread takes them."""
    rehearsals = app.extensions["rehearsals"] = Rehearsals(app.extensions["nights"])
    app.extensions["hint"] = hint_html
    app.extensions["due"].append(rehearsals.look)


def get_rehearsals() -> Rehearsals:
    return cast(Rehearsals, current_app.extensions["rehearsals"])


def hint_html(table: OpenNight) -> Markup:
    """Return the hint beside what is to be tapped next in a rehearsal; needs no request."""
    rehearsal = get_rehearsals().current
    hint = hint_of(rehearsal) if rehearsal and rehearsal.table is table else None
    macros: Any = get_template("rehearsal/_hint.html").module
    return cast(Markup, macros.hint(hint)) if hint else Markup()


@bp.app_errorhandler(403)
def lead_away_from_ended(error: HTTPException) -> ResponseReturnValue:
    """Lead whoever opens the address of a rehearsal that is over to the first page, which says so."""
    code = str((request.view_args or {}).get("code", ""))
    is_page = request.method == "GET" and (request.endpoint or "").endswith(".page")
    if is_page and get_rehearsals().has_ended(code) and identify(None).role == "host":
        return redirect_to("home.index", rehearsal="over")
    return refused(error)


@bp.post("/rehearsal")
@may(HOST, in_memory=True)
def begin() -> ResponseReturnValue:
    """Begin a rehearsal; one that goes on ends."""
    name = get_nights().settings.host_name or NAME
    return redirect_to("table.page", code=get_rehearsals().begin(name).table.code)


@bp.post("/rehearsal/end")
@may(HOST, in_memory=True)
def end() -> ResponseReturnValue:
    """Send the guests home; nothing is left of the night."""
    get_rehearsals().end()
    return redirect_to("new_night.games" if "next" in request.form else "home.index")
