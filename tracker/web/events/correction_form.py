"""The form that corrects an event: its questions with the present answers, and what a filled form changes."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from werkzeug.datastructures import MultiDict

from tracker.core.errors import N_
from tracker.core.events import Poker, Rule
from tracker.core.house_rules import HOUSE_RULES, HouseRule
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries.options import may_happen
from tracker.formats.codec import event_to
from tracker.web.drawing.player_token import PlayerToken, PotLabel, label_of, player_tokens
from tracker.web.wording.game_words import label, rule_value, value_choices, value_words
from tracker.web.wording.texts import gettext as _

Values = MultiDict[str, str]
"""What a browser sent: each field with one or more texts."""
Raw = Mapping[str, Any]
"""The fields of an event as plain JSON values."""


@dataclass(frozen=True)
class Option:
    """One thing to pick: a person, a pot, or something with a name only."""

    value: str
    name: str
    face: PlayerToken | None = None
    label: PotLabel | None = None
    suit: str = ""


@dataclass(frozen=True)
class Field:
    """A question: `pick` (one), `picks` (several), `yes or no`, `number`, `numbers` (by account), `text`, `seat order`,
    `cover`."""

    name: str
    type: str
    label: str
    value: Any = None
    options: tuple[Option, ...] = ()
    least: int = 0


MakeField = Callable[[Raw, Night], Field | None]
"""Makes a question from the event's values and the state before it; None where it is not asked."""


class Form:
    """How one kind of event is corrected: its questions, `to_form` (event, state before) and `from_form` (as typed)."""

    def __init__(
        self,
        *make: MakeField,
        to_form: Callable[[Any, Night], dict[str, Any]] = lambda event, _before: event_to(event),
        from_form: Callable[[dict[str, Any]], dict[str, Any]] = dict,
    ) -> None:
        self._make, self._to_form, self._from_form = make, to_form, from_form

    def fields(self, event: Any, before: Night) -> list[Field]:
        """Return the questions, each with the present answer; `before` is the state before the event."""
        raw = self._to_form(event, before)
        made = (make(raw, before) for make in self._make)
        return [field for field in made if field is not None]

    def change(self, event: Any, before: Night, values: Values) -> dict[str, Any]:
        """Return the fields that a filled form changes, as the raw values of an `amend`; None clears one."""
        raw, fields = self._to_form(event, before), self.fields(event, before)
        typed = self._from_form({field.name: _typed(field, values, raw) for field in fields})
        present = {**{field.name: field.value for field in fields}, **raw}
        return {name: value for name, value in typed.items() if (value or None) != (present.get(name) or None)}


def _typed(field: Field, values: Values, raw: Raw) -> Any:
    """Return the answer to one question; what the form does not ask stays as it is."""
    name = field.name
    if field.type == "picks" and f"{name}-asked" in values:
        picked, before = values.getlist(name), raw.get(name)
        return before if before and sorted(before) == sorted(picked) else picked  # a page has an order of its own
    if field.type in ("numbers", "cover", "seat order"):
        return _typed_by_account(field, values, raw)
    if field.type == "picks" or name not in values:
        return raw.get(name)
    text = values[name].strip()
    return whole(text) if field.type == "number" else text == "yes" if field.type == "yes or no" else text


def _typed_by_account(field: Field, values: Values, raw: Raw) -> Any:
    """Return the answers to a question that is asked once for each person, pot or position."""
    is_order = field.type == "seat order"
    names = [str(index) if is_order else option.value for index, option in enumerate(field.options)]
    typed = {name: values.get(f"{field.name}-{name}") for name in names}
    if all(text is None for text in typed.values()):
        return raw.get(field.name)
    answers = {name: text.strip() for name, text in typed.items() if text and text.strip()}
    if is_order:
        return list(answers.values())
    return answers if field.type == "cover" else {account: whole(text) for account, text in answers.items()}


