"""The state of a night. It is never stored: it is what comes out when the log is replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tracker.core.errors import NotAllowed, TranslatableText, Unknown, WrongMoment
from tracker.core.events import Paid
from tracker.core.house_rules import RuleSet
from tracker.core.ledger import BANK, HandChange, Ledger, LedgerDraft, Transfer
from tracker.core.preset import Preset

LOBBY, DUMMY, PLAY, SHOWDOWN, ENDED = "lobby", "dummy", "play", "showdown", "ended"
STAKES, HELD, POKER = "stakes", "held", "poker"  # only in games that have these stages
PAUSES, PLAYS = "pauses", "plays"
"""What can be said of somebody's part in a round that is counted."""


@dataclass(frozen=True)
class Person:
    """Somebody of this night; `is_here` is False once they have left."""

    name: str
    is_here: bool = True
    number: int = field(default=0, compare=False)
    """The number of the entry by which they first sat down: taking back another one's leaves it. 0 outside of a log."""


@dataclass(frozen=True)
class Auction:
    """The dummy's auction so far: the highest bid, who made it and who has passed for good."""

    bidder: str | None = None
    chips: int = 0
    cover: Mapping[str, str] = field(default_factory=dict)
    """Who lends to that bidder: a later pass of somebody else may be what makes the price due."""
    passed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class TakenPot:
    """A pot that was collected in this hand: by whom, and the chips that were in it."""

    seat: str
    chips: int
    others: tuple[str, ...] = ()
    """Who shared it with that seat."""
    each: int = 0
    """What every one of several got, in chips and IOUs."""

    def part(self, seat: str) -> int:
        """Return what `seat` got of it, in chips and IOUs."""
        if seat not in (self.seat, *self.others):
            return 0
        return self.each if self.others else self.chips


@dataclass(frozen=True)
class Deal:
    """The hand that is being played, or was played last."""

    dealer: str
    seats: tuple[str, ...]
    """Who plays it, clockwise from the dealer's left; the dealer is last."""
    won: Mapping[str, int] = field(default_factory=dict)
    """What the hand has won (+) or lost (-) each seat so far, in chips and IOUs. Chips bought, lent, paid back and
    corrected by hand are no part of it."""
    barred: frozenset[str] = frozenset()
    withheld: tuple[tuple[str, str], ...] = ()
    """(offender, suit) of every card held back."""
    out_of_cards: frozenset[str] = frozenset()
    """Offenders who played their last card, took nothing, and let the hand go on."""
    auction: Auction = Auction()
    dummy: str | None = None
    """`exchanged`, `sold` or `dead`, once it is decided."""
    buyer: str | None = None
    price: int = 0
    taken: Mapping[str, TakenPot] = field(default_factory=dict)
    winner: str | None = None
    cards: Mapping[str, int] = field(default_factory=dict)
    """Cards left in each hand that paid for them."""
    matched_cards: frozenset[tuple[str, str]] = frozenset()
    """(pot, offender) of every withheld card that was paid for."""
    poker: tuple[str, ...] | None = None
    stakes_placed: frozenset[str] = frozenset()
    """Who has placed their stakes."""
    bets: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(seat, pot) -> chips bet in this hand."""
    turned_up: str | None = None
    paid_dues: frozenset[str] = frozenset()
    """Direct payments that were made in this hand, by id."""
    pots_still_held: frozenset[str] = frozenset()
    """Pots whose card was found in a hand at the end, and paid for."""
    unpaid: frozenset[tuple[str, str]] = frozenset()
    """(seat, pot) where a seat had too few chips for its ante, and so can't win the pot in this hand."""
    folded: frozenset[str] = frozenset()
    """Who has passed while the poker hand was bet for."""
    change: HandChange = field(default_factory=HandChange)
    """What was bid, taken and paid since the antes."""
    is_abandoned: bool = False
    """The hand was given up: nothing of it but its antes is left, and nobody was out."""


@dataclass(frozen=True)
class Settled:
    """A deal or round of a score game: who won it, what each hand counted, the faults paid, the points that moved."""

    winners: tuple[str, ...]
    hands: Mapping[str, int]
    faults: tuple[tuple[str, str], ...]
    """(offender, offence) of every fault paid with this deal."""
    change: Mapping[str, int]
    is_stock_out: bool = False
    sits_out: tuple[str, ...] = ()
    """Who paused: at the table, and without a part in it."""

    @property
    def players(self) -> tuple[str, ...]:
        """Who played it, or has paid for a fault in it."""
        return tuple(self.change)

    @property
    def there(self) -> tuple[str, ...]:
        """Who played it, or paused in it."""
        return (*self.change, *self.sits_out)


