"""A correction in words: the difference it makes, what to hand over at the table, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace

from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Event
from tracker.core.ledger import BANK
from tracker.core.night import DUMMY, LOBBY, PLAY, SHOWDOWN, Night
from tracker.core.queries.difference import Difference, difference
from tracker.core.settlement import Payment
from tracker.web.events.event_kind import Vocabulary
from tracker.web.log_sentences import refusal_in_log
from tracker.web.wording.texts import gettext as _


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
        """Return what to hand over at the table, each as a sentence."""
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
    """Return who hands how many chips to whom, a sentence each."""
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
