"""What the table's page shows, as values: pure functions of the night, its log and who looks, without words."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import timedelta
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from tracker.core import log
from tracker.core.errors import TableError
from tracker.core.events import Amount, Collect, End, Event, Exchange, Hand, Sale
from tracker.core.log import Entry
from tracker.core.night import ENDED, LOBBY, PLAY, POKER, SHOWDOWN, STAKES, Deal, Night
from tracker.core.payments import may_excuse
from tracker.core.pot_game import night_pool, with_new_rules
from tracker.core.preset import Pot
from tracker.core.queries.options import (
    HandPayment,
    covers,
    going_out,
    hand_payment,
    may_bet_on_pool,
    may_happen,
    may_share,
    pots_to_turn_up,
    unanswerable,
)
from tracker.core.queries.prompts import Prompt, ante_fault, asked_seats
from tracker.core.queries.undo_policy import UndoView, undo_for
from tracker.formats.evening import moment_of
from tracker.web.base.snapshot import NightSnapshot, SnapshotView, Viewer
from tracker.web.drawing.board_places import PlaceView, places_of
from tracker.web.drawing.player_token import PlayerToken, PotLabel, label_of, player_tokens
from tracker.web.events.registry import NOT_WON, outside_net, split_by_reason
from tracker.web.events.sentences import BY_LOT, LastEvent, last_event


class SeatView(NamedTuple):
    """A person at the table."""

    face: PlayerToken
    stack: int
    change: int | None
    """Chips won or lost in the hand; None between nights or when not in the hand."""
    past_hand: int
    """The number of that hand once it is over; 0 while it is played."""
    state: str
    """The one word under the name: dealer, barred, out, dummy, away, short, sits-out, waits or nothing."""
    is_dealer: bool
    owes: int
    holds: int
    needs: int
    no: str
    """The questions for which this seat is no answer, separated by spaces."""


def _state(night: Night, moment: Prompt, plan: str, seat: str) -> str:
    deal = night.deal
    if moment.name == "ante":
        if plan == "out":
            return "sits-out"
        if seat in moment.short:
            return "covered" if plan else "short"
    if deal is None or night.phase in (LOBBY, ENDED):
        return ""
    tests = (
        ("waits", seat not in deal.seats and moment.name != "ante"),  # then they are in the hand that comes
        ("gone", seat in deal.out_of_cards),
        ("barred", seat in deal.barred and night.phase != SHOWDOWN),
        ("won", seat == deal.winner),
        ("folded", night.phase == POKER and seat in deal.folded),
        ("placed", night.phase == STAKES and seat in deal.stakes_placed),
        ("dummy", night.phase == PLAY and (seat == deal.buyer or (deal.dummy == "exchanged" and seat == deal.dealer))),
    )
    return next((word for word, is_so in tests if is_so), "")


class SummaryItem(NamedTuple):
    """Chips won (+) or paid (-) by one thing: a reason (`reason_name`), or `pot` with the pot's label."""

    what: str
    chips: int
    label: PotLabel | None = None
    is_won: bool = True
    """Whether it counts as won or lost in the hand: not what was bought, lent, paid back or corrected."""


@dataclass(frozen=True)
class HandSums:
    """What a hand has brought every seat up to some event of it. Immutable: another event makes another object."""

    steps: Sequence[log.PlayedEvent] = ()
    """The step before the hand and those that are summed up."""
    sums: Mapping[str, dict[tuple[str, str], int]] = field(default_factory=dict)
    """By seat of the hand: (reason, pot or nothing) -> chips, in the order in which they came."""
    newest: Mapping[str, int] = field(default_factory=dict)
    """By seat the number of the newest entry that may have moved its chips: its sums may be the same after several."""

    def after(self, night: Night, steps: Sequence[log.PlayedEvent], seats: Sequence[str] = ()) -> HandSums:
        """Return the sums after these steps, of `seats` or all in the hand; only the new steps are looked at."""
        deal, count = night.deal, len(self.steps)
        if deal is None or night.phase in (LOBBY, ENDED):
            return HandSums()
        # A correction replaces every step from the one that it changes on, so where the last is the same, all are.
        is_longer = 0 < count <= len(steps) and all(steps[at][2] is self.steps[at][2] for at in (0, count - 1))
        sums = dict(self.sums) if is_longer else {seat: {} for seat in seats or deal.seats}
        newest = dict(self.newest) if is_longer else {}
        for (_number, _event, before), (number, event, after) in pairwise(steps[count - 1 :] if is_longer else steps):
            for seat in _concerned(before, after, tuple(sums)):
                sums[seat], newest[seat] = (of_seat := dict(sums[seat])), number
                for what, pot, chips in _changes(event, before, after, seat):
                    if chips:
                        of_seat[what, pot] = of_seat.get((what, pot), 0) + chips
        return HandSums(steps, sums, newest)

    def items(self, night: Night, seat: str | None) -> tuple[SummaryItem, ...]:
        """Return the items of a seat, oldest first, whose sum is what its stack has changed; nothing outside a hand."""
        return tuple(
            SummaryItem(what, chips, label_of(night.preset.board[pot]) if pot else None, what not in NOT_WON)
            for (what, pot), chips in self.sums.get(seat or "", {}).items()
            if chips
        )


