"""What the table's page shows: the state of a night turned into values that templates only have to print.

Pure functions: no Flask, no words. Everything depends on the night, its log and who looks, nothing on the request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tracker.core import pot_game
from tracker.core.log import Entry
from tracker.core.night import ENDED, Night
from tracker.web.faces import Face, Label, faces, label_of
from tracker.web.moments import Moment, moment_of
from tracker.web.places import PlaceView, board_size, places_of
from tracker.web.seats import SeatView, seat_view
from tracker.web.strip import Item, antes_of, strip
from tracker.web.taking_back import UndoView, undo_for


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
    at: str = ""
    """Which moment this is, as `start:number`: of two pictures of one start, the one with the lower number is older."""
    drawn: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """What was drawn of it already, for whoever looks next (tracker/web/drawn.py)."""

    @property
    def head(self) -> int:
        return len(self.entries)

    # The same for everyone who looks, so found once

    @cached_property
    def moment(self) -> Moment:
        return moment_of(self.night, self.out, self.plan, self.waived, is_last=self.is_last)

    @cached_property
    def places(self) -> tuple[PlaceView, ...]:
        return places_of(self.night)

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        return tuple(
            seat_view(self.night, self.moment, self.plan, self.faces[seat], is_here=seat in self.present)
            for seat in self.night.seats
        )

    @cached_property
    def by_seat(self) -> Mapping[str, SeatView]:
        return {seat.face.seat: seat for seat in self.seats}

    @cached_property
    def faces(self) -> Mapping[str, Face]:
        return faces(self.night)

    @cached_property
    def antes(self) -> Mapping[str, int]:
        """What each seat put in at the beginning of this hand, in chips."""
        return antes_of(self.night)

    def take_over(self, older: Scene) -> None:
        """Keep what was found out for an older scene of the same night, where it can't have changed."""
        if _antes_mark(self.night) == _antes_mark(older.night):
            self.__dict__["antes"] = older.antes


def _antes_mark(night: Night) -> tuple[object, ...]:
    return night.hand, night.preset, night.deal and (night.deal.seats, night.deal.winner)


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

    @property
    def faces(self) -> Mapping[str, Face]:
        return self.scene.faces

    @cached_property
    def me(self) -> SeatView | None:
        found = self.scene.by_seat.get(self.viewer.seat or "")
        return replace(found, is_me=True) if found else None

    @cached_property
    def dealer(self) -> Face | None:
        seat = self.moment.dealer or self.night.dealer
        return self.faces.get(seat) if seat else None

    @property
    def key(self) -> str:
        """Sent with every form: with what it says it makes the event's id, so a double tap is one event."""
        return f"{self.viewer.seat or self.viewer.role}-{self.head}"

    @cached_property
    def strip(self) -> tuple[Item, ...]:
        """What this hand has brought the viewer."""
        return strip(self.night, self.viewer.seat, self.scene.antes)

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
    def jackpot(self) -> int:
        """Chips of the board that whoever is out takes; none for an offender whom the house rule denies them."""
        winner = self.moment.winner
        if winner is None or pot_game.loses_jackpot(self.night, winner):
            return 0
        return sum(self.night.pot(pot.id) for pot in self.night.preset.won_by("out"))

    @property
    def pool_waits(self) -> bool:
        """Whether the poker pool of the whole night is won after the hand that is being played."""
        is_on = self.night.deal is not None and not self.night.is_between_hands
        return self.scene.is_last and is_on and self.night.preset["poker.when"] == "session_end" and self.pool > 0

    @property
    def said_cards(self) -> int:
        """Cards left that are known so far."""
        return sum(self.scene.said.get(seat, 0) for seat in self.moment.payers)

    @property
    def lacks(self) -> int:
        """Chips that the viewer still has to find for the next ante."""
        seat = self.viewer.seat
        return self.moment.short.get(seat, 0) if seat and not self.scene.plan.get(seat) else 0

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

    @cached_property
    def did(self) -> bool:
        """Whether the newest event is about whoever looks on the own phone."""
        is_seat = self.last is not None and getattr(self.last.event, "seat", None) == self.viewer.seat
        return is_seat and self.viewer.role == "seat"

    @cached_property
    def dock(self) -> tuple[object, ...]:
        """What the dock depends on besides the scene: on phones with the same one it is the same."""
        viewer, moment, me = self.viewer, self.moment, self.me
        if viewer.records_for_all or viewer.role != "seat" or moment.name == "stakes":
            return (viewer, self.undo)
        own = me and (me.no, me.face.seat if self.lacks else "")
        if moment.name == "play":
            return (own, self.undo, self.did)
        parts = (self.night.dealer, moment.dealer, moment.winner, moment.turn)
        return (own, self.undo, self.did, *(one == viewer.seat for one in parts))

    @cached_property
    def group(self) -> tuple[object, ...]:
        """What the page depends on besides the scene and what is one phone's alone (tracker/web/drawn.py)."""
        if not self.is_own or self.viewer.records_for_all or self.moment.name == "count":
            return (self.viewer,)
        return ("own",)

    @cached_property
    def is_own(self) -> bool:
        """Whether somebody at the table looks at it on the own phone."""
        return self.viewer.role == "seat" and self.me is not None

    @property
    def may_act(self) -> bool:
        return self.viewer.role in ("host", "seat") and self.night.phase != ENDED


def table_view(scene: Scene, viewer: Viewer) -> TableView:
    """Return what `viewer` sees of the table."""
    return TableView(
        scene=scene,
        viewer=viewer,
        moment=scene.moment,
        places=scene.places,
        seats=scene.seats,
        last=_last(scene),
        undo=undo_for(scene, viewer.role, viewer.seat),
    )


def _last(scene: Scene) -> Entry | None:
    return scene.entries[-1] if scene.entries else None
