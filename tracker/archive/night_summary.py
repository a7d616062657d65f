"""The summary of one night: what is shown and counted over many nights, so that none of them is replayed for it.

It is computed from the log by `summarize`. Chips are whole numbers; in score games `net` and `chips` are points.
Seats and pots are named by their places in the summary. What most pages don't need is a text, read when it is used.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, is_dataclass
from datetime import date
from functools import cache, cached_property
from sys import intern
from types import UnionType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from tracker.core.night import ENDED
from tracker.core.queries.best_moments import Moment
from tracker.formats.evening import evening_of, order_of

Made = TypeVar("Made")
NOBODY = -1
"""Stands for a seat where there is none."""
OFFENCES = ("wrong-lead", "withheld-card", "match", "false-rummy", "unused-purchase")
"""The penalties of all games; `match` is what an offender pays for a money card that somebody else holds."""


class PotSummary(NamedTuple):
    """A pot of the board of a night."""

    id: str
    name: str
    label: str
    most: int
    """The most that it ever held in this night: chips and IOUs."""
    times: int
    """Hands in which it was taken."""
    chips: int
    """What was taken from it altogether."""


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


class NightDetails(NamedTuple):
    """A night hand by hand, as sums."""

    series: tuple[tuple[int, ...], ...]
    """By the places of the seats: the total after each hand. The end of the night, when the board is shared out, is in
    the seat's `net` alone."""
    won: tuple[tuple[int, ...], ...]
    """In board games, hand by hand: what each hand has won (+) or lost (-) each seat, by the places of the seats. Chips
    bought, lent, paid back and corrected by hand are no part of it."""
    pots: tuple[PotSummary, ...]


class NightRows(NamedTuple):
    """A night hand by hand, as rows of a table: of many nights they are many."""

    hands: tuple[HandEnd, ...]
    taken: tuple[PotShare, ...]


class SeatSummary(NamedTuple):
    """What a night was for one seat."""

    seat: str
    name: str
    is_here: bool
    """False for somebody who left before the end."""
    place: int
    """The place in the ranking, from 1, equal ones the same; 0 for somebody who has no part in the result."""
    net: int
    """What was won or lost, as it is settled."""
    cents: int
    """The net in cents, rounded to the smallest coin; 0 where chips are worth no money."""
    score: int
    """The points taken in a score game, without those to begin with; 0 in pot games."""
    hands: int
    """How many finished hands (rounds, deals) this seat was dealt in."""
    wins: int
    """Hands in which it went out; in a score game, rounds or deals it won."""
    wins_in_a_row: int
    """The most hands in a row that it won."""
    pots: int
    """How often it took a pot, alone or shared."""
    richest: PotShare | None
    """The most that it got from a pot, and of equal ones the first."""
    dummies: int
    """Dummy hands bought, in hands that are over."""
    dummy_cost: int
    dummy_won: int
    """By how much its net changed from the purchases to the ends of these hands, the prices left out."""
    penalties: Mapping[str, int]
    """How many of each offence that it was punished for, in the order of OFFENCES."""
    penalty_cost: int
    """What they cost at once."""


class PaymentSummary(NamedTuple):
    """A payment of the settlement that was not ticked off: seats, or `bank`."""

    source: str
    target: str
    cents: int


