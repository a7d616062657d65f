"""The fields of an entry as a form shows them, filled with what stands, and what a filled form changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from werkzeug.datastructures import MultiDict

from tracker.codec import event_to
from tracker.core import rounds_game
from tracker.core.events import Event, Rule, Rummy, StockOut
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.rum_game import hand_points
from tracker.web.faces import faces, label_of
from tracker.web.questions import Field, Option, whole
from tracker.web.rule_fields import rule_change, rule_fields
from tracker.web.texts import gettext as _

Form = MultiDict[str, str]


def fields_of(event: Event, before: Night) -> list[Field]:
    """Return the questions that correct this event, each with the present answer; none when nothing can change."""
    if isinstance(event, Rule):
        return rule_fields(event, before.preset.game)
    raw = _raw(event, before)
    made = (make(raw, before) for make in _FORMS.get(event.kind, ()))
    return [field for field in made if field is not None]


def change_of(event: Event, before: Night, form: Form) -> dict[str, Any]:
    """Return the fields that a filled form changes, as the raw values of an `amend`; None clears one."""
    if isinstance(event, Rule):
        return rule_change(event, before.preset.game, form)
    raw, typed, shown = _raw(event, before), {}, {}
    for field in fields_of(event, before):
        typed.update(_typed(field, form, raw))
        shown[field.name] = field.value
    if event.kind in ("out", "rummy"):
        typed = _without_winner(typed, "cards" if event.kind == "out" else "hands")
    stands = {**shown, **raw}
    changed = {name: value for name, value in typed.items() if (value or None) != (stands.get(name) or None)}
    return changed | ({"one_turn": changed["one_turn"] == "yes"} if "one_turn" in changed else {})


def _raw(event: Event, before: Night) -> dict[str, Any]:
    """Return an event's raw values; hands of cards as the points that they count."""
    raw = event_to(event)
    if isinstance(event, Rummy | StockOut):
        raw["hands"] = {seat: hand_points(before, held) for seat, held in event.hands.items()}
        raw["one_turn"] = "yes" if getattr(event, "one_turn", False) else "no"
    if event.kind == "penalty":
        raw["what"] = f"{raw['offence']}:{raw.get('suit', '')}"
    return raw


def _without_winner(typed: dict[str, Any], name: str) -> dict[str, Any]:
    """Whoever is out holds no cards, whoever that is now."""
    return {**typed, name: {seat: left for seat, left in (typed[name] or {}).items() if seat != typed["seat"]}}