def whole(text: str) -> int | str:
    """Return a whole number, or the text itself for the codec to refuse in words."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


class RuleCorrection(Form):
    """A correction form with a question for each house rule that the entry changes."""

    def fields(self, event: Rule, before: Night) -> list[Field]:
        """Return a question for each rule that the entry changes, with its present answer."""
        rules = HOUSE_RULES[before.preset.game]
        return [_field(before.preset, rules[key], str(value)) for key, value in event.change.items() if key in rules]

    def change(self, event: Rule, before: Night, values: Values) -> dict[str, Any]:
        """Return what a filled form changes, as the raw `change` of an `amend`; nonsense is left to be refused."""
        rules = HOUSE_RULES[before.preset.game]
        typed = {key: values.get(key, str(value)).strip() for key, value in event.change.items() if key in rules}
        read = {key: rule_value(rules[key], text) for key, text in typed.items()}
        answers = {key: whole(typed[key]) if value is None else value for key, value in read.items()}
        changed = {**event.change, **answers}
        return {"change": changed} if changed != dict(event.change) else {}


def _field(preset: Preset, rule: HouseRule, value: str) -> Field:
    choices = value_choices(preset, rule)
    if not choices:
        return Field(rule.key, "number", label(rule.key), value, least=rule.low)
    options = tuple(Option(str(choice), value_words(rule.key, choice, preset)) for choice in choices)
    return Field(rule.key, "pick", label(rule.key), value, options)


Choices = Callable[[Night], tuple[Option, ...]]


# What can be picked


def people(night: Night, seats: Iterable[str]) -> tuple[Option, ...]:
    tokens = player_tokens(night)
    return tuple(Option(seat, tokens[seat].name, face=tokens[seat]) for seat in seats if seat in tokens)


def at_table(night: Night) -> tuple[Option, ...]:
    return people(night, night.seats)


def in_hand(night: Night) -> tuple[Option, ...]:
    """Return everybody who plays the present hand; everybody of the night where none is on."""
    return people(night, [seat for seat in night.all_seats if night.deal is None or seat in night.deal.seats])


def may_win_poker(night: Night) -> tuple[Option, ...]:
    return people(night, [seat for seat in night.all_seats if may_happen(night, Poker((seat,)))])


def payers(night: Night) -> tuple[Option, ...]:
    """Return whom an event can ask for chips: the hand's players, or everybody between hands."""
    return at_table(night) if night.is_between_hands else in_hand(night)


def pots(night: Night, won_by: Sequence[str] = ("card", "out", "poker")) -> tuple[Option, ...]:
    chosen = [pot for pot in night.preset.board.values() if pot.won_by in won_by]
    return tuple(Option(pot.id, _(pot.name), label=label_of(pot)) for pot in chosen)


def accounts(night: Night) -> tuple[Option, ...]:
    return at_table(night) + pots(night)


def accounts_and_bank(night: Night) -> tuple[Option, ...]:
    return (*accounts(night), Option(BANK, _("the bank")))


# Questions


def pick(name: str, label: str, choices: Choices, kind: str = "pick", least: int = 0) -> MakeField:
    """Return a question that is answered by picking: `pick` one, `picks` several; or `numbers`, one for each choice."""
    nothing = () if kind == "picks" else None
    return lambda raw, night: Field(name, kind, _(label), raw.get(name, nothing), choices(night), least)


def number(name: str, label: str, least: int = 0) -> MakeField:
    return lambda raw, _night: Field(name, "number", _(label), raw.get(name, 0), least=least)


def text(name: str, label: str) -> MakeField:
    return lambda raw, _night: Field(name, "text", _(label), raw.get(name, ""))


def only_if(rule: str, value: object, make: MakeField) -> MakeField:
    """Return a question that is asked only where the house rule has that value."""
    return lambda raw, night: (
        make(raw, night) if rule in HOUSE_RULES[night.preset.game] and night.preset[rule] == value else None
    )


def cover(raw: Raw, night: Night) -> Field:
    return Field("cover", "cover", _("Somebody could not pay"), raw.get("cover", {}), payers(night))


which_pot = pick("pot", N_("Which place?"), partial(pots, won_by=("card", "side")))
which_bet_pot = pick("pot", N_("Which place?"), partial(pots, won_by=("poker", "side")))
person = pick("seat", N_("Who?"), in_hand)
who_at_table = pick("seat", N_("Who?"), at_table)
how_many = number("chips", N_("How many chips?"), 1)
cards_left = pick("cards", N_("Cards left in each hand"), in_hand, "numbers")


def without_winners(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return what makes an event's values of a form: whoever is out holds no cards, in the field `name`."""
    return lambda typed: {
        **typed,
        name: {seat: left for seat, left in (typed[name] or {}).items() if seat != typed["seat"]},
    }
