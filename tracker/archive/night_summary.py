"""The summary of one night: what is shown and counted over many nights, so that none of them is replayed for it.

It is computed from the log by `summarize`. Chips are whole numbers; in score games `net` and `chips` are points.
Seats and pots are named by their places in the summary. What most pages don't need is a text, read when it is used.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cached_property
from sys import intern
from typing import Any, Generic, NamedTuple, Self, TypeVar

from tracker.core.night import ENDED
from tracker.core.queries import best_moments
from tracker.core.queries.best_moments import Kind, Moment
from tracker.formats.evening import evening_of, order_of

NOBODY = -1
"""Stands for a seat where there is none."""
OFFENCES = ("wrong-lead", "withheld-card", "match", "false-rummy", "unused-purchase")
"""The penalties of all games; `match` is what an offender pays for a money card that somebody else holds."""


class PotSummary(NamedTuple):
    """A pot of the board of a night."""

    id: str
    name: str
    label: str
    won_by: str
    most: int
    """The most that it ever held in this night: chips and IOUs."""


class HandEnd(NamedTuple):
    """How a hand ended: one row for each hand, or for each of several winners of a deal that is scored."""

    hand: int
    dealer: int
    """The place of a seat in `seats`, or NOBODY in games where it is not recorded."""
    winner: int
    """Who went out, or won the round or deal: a place in `seats`; NOBODY where nobody did, and in a hand going on."""


class PotShare(NamedTuple):
    """What one seat got when a pot was taken: a pot that several shared has a row for each of them."""

    hand: int
    pot: int
    """The place of the pot in `pots`."""
    seat: int
    """The place of the seat in `seats`."""
    chips: int
    """What this seat got, in chips and IOUs."""
    grown: int
    """Over how many hands the pot had grown: 1 where it was taken in the hand after it was emptied."""
    sharers: int
    """How many seats shared it: mostly 1."""

    @property
    def riches(self) -> tuple[int, int]:
        """By what the richer one of two is known: the chips, then the hands over which they had grown."""
        return self.chips, self.grown


class DummyBought(NamedTuple):
    """A dummy hand that was sold, in a hand that is over."""

    hand: int
    buyer: int
    """The place of the seat in `seats`."""
    price: int
    won: int
    """By how much the buyer's net changed from the purchase to the end of the hand; the price is not in it."""


class PenaltyPaid(NamedTuple):
    """A penalty that somebody was given."""

    hand: int
    seat: int
    offence: int
    """The place of its name in OFFENCES."""
    chips: int
    """What it cost at once."""


Row = TypeVar("Row", HandEnd, PotShare, DummyBought, PenaltyPaid)


