"""What happened, in one plain sentence: for the log, the line under the table, the TV and whatever is printed.

`sentence` gives markup with the names isolated, `plain` the same words as text. Both need only the state after the
event; with the state before it they also say what was borrowed on paper.
"""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup, escape

from tracker.core.events import Bid, Event, Pass
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.web.events.registry import kind_of
from tracker.web.events.vocabulary import Vocabulary
from tracker.web.wording.texts import gettext as _
from tracker.web.wording.times import time_of_day


def sentence(entry: Entry, event: Event | None, before: Night | None, after: Night) -> Markup:
    """Return what an event did, names in <bdi>; `event` is the entry's as it stands now, if it was changed."""
    return Markup(_sentence(event or entry.event, Vocabulary(before, after, is_markup=True)))  # noqa: S704  escaped in words


def plain_sentence(entry: Entry, event: Event | None, before: Night | None, after: Night) -> str:
    """Return what an event did as text without markup."""
    return _sentence(event or entry.event, Vocabulary(before, after, is_markup=False))


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
    return {"host": _("the host’s phone"), "api": _("a script")}.get(by, by)


def recorded_by(entry: Entry, night: Night) -> Markup:
    """Return who recorded an entry and when: `Mia, 21:14`."""
    name, when = recorder_name(entry.by, night), time_of_day(entry.at)
    parts = [Markup("<bdi>{}</bdi>").format(name)] if name else []
    parts += [Markup('<time datetime="{}">{}</time>').format(entry.at, when)] if when else []
    return Markup(", ").join(parts)


def _sentence(event: Event, words: Vocabulary) -> str:
    return ". ".join([kind_of(event).sentence(event, words), *cover_sentences(words, event)])


def cover_sentences(words: Vocabulary, event: Event) -> list[str]:
    """Return how everybody paid who was short, in a sentence each."""
    if isinstance(event, Bid | Pass) and not words.after.last_transfers:
        return []  # a bid is paid when the dummy is sold
    cover: Mapping[str, str] = getattr(event, "cover", {})
    return [_covered(words, *pair) for pair in cover.items()]


def _covered(words: Vocabulary, seat: str, source: str) -> str:
    """Return how a seat that was short paid: bought, borrowed, or on paper."""
    chips = max(words.chips_moved(source=source, target=seat), words.iou_chips(seat, source))
    name, lender = words.name(seat), words.name(source)
    if source == BANK:
        return _("%(name)s buys %(chips)s for it", name=name, chips=chips)
    if not chips:
        return _("%(name)s owes %(lender)s for it", name=name, lender=lender)
    return _("%(name)s borrows %(chips)s from %(lender)s", name=name, chips=chips, lender=lender)
