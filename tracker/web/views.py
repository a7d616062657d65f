"""What the table's page shows: the state of a night turned into values that templates only have to print.

Pure functions: no Flask, no words. Everything depends on the night, its log and who looks, nothing on the request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tracker.core.events import Event, Undo
from tracker.core.log import Entry
from tracker.core.night import DUMMY, ENDED, PLAY, SHOWDOWN, Night
from tracker.web.board import COLOURINGS, MOST, heap_size
from tracker.web.faces import Face, Label, faces, label_of
from tracker.web.moments import Moment, moment_of
from tracker.web.strip import Item, strip

PACK = 52


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
class PlaceView:
    """A compartment: where it is, what lies in it, who took it, what a tap on it asks."""

    id: str
    at: int | None
    label: Label
    chips: int
    notes: int
    heap: str
    """The drawing of its chips in heaps.svg; empty when there are none."""
    size: str
    """How loud the number is: v0 (nothing) to v3 (the richest)."""
    taker: Face | None
    ask: str


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
    def ring(self) -> tuple[PlaceView, ...]:
        return tuple(place for place in self.places if place.at is not None)

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
    moment = moment_of(scene.night, scene.out, scene.said, scene.plan, scene.waived)
    return TableView(
        scene=scene,
        viewer=viewer,
        moment=moment,
        places=_places(scene.night),
        seats=tuple(_seat(scene, moment, viewer, seat) for seat in scene.night.seats),
        last=_last(scene),
        undo=_undo(scene, viewer),
    )


def board_size(night: Night) -> int:
    """Return how many places the board is drawn with around its centre."""
    centre = _centre(night)
    return min(MOST, max(3, sum(pot != centre for pot in night.preset.board)))


def _centre(night: Night) -> str | None:
    return next((pot.id for pot in night.preset.won_by("out")), None)


def _places(night: Night) -> tuple[PlaceView, ...]:
    centre = _centre(night)
    worths = {pot: night.pot(pot) + night.ledger.notes_in(pot) for pot in night.preset.board}
    most = max(worths.values(), default=0)
    loud = sum(worth >= 0.85 * most for worth in worths.values())
    around = [pot for pot in night.preset.board if pot != centre][:MOST]
    return tuple(
        _place(night, pot, around.index(pot) if pot in around else None, _size(worths[pot], most, loud), worths[pot])
        for pot in night.preset.board
        if pot in around or pot == centre
    )


def _place(night: Night, pot_id: str, at: int | None, size: str, worth: int) -> PlaceView:
    pot, chips = night.preset.board[pot_id], night.pot(pot_id)
    return PlaceView(
        id=pot_id,
        at=at,
        label=label_of(pot),
        chips=chips,
        notes=worth - chips,
        heap=f"{COLOURINGS[(at or 0) % len(COLOURINGS)]}{heap_size(chips)}" if chips else "",
        size=size,
        taker=faces(night).get(_taker(night, pot_id)) if not worth else None,
        ask=_place_ask(night, pot.won_by, worth),
    )


def _taker(night: Night, pot_id: str) -> str:
    """Return who took a pot in this hand; nobody when it was shared, or taken in another hand."""
    deal = night.deal
    if deal is None or night.phase not in (PLAY, SHOWDOWN):
        return ""
    if night.preset.board[pot_id].won_by == "poker":
        return deal.poker[0] if deal.poker and len(deal.poker) == 1 else ""
    return deal.taken[pot_id].seat if pot_id in deal.taken else ""


def _size(worth: int, most: int, loud: int) -> str:
    """Return how loud a number is: one or two rich places pull the eye, a poor one stays quiet."""
    if not worth:
        return "v0"
    if worth >= 0.85 * most and loud <= 2:
        return "v3"
    return "v2" if worth >= 0.4 * most else "v1"


def _place_ask(night: Night, won_by: str, worth: int) -> str:
    if won_by == "out":
        return "out" if night.phase == PLAY else ""
    if won_by == "poker":
        early = night.preset["poker.when"] == "before_showdown" and night.phase in (DUMMY, PLAY)
        open_ = night.deal is not None and night.deal.poker is None
        return "poker" if worth and open_ and (early or night.phase == SHOWDOWN) else ""
    late = night.phase == SHOWDOWN and night.preset["late_claim"] == "allowed_until_hand_end"
    return "collect" if worth and (night.phase == PLAY or late) else ""


def _seat(scene: Scene, moment: Moment, viewer: Viewer, seat: str) -> SeatView:
    night, deal = scene.night, scene.night.deal
    in_hand = deal is not None and seat in deal.seats
    change = night.stack(seat) - deal.stacks_before[seat] if deal is not None and in_hand else None
    return SeatView(
        face=faces(night)[seat],
        stack=night.stack(seat),
        change=change if night.phase in (DUMMY, PLAY, SHOWDOWN) else None,
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
    if deal is None or night.phase not in (DUMMY, PLAY, SHOWDOWN):
        return ""
    tests = (
        ("waits", seat not in deal.seats),
        ("gone", seat in deal.gone),
        ("barred", seat in deal.barred and night.phase != SHOWDOWN),
        ("won", seat == deal.winner),
        ("dummy", night.phase == PLAY and (seat == deal.buyer or (deal.dummy == "exchanged" and seat == deal.dealer))),
    )
    return next((word for word, is_so in tests if is_so), "")


def _no(night: Night, seat: str) -> str:
    """Return the questions that this seat can't be the answer to."""
    deal = night.deal
    if deal is None:
        return ""
    if seat not in deal.seats:
        return "collect out buyer poker tie held"
    found = ["collect"] if seat in deal.barred else []
    found += ["out"] if seat in deal.gone else []
    found += ["buyer"] if seat == deal.dealer else []
    found += ["held"] if seat in {offender for offender, _ in deal.withheld} else []
    return " ".join(found)


def _last(scene: Scene) -> Entry | None:
    return scene.entries[-1] if scene.entries else None


def _undo(scene: Scene, viewer: Viewer) -> UndoView | None:
    """Return what one tap takes back: the newest event for the host, the own newest of this hand for a seat."""
    if viewer.role not in ("host", "seat"):
        return None
    for entry in reversed(scene.entries):
        if entry.number in scene.struck:
            continue
        if viewer.role == "host":
            return UndoView(entry.number, isinstance(entry.event, Undo), is_own=False)
        if entry.by == viewer.seat and entry.event.kind not in ("sit", "end", "count"):
            return UndoView(entry.number, isinstance(entry.event, Undo), is_own=True)
        if entry.event.kind == "hand":
            return None
    return None


def most_cards(night: Night) -> int:
    """Return how many cards a player can hold at most, from what is dealt: the number pad shows no others."""
    players = len(night.deal.seats) if night.deal else len(night.seats)
    hands = players + (night.preset["dummy"] != "unused")
    return -(-PACK // max(hands, 1))


def undone(scene: Scene) -> Event | None:
    """Return the event that the newest entry took back, if it is an undo."""
    last = _last(scene)
    if last is None or not isinstance(last.event, Undo):
        return None
    ref = last.event.event
    return next((one.event for one in scene.entries if ref in (one.number, one.id)), None)
