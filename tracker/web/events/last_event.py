"""The line under the table: what the newest event did, in few words."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup, escape

from tracker.core.events import Amend, Event, Hand, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.queries.undo_policy import RESTORED, UNDONE, Recorded, newest_change
from tracker.web.drawing.player_token import PotLabel, label_of
from tracker.web.events.registry import kind_of
from tracker.web.events.sentences import cover_sentences, event_subject, sentence
from tracker.web.events.vocabulary import ShortVocabulary, Vocabulary
from tracker.web.wording.texts import gettext as _


@dataclass(frozen=True)
class LastEvent:
    """The newest event in words, and the pot that a short sentence is about."""

    text: Markup
    label: PotLabel | None = None


def last_event(log: Recorded, night: Night, reader: str | None = None) -> LastEvent:
    """Return what the newest change was; `reader` is the seat whose own phone shows it, which is spoken to as "you"."""
    change = newest_change(log)
    if change is None or change.entry is None:
        return LastEvent(Markup(_("Welcome. Nothing is recorded yet.")))  # noqa: S704  our own text
    event = change.entry.event
    words = ShortVocabulary(None, night, is_markup=True, reader=reader)
    if change.kind == UNDONE:
        return LastEvent(Markup(_undone(event, words)))  # noqa: S704  escaped in words
    if change.kind == RESTORED:
        return LastEvent(_restored(log, change.entry, night))
    short = kind_of(event).short
    if short is None:
        return LastEvent(sentence(change.entry, None, None, night))
    covered = () if isinstance(event, Hand) else cover_sentences(words, event)  # its own words say who hands over what
    parts = [short(event, words), *covered]
    return LastEvent(Markup(". ".join(parts)), _label(event, night))  # noqa: S704  escaped in words


def _restored(log: Recorded, entry: Entry, night: Night) -> Markup:
    """Return which event holds again; what it moved is known only where no event in force came after it."""
    newer = log.entries[entry.number :]
    is_newest = all(one.number in log.undone or isinstance(one.event, Undo | Amend) for one in newer)
    what = sentence(entry, None, None, night) if is_newest else event_subject(entry.event, night)
    return Markup(escape(_("Counts again: %(what)s"))) % {"what": what}  # noqa: S704  our own text


def _undone(event: Event, words: Vocabulary) -> str:
    undone = kind_of(event).undone
    if undone is not None:
        return undone(event, words)
    return _("Undone. The chips go back to where they were.") if words.after.preset.is_pot_game else _("Undone")


def _label(event: Event, night: Night) -> PotLabel | None:
    pot = getattr(event, "pot", "")
    return label_of(night.preset.board[pot]) if pot in night.preset.board else None
