"""A correction in words: the difference it makes, what to hand over at the table, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from tracker.core.errors import AlreadyDone, NoLongerFits, Stale, TableError
from tracker.core.events import Event
from tracker.core.ledger import BANK
from tracker.core.night import DUMMY, LOBBY, PLAY, SHOWDOWN, Night
from tracker.core.settlement import Payment
from tracker.table import Table
from tracker.web import words
from tracker.web.difference import Difference, difference
from tracker.web.history import History, history_of
from tracker.web.logbook import Logbook
from tracker.web.texts import gettext as _
from tracker.web.voice import Voice


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


def preview(table: Table, event: Event | None) -> Preview:
    """Return what `event` would change; nothing is recorded."""
    then = table.night
    if event is None:
        return Preview(then)
    try:
        now = table.preview(event)
    except TableError as error:
        return Preview(then, refused=refused(error, history_of(table)))
    everybody = then if len(then.people) >= len(now.people) else now
    return Preview(everybody, difference(then, now), moment=_moment(then, now))


def refused(error: TableError, history: History) -> str:
    """Return why a correction can't be made; of an entry that would no longer fit, what it says."""
    if not isinstance(error, NoLongerFits):
        return words.refusal(error)
    line = history.line(error.number)
    told = (
        words.sentence(line.entry, line.event, line.before, line.after)
        if line.after
        else words.attempt(line.event, line.before)
    )
    text = _("Then this would no longer fit, in hand %(hand)s: %(what)s. (%(why)s)")
    return Markup(text) % {"hand": line.hand, "what": told, "why": words.refusal(error.cause)}  # noqa: S704  our own text


def status_of(error: TableError) -> int:
    """Return the HTTP status of a refusal: 409 for a page that was out of date, 422 for a rule."""
    return 409 if isinstance(error, Stale | AlreadyDone) else 422


def _moment(then: Night, now: Night) -> str:
    if (then.hand, then.phase) == (now.hand, now.phase):
        return ""
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
    return [_hand_over(night, one) for one in moves]


def _hand_over(night: Night, one: Payment) -> Markup:
    voice = Voice(None, night, is_markup=True)
    facts = {"a": voice.name(one.debtor), "b": voice.name(one.creditor), "n": one.chips}
    if one.creditor == BANK:
        text = _("%(a)s: %(n)s back into the box", **facts)
    elif one.debtor == BANK:
        text = _("%(b)s: %(n)s from the box", **facts)
    elif one.creditor in night.people and one.debtor in night.people:
        text = _("%(a)s gives %(b)s %(n)s", **facts)
    elif one.debtor in night.people:
        text = _("%(a)s puts %(n)s here: %(b)s", **facts)
    elif one.creditor in night.people:
        text = _("%(b)s takes %(n)s from here: %(a)s", **facts)
    else:
        text = _("%(n)s from here: %(a)s, to here: %(b)s", **facts)
    return Markup(text)  # noqa: S704  Voice escapes


def told(history: History, book: Logbook, number: int) -> Markup:
    """Return what an entry says as it stands."""
    return book.told(history.line(number))