@dataclass(frozen=True)
class Night:
    """One evening at one table: its preset, its people and everything that follows from the log."""

    preset: Preset
    phase: str = LOBBY
    hand: int = 0
    """How many hands (rounds, deals) have begun."""
    dealer: str | None = None
    all_seats: tuple[str, ...] = ()
    """Everybody of this night clockwise; who left keeps the place, so the deal still passes on rightly."""
    people: Mapping[str, Person] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)
    deal: Deal | None = None
    last_winner: str | None = None
    """Pot games: who was out first in the last hand that was finished; None where nobody could be, and before it."""
    dealt_in: frozenset[str] = frozenset()
    """Pot games: who was dealt into a hand that was finished. A hand that was given up is none."""
    new_rules: Mapping[str, int | str] = field(default_factory=dict)
    """House rules that change with the next hand."""
    is_reversed: bool = False
    """Score games: whether the direction of play has turned."""
    deals: tuple[Settled, ...] = ()
    """Score games: the deals and rounds so far."""
    faults: tuple[tuple[str, str], ...] = ()
    """Score games: (offender, offence) of faults that wait for this deal's settlement."""
    points: Mapping[str, int] = field(default_factory=dict)
    """Score games: each seat's total."""
    newcomers: frozenset[str] = frozenset()
    """Score games: who sat down since the last deal. They may wait for the next one."""
    returned: Mapping[str, int] = field(default_factory=dict)
    """Score sheets: the own sum of each at the table who has stopped for some rounds, until the next one played."""
    completed: frozenset[str] = frozenset()
    """Score sheets, after the end: who completed the last task of the game, where that decides who has won."""
    payments_made: tuple[Paid, ...] = ()
    """After the end: the payments of the settlement that were made."""
    counted: Mapping[str, int] | None = None
    """What was really on the table at the last count, by account."""
    last_transfers: tuple[Transfer, ...] = ()
    """The transfers of the last event."""

    @property
    def house_rules(self) -> RuleSet:
        return self.preset.house_rules

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Who is at the table, clockwise."""
        return tuple(seat for seat in self.all_seats if self.people[seat].is_here)

    @cached_property
    def players(self) -> frozenset[str]:
        """Who has played a hand, round or deal, or plays the present hand. Nobody else has a part in the result."""
        if self.preset.is_pot_game:
            return self.dealt_in if self.deal is None or self.is_between_hands else self.dealt_in.union(self.deal.seats)
        return frozenset(seat for one in self.deals for seat in one.players)

    @property
    def contenders(self) -> tuple[str, ...]:
        """Who can win, clockwise: who has played, and in a score game is at the table (of an empty one, everybody).

        In a pot game everybody before the first hand.
        """
        if self.preset.is_pot_game:
            return tuple(seat for seat in self.all_seats if seat in self.players) or self.all_seats
        return tuple(seat for seat in self.seats or self.all_seats if seat in self.players)

    @property
    def hand_winners(self) -> tuple[str, ...]:
        """Who was out first in the newest hand, or has won the newest round or deal; several on a tie."""
        if self.preset.is_pot_game:
            return (self.deal.winner,) if self.deal and self.deal.winner else ()
        return self.deals[-1].winners if self.deals else ()

    @property
    def is_over(self) -> bool:
        return self.phase == ENDED

    @property
    def is_abandoned(self) -> bool:
        return self.deal is not None and self.deal.is_abandoned

    @property
    def is_between_hands(self) -> bool:
        return self.phase in (LOBBY, SHOWDOWN) or (not self.preset.is_pot_game and self.phase == PLAY)

    def with_rules(self, preset: Preset) -> Night:
        """Return this night played by other house rules from now on; NotAllowed when a pot with chips would vanish."""
        lost = [pot for pot in self.preset.board if pot not in preset.board and self.ledger.holds(pot)]
        if lost and self.deal and self.deal.poker is None and not self.is_over and not self.is_abandoned:
            raise NotAllowed("{pot} still holds chips: let somebody win them first", pot=self.name(lost[0]))
        if lost:
            raise NotAllowed(
                "{pot} still holds chips that nobody can win any more: move them by hand, or leave that house rule",
                pot=self.name(lost[0]),
            )
        return replace(self, preset=preset, new_rules={})

    def name(self, account: str) -> str:
        """Return what pages call an account: a person's name, a pot's name or `the bank`."""
        if account in self.people:
            return self.people[account].name
        if account in self.preset.board:
            return TranslatableText(self.preset.board[account].name)
        return TranslatableText("the bank") if account == BANK else account

    def names(self) -> dict[str, str]:
        return {account: self.name(account) for account in (*self.all_seats, *self.preset.board, BANK)}

    def stack(self, seat: str) -> int:
        return self.ledger.balance(seat)

    def pot(self, pot_id: str) -> int:
        return self.ledger.balance(pot_id)

    def worth(self, seat: str) -> int:
        return self.ledger.worth(seat)

    def net(self, seat: str) -> int:
        return self.ledger.net(seat)

    def clockwise_from(self, seat: str | None) -> tuple[str, ...]:
        """Return who is at the table, starting at the left of `seat` and ending with it."""
        if seat not in self.all_seats:
            return self.seats
        start = self.all_seats.index(seat) + 1
        turned = self.all_seats[start:] + self.all_seats[:start]
        return tuple(one for one in turned if self.people[one].is_here)

    def next_dealer(self) -> str | None:
        """Return who deals next, at the last dealer's left; None before the first hand and after one given up."""
        around = self.clockwise_from(self.dealer)
        return around[0] if self.dealer is not None and around and not self.is_abandoned else None

    def require_seated(self, seat: str) -> str:
        """Return `seat` if it is at the table; Unknown otherwise."""
        if seat in self.people and self.people[seat].is_here:
            return seat
        if seat in self.people:
            raise Unknown("{name} has left the table", name=self.name(seat), seat=seat)
        raise Unknown(
            "nobody sits at {seat!r}: the seats are {seats}", seat=seat, seats=", ".join(self.seats) or "empty"
        )

    def require_account(self, account: str) -> str:
        """Return `account` if it is a seat at the table or a pot of the board; Unknown otherwise."""
        return account if account in self.preset.board else self.require_seated(account)

    def current_deal(self) -> Deal:
        if self.deal is None:
            raise WrongMoment("no hand has begun: put in the antes first")
        return self.deal

    def require_in_hand(self, seat: str) -> str:
        """Return `seat` if it plays in the present hand; Unknown or WrongMoment otherwise."""
        self.require_seated(seat)
        if seat not in self.current_deal().seats:
            raise WrongMoment("{name} is not in this hand", name=self.name(seat))
        return seat

    def stage_after(self, stage: str) -> str:
        """Return the stage of a hand that follows `stage` in this game."""
        stages = self.preset.stages
        return stages[stages.index(stage) + 1]

    def require_phase(self, *phases: str) -> None:
        """WrongMoment with a sentence on what to do, unless the night is in one of `phases`."""
        if self.phase == SHOWDOWN and self.is_abandoned and LOBBY not in phases:
            raise WrongMoment("this hand was given up: put in the antes for the next one")
        if self.phase not in phases:
            raise WrongMoment(_WHAT_NOW[self.phase])

    def ledger_draft(self) -> LedgerDraft:
        return LedgerDraft(self.ledger, self.names())

    def with_draft(self, draft: LedgerDraft, **changes: Any) -> Night:
        """Return this night with the transfers of a draft made, and other fields changed."""
        return replace(self, ledger=draft.close(), last_transfers=tuple(draft.made), **changes)


_WHAT_NOW: Mapping[str, str] = {
    LOBBY: "no hand has begun: put in the antes first",
    STAKES: "the stakes are still being placed: let everybody place theirs, or go on",
    DUMMY: "the dummy hand is not decided yet: exchange it, sell it or leave it",
    HELD: "money cards that are held are being paid: go on when nobody shows another",
    POKER: "the poker hand is not decided yet: say who has the best, or go on",
    PLAY: "the hand is being played: wait until somebody is out",
    SHOWDOWN: "this hand is over: put in the antes for the next one",
    ENDED: "the night is over: take back its end to go on",
}
