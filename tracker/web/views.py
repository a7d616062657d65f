"""What the table's page shows: the state of a night turned into values that templates only have to print.

Pure functions: no Flask, no words. Everything depends on the night, its log and who looks, nothing on the request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tracker.core.events import Event, Undo
from tracker.core.log import Entry
from tracker.core.night import ENDED, LOBBY, PLAY, SHOWDOWN, STAKES, Night
from tracker.web.faces import Face, Label, faces, label_of
from tracker.web.moments import Moment, moment_of
from tracker.web.places import PlaceView, board_size, places_of
from tracker.web.strip import Item, strip

KEPT_BY_HOST = ("sit", "end", "count", "leave", "order")
"""Kinds of events that a seat's phone does not take back, even its own."""


@dataclass(frozen=True)
class Viewer:
    """Who looks: a role, the own seat if any, and whether this phone may record for everyone."""

    role: str = "watcher"
    seat: str | None = None
    is_open: bool = False

    @property
    def records_for_all(self) -> bool:
        return self.role == "host" or (self.role == "seat" and self.is_open)


@dataclass(frozen=True)
class Scene:
    """A night as it stands at one event: all that a view is made from."""

    night: Night
    entries: Sequence[Entry] = ()
    struck: Mapping[int, int] = field(default_factory=dict)
    out: str | None = None
    """Who says to be out of cards, while the others' cards are asked for."""
    said: Mapping[str, int] = field(default_factory=dict)
    """Cards left that phones have typed for this hand."""
    plan: Mapping[str, str] = field(default_factory=dict)
    """For the next antes: seat -> `out` (sits out), or who lends, or `bank`."""
    waived: frozenset[str] = frozenset()
    """Questions of this hand's end that were answered with "nobody"."""
    is_last: bool = False
    present: frozenset[str] = frozenset()
    """Seats with a phone connected."""

    @property
    def head(self) -> int:
        return len(self.entries)


@dataclass(frozen=True)
class SeatView:
    """A person at the table."""

    face: Face
    stack: int
    change: int | None
    """Chips since before the antes; None between nights or when not in the hand."""
    state: str
    """The one word under the name: dealer, barred, out, dummy, away, short, sits-out, waits or nothing."""
    is_dealer: bool
    is_me: bool
    is_here: bool
    owes: int
    holds: int
    needs: int
    no: str
    """The questions for which this seat is no answer, separated by spaces."""


@dataclass(frozen=True)
class UndoView:
    """The event that one tap takes back (or brings back)."""

    number: int
    is_redo: bool
    is_own: bool
    further: int | None = None
    """Right after an undo: the event before the one undone, which can be taken back too."""


@dataclass(frozen=True)
class TableView:
    """Everything on the table's page for one viewer."""

    scene: Scene
    viewer: Viewer
    moment: Moment
    places: tuple[PlaceView, ...]
    seats: tuple[SeatView, ...]
    last: Entry | None
    undo: UndoView | None

    @property
    def night(self) -> Night:
        return self.scene.night

    @property
    def head(self) -> int:
        return self.scene.head

    @property
    def hub(self) -> PlaceView | None:
        return next((place for place in self.places if place.at is None), None)

    @property
    def board_size(self) -> int:
        return board_size(self.night)

    @cached_property
    def faces(self) -> Mapping[str, Face]:
        return faces(self.night)

    @property
    def me(self) -> SeatView | None:
        return next((seat for seat in self.seats if seat.is_me), None)

    @property
    def dealer(self) -> Face | None:
        seat = self.moment.dealer or self.night.dealer
        return self.faces.get(seat) if seat else None

    @property
    def key(self) -> str:
        """Sent with every form: with what it says it makes the event's id, so a double tap is one event."""
        return f"{self.viewer.seat or self.viewer.role}-{self.head}"

    @property
    def strip(self) -> tuple[Item, ...]:
        """What this hand has brought the viewer."""
        return strip(self.night, self.viewer.seat)

    @property
    def moved(self) -> int:
        """Chips that the last event moved in all."""
        return sum(one.chips for one in self.night.moved)

    def put_in(self, seat: str) -> int:
        """Chips that the last event took from a seat."""
        return sum(one.chips for one in self.night.moved if one.source == seat)

    @property
    def put_in_by_others(self) -> int:
        """Chips that the last event took from most people but the dealer."""
        paid = [self.put_in(seat) for seat in (self.night.deal.seats if self.night.deal else ())[:-1]]
        return max(set(paid), key=paid.count) if paid else 0

    @property
    def collecting(self) -> bool:
        """Whether some place can be taken now."""
        return any(place.ask == "collect" for place in self.places)

    @property
    def betting(self) -> bool:
        """Whether chips can be bet now: into the poker pool, or on a side pot."""
        is_pool = self.moment.name == "poker" and self.night.preset["poker.when"] == "before_betting"
        return is_pool or any(place.ask == "bettor" for place in self.places)

    @property
    def pool(self) -> int:
        """What the poker pool is worth."""
        pools = self.night.preset.won_by("poker")
        return sum(self.night.pot(pool.id) + self.night.ledger.notes_in(pool.id) for pool in pools)

    @property
    def said_cards(self) -> int:
        """Cards left that are known so far."""
        return sum(self.scene.said.get(seat, 0) for seat in self.moment.payers)

    @property
    def first_bidder(self) -> str:
        return self.night.the_deal().seats[0]

    @property
    def not_in(self) -> tuple[str, ...]:
        """Who does not put in for the next hand: sits out, or is short and has no cover."""
        words = ("sits-out", "short")
        return tuple(seat.face.seat for seat in self.seats if seat.state in words)

    def label(self, pot: str) -> Label:
        return label_of(self.night.preset.board[pot])

    @property
    def may_act(self) -> bool:
        return self.viewer.role in ("host", "seat") and self.night.phase != ENDED


