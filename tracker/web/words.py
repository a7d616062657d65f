"""What happened, in one plain sentence: for the log, the line under the table, the TV and whatever is printed.

`sentence` gives markup with the names isolated, `plain` the same words as text. Both need only the state after the
event; with the state before it they also say what was borrowed on paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from markupsafe import Markup, escape

from tracker.core.errors import Faults, Ours, Worded
from tracker.core.events import Event
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.web.kinds import EVERY_GAME
from tracker.web.kinds_pots import POT_GAMES
from tracker.web.kinds_stages import STAGES
from tracker.web.texts import gettext as _
from tracker.web.voice import Voice

TELLERS = {**EVERY_GAME, **POT_GAMES, **STAGES}
# Facts of a refusal that are words of ours; the others are what people typed.
OUR_WORDS = ("pot", "how")


def sentence(entry: Entry, event: Event | None, before: Night | None, after: Night) -> Markup:
    """Return what an event did, names in <bdi>; `event` is the entry's as it stands now, if it was changed."""
    return Markup(_told(event or entry.event, Voice(before, after, is_markup=True)))  # noqa: S704  Voice escapes


def plain(entry: Entry, event: Event | None, before: Night | None, after: Night) -> str:
    """Return what an event did as text without markup."""
    return _told(event or entry.event, Voice(before, after, is_markup=False))


def attempt(event: Event, night: Night) -> Markup:
    """Return what an event was about when nobody can say any more what it would do: who, and which place."""
    voice = Voice(None, night, is_markup=True)
    about = [getattr(event, name, None) for name in ("seat", "dealer", "buyer", "winner", "source", "target", "pot")]
    names = [voice.name(one) for one in about if isinstance(one, str)]
    return Markup(", ").join(Markup(name) for name in [*names, escape(event.kind)])  # noqa: S704  Voice escapes


def refusal(error: Worded) -> str:
    """Return why something was refused, as a whole sentence in the reader's language."""
    said = reason(error)
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "?", "!")) else ".")


def reason(error: Worded) -> str:
    """Return what is wrong in the reader's language, as it can stand inside a sentence; causes within it, too."""
    return _(error.template).format_map({key: _fact(key, value) for key, value in error.facts.items()})


def _fact(key: str, value: object) -> object:
    if isinstance(value, Faults):
        return value.between.join(map(reason, value))
    if isinstance(value, Worded):
        return reason(value)
    is_ours = isinstance(value, Ours) or key in OUR_WORDS
    return _(value) if is_ours and isinstance(value, str) and value else value


def clock(at: str | None) -> str:
    """Return the time of day of an entry where the server stands, as 21:14; nothing for one from a bare file."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%H:%M") if at else ""
    except ValueError:
        return ""


def recorder(by: str | None, night: Night) -> str:
    """Return who recorded something, as text; nothing when a file does not say."""
    if not by or by in night.people:
        return night.people[by].name if by else ""
    return {"host": _("the host's phone"), "api": _("a script")}.get(by, by)


def recorded(entry: Entry, night: Night) -> Markup:
    """Return who recorded an entry and when: `Mia, 21:14`."""
    who, when = recorder(entry.by, night), clock(entry.at)
    parts = [Markup("<bdi>{}</bdi>").format(who)] if who else []
    parts += [Markup('<time datetime="{}">{}</time>').format(entry.at, when)] if when else []
    return Markup(", ").join(parts)


def _told(event: Event, voice: Voice) -> str:
    cover: Mapping[str, str] = getattr(event, "cover", {})
    return ". ".join([TELLERS[event.kind](event, voice), *(_covered(voice, *pair) for pair in cover.items())])


def _covered(voice: Voice, seat: str, source: str) -> str:
    """Return how a seat that was short paid: bought, borrowed, or on paper."""
    chips = max(voice.moved(source=source, target=seat), voice.paper(seat, source))
    name, lender = voice.name(seat), voice.name(source)
    if source == BANK:
        return _("%(name)s buys %(chips)s for it", name=name, chips=chips)
    if not chips:
        return _("%(name)s owes %(lender)s for it", name=name, lender=lender)
    return _("%(name)s borrows %(chips)s from %(lender)s", name=name, chips=chips, lender=lender)
