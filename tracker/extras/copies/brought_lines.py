"""What lines that come from outside would change, as the host is shown it before saying yes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from tracker.app.log_history import History, HistoryLine
from tracker.core.log import CorrectionIndex, Entry
from tracker.core.night import Night
from tracker.core.queries.difference import difference
from tracker.extras.copies.brought_nights import BroughtNight
from tracker.web.access.permissions import get_access, identify
from tracker.web.events import sentences
from tracker.web.log_sentences import line_sentence
from tracker.web.wording.texts import gettext as _

SHOWN, MOST_SHOWN = 10, 200
"""How many lines are shown at once, and how many when the host asks for all."""


@dataclass(frozen=True)
class NewLine:
    """A line of the log as it would say it, and who it says has recorded it."""

    text: Markup
    recorded_by: Markup


@dataclass(frozen=True)
class NewLines:
    """What is new in a night that came."""

    lines: tuple[NewLine, ...]
    """The newest first, as in the log; not all of very many."""
    count: int
    chips: tuple[tuple[str, int, int], ...]
    """Of everybody whose chips or points are others then: the name, what is more (or less), what it comes to."""
    ends_night: bool
    proved: int = 0
    """How many of them were recorded here before."""
    is_locked: bool = False

    @property
    def first(self) -> tuple[NewLine, ...]:
        return self.lines[:SHOWN]

    @property
    def more(self) -> tuple[NewLine, ...]:
        return self.lines[SHOWN:]

    @property
    def left_out(self) -> int:
        return self.count - len(self.lines)


def new_lines(night: BroughtNight, history: History) -> NewLines:
    """Return what is new in a night, whose log was played to its end."""
    asks = (
        night.relation == "shorter"
        and get_access().lock.is_locked(night.code, identify(night.code).device)
        and may_need_unlocking(history.entries, night.first - 1)
    )
    return replace(lines_after(night.here, history), proved=max(night.first - 1 - night.here, 0), is_locked=asks)


def may_need_unlocking(entries: Sequence[Entry], after: int) -> bool:
    """Return whether any entry after a number may end the night or send somebody away, or corrects who is there."""
    index = CorrectionIndex(entries)
    about = (index.root_of(entry.number) for entry in entries[after:])
    kinds = {(entries[number - 1].event.kind, number > after) for number in about}
    return any(kind in get_access().lock.kinds or (kind == "sit" and not is_new) for kind, is_new in kinds)


def lines_after(here: int, history: History) -> NewLines:
    """Return what a log has after so many entries."""
    there, now = len(history.entries), history.night
    then = history.state_after(here) if here else Night(history.preset)
    numbers = range(there, max(here, there - MOST_SHOWN), -1)
    return NewLines(
        lines=tuple(new_line(history, history.line(number)) for number in numbers),
        count=max(there - here, 0),
        chips=chips_changed(then, now),
        ends_night=now.is_over and not then.is_over,
    )


def new_line(history: History, line: HistoryLine) -> NewLine:
    text = line_sentence(history, line)
    if line.is_correction:
        what = _("taken back") if line.entry.event.kind == "undo" else _("changed")
        text = Markup("{}: {}").format(what, text)
    return NewLine(text, sentences.recorded_by(line.entry, history.night))


def chips_changed(then: Night, now: Night) -> tuple[tuple[str, int, int], ...]:
    found = difference(then, now)
    totals = now.ledger.balances if now.preset.is_pot_game else now.points
    changed = found.seats if now.preset.is_pot_game else found.points
    return tuple((now.name(seat), more, totals.get(seat, 0)) for seat, more in changed.items())