@dataclass(frozen=True)
class Rows(Generic[Row]):
    """Rows of whole numbers, held as a text that is read when it is used: of many nights they are many."""

    kind: type[Row]
    text: str
    """The fields of the first row, then those of the next one, with commas between."""

    @classmethod
    def of(cls, kind: type[Row], rows: Iterable[Row]) -> Self:
        return cls(kind, ",".join(str(number) for row in rows for number in row))

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows. Raises ValueError for a text that has half a row, or other words than numbers."""
        fields = [iter(json.loads(f"[{self.text}]"))] * len(self.kind._fields)
        return map(self.kind._make, zip(*fields, strict=True))

    def __len__(self) -> int:
        return sum(1 for _row in self)


@dataclass(frozen=True)
class NightDetails:
    """A night hand by hand."""

    series: tuple[tuple[int, ...], ...]
    """By the places of the seats: the total after each hand. The end of the night, when the board is shared out, is in
    the seat's `net` alone."""
    won: tuple[tuple[int, ...], ...]
    """In board games, hand by hand: what each hand has won (+) or lost (-) each seat, by the places of the seats. Chips
    bought, lent, paid back and corrected by hand are no part of it."""
    pots: tuple[PotSummary, ...]
    hands: Rows[HandEnd]
    taken: Rows[PotShare]
    dummies: Rows[DummyBought]
    penalties: Rows[PenaltyPaid]

    def to_text(self) -> str:
        rows = {key: getattr(self, key).text for key in ("hands", "taken", "dummies", "penalties")}
        plain = {"series": self.series, "won": self.won, "pots": self.pots}
        return json.dumps({**plain, **rows}, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return what `to_text` wrote."""
        raw = json.loads(text)
        return cls(
            series=tuple(map(tuple, raw["series"])),
            won=tuple(map(tuple, raw["won"])),
            pots=tuple(PotSummary._make([*map(intern, texts), most]) for *texts, most in raw["pots"]),
            hands=Rows(HandEnd, raw["hands"]),
            taken=Rows(PotShare, raw["taken"]),
            dummies=Rows(DummyBought, raw["dummies"]),
            penalties=Rows(PenaltyPaid, raw["penalties"]),
        )


class SeatFacts(NamedTuple):
    """What one seat did in one night."""

    wins: int = 0
    """Hands in which it went out; in a score game, rounds or deals it won."""
    wins_in_a_row: int = 0
    """The most hands in a row that it won."""
    pots: int = 0
    """How often it took a pot, alone or shared."""
    richest: PotShare | None = None
    """The most that it got from a pot, and of equal ones the first."""
    dummies: int = 0
    """Dummy hands bought."""
    dummy_cost: int = 0
    dummy_won: int = 0
    """By how much its net changed in the hands of the bought dummies, their prices left out."""
    penalties: tuple[int, ...] = ()
    """How many, by their places in OFFENCES; empty for none."""
    penalty_cost: int = 0


class PotTotals(NamedTuple):
    """How often one pot paid in one night, and how much."""

    times: int = 0
    """Hands in which it was taken."""
    chips: int = 0
    """What was taken from it altogether."""


class NightFacts(NamedTuple):
    """The facts of a night: by the places of its seats, and of its pots."""

    seats: tuple[SeatFacts, ...]
    pots: tuple[PotTotals, ...]

    def to_text(self) -> str:
        return json.dumps(self, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return what `to_text` wrote."""
        seats, pots = json.loads(text)
        return cls(tuple(map(_seat_facts, seats)), tuple(map(PotTotals._make, pots)))


def _seat_facts(raw: list[Any]) -> SeatFacts:
    facts = SeatFacts._make(raw)
    richest = PotShare._make(facts.richest) if facts.richest else None
    return facts._replace(richest=richest, penalties=tuple(facts.penalties))


class SeatSummary(NamedTuple):
    """What a night was for one seat."""

    seat: str
    name: str
    is_here: bool
    """False for somebody who left before the end."""
    net: int
    """What was won or lost, as it is settled."""
    cents: int
    """The net in cents, rounded to the smallest coin; 0 where chips are worth no money."""
    score: int
    """The total of a score game, in points; 0 in pot games."""
    hands: int
    """How many finished hands (rounds, deals) this seat was dealt in."""


class PaymentSummary(NamedTuple):
    """A payment of the settlement: seats, or `bank`."""

    source: str
    target: str
    cents: int
    is_paid: bool


class PlayingTime(NamedTuple):
    """How long a night took from its first hand to its end, in seconds."""

    hands: tuple[int, ...]
    """What each hand took, without breaks, the first hand first."""
    breaks: int
    """What all breaks took together."""
    longest_wait: int
    """The longest time between two entries that is no break."""

    @property
    def played(self) -> int:
        """The night without its breaks."""
        return sum(self.hands)

    @property
    def longest_hand(self) -> int:
        """The number of the hand that took longest, the first of several."""
        return self.hands.index(max(self.hands)) + 1


@dataclass(frozen=True)
class NightSummary:
    """What is known of one night without its log. The last four fields are not in its log."""

    preset: str
    """The id of the board or game that was played."""
    game_name: str
    game: str
    """`pots`, `rounds`, `rum` or `points`."""
    phase: str
    hand: int
    """How many hands (rounds, deals) have begun."""
    head: int
    """Number of events in the log that this was computed from."""
    began_at: str
    """When the first event was recorded (ISO 8601); empty before it, or where the log does not say."""
    ended_at: str
    """When the night ended; empty while it goes on."""
    last_at: str
    """When the newest event was recorded."""
    time: PlayingTime | None
    """How long it took; None where its log does not say."""
    dealer: str
    """The seat that deals, or dealt last; empty before the first hand."""
    on_board: int
    """Chips in all pots."""
    money: tuple[int, int]
    """(chips, cents): so many chips or points are worth so many cents; 0 cents where they are worth no money."""
    winners: tuple[str, ...]
    """Who leads, or has won: seats; several when they are level, nobody before the first hand."""
    seats: tuple[SeatSummary, ...]
    """Everybody of the night, clockwise, also who left."""
    payments: tuple[PaymentSummary, ...]
    """After the end, where chips are worth money: the payments of the settlement."""
    facts_text: str
    """`facts`, `moments` and `details` as texts, each of which is read when it is used."""
    moments_text: str
    details_text: str
    code: str = ""
    name: str = ""
    created_at: str = ""
    put_away: str = ""
    """`archived`, `deleted`, or empty for a night that is listed."""

    @property
    def is_over(self) -> bool:
        return self.phase == ENDED

    def counts_for(self, seat: SeatSummary) -> bool:
        """Return whether the night counts for a seat: it has ended, and the seat was part of it.

        A score game is no night of somebody who has played no round of it.
        """
        return self.is_over and self.hand > 0 and (seat.hands > 0 or self.game == "pots")

    @property
    def day(self) -> str:
        """When the night began, or was opened if nothing was recorded yet (ISO 8601)."""
        return self.began_at or self.created_at

    @cached_property
    def evening(self) -> date | None:
        """The day of play; None where nobody knows when it was."""
        return evening_of(self.day)

    @cached_property
    def facts(self) -> NightFacts:
        """What each seat did, and what each pot paid."""
        return NightFacts.from_text(self.facts_text)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The greatest moment of each kind that the night has, the greatest first."""
        return moments_from(self.moments_text)

    @cached_property
    def details(self) -> NightDetails:
        return NightDetails.from_text(self.details_text)

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The place of each seat in `seats`."""
        return {one.seat: place for place, one in enumerate(self.seats)}

    @property
    def winner_names(self) -> list[str]:
        return [self.seats[self.place_of[seat]].name for seat in self.winners]

    @property
    def unpaid(self) -> tuple[PaymentSummary, ...]:
        """The payments of the settlement that were not ticked off."""
        return tuple(one for one in self.payments if not one.is_paid)


def newest_first(summaries: Iterable[NightSummary]) -> list[NightSummary]:
    """Return nights, the one that was played last first."""
    return sorted(summaries, key=lambda one: (order_of(one.day), one.code), reverse=True)


def moments_text(moments: Iterable[Moment]) -> str:
    values = ([*vars(replace(one, pot=None)).values(), one.pot and [*vars(one.pot).values()]] for one in moments)
    return json.dumps([*values], separators=(",", ":"))


def moments_from(text: str) -> tuple[Moment, ...]:
    """Return what `moments_text` wrote."""
    return tuple(_moment(*values) for values in json.loads(text))


def _moment(kind: Kind, seats: list[str], *values: Any) -> Moment:
    *others, pot = values
    if pot:
        hand, name, takers, *chips = pot
        pot = best_moments.PotTaken(hand, name, tuple(takers), *chips)
    return replace(Moment(kind, tuple(seats), *others), pot=pot)


_LABELS = ("code", "name", "created_at", "put_away")
"""The fields that are not in the log."""
_TEXTS = ("facts_text", "moments_text", "details_text")
_NOT_PLAIN = {*_LABELS, *_TEXTS}


def to_text(summary: NightSummary) -> str:
    """Return a summary as lines of JSON, without what is not in the log: its fields, facts, moments, and details."""
    plain = {field.name: getattr(summary, field.name) for field in fields(summary) if field.name not in _NOT_PLAIN}
    first = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return "\n".join([first, *(getattr(summary, name) for name in _TEXTS)])


def from_text(text: str, labels: Mapping[str, str]) -> NightSummary:
    """Return the summary that `to_text` wrote, with `labels` for what is not in the log.

    Raises ValueError, TypeError, KeyError or AttributeError for others.
    """
    first, *texts = text.split("\n")
    raw = json.loads(first)
    lists = {
        "money": tuple(raw["money"]),
        "winners": tuple(raw["winners"]),
        "seats": tuple(map(SeatSummary._make, raw["seats"])),
        "payments": tuple(map(PaymentSummary._make, raw["payments"])),
        "time": raw["time"] and PlayingTime(tuple(raw["time"][0]), *raw["time"][1:]),
    }
    return NightSummary(**{**raw, **lists, **dict(zip(_TEXTS, texts, strict=True)), **labels})
