"""All kinds of events by their words, checked against the core's when this module is imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tracker.core.events import KINDS, Event
from tracker.formats.codec import event_from
from tracker.web.events.auction import AUCTION
from tracker.web.events.event_kind import AnyKind
from tracker.web.events.every_game import EVERY_GAME
from tracker.web.events.hand import HANDS, PENALTY
from tracker.web.events.hand_end import HAND_ENDS
from tracker.web.events.money import MONEY
from tracker.web.events.move_form import MoveForm, ReadFields
from tracker.web.events.score import POINTS, ROUNDS, RUM
from tracker.web.events.stages import STAGES

_GAMES: Mapping[str, tuple[AnyKind, ...]] = {
    "pots": (*EVERY_GAME, *MONEY, *HANDS, *HAND_ENDS, *AUCTION, *STAGES),
    "rounds": (*EVERY_GAME, *ROUNDS),
    "rum": (*EVERY_GAME, *RUM, PENALTY),
    "points": (*EVERY_GAME, *POINTS),
}
"""The kinds of events of each game."""


def by_word(kinds: Iterable[AnyKind], words: Iterable[str]) -> dict[str, AnyKind]:
    """Return the records by their words. Raises TypeError unless there is one for each word, and no other."""
    records = {kind.word: kind for kind in kinds}
    missing, unknown = sorted(set(words) - set(records)), sorted(set(records) - set(words))
    if missing or unknown:
        faults = [f"no record in web/events for {', '.join(missing)}"] if missing else []
        faults += [f"records in web/events for unknown {', '.join(unknown)}"] if unknown else []
        raise TypeError("kinds of events: " + "; ".join(faults))
    return records


EVENT_KINDS: Mapping[str, AnyKind] = by_word((kind for kinds in _GAMES.values() for kind in kinds), KINDS)
BUTTONS: Mapping[str, Mapping[str, ReadFields]] = {
    game: {verb: read for kind in kinds for verb, read in kind.buttons.items()} for game, kinds in _GAMES.items()
}
"""What reads the form of each button of each game, by the button's verb."""


def kind_of(event: Event) -> AnyKind:
    """Return the record of an event's kind."""
    return EVENT_KINDS[event.kind]


def event_of(form: MoveForm) -> Event:
    """Return the event that a form asks to record.

    Raises BadEvent where the form says what no event can, or has an unknown verb; Stale or AlreadyDone where it was
    filled at another moment.
    """
    read = BUTTONS[form.night.preset.game].get(form.verb)
    return event_from({"kind": form.verb, **(read(form) if read else {})})