TOGETHER = timedelta(seconds=5)
"""Entries are read as one change of somebody's chips when they were recorded within this time."""


@dataclass(frozen=True)
class LastSeconds:
    """What several entries have changed of somebody's chips within TOGETHER."""

    number: int
    """Of the newest of these entries."""
    items: tuple[SummaryItem, ...]


def last_seconds(snapshot: NightSnapshot, seat: str | None) -> LastSeconds | None:
    """Return what the last entries that changed a seat's chips did, where several with a time did; else None."""
    steps, found, newest, deal = snapshot.steps, list[int](), None, snapshot.night.deal
    if seat is None or deal is None or seat not in deal.seats:
        return None
    stacks = [night.stack(seat) for _, _, night in steps]
    for at in reversed(range(1, len(steps))):
        if stacks[at] == stacks[at - 1]:
            continue
        moment = moment_of(snapshot.entries[steps[at][0] - 1].at)
        newest = newest or moment
        if moment is None or newest is None or not timedelta() <= newest - moment <= TOGETHER:
            break
        found.append(at)
    if len(found) < 2 or newest is None:
        return None
    items = HandSums().after(snapshot.night, steps[found[-1] - 1 :], [seat]).items(snapshot.night, seat)
    return LastSeconds(steps[found[0]][0], items) if items else None


def _concerned(before: Night, after: Night, seats: Sequence[str]) -> Sequence[str]:
    """Return the seats whose chips or IOUs an event may have moved; all of them where it moved IOUs."""
    if before.ledger.iou != after.ledger.iou:
        return seats
    moved = {account for one in after.last_transfers for account in (one.source, one.target)}
    return [seat for seat in seats if seat in moved or before.stack(seat) != after.stack(seat)]


def _changes(event: Event, before: Night, after: Night, seat: str) -> Iterator[tuple[str, str, int]]:
    """Yield (reason, pot or nothing, chips) for what one event changed of a seat's stack."""
    if event.kind == "move":  # also one between a stack and the bank, which counts as bought
        yield "corrections", "", after.stack(seat) - before.stack(seat)
        return
    yield from ((reason, "", chips) for reason, chips in outside_net(before, after, seat))
    pots = _pots_taken(event, before, after, seat)
    yield from (("pot", pot, chips) for pot, chips in pots.items())
    taken = sum(pots.values())  # part of what the first reason is about
    for reason, chips in split_by_reason(event, after, seat, after.net(seat) - before.net(seat)):
        yield reason, "", chips - taken
        taken = 0


def _pots_taken(event: Event, before: Night, after: Night, seat: str) -> dict[str, int]:
    """Return what a seat got by one event from each pot that it took; a penalty only gives pots back."""
    if event.kind in ("hand", "penalty") or before.deal is None or after.deal is None:
        return {}
    old, new = before.deal.taken, after.deal.taken
    return {pot: taken.part(seat) for pot, taken in new.items() if old.get(pot) != taken and taken.part(seat)}


REST_OF_NIGHT = attrgetter(*[one.name for one in fields(Night) if one.name not in ("ledger", "deal", "last_transfers")])
REST_OF_DEAL = attrgetter(*[one.name for one in fields(Deal) if one.name not in ("won", "taken", "change")])
"""What stays of a night, and of its hand, while cards are played and places are taken."""


def _may_go_out(night: Night) -> Mapping[str, Mapping[str, bool]]:
    return {seat: {"out": may_happen(night, going_out(night, seat))} for seat in night.seats}