def _typed(field: Field, form: Form, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the form says about one question; what it does not ask stays as it is."""
    name = field.name
    if field.type == "picks" and f"{name}-asked" in form:
        return {name: form.getlist(name)}
    if field.type in ("numbers", "cover", "ring"):
        return {name: _typed_by_account(field, form, raw)}
    if field.type == "picks" or name not in form:
        return {name: raw.get(name)}
    if name == "what":
        offence, _colon, suit = form[name].partition(":")
        return {"offence": offence, "suit": suit or None}
    return {name: whole(form[name].strip()) if field.type == "number" else form[name].strip()}


def _typed_by_account(field: Field, form: Form, raw: Mapping[str, Any]) -> Any:
    """Return the answers that a question asks once for each person, place or position."""
    places = (
        [str(at) for at in range(len(field.options))] if field.type == "ring" else [one.value for one in field.options]
    )
    typed = {place: form.get(f"{field.name}-{place}") for place in places}
    if all(text is None for text in typed.values()):
        return raw.get(field.name)
    said = {place: text.strip() for place, text in typed.items() if text and text.strip()}
    if field.type == "ring":
        return list(said.values())
    return said if field.type == "cover" else {account: whole(text) for account, text in said.items()}


# Whom and what can be picked


def people(night: Night, seats: Iterable[str]) -> tuple[Option, ...]:
    known = faces(night)
    return tuple(Option(seat, known[seat].name, face=known[seat]) for seat in seats if seat in known)


def _at_table(night: Night) -> tuple[Option, ...]:
    return people(night, night.seats)


def _in_hand(night: Night) -> tuple[Option, ...]:
    return people(night, [seat for seat in night.ring if night.deal is None or seat in night.deal.seats])


def pots(night: Night, won_by: Sequence[str] = ("card", "out", "poker")) -> tuple[Option, ...]:
    found = [pot for pot in night.preset.board.values() if pot.won_by in won_by]
    return tuple(Option(pot.id, _(pot.name), label=label_of(pot)) for pot in found)


def _card_pots(night: Night) -> tuple[Option, ...]:
    return pots(night, ("card", "side"))


def _bet_pots(night: Night) -> tuple[Option, ...]:
    return pots(night, ("poker", "side"))


def _dues(night: Night) -> tuple[Option, ...]:
    return tuple(Option(due.id, _(due.name)) for due in night.preset.dues)


def _yes_or_no(_night: Night) -> tuple[Option, ...]:
    return (Option("no", _("no")), Option("yes", _("yes")))


def _accounts(night: Night) -> tuple[Option, ...]:
    return _at_table(night) + pots(night)


def _anywhere(night: Night) -> tuple[Option, ...]:
    return (*_accounts(night), Option(BANK, _("the bank")))


def _offences(night: Night) -> tuple[Option, ...]:
    if night.preset.game != "pots":
        rummy, purchase = _("Called Rummy wrongly"), _("Bought a card, did not meld it")
        return (Option("false-rummy:", rummy), Option("unused-purchase:", purchase))
    held = (("C", _("clubs")), ("D", _("diamonds")), ("H", _("hearts")), ("S", _("spades")))
    return (
        Option("wrong-lead:", _("Led too high")),
        *(Option(f"withheld-card:{suit}", _("Held back: %(suit)s", suit=name), suit=suit) for suit, name in held),
    )


# The forms of each kind of event

Make = Callable[[Mapping[str, Any], Night], Field | None]
Choices = Callable[[Night], tuple[Option, ...]]


def _pick(name: str, label: Callable[[], str], choices: Choices, kind: str = "pick") -> Make:
    return lambda raw, night: Field(name, kind, label(), raw.get(name), choices(night))


def _number(name: str, label: Callable[[], str], least: int = 0) -> Make:
    return lambda raw, _night: Field(name, "number", label(), raw.get(name, 0), least=least)


def _stack(raw: Mapping[str, Any], night: Night) -> Field | None:
    if night.preset.game != "pots":
        return None
    return Field("chips", "number", _("Chips to begin with"), raw.get("chips", night.preset.stack))


def _text(name: str, label: Callable[[], str]) -> Make:
    return lambda raw, _night: Field(name, "text", label(), raw.get(name, ""))


def _counted(raw: Mapping[str, Any], night: Night) -> Field:
    known = {option.value: option for option in _accounts(night)}
    counted = tuple(known[account] for account in raw["stacks"] if account in known)
    return Field("stacks", "numbers", _("Counted on the table"), raw["stacks"], counted)


def _ring(raw: Mapping[str, Any], night: Night) -> Field:
    return Field("seats", "ring", _("Clockwise"), raw["seats"], _at_table(night))


def _cover(raw: Mapping[str, Any], night: Night) -> Field:
    return Field("cover", "cover", _("Somebody could not pay"), raw.get("cover", {}), _in_hand_or_here(night))


def _in_hand_or_here(night: Night) -> tuple[Option, ...]:
    return _at_table(night) if night.is_between_hands else _in_hand(night)


def _only_if(rule: str, value: object, make: Make) -> Make:
    """Return a question that is asked only where the house rule has that value."""

    def asked(raw: Mapping[str, Any], night: Night) -> Field | None:
        is_so = rule in HOUSE_RULES[night.preset.game] and night.preset[rule] == value
        return make(raw, night) if is_so else None

    return asked


def _jokers(raw: Mapping[str, Any], night: Night) -> Field | None:
    """Only the last round asks for jokers, or one that was recorded with some."""
    now = rounds_game.next_round(night)
    is_asked = raw.get("jokers") or (now is not None and now.number == rounds_game.LAST_ROUND)
    return Field("jokers", "number", _("Jokers in it"), raw.get("jokers", 0)) if is_asked else None


def _turned_up_cards(raw: Mapping[str, Any], night: Night) -> Field | None:
    return _cards_left(raw, night) if "cards" in raw else None


_cards_left = _pick("cards", lambda: _("Cards left in each hand"), _in_hand, "numbers")
_which_pot = _pick("pot", lambda: _("Which place?"), _card_pots)
_who = _pick("seat", lambda: _("Who?"), _in_hand)
_who_here = _pick("seat", lambda: _("Who?"), _at_table)
_chips = _number("chips", lambda: _("How many chips?"), 1)

_FORMS: Mapping[str, tuple[Make, ...]] = {
    "sit": (_text("name", lambda: _("Name")), _stack),
    "leave": (_who_here,),
    "end": (_only_if("end", "poker_hand", _pick("winners", lambda: _("Who has the best hand?"), _at_table, "picks")),),
    "order": (_ring,),
    "count": (_counted,),
    "buy": (_who_here, _chips),
    "borrow": (_who_here, _pick("source", lambda: _("From whom?"), _accounts), _chips),
    "repay": (_who_here, _pick("holder", lambda: _("To whom?"), _accounts), _chips),
    "hand": (
        _pick("dealer", lambda: _("Who deals?"), _at_table),
        _pick("sits_out", lambda: _("Who sits out?"), _at_table, "picks"),
        _cover,
    ),
    "bid": (_who, _chips, _cover),
    "pass": (_who,),
    "sale": (
        _pick("buyer", lambda: _("Who bought the dummy hand?"), _in_hand),
        _number("price", lambda: _("For how many chips?"), 1),
        _cover,
    ),
    "collect": (
        _pick("seat", lambda: _("Who took it?"), _in_hand),
        _pick("pot", lambda: _("Which place?"), _card_pots),
    ),
    "penalty": (_who, _pick("what", lambda: _("What happened?"), _offences), _cover),
    "out": (
        _pick("seat", lambda: _("Who was out first?"), _in_hand),
        _cards_left,
        _only_if("out.excuse", "holder", _pick("excused", lambda: _("Who pays nothing?"), _in_hand, "picks")),
        _cover,
    ),
    "held": (
        _pick("offender", lambda: _("Who held a card back?"), _in_hand),
        _pick("seat", lambda: _("Who still had the money card?"), _in_hand),
        _which_pot,
        _cover,
    ),
    "poker": (_pick("winners", lambda: _("Best poker hand of the cards left?"), _in_hand, "picks"),),
    "move": (
        _pick("source", lambda: _("From where?"), _anywhere),
        _pick("target", lambda: _("To where?"), _anywhere),
        _chips,
        _text("why", lambda: _("Why?")),
    ),
    "place": (_who, _pick("pots", lambda: _("Chips on each place"), pots, "numbers"), _cover),
    "share": (_pick("seats", lambda: _("Who shares it?"), _in_hand, "picks"), _which_pot),
    "bet": (_who, _chips, _pick("pot", lambda: _("Which place?"), _bet_pots), _cover),
    "turn-up": (_which_pot, _turned_up_cards, _cover),
    "fine": (_who, _cover),
    "due": (_who, _pick("due", lambda: _("Which card?"), _dues), _cover),
    "left": (_who, _which_pot, _cover),
    "sweep": (_who,),
    "round": (
        _pick("winner", lambda: _("Who won the round?"), _at_table),
        _jokers,
    ),
    "rummy": (
        _pick("seat", lambda: _("Who went out?"), _at_table),
        _pick("hands", lambda: _("Points still in each hand"), _at_table, "numbers"),
        _only_if("one_turn", 2, _pick("one_turn", lambda: _("All cards in one turn?"), _yes_or_no)),
    ),
    "stock-out": (_pick("hands", lambda: _("Points still in each hand"), _at_table, "numbers"),),
}
