"""All kinds of events by their words, checked against those of the rules; and by what each changes a seat's chips."""

from collections.abc import Iterable, Iterator, Mapping

from tracker.core.errors import N_
from tracker.core.events import Amend, Event, Undo
from tracker.core.game import GAMES
from tracker.core.night import SHOWDOWN, Night
from tracker.formats.codec import checked_event, event_from
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, ReadEvent
from tracker.web.events.every_game import EVERY_GAME
from tracker.web.events.hand import HANDS
from tracker.web.events.stages import STAGES
from tracker.web.wording.texts import gettext as _


def by_word(kinds: Iterable[AnyKind], words: Iterable[str]) -> dict[str, AnyKind]:
    """Return the records by their words. Raises TypeError unless there is one for each word, and no other."""
    records = {kind.word: kind for kind in kinds}
    if differing := sorted(records.keys() ^ set(words)):
        raise TypeError(f"kinds of events in the rules alone, or in web/events alone: {', '.join(differing)}")
    return records


EVENT_KINDS: dict[str, Mapping[str, AnyKind]] = {}
"""The kinds of events of each game, by their words."""
BUTTONS: dict[str, Mapping[str, ReadEvent]] = {}
"""What reads the form of each button of each game, by the button's verb."""
_CORRECTIONS = (Undo.kind, Amend.kind)


def add_kinds(game: str, kinds: Iterable[AnyKind]) -> None:
    """Make the kinds of events of a game known. Raises TypeError unless there is one for each that its rules have."""
    EVENT_KINDS[game] = by_word((*EVERY_GAME, *kinds), (*GAMES[game].handlers, *_CORRECTIONS))
    BUTTONS[game] = {verb: read for kind in EVENT_KINDS[game].values() for verb, read in kind.buttons.items()}


add_kinds("pots", (*HANDS, *STAGES))
_UNKNOWN: AnyKind = EventKind(event=Event, sentence=lambda event, _words: event.kind, is_for_host=True)


def kind_of(event: Event, night: Night) -> AnyKind:
    """Return the kind of an event in the game of a night; of one that this game does not have, as others have it."""
    games = (EVENT_KINDS.get(night.preset.game, {}), *EVENT_KINDS.values())
    return next((kinds[event.kind] for kinds in games if event.kind in kinds), _UNKNOWN)


def event_of(form: MoveForm) -> Event:
    """Return the event that a form asks to record. Raises BadEvent; Stale or AlreadyDone for an old form."""
    read = BUTTONS[form.night.preset.game].get(form.verb)
    if read is None:
        return event_from({"kind": form.verb})
    made = read(form)
    return checked_event(made, type(made))


# By what a seat won or lost chips


def split_by_reason(event: Event, after: Night, seat: str, change: int) -> Iterator[tuple[str, int]]:
    """Yield (reason, chips) for the parts of what one event changed of a seat's net; their sum is `change`."""
    if event.kind not in ("out", "turn-up") or after.phase != SHOWDOWN:
        yield kind_of(event, after).reason, change
        return
    deal, won = after.current_deal(), 0
    if seat == deal.winner:
        pots = {pot.id for pot in after.preset.won_by("out")}
        pots |= {deal.turned_up} if event.kind == "turn-up" and deal.turned_up else set()
        won = sum(taken.chips for pot, taken in deal.taken.items() if pot in pots)
    yield "places", won
    yield "cards", change - won


NOT_WON = frozenset({"corrections", "bought", "borrowed", "paid-back", "ious"})
"""The reasons that are no part of what a hand has won or lost somebody (`Deal.won`)."""


def outside_net(before: Night, after: Night, seat: str) -> Iterator[tuple[str, int]]:
    """Yield (reason, chips) for what one event changed of a stack but not of its net: bought, borrowed, IOUs held."""
    old, new = before.ledger, after.ledger
    bought = new.bought.get(seat, 0) - old.bought.get(seat, 0)
    yield "bought", bought - new.cashed.get(seat, 0) + old.cashed.get(seat, 0)
    owed = new.owed_by(seat) - old.owed_by(seat)
    yield "borrowed" if owed > 0 else "paid-back", owed
    yield "ious", old.notes_in(seat) - new.notes_in(seat)


REASON_NAMES = {
    "start": N_("to begin with"),
    "antes": N_("antes"),
    "places": N_("places and pools"),
    "cards": N_("cards left"),
    "dummy": N_("dummy hand"),
    "dues": N_("cards that pay at once"),
    "bets": N_("bets"),
    "penalties": N_("penalties"),
    "corrections": N_("set right by hand"),
    "board": N_("share of the board"),
    "abandoned": N_("hands given up"),
    "taken": N_("points of the rounds"),
    "won": N_("deals won"),
    "lost": N_("deals lost"),
    "bought": N_("bought"),
    "borrowed": N_("borrowed"),
    "paid-back": N_("paid back"),
    "ious": N_("in IOUs"),
    "other": N_("other"),
}
"""What each reason is called, in English, in the order in which they are shown."""


def reason_name(reason: str) -> str:
    return _(REASON_NAMES.get(reason, "other"))
