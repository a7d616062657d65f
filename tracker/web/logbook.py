"""The log's page as values: hands with their strips, and rows that templates only have to print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from tracker.core.events import Event
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.summary import nets
from tracker.web import words
from tracker.web.devices import Who
from tracker.web.faces import Face, Label, faces, label_of
from tracker.web.history import History, Line, tried
from tracker.web.texts import gettext as _

HANDS_SHOWN = 12
"""Folded hands on one page; older ones are fetched when somebody asks."""
_NO_UNDO_BY_SEAT = ("sit", "end", "count")


@dataclass(frozen=True)
class Row:
    """One entry as the log shows it."""

    line: Line
    text: Markup
    who: Markup
    face: Face | None
    label: Label | None
    icon: str
    said_before: tuple[Markup, ...]
    """What the entry said before each correction in force, with who corrected it and when."""
    struck: Markup | None
    """Who took it back, and when."""
    undo: int | None
    """The number of the event that one tap takes back: this entry, or what took it back."""
    may_change: bool
    of_hand: int | None = None
    """Of a correction: the hand in which it changed something."""

    @property
    def number(self) -> int:
        return self.line.number


@dataclass(frozen=True)
class Strip:
    """A hand in one line: who dealt and won it, who took which places, what everybody won or lost."""

    hand: int
    winner: Face | None
    dealer: Face | None
    taken: tuple[tuple[Label, tuple[Face, ...], int], ...]
    changes: tuple[tuple[Face, int], ...]
    entries: int
    title: str = ""
    """Score games: what was played for."""


@dataclass(frozen=True)
class Logbook:
    """The log of a night for one reader."""

    history: History
    who: Who

    @property
    def night(self) -> Night:
        return self.history.night

    @cached_property
    def now(self) -> int:
        """The hand that is on, or was played last."""
        return max(self.history.hands, default=0)

    @property
    def first(self) -> int:
        """The oldest group of entries: 0 when somebody sat down before the first hand."""
        return min(self.history.hands, default=0)

    def rows(self, hand: int) -> list[Row]:
        """Return the entries of a hand, the newest first."""
        return [self.row(line) for line in self.history.lines(hand)]

    def older(self, before: int | None = None) -> list[Strip]:
        """Return the strips of the hands before one (the present by default), the newest first."""
        hands = [hand for hand in self.history.hands if hand < (self.now if before is None else before)]
        return [self.strip(hand) for hand in reversed(hands[-HANDS_SHOWN:])]

    def row(self, line: Line) -> Row:
        """Return a line of the history as it is shown."""
        event = line.event
        mine = self._mine
        undo = line.struck_by.number if line.struck_by else line.number
        is_newest = line.number == self.history.newest
        is_offered = line.struck_by is not None or is_newest or (mine is not None and undo == mine.number)
        may_undo = self.may_undo(undo) and is_offered and not self._is_lost(line)
        return Row(
            line=line,
            text=self.told(line),
            who=words.recorded(line.entry, self.night),
            face=_face(event, self.night),
            label=_label(event, self.night),
            icon=_ICONS.get(line.entry.event.kind, "log"),
            said_before=tuple(self._said_before(line)),
            struck=words.recorded(line.struck_by, self.night) if line.struck_by else None,
            undo=undo if may_undo else None,
            of_hand=self._hand_of_target(line),
            may_change=self.who.role == "host" and not line.struck_by and not line.is_correction,
        )

    def _hand_of_target(self, line: Line) -> int | None:
        target = self.history.target(line.entry)
        return None if target is None else self.history.hand_of(target)

    def told(self, line: Line) -> Markup:
        """Return what an entry says as it stands; of a correction, what it was about."""
        if line.is_correction:
            target = self.history.target(line.entry)
            return self.told(self.history.line(target)) if target else words.attempt(line.event, self.night)
        if line.after is None:
            return words.attempt(line.event, line.before)
        return words.sentence(line.entry, line.event, line.before, line.after)

    def _said_before(self, line: Line) -> Iterator[Markup]:
        for place, change in enumerate(line.changes):
            event = self.history.as_of(line.number, place)
            after = tried(line.before, event)
            said = words.sentence(line.entry, event, line.before, after) if after else words.attempt(event, line.before)
            yield Markup("<s>{}</s> <small>{}</small>").format(said, words.recorded(change, self.night))

    def _is_lost(self, line: Line) -> bool:
        """Whether a struck entry's undo can't be taken back by this seat because it was somebody else's."""
        return line.struck_by is not None and not self.may_undo(line.struck_by.number)

    # Who may take back what

    @cached_property
    def _mine(self) -> Entry | None:
        return own_newest(self.history, self.who.seat) if self.who.role == "seat" and self.who.seat else None

    def may_undo(self, number: int) -> bool:
        """Say whether this reader may take the entry of that number back: the host any, a seat its own newest."""
        if self.who.role == "host":
            return number not in self.history.standing.struck
        return self._mine is not None and self._mine.number == number

    # Strips

    def strip(self, hand: int) -> Strip:
        """Return a hand in one line."""
        then, now = self.history.after_hand(hand - 1), self.history.after_hand(hand)
        known, before, after = faces(now), nets(then), nets(now)
        changes = tuple((known[seat], more) for seat in now.ring if (more := after[seat] - before.get(seat, 0)))
        deal = self.history.deal_of(hand)
        taken = deal.taken if deal else {}
        board = now.preset.board
        return Strip(
            hand=hand,
            winner=known.get((deal.winner if deal else _score_winner(now, hand)) or ""),
            dealer=known.get(deal.dealer) if deal else None,
            taken=tuple(
                (label_of(board[pot]), tuple(known[seat] for seat in (one.seat, *one.others)), one.chips)
                for pot, one in taken.items()
                if one.chips and pot in board and board[pot].won_by != "out"
            ),
            changes=changes,
            entries=len(self.history.hands.get(hand, ())),
            title=_title(now, hand),
        )


