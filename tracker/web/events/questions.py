"""The questions that correction forms are made of, and the people, pots and words that they offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tracker.core.events import Poker
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.queries.options import may_happen
from tracker.web.drawing.player_token import label_of, player_tokens
from tracker.web.events.correction_form import Field, MakeField, Option, Raw
from tracker.web.wording.texts import gettext as _

Choices = Callable[[Night], tuple[Option, ...]]
Label = Callable[[], str]
"""Returns a question's text in the reader's language."""


# What can be picked


def people(night: Night, seats: Iterable[str]) -> tuple[Option, ...]:
    """Return the people of some seats."""
    tokens = player_tokens(night)
    return tuple(Option(seat, tokens[seat].name, face=tokens[seat]) for seat in seats if seat in tokens)


def at_table(night: Night) -> tuple[Option, ...]:
    """Return everybody who sits at the table."""
    return people(night, night.seats)


def in_hand(night: Night) -> tuple[Option, ...]:
    """Return everybody who plays the present hand; everybody of the night where none is on."""
    return people(night, [seat for seat in night.all_seats if night.deal is None or seat in night.deal.seats])


def may_win_poker(night: Night) -> tuple[Option, ...]:
    """Return who can have the best poker hand of the present hand."""
    return people(night, [seat for seat in night.all_seats if may_happen(night, Poker((seat,)))])


def payers(night: Night) -> tuple[Option, ...]:
    """Return whom an event can ask for chips: the hand's players, or everybody between hands."""
    return at_table(night) if night.is_between_hands else in_hand(night)


def pots(night: Night, won_by: Sequence[str] = ("card", "out", "poker")) -> tuple[Option, ...]:
    """Return the pots that are won in one of some ways."""
    chosen = [pot for pot in night.preset.board.values() if pot.won_by in won_by]
    return tuple(Option(pot.id, _(pot.name), label=label_of(pot)) for pot in chosen)


def card_pots(night: Night) -> tuple[Option, ...]:
    """Return the pots that a money card wins."""
    return pots(night, ("card", "side"))


def bet_pots(night: Night) -> tuple[Option, ...]:
    """Return the pots on which chips can be bet."""
    return pots(night, ("poker", "side"))


def accounts(night: Night) -> tuple[Option, ...]:
    """Return everybody at the table, and every pot."""
    return at_table(night) + pots(night)


def accounts_and_bank(night: Night) -> tuple[Option, ...]:
    """Return everybody at the table, every pot, and the bank."""
    return (*accounts(night), Option(BANK, _("the bank")))


# Questions


def pick(name: str, label: Label, choices: Choices, kind: str = "pick", least: int = 0) -> MakeField:
    """Return a question that is answered by picking: `pick` one, `picks` several; or `numbers`, one for each choice."""
    return lambda raw, night: Field(name, kind, label(), raw.get(name), choices(night), least)


def number(name: str, label: Label, least: int = 0) -> MakeField:
    """Return a question for a whole number."""
    return lambda raw, _night: Field(name, "number", label(), raw.get(name, 0), least=least)


def text(name: str, label: Label) -> MakeField:
    """Return a question for a line of text."""
    return lambda raw, _night: Field(name, "text", label(), raw.get(name, ""))


def only_if(rule: str, value: object, make: MakeField) -> MakeField:
    """Return a question that is asked only where the house rule has that value."""

    def make_if(raw: Raw, night: Night) -> Field | None:
        is_so = rule in HOUSE_RULES[night.preset.game] and night.preset[rule] == value
        return make(raw, night) if is_so else None

    return make_if


def cover(raw: Raw, night: Night) -> Field:
    """Return the question who lent whom the chips that were missing."""
    return Field("cover", "cover", _("Somebody could not pay"), raw.get("cover", {}), payers(night))


which_pot = pick("pot", lambda: _("Which place?"), card_pots)
person = pick("seat", lambda: _("Who?"), in_hand)
who_at_table = pick("seat", lambda: _("Who?"), at_table)
how_many = number("chips", lambda: _("How many chips?"), 1)
cards_left = pick("cards", lambda: _("Cards left in each hand"), in_hand, "numbers")
points_left = pick("hands", lambda: _("Points still in each hand"), at_table, "numbers")