@dataclass(frozen=True)
class BoardView(SnapshotView):
    """What everybody sees alike of a night with a board: made once for all who look at the same snapshot.

    It knows no viewer, so what is rendered from it is for all.
    """

    @cached_property
    def moment(self) -> Prompt:
        return self.snapshot.moment

    @cached_property
    def faces(self) -> Mapping[str, PlayerToken]:
        return player_tokens(self.night)

    @cached_property
    def places(self) -> tuple[PlaceView, ...]:
        return self.snapshot.cached("places", places_of, self.night, self.faces)

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        night, moment, faces = self.night, self.snapshot.moment, self.faces
        asks = {place.id: place.ask for place in self.places}
        deal = None if night.phase in (LOBBY, ENDED) else night.deal
        won = {seat: deal.won.get(seat, 0) for seat in deal.seats} if deal else {}
        is_play = moment.name == "play"
        known = self.snapshot.cached("may go out", lambda *_: _may_go_out(night), *self.rest) if is_play else {}
        return tuple(
            SeatView(
                face=faces[seat],
                stack=night.stack(seat),
                change=won.get(seat),
                past_hand=night.hand if moment.name == "ante" else 0,
                state=_state(night, moment, self.snapshot.plan.get(seat, ""), seat),
                is_dealer=seat == (moment.dealer or night.dealer) and not night.is_over,
                owes=night.ledger.owed_by(seat),
                holds=night.ledger.notes_in(seat),
                needs=moment.needs.get(seat, 0),
                no=" ".join(sorted(unanswerable(night, moment, seat, asks, known.get(seat)))),
            )
            for seat in night.seats
        )

    @cached_property
    def by_seat(self) -> Mapping[str, SeatView]:
        return {one.face.seat: one for one in self.seats}

    @cached_property
    def rest(self) -> tuple[Hashable, ...]:
        """What stays of the night and its hand while cards are played and places are taken."""
        return REST_OF_NIGHT(self.night), self.night.deal and REST_OF_DEAL(self.night.deal)

    # The board

    @property
    def hub(self) -> PlaceView | None:
        return next((place for place in self.places if place.at is None), None)

    def label(self, pot: str) -> PotLabel:
        return label_of(self.night.preset.board[pot])

    @property
    def collecting(self) -> bool:
        """Whether some place can be taken now."""
        return any(place.ask == "collect" for place in self.places)

    @cached_property
    def bets_on_pool(self) -> bool:
        """Whether chips can be bet into the poker pool now."""
        return may_bet_on_pool(self.night)

    @property
    def betting(self) -> bool:
        """Whether chips can be bet now: into the poker pool, or on a side pot."""
        return self.bets_on_pool or any(place.ask == "bettor" for place in self.places)

    @cached_property
    def with_several_holders(self) -> tuple[str, ...]:
        """The pots that can be taken now and whose cards several may hold."""
        preset = self.night.preset
        taken = [place.id for place in self.places if place.ask == "collect"]
        return tuple(pot for pot in taken if not preset.has_one_holder(preset.board[pot]))

    @property
    def sharing(self) -> tuple[str, ...]:
        """The pots that can be taken now and that several may share."""
        return tuple(pot for pot in self.with_several_holders if may_share(self.night, pot))

    @cached_property
    def turn_ups(self) -> tuple[Pot, ...]:
        """The pots whose card may be the one turned up now."""
        return pots_to_turn_up(self.night)

    @property
    def may_exchange(self) -> bool:
        """Whether the dealer may take the dummy hand now."""
        return may_happen(self.night, Exchange())

    @property
    def may_sell(self) -> bool:
        """Whether anybody can buy the dummy hand now."""
        return self.moment.name == "dummy" and any("buyer" not in seat.no.split() for seat in self.seats)

    @property
    def late_buyers(self) -> tuple[str, ...]:
        """Who may have bought the dummy hand that a card, played since, has left alone."""
        night, price = self.night, Amount(self.night.house_rules.auction_min)
        deal = night.deal if night.phase == PLAY else None
        return tuple(seat for seat in deal.seats if may_happen(night, Sale(seat, price))) if deal else ()

    @property
    def pool(self) -> int:
        pools = self.night.preset.won_by("poker")
        return sum(self.night.ledger.holds(pool.id) for pool in pools)

    @cached_property
    def payment(self) -> HandPayment:
        return hand_payment(self.night, self.moment, self.snapshot.count)

    @property
    def covers(self) -> tuple[str, ...]:
        """How somebody with too few chips can pay whoever is out."""
        return covers(self.night, self.moment.winner or "")

    @property
    def to_count(self) -> int:
        """How many hands are still to be counted."""
        return sum(seat not in self.snapshot.count.cards for seat in self.moment.payers)

    @property
    def asks_excused(self) -> bool:
        """Whether somebody may hold the card that pays nothing for cards left."""
        return may_excuse(self.night)

    @property
    def coming_times(self) -> int:
        """By how much every ante of the next hand is multiplied."""
        return with_new_rules(self.night).house_rules.ante_times

    @property
    def pool_waits(self) -> bool:
        """Whether the poker pool of the whole night is won after the hand that is being played."""
        is_on = not self.night.is_between_hands
        return self.snapshot.is_last and is_on and night_pool(self.night) is not None

    # The moment

    @cached_property
    def sums(self) -> HandSums:
        """What the hand has brought every seat."""
        before: HandSums = self.snapshot.made.get("sums", ("", HandSums()))[1]
        return self.snapshot.cached("sums", before.after, self.night, self.snapshot.steps)

    @cached_property
    def last(self) -> Entry | None:
        """The newest entry of the log."""
        return self.snapshot.entries[-1] if self.snapshot.entries else None

    @cached_property
    def spoken_to(self) -> str | None:
        """The seat to whose own phone the sentence of what happened last speaks: who took a pot, or deals."""
        event = self.snapshot.change.entry.event if self.snapshot.change and self.snapshot.change.entry else None
        return event.seat if isinstance(event, Collect) else self.night.dealer if isinstance(event, Hand) else None

    @cached_property
    def addressed(self) -> frozenset[str | None] | None:
        """The seats that the newest entry says something of their own, as it moved their chips; None for any."""
        is_own_for_all = self.moment.name in ("count", "auction") or isinstance(self.last and self.last.event, End)
        if (before := self.before) is None or self.last is None or is_own_for_all:
            return None
        moved = [seat for seat in self.night.all_seats if before.stack(seat) != self.night.stack(seat)]
        return frozenset((*moved, self.spoken_to, self.last.by))

    @cached_property
    def before(self) -> Night | None:
        """The state before the newest entry; None where that is a correction, or before the first hand."""
        steps, last = self.snapshot.steps, self.last
        is_plain = last is not None and len(steps) > 1 and steps[-1][0] == last.number
        return steps[-2][2] if is_plain else None

    @property
    def drawn_dealer(self) -> str:
        """The dealer who has just been drawn by lot; empty when somebody was chosen, or something happened since."""
        return (self.night.dealer or "") if self.last and self.last.by == BY_LOT else ""

    @cached_property
    def dealer(self) -> PlayerToken | None:
        """Who deals, or will; nobody while the table is asked."""
        seat = self.snapshot.moment.dealer or (None if self.night.is_abandoned else self.night.dealer)
        return self.faces.get(seat) if seat else None

    @cached_property
    def ante_fault(self) -> TableError | None:
        """Why the next hand can't begin as it is planned."""
        if self.moment.name != "ante" or self.moment.dealer is None:
            return None
        return ante_fault(self.night, self.snapshot.plan)

    @cached_property
    def hand_number(self) -> int:
        """The number of the hand that is played, or whose antes are due."""
        return self.night.hand + (self.snapshot.moment.name == "ante" and self.last_hand != "over")

    @cached_property
    def last_hand(self) -> str:
        """`now` while the hand is on that was announced to be the last, `over` after it; else empty."""
        if not self.snapshot.is_last or self.night.is_over:
            return ""
        return "over" if self.moment.name == "ante" and self.night.hand else "now"

    @property
    def not_in(self) -> tuple[str, ...]:
        """Who does not put in for the next hand: sits out, or is short and has no cover."""
        words = ("sits-out", "short")
        return tuple(seat.face.seat for seat in self.seats if seat.state in words)