def own_newest(history: History, seat: str) -> Entry | None:
    """Return a seat's own newest entry of this hand that it may take back; None when there is none."""
    for entry in reversed(history.entries):
        if entry.number not in history.standing.struck:
            if entry.by == seat and entry.event.kind not in _NO_UNDO_BY_SEAT and not history.is_redo(entry):
                return entry
            if entry.event.kind in ("hand", "round", "rummy", "stock-out"):
                return None
    return None


def _score_winner(night: Night, hand: int) -> str | None:
    if night.preset.game == "rounds" and 0 < hand <= len(night.rounds):
        return night.rounds[hand - 1].winner
    if night.preset.game == "rum" and 0 < hand <= len(night.deals):
        return night.deals[hand - 1].winners[0]
    return None


def _title(night: Night, hand: int) -> str:
    if night.preset.game != "rounds" or not 0 < hand <= len(night.rounds):
        return ""
    number = night.rounds[hand - 1].number
    return next((_(card.goal) for card in night.preset.round_cards if card.number == number), "")


_ICONS: Mapping[str, str] = {
    "order": "turn",
    "end": "moon",
    "count": "ok",
    "exchange": "turn",
    "no-sale": "minus",
    "penalty": "bar",
    "move": "edit",
    "reverse": "turn",
    "stock-out": "log",
    "poker": "people",
    "go-on": "go",
    "fine": "bar",
    "rule": "edit",
    "undo": "undo",
    "amend": "edit",
}
_FACES: Mapping[str, str] = {
    "sit": "seat",
    "leave": "seat",
    "buy": "seat",
    "borrow": "seat",
    "repay": "seat",
    "hand": "dealer",
    "bid": "seat",
    "pass": "seat",
    "sale": "buyer",
    "out": "seat",
    "round": "winner",
    "rummy": "seat",
    "place": "seat",
    "bet": "seat",
    "due": "seat",
    "sweep": "seat",
}


def _face(event: Event, night: Night) -> Face | None:
    if event.kind == "poker" and len(getattr(event, "winners", ())) == 1:
        return faces(night).get(event.winners[0])  # type: ignore[attr-defined]
    return faces(night).get(getattr(event, _FACES.get(event.kind, ""), ""))


def _label(event: Event, night: Night) -> Label | None:
    pot = getattr(event, "pot", "")
    return label_of(night.preset.board[pot]) if pot in night.preset.board else None