def table_view(scene: Scene, viewer: Viewer) -> TableView:
    """Return what `viewer` sees of the table."""
    moment = moment_of(scene.night, scene.out, scene.plan, scene.waived)
    return TableView(
        scene=scene,
        viewer=viewer,
        moment=moment,
        places=places_of(scene.night),
        seats=tuple(_seat(scene, moment, viewer, seat) for seat in scene.night.seats),
        last=_last(scene),
        undo=_undo(scene, viewer),
    )


def _seat(scene: Scene, moment: Moment, viewer: Viewer, seat: str) -> SeatView:
    night, deal = scene.night, scene.night.deal
    in_hand = deal is not None and seat in deal.seats
    change = night.stack(seat) - deal.stacks_before[seat] if deal is not None and in_hand else None
    return SeatView(
        face=faces(night)[seat],
        stack=night.stack(seat),
        change=change if night.phase not in (LOBBY, ENDED) else None,
        state=_state(scene, moment, seat),
        is_dealer=seat == (moment.dealer or night.dealer),
        is_me=seat == viewer.seat,
        is_here=seat in scene.present,
        owes=night.ledger.owed_by(seat),
        holds=night.ledger.notes_in(seat),
        needs=moment.needs.get(seat, 0),
        no=_no(night, seat),
    )


def _state(scene: Scene, moment: Moment, seat: str) -> str:
    night, deal = scene.night, scene.night.deal
    if moment.name == "ante":
        plan = scene.plan.get(seat)
        if plan == "out":
            return "sits-out"
        if seat in moment.short:
            return "covered" if plan else "short"
    if deal is None or night.phase in (LOBBY, ENDED):
        return ""
    tests = (
        ("waits", seat not in deal.seats),
        ("gone", seat in deal.gone),
        ("barred", seat in deal.barred and night.phase != SHOWDOWN),
        ("won", seat == deal.winner),
        ("placed", night.phase == STAKES and seat in deal.placed),
        ("dummy", night.phase == PLAY and (seat == deal.buyer or (deal.dummy == "exchanged" and seat == deal.dealer))),
    )
    return next((word for word, is_so in tests if is_so), "")


def _no(night: Night, seat: str) -> str:
    """Return the questions that this seat can't be the answer to."""
    deal = night.deal
    if deal is None:
        return ""
    if seat not in deal.seats:
        return "collect share out buyer poker tie match stakes bettor"
    found = ["collect", "share"] if seat in deal.barred else []
    found += ["out"] if seat in deal.gone else []
    found += ["buyer"] if seat == deal.dealer else []
    found += ["match"] if seat in {offender for offender, _ in deal.withheld} else []
    found += ["stakes"] if seat in deal.placed else []
    return " ".join(found)


def _last(scene: Scene) -> Entry | None:
    return scene.entries[-1] if scene.entries else None


def _undo(scene: Scene, viewer: Viewer) -> UndoView | None:
    """Return what can be taken back: the newest event for the host, the own newest of this hand for a seat.

    Right after an undo its event can be brought back, and the one before it be taken back too.
    """
    if viewer.role not in ("host", "seat"):
        return None
    redo: int | None = None
    for entry in reversed(scene.entries):
        if entry.number in scene.struck:
            continue
        is_undo, is_own = isinstance(entry.event, Undo), entry.by == viewer.seat
        if is_undo and entry.number == scene.head and (viewer.role == "host" or is_own):
            redo = entry.number
        elif not is_undo and (viewer.role == "host" or (is_own and entry.event.kind not in KEPT_BY_HOST)):
            own = viewer.role != "host"
            return UndoView(redo, True, own, entry.number) if redo else UndoView(entry.number, False, own)
        if entry.event.kind == "hand" and viewer.role != "host":
            break
    return UndoView(redo, True, is_own=True) if redo else None


def undone(scene: Scene) -> Event | None:
    """Return the event that the newest entry took back, if it is an undo."""
    last = _last(scene)
    if last is None or not isinstance(last.event, Undo):
        return None
    ref = last.event.event
    return next((one.event for one in scene.entries if ref in (one.number, one.id)), None)
