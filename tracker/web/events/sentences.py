"""What happened, in one plain sentence, as markup or text: for the log, the line under the table, and print."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from tracker.core.events import Amend, Bid, Event, Hand, Pass, Undo
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.queries.undo_policy import RESTORED, UNDONE, Recorded, newest_change
from tracker.web.drawing.player_token import PotLabel, label_of
from tracker.web.events.event_kind import Vocabulary
from tracker.web.events.registry import kind_of
from tracker.web.wording.dates import time_of_day
from tracker.web.wording.texts import gettext as _

BY_LOT = "by lot"
"""Recorded an event that was drawn; no seat has such an id."""


def sentence(event: Event, before: Night | None, after: Night) -> Markup:
    """Return what an event did, names in <bdi>."""
    return Markup(_sentence(event, Vocabulary(before, after, is_markup=True)))  # noqa: S704  escaped in words


def plain_sentence(event: Event, before: Night | None, after: Night) -> str:
    return _sentence(event, Vocabulary(before, after, is_markup=False))


def event_subject(event: Event, night: Night) -> Markup:
    """Return what an event was about when nobody can say any more what it would do: who, and which place."""
    words = Vocabulary(None, night, is_markup=True)
    about = [getattr(event, name, None) for name in ("seat", "dealer", "buyer", "winner", "source", "target", "pot")]
    names = [words.name(account) for account in about if isinstance(account, str)]
    return Markup(", ").join(Markup(name) for name in [*names, escape(event.kind)])  # noqa: S704  escaped in words


def recorder_name(by: str | None, night: Night) -> str:
    """Return who recorded something, as text; nothing when a file does not say."""
    if not by or by in night.people:
        return night.people[by].name if by else ""
    return {"host": _("the host’s phone"), "api": _("a script"), BY_LOT: _("drawn by lot")}.get(by, by)


def recorded_by(entry: Entry, night: Night) -> Markup:
    """Return who recorded an entry and when: `Mia, 21:14`."""
    name, when = recorder_name(entry.by, night), time_of_day(entry.at)
    parts = [Markup("<bdi>{}</bdi>").format(name)] if name else []
    parts += [Markup('<time datetime="{}">{}</time>').format(entry.at, when)] if when else []
    return Markup(", ").join(parts)


def _sentence(event: Event, words: Vocabulary) -> str:
    return ". ".join([kind_of(event, words.after).sentence(event, words), *cover_sentences(words, event)])


def cover_sentences(words: Vocabulary, event: Event) -> list[str]:
    """Return how everybody paid who was short, in a sentence each."""
    if isinstance(event, Bid | Pass) and not words.after.last_transfers:
        return []  # a bid is paid when the dummy is sold
    cover: Mapping[str, str] = getattr(event, "cover", {})
    return [_covered(words, *pair) for pair in cover.items()]


def _covered(words: Vocabulary, seat: str, source: str) -> str:
    """Return how a seat that was short paid: bought, borrowed, or on paper."""
    chips, owed = words.chips_moved(source=source, target=seat), words.iou_chips(seat, source)
    name, lender = words.name(seat), words.name(source)
    if source == BANK:
        return _("%(name)s buys %(chips)s for it", name=name, chips=chips)
    if chips:
        return _("%(name)s borrows %(chips)s from %(lender)s", name=name, chips=chips, lender=lender)
    if owed:
        return _("%(name)s owes %(lender)s %(chips)s for it", name=name, lender=lender, chips=owed)
    return _("%(name)s owes %(lender)s for it", name=name, lender=lender)


@dataclass(frozen=True)
class LastEvent:
    """The newest event in words, and the pot that a short sentence is about."""

    text: Markup
    label: PotLabel | None = None


def last_event(
    log: Recorded, night: Night, reader: str | None = None, withdrawn: str | None = None, before: Night | None = None
) -> LastEvent:
    """Return what the newest change was, said to the seat `reader` as "you"; `withdrawn` was said not to be out."""
    change = newest_change(log, None, withdrawn)
    if change and change.seat:
        return LastEvent(escape(_("Undone: %(name)s is not out", name=night.name(change.seat))))
    if change is None or change.entry is None:
        return LastEvent(Markup(_("Welcome. Nothing is recorded yet.")))  # noqa: S704  our own text
    event = change.entry.event
    words = Vocabulary(before, night, is_markup=True, reader=reader, is_short=True)
    if change.kind == UNDONE:
        return LastEvent(Markup(_undone(event, words)))  # noqa: S704  escaped in words
    if change.kind == RESTORED:
        return LastEvent(_restored(log, change.entry, night))
    short = kind_of(event, night).short
    if short is None:
        return LastEvent(sentence(event, before, night))
    covered = () if isinstance(event, Hand) else cover_sentences(words, event)  # its own words say who hands over what
    parts = [short(event, words), *covered]
    return LastEvent(Markup(". ".join(parts)), pot_label(event, night))  # noqa: S704  escaped in words


def _restored(log: Recorded, entry: Entry, night: Night) -> Markup:
    """Return which event holds again; what it moved is known only where no event in force came after it."""
    newer = log.entries[entry.number :]
    is_newest = all(one.number in log.undone or isinstance(one.event, Undo | Amend) for one in newer)
    if isinstance(entry.event, Amend):
        return escape(_("The change counts again"))
    what = sentence(entry.event, None, night) if is_newest else event_subject(entry.event, night)
    return Markup(escape(_("Counts again: %(what)s"))) % {"what": what}  # noqa: S704  our own text


def _undone(event: Event, words: Vocabulary) -> str:
    undone = kind_of(event, words.after).undone
    if undone is not None:
        return undone(event, words)
    return _("Undone. The chips go back to where they were.") if words.after.preset.is_pot_game else _("Undone")


def pot_label(event: Event, night: Night) -> PotLabel | None:
    """Return the little card of the pot that an event is about."""
    pot = getattr(event, "pot", "")
    return label_of(night.preset.board[pot]) if pot in night.preset.board else None
