"""What a page tells a screen reader of a night's newest entry (static/shared/live.js), all of it in one text."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from tracker.app.log_history import History
from tracker.app.open_night import OpenNight
from tracker.core.events import Amend, Collect, End, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.queries.difference import difference
from tracker.core.queries.undo_policy import RECORDED, RESTORED, UNDONE, NewestChange
from tracker.core.settlement import Payment
from tracker.web.base.snapshot import NightSnapshot, Viewer, snapshot_of
from tracker.web.events.event_kind import Vocabulary
from tracker.web.events.registry import kind_of
from tracker.web.events.sentences import LastEvent, recorder_name
from tracker.web.log_sentences import line_sentence
from tracker.web.night_result import NightResult
from tracker.web.wording.texts import gettext as _


class Told(NamedTuple):
    """The newest entry as one viewer is told it."""

    head: int
    """Its number."""
    is_own: bool
    """Whether the viewer has recorded it, and hears "Done" before the text; an undo's own words say it."""
    text: str
    """Empty where the line under the table says it."""


def told_entry(
    table: OpenNight,
    snapshot: NightSnapshot,
    viewer: Viewer,
    last: LastEvent,
    moves: Sequence[Payment] = (),
    *,
    is_shown: bool = False,
) -> Told:
    """Return what `viewer` is told of the newest entry and its `moves`, beside `last` where that `is_shown`."""
    entry = snapshot.entries[-1] if snapshot.entries else None
    is_own = entry is not None and entry.by == (viewer.seat or viewer.role)
    is_plain = not moves and not (entry and isinstance(entry.event, Undo | Amend | End))
    if is_shown and is_plain:
        return Told(snapshot.head, is_own, "")
    said = [last_words(last)]
    if entry and isinstance(entry.event, Collect) and entry.event.seat == viewer.seat:
        moves = ()  # the sentence says it
    if entry and isinstance(entry.event, Undo | Amend):
        said = [] if is_own else [_("%(name)s corrects", name=recorder_name(entry.by, snapshot.night))]
        said.append(_corrected(table.history(), snapshot.change, last))
    said += own_payments(moves, viewer.seat, snapshot.night)
    if entry and isinstance(entry.event, Amend):
        said += _others_payments(table.history(), entry, viewer.seat)
    if entry and snapshot.night.is_over and (isinstance(entry.event, End) or entry.event.ends_deal):
        said += _result(table, viewer.seat)
    is_own &= not (entry and isinstance(entry.event, Undo))
    return Told(
        snapshot.head, is_own, ". ".join([(one[:1].upper() + one[1:]).removesuffix(".") for one in said if one])
    )


def with_correction(table: OpenNight, last: LastEvent) -> LastEvent:
    """Return the newest change in words: of a correction, what the entry says now."""
    change = snapshot_of(table).change
    entry = change.entry if change and change.kind == RECORDED else None
    if entry is None or not isinstance(entry.event, Amend):
        return last
    what = line_sentence(table.history(), table.history().line(entry.number))
    return LastEvent(Markup(escape(_("Changed: %(what)s"))) % {"what": what})  # noqa: S704  our own text


def last_words(last: LastEvent) -> str:
    """Return the line under the table as it is told: with the name of the place whose card stands there."""
    text = last.text.striptags()
    return f"{_(last.label.name)}: {text}" if last.label else text


def own_payments(moves: Sequence[Payment], seat: str | None, night: Night) -> list[str]:
    """Return what the newest entry has a seat hand over, or get; from more than one, or from places, as a sum."""
    if not moves:
        return []
    pays, chips = moves[0].debtor == seat, sum(one.chips for one in moves)
    other = moves[0].creditor if pays else moves[0].debtor
    if len(moves) == 1 and other in night.people:
        name = night.people[other].name
        return [
            _("You pay %(name)s %(n)s.", name=name, n=chips)
            if pays
            else _("You get %(n)s from %(name)s.", name=name, n=chips)
        ]
    return [_("You pay %(n)s.", n=chips) if pays else _("You get %(n)s.", n=chips)]


def _corrected(history: History, change: NewestChange | None, last: LastEvent) -> str:
    """Return what a correction does: what the entry says now, or which one was taken back or counts again."""
    if change is None or change.entry is None:
        return last_words(last)
    event, line = change.entry.event, history.line(change.entry.number)
    what = line_sentence(history, line).striptags()
    if isinstance(event, Amend):
        if change.kind == RECORDED:
            return last_words(last)
        first = _("Undone: %(what)s", what=_("An entry was changed")) if change.kind == UNDONE else last_words(last)
        return f"{first}. {_capital(what)}"
    if change.kind == UNDONE:
        has_own_words = kind_of(event, history.night).undone is not None
        return last_words(last) if has_own_words else _("Undone: %(what)s", what=what)
    return _("Counts again: %(what)s", what=what) if change.kind == RESTORED else what


def _others_payments(history: History, entry: Entry, seat: str | None) -> list[str]:
    """Return who else pays whom so that the table is as the log says after a change."""
    name = Vocabulary(None, history.night, is_markup=False).name
    return [
        _("%(name)s pays %(other)s %(n)s", name=name(one.debtor), other=name(one.creditor), n=one.chips)
        for one in difference(history.state_after(entry.number - 1), history.night).moves
        if seat not in (one.debtor, one.creditor)
    ]


def _result(table: OpenNight, seat: str | None) -> list[str]:
    """Return who wins the night, and what a seat pays and gets."""
    result = NightResult(table.history())
    said = [result.headline] if result.winners else []
    for due in result.dues_of(seat) if seat else ():
        pays = due.event.source == seat
        other = due.creditor if pays else due.debtor
        facts = {"name": other.name if other else _("the box"), "n": due.amount}
        said.append(_("You pay %(name)s %(n)s.", **facts) if pays else _("You get %(n)s from %(name)s.", **facts))
    return said


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
