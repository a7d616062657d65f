"""The log's page as values: hands with their strips, and rows that templates only have to print."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from markupsafe import Markup

from tracker.app.log_history import History, HistoryLine, try_event
from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Event
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import DUMMY, LOBBY, PLAY, SHOWDOWN, Night
from tracker.core.queries.difference import Difference, difference
from tracker.core.queries.undo_policy import may_take_back, own_newest
from tracker.core.settlement import Payment
from tracker.web.access.devices import Identity
from tracker.web.drawing.player_token import PlayerToken, PotLabel, player_tokens
from tracker.web.events import sentences
from tracker.web.events.event_kind import Vocabulary
from tracker.web.events.registry import kind_of
from tracker.web.log_sentences import HandLine, hand_line, line_sentence, refusal_in_log
from tracker.web.wording.texts import gettext as _

HANDS_SHOWN = 12
"""Folded hands on one page; older ones are fetched when somebody asks."""


@dataclass(frozen=True)
class Row:
    """One entry as the log shows it."""

    line: HistoryLine
    text: Markup
    recorded_by: Markup
    face: PlayerToken | None
    label: PotLabel | None
    icon: str
    earlier_texts: tuple[Markup, ...]
    """What the entry said before each correction in force, with who corrected it and when."""
    undone: Markup | None
    """Who took it back, and when."""
    undo: int | None
    """The number of the event that can be taken back here: this entry, or what took it back."""
    is_newest: bool
    """That was the newest change: one tap takes it back. The difference of any other is shown before."""
    may_change: bool
    of_hand: int | None = None
    """Of a correction: the hand in which it changed something."""

    @property
    def number(self) -> int:
        return self.line.number


@dataclass(frozen=True)
class LogView:
    """The log of a night for one reader."""

    history: History
    identity: Identity

    @property
    def night(self) -> Night:
        return self.history.night

    @cached_property
    def now(self) -> int:
        """The hand that is on, or was played last."""
        return max(self.history.hands, default=0)

    @property
    def now_line(self) -> HandLine:
        return hand_line(self.history, self.now)

    @property
    def first(self) -> int:
        """The oldest group of entries: 0 when somebody sat down before the first hand."""
        return min(self.history.hands, default=0)

    def rows(self, hand: int) -> list[Row]:
        """Return the entries of a hand, the newest first."""
        return [self.row(line) for line in self.history.lines(hand)]

    def older(self, before: int | None = None) -> list[HandLine]:
        """Return the strips of the hands before one (the present by default), the newest first."""
        hands = [hand for hand in self.history.hands if hand < (self.now if before is None else before)]
        return [hand_line(self.history, hand) for hand in reversed(hands[-HANDS_SHOWN:])]

    def row(self, line: HistoryLine) -> Row:
        event, kind = line.event, kind_of(line.event)
        mine, target = self._mine, self.history.target(line.entry)
        undo = line.undone_by.number if line.undone_by else line.number
        is_newest = line.number == self.history.newest
        is_offered = line.undone_by is not None or is_newest or (mine is not None and undo == mine.number)
        may_undo = may_take_back(self.history, self.identity.role, self.identity.seat, undo) and is_offered
        return Row(
            line=line,
            text=line_sentence(self.history, line),
            recorded_by=sentences.recorded_by(line.entry, self.night),
            face=player_tokens(self.night).get(kind.token_of(event) or ""),
            label=sentences.pot_label(event, self.night),
            icon=kind_of(line.entry.event).icon,
            earlier_texts=tuple(self._said_before(line)),
            undone=sentences.recorded_by(line.undone_by, self.night) if line.undone_by else None,
            undo=undo if may_undo else None,
            is_newest=undo == len(self.history.entries) if line.undone_by else is_newest,
            of_hand=None if target is None else self.history.hand_of(target),
            may_change=self.identity.role == "host" and not line.undone_by and not line.is_correction,
        )

    def _said_before(self, line: HistoryLine) -> Iterator[Markup]:
        for change, event in self.history.before_changes(line.number):
            if after := try_event(line.before, event):
                said = sentences.sentence(line.entry, event, line.before, after)
            else:
                said = sentences.event_subject(event, line.before)
            yield Markup("<s>{}</s> <small>{}</small>").format(said, sentences.recorded_by(change, self.night))

    # Who may take back what

    @cached_property
    def _mine(self) -> Entry | None:
        seat = self.identity.seat if self.identity.role == "seat" else None
        return own_newest(self.history, seat) if seat else None


@dataclass(frozen=True)
class Preview:
    """What a correction would come to: a difference, or the sentence that refuses it; nothing when none was asked."""

    everybody: Night
    """The state that knows everybody in the difference: a correction may bring somebody or take them out."""
    difference: Difference | None = None
    refused: str = ""
    moment: str = ""
    """What the table would be asked to do again."""

    @property
    def moves(self) -> list[Markup]:
        return hand_over_lines(self.everybody, self.difference.moves) if self.difference else []


def preview(table: OpenNight, event: Event | None) -> Preview:
    """Return what `event` would change; nothing is recorded."""
    then = table.night
    if event is None:
        return Preview(then)
    try:
        now = table.preview(event)
    except TableError as error:
        return Preview(then, refused=refusal_in_log(error, table.history()))
    return Preview(with_everybody(then, now), difference(then, now), moment=_moment(then, now))


def with_everybody(then: Night, now: Night) -> Night:
    """Return the later state with the people of both: a correction may take out somebody whose chips move."""
    return replace(now, people={**then.people, **now.people})


def _moment(then: Night, now: Night) -> str:
    if (then.hand, then.phase) == (now.hand, now.phase):
        return ""
    if then.preset.game == "rounds" and now.rounds != then.rounds[: len(now.rounds)] and now.hand < then.hand:
        return _("The later rounds move up by one then, and count as the rounds that they become.")
    if now.hand < then.hand and not then.preset.is_pot_game:
        return _("Round %(round)s has not been played then.", round=then.hand)
    if now.hand < then.hand:
        return _("Hand %(hand)s has not begun then.", hand=then.hand)
    return {
        LOBBY: _("The first hand has not begun then."),
        DUMMY: _("The dummy hand is open again then."),
        PLAY: _("The hand is being played again then."),
        SHOWDOWN: _("The night goes on then."),
    }.get(now.phase, _("The night is over then."))


def hand_over_lines(night: Night, moves: list[Payment]) -> list[Markup]:
    return [_hand_over(night, move) for move in moves]


def _hand_over(night: Night, move: Payment) -> Markup:
    words = Vocabulary(None, night, is_markup=True)
    page_context = {"a": words.name(move.debtor), "b": words.name(move.creditor), "n": move.chips}
    if move.creditor == BANK:
        text = _("%(a)s: %(n)s back into the box", **page_context)
    elif move.debtor == BANK:
        text = _("%(b)s: %(n)s from the box", **page_context)
    elif move.creditor in night.people and move.debtor in night.people:
        text = _("%(a)s gives %(b)s %(n)s", **page_context)
    elif move.debtor in night.people:
        text = _("%(a)s puts %(n)s here: %(b)s", **page_context)
    elif move.creditor in night.people:
        text = _("%(b)s takes %(n)s from here: %(a)s", **page_context)
    else:
        text = _("%(n)s from here: %(a)s, to here: %(b)s", **page_context)
    return Markup(text)  # noqa: S704  escaped in words