@dataclass(frozen=True)
class TableView(SnapshotView):
    """Everything on the table's page for one viewer."""

    viewer: Viewer

    @cached_property
    def board(self) -> BoardView:
        return self.snapshot.cached("board", BoardView, self.snapshot)

    @cached_property
    def me(self) -> SeatView | None:
        return self.board.by_seat.get(self.viewer.seat or "")

    @cached_property
    def is_own(self) -> bool:
        """Whether somebody at the table looks at it on the own phone."""
        return self.viewer.role == "seat" and self.me is not None

    @property
    def may_act(self) -> bool:
        return self.viewer.role in ("host", "seat") and self.night.phase != ENDED

    @property
    def own_turn(self) -> str:
        """The question that waits for the viewer's own answer, by its name and hand; empty when it is not asked."""
        seat, prompt = self.viewer.seat, self.snapshot.moment
        has_answered = prompt.name == "count" and seat in self.snapshot.count.cards
        is_asked = seat in asked_seats(self.night, prompt) and not has_answered
        return f"{prompt.name}-{self.night.hand}" if is_asked and self.board.last_hand != "over" else ""

    @cached_property
    def undo(self) -> UndoView | None:
        shot, viewer = self.snapshot, self.viewer
        said = shot.claimed_out, shot.withdrawn
        return undo_for(shot, viewer.role, viewer.seat, *said, is_open=viewer.is_open)

    @property
    def key(self) -> str:
        return self.viewer.form_key(self.head)

    @property
    def reader(self) -> str | None:
        """The own seat where the sentence of what happened last speaks to whoever looks."""
        seat = self.viewer.seat
        return seat if self.viewer.role == "seat" and seat == self.board.spoken_to else None

    @cached_property
    def last_event(self) -> LastEvent:
        return last_event(self.snapshot, self.night, self.reader, self.snapshot.withdrawn, self.board.before)

    @cached_property
    def did(self) -> bool:
        """Whether the line under the table is about whoever looks on the own phone."""
        change = self.snapshot.change
        seat = change and (change.seat or (change.entry and getattr(change.entry.event, "seat", None)))
        return self.viewer.role == "seat" and seat == self.viewer.seat