class PlayingTime(NamedTuple):
    """How long a night took from its first hand to its end, in seconds."""

    hands: tuple[int, ...]
    """What each hand took, without breaks, the first hand first; hands that were given up are left out."""
    numbers: tuple[int, ...]
    """The numbers of these hands."""
    longest_wait: int
    """The longest time between two entries that is no break."""

    @property
    def played(self) -> int:
        """The night without its breaks."""
        return sum(self.hands)

    @property
    def longest_hand(self) -> int:
        """The number of the hand that took longest, the first of several."""
        return self.numbers[self.hands.index(max(self.hands))]


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
    hands: int
    """How many of them are finished: one that was given up is none."""
    fewest_win: bool
    """Whether the fewest points win."""
    head: int
    """Number of events in the log that this was computed from."""
    began_at: str
    """When the first event was recorded (ISO 8601); empty before it, or where the log does not say."""
    last_at: str
    """When the newest event was recorded."""
    time: PlayingTime | None
    """How long it took; None where its log does not say."""
    dealer: str
    """The seat that deals, or dealt last; empty before the first hand."""
    money: tuple[int, int]
    """(chips, cents): so many chips or points are worth so many cents; 0 cents where they are worth no money."""
    decimals: int
    """How many the money has: with 2, a cent is a hundredth."""
    winners: tuple[str, ...]
    """Who leads, or has won: seats; several when they are level, nobody before the first hand."""
    seats: tuple[SeatSummary, ...]
    """Everybody of the night, clockwise, also who left."""
    unpaid: tuple[PaymentSummary, ...]
    """After the end, where chips are worth money: the payments of the settlement that were not ticked off."""
    moments_text: str
    """`moments`, `details` and `rows` as texts, each of which is read when it is used."""
    details_text: str
    rows_text: str
    code: str = ""
    name: str = ""
    created_at: str = ""
    put_away: str = ""
    """`archived`, `deleted`, or empty for a night that is listed."""

    @property
    def is_over(self) -> bool:
        return self.phase == ENDED

    def counts_for(self, seat: SeatSummary) -> bool:
        """Return whether the night counts for a seat: it has ended, and the seat played a finished hand or round."""
        return self.is_over and seat.hands > 0

    @property
    def day(self) -> str:
        """When the night began, or was opened if nothing was recorded yet (ISO 8601)."""
        return self.began_at or self.created_at

    @cached_property
    def evening(self) -> date | None:
        """The day of play; None where nobody knows when it was."""
        return evening_of(self.day)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The greatest moment of each kind that the night has, the greatest first."""
        return from_json(tuple[Moment, ...], self.moments_text)

    @cached_property
    def details(self) -> NightDetails:
        return from_json(NightDetails, self.details_text)

    @property
    def rows(self) -> NightRows:
        """How each hand ended, and who took which pot; read anew each time, as it is much."""
        return from_json(NightRows, self.rows_text)

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The place of each seat in `seats`."""
        return {one.seat: place for place, one in enumerate(self.seats)}

    @property
    def winner_names(self) -> list[str]:
        return [self.seats[self.place_of[seat]].name for seat in self.winners]


def newest_first(summaries: Iterable[NightSummary]) -> list[NightSummary]:
    """Return nights, the one that was played last first."""
    return sorted(summaries, key=lambda one: (order_of(one.day), one.code), reverse=True)


def to_json(value: object) -> str:
    """Return a value of plain values, tuples, named tuples and dataclasses as JSON, without the names of fields."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=lambda one: [*vars(one).values()])


def from_json(kind: type[Made], text: str) -> Made:
    """Return the value of a type that `to_json` wrote. Raises ValueError or TypeError for another text."""
    read: Callable[[Any], Made] = _reader(kind)  # type: ignore[arg-type]
    return read(json.loads(text))


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """Return what makes a value of a type of what its JSON gives.

    Texts are interned: what pots and people are called is the same in many nights.
    """
    arguments = get_args(kind)
    if get_origin(kind) is tuple:
        inner = _reader(arguments[0])
        return tuple if inner is _as_it_is else lambda raw: tuple(map(inner, raw))
    if get_origin(kind) is UnionType:
        inner = _reader(arguments[0])
        return lambda raw: None if raw is None else inner(raw)
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        readers = [*map(_reader, get_type_hints(kind).values())]
        return lambda raw: kind(
            *[one if read is _as_it_is else read(one) for read, one in zip(readers, raw, strict=True)]
        )
    return intern if kind is str else _as_it_is


def _as_it_is(raw: Any) -> Any:
    return raw


_LABELS = ("code", "name", "created_at", "put_away")
"""The fields that are not in the log."""
_TEXTS = ("moments_text", "details_text", "rows_text")
_PLAIN = {name: kind for name, kind in get_type_hints(NightSummary).items() if name not in (*_LABELS, *_TEXTS)}


def to_text(summary: NightSummary) -> str:
    """Return a summary as lines of JSON, without what is not in the log: its fields, moments, details, and rows."""
    first = to_json({name: getattr(summary, name) for name in _PLAIN})
    return "\n".join([first, *(getattr(summary, name) for name in _TEXTS)])


def from_text(text: str, labels: Mapping[str, str]) -> NightSummary:
    """Return the summary that `to_text` wrote, with `labels` for what is not in the log.

    Raises ValueError, TypeError or KeyError for others.
    """
    first, *texts = text.split("\n")
    raw = json.loads(first)
    fields = {name: _reader(kind)(raw[name]) for name, kind in _PLAIN.items()}
    return NightSummary(**{**fields, **dict(zip(_TEXTS, texts, strict=True)), **labels})