ASKS = {"dummy": "buyer", "play": "out", "poker": "poker"}
"""What an own phone answers for its seat at each moment, as `SeatView.no` calls it."""


class DockView(NamedTuple):
    """What the dock offers to a viewer: those with equal values are shown the same one."""

    records_for_all: bool
    is_host: bool
    is_own: bool
    may_collect: bool
    """Whether this phone has a seat that can take a place for itself."""
    named_seat: str
    """The own seat where the dock says it: while chips are lacking, and while chips are placed."""
    fault: str
    """Why the own seat can't take any place now: `waits`, `barred`, `none` for another reason, or empty."""
    may_bet: bool
    is_no_answer: bool
    """Whether the own seat can't be the answer to the question of the moment."""
    waits: bool
    decides_dummy: bool
    """Whether the viewer deals and chooses what becomes of the dummy hand."""
    deals_next: bool
    is_winner: bool
    is_turn: bool
    bids_first: bool
    places_chips: bool
    missing_chips: int
    """Chips that the own seat lacks for the next ante."""
    calls: int
    """What the own seat lacks to the highest bet on the poker hand."""
    short_to_call: int


def dock_view(view: TableView) -> DockView:
    """Return what the dock offers to a viewer."""
    viewer, moment, night, me, seat = view.viewer, view.snapshot.moment, view.night, view.me, view.viewer.seat
    no = me.no.split() if me else ()
    places_chips = view.is_own and seat in moment.needs and moment.name == "stakes"
    missing_chips = moment.short.get(seat, 0) if seat and not view.snapshot.plan.get(seat) else 0
    calls = moment.calls.get(seat, 0) if seat else 0
    short_to_call = max(calls - night.stack(seat), 0) if seat and view.is_own else 0
    waits = me is not None and me.state == "waits"
    is_barred = night.deal is not None and seat in night.deal.barred
    return DockView(
        records_for_all=viewer.records_for_all,
        is_host=viewer.role == "host",
        is_own=view.is_own,
        may_collect=me is not None and (viewer.records_for_all or viewer.role == "seat"),
        named_seat=seat or "" if missing_chips or places_chips or short_to_call else "",
        fault="" if "collect" not in no else "waits" if waits else "barred" if is_barred else "none",
        may_bet=view.is_own and "bettor" not in no,
        is_no_answer=ASKS.get(moment.name) in no,
        waits=waits,
        decides_dummy=view.is_own and night.dealer == seat and moment.name == "dummy",
        deals_next=view.is_own and moment.dealer == seat,
        is_winner=bool(seat) and moment.winner == seat,
        is_turn=bool(seat) and moment.turn == seat,
        bids_first=moment.name in ("dummy", "auction") and seat == night.current_deal().seats[0],
        places_chips=places_chips,
        missing_chips=missing_chips,
        calls=calls,
        short_to_call=short_to_call,
    )
