"""A board as a form: its fields filled from a preset, and the preset that a filled form describes, with every fault.

Nothing is saved while a form is being filled: the form itself carries everything, also what can't be right yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from tracker.codec import preset_from, preset_to
from tracker.core.cards import RANKS, SUITS
from tracker.core.errors import PresetError
from tracker.core.house_rules import HouseRule, Value
from tracker.core.preset import (
    COLOUR,
    LONGEST_LABEL,
    LONGEST_NAME,
    ChipColour,
    DirectPayment,
    Pot,
    Preset,
    Seats,
    rules_of,
)
from tracker.library import free_id
from tracker.web.rule_card import card_words
from tracker.web.texts import gettext as _

MOST_POTS, MOST_LINES = 16, 12
SIGN = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S"}
COURT = frozenset("JQKA")
PIPS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NAMES = {**dict(zip(map(str, range(2, 11)), PIPS, strict=True)), "J": "jack", "Q": "queen", "K": "king", "A": "ace"}

Form = Mapping[str, str]


@dataclass(frozen=True)
class PotRow:
    """One place as typed."""

    id: str = ""
    label: str = ""
    cards: str = ""
    name: str = ""
    won_by: str = "card"
    ante: str = ""
    dealer_ante: str = ""
    fed_by: str = ""
    takes_fines: str = ""
    ends_hand: str = ""


@dataclass(frozen=True)
class DueRow:
    """A payment by everybody for a card, as typed."""

    id: str = ""
    name: str = ""
    chips: str = "1"


@dataclass(frozen=True)
class ChipRow:
    """A colour of chips, as typed."""

    name: str = ""
    colour: str = "#C23B30"
    value: str = "1"


Row = TypeVar("Row", PotRow, DueRow, ChipRow)


@dataclass(frozen=True)
class Sheet:
    """Everything in the form, as typed."""

    top: Mapping[str, str]
    """name, about, stack, seats.min, seats.max"""
    rules: Mapping[str, str]
    pots: tuple[PotRow, ...] = ()
    dues: tuple[DueRow, ...] = ()
    chips: tuple[ChipRow, ...] = ()


@dataclass(frozen=True)
class Draft:
    """What a form describes: a preset that can be drawn, and what is wrong, by field."""

    preset: Preset
    wrong: Mapping[str, str] = field(default_factory=dict)


# From a preset, from a form


def sheet_of(preset: Preset) -> Sheet:
    """Return the form that shows a preset."""
    top = {
        "name": preset.name,
        "about": preset.about,
        "stack": str(preset.stack),
        "seats.min": str(preset.seats.min),
        "seats.max": str(preset.seats.max),
    }
    return Sheet(
        top,
        {key: str(preset[key]) for key in rules_of(preset.game)},
        tuple(_pot_row(pot) for pot in preset.pots),
        tuple(DueRow(due.id, due.name, str(due.chips)) for due in preset.dues),
        tuple(ChipRow(one.name, one.colour, str(one.value)) for one in preset.chips),
    )


def _pot_row(pot: Pot) -> PotRow:
    # What the cards say anyway is left empty, so that it follows them when they are changed.
    return PotRow(
        pot.id,
        "" if pot.label == _label(pot.cards) else pot.label,
        " ".join(map(card_words, pot.cards)),
        "" if pot.name == _name(pot.cards) else pot.name,
        pot.won_by,
        "" if pot.ante is None else str(pot.ante),
        "" if pot.dealer_ante is None else str(pot.dealer_ante),
        str(pot.fed_by) if pot.fed_by else "",
        "on" if pot.takes_fines else "",
        "on" if pot.ends_hand else "",
    )


def sheet_from(form: Form, start: Preset) -> Sheet:
    """Return what a form that was sent holds; what it leaves out is as in `start`."""
    shown = sheet_of(start)
    return Sheet(
        {key: form.get(key, value).strip()[:400] for key, value in shown.top.items()},
        {key: form.get(key, value).strip()[:40] for key, value in shown.rules.items()},
        tuple(_rows(form, "pot", PotRow, MOST_POTS + 1)),
        tuple(_rows(form, "due", DueRow, MOST_LINES)),
        tuple(_rows(form, "chip", ChipRow, MOST_LINES)),
    )


def _rows(form: Form, name: str, kind: type[Row], most: int) -> Iterable[Row]:
    names = [one.name for one in fields(kind)]
    for at in range(most):
        given = {one: form[f"{name}.{at}.{one}"].strip()[:200] for one in names if f"{name}.{at}.{one}" in form}
        if given:
            yield kind(**given)


# Moving things about


def changed(sheet: Sheet, action: str) -> Sheet:
    """Return the form after a tap on one of its buttons: `pot.up.3`, `pot.remove.3`, `pot.add`, `due.add`…"""
    found = re.fullmatch(r"(pot|due|chip)\.(up|down|remove|add)(?:\.(\d{1,2}))?", action)
    if not found:
        return sheet
    what, verb, at = found[1], found[2], int(found[3] or 0)
    attribute = {"pot": "pots", "due": "dues", "chip": "chips"}[what]
    rows = list(getattr(sheet, attribute))
    if verb == "add":
        rows.append({"pot": PotRow(), "due": DueRow(), "chip": ChipRow()}[what])
    elif at < len(rows):
        row = rows.pop(at)
        if verb != "remove":
            rows.insert(max(0, at - 1) if verb == "up" else at + 1, row)
    most = MOST_POTS if what == "pot" else MOST_LINES
    moved: Any = {attribute: tuple(rows[:most])}
    return replace(sheet, **moved)


# What a form describes


def read(sheet: Sheet, start: Preset) -> Draft:
    """Return the preset that a form describes and everything that is wrong with it, each at its field."""
    wrong: dict[str, str] = {}
    pots = _pots(sheet.pots, wrong) if start.game == "pots" else ()
    preset = replace(
        start,
        name=_text(sheet.top["name"], "name", LONGEST_NAME, wrong, is_needed=True) or start.name,
        about=_text(sheet.top["about"], "about", 200, wrong),
        stack=_number(sheet.top["stack"], "stack", 0, 100_000, wrong) if start.game == "pots" else start.stack,
        seats=_seats(sheet, wrong),
        pots=pots,
        dues=_dues(sheet.dues, wrong),
        chips=_colours(sheet.chips, wrong),
        rules={**start.rules, **_rules(sheet.rules, start, wrong)},
    )
    _check_board(preset, wrong)
    if not wrong:
        try:
            preset_from(preset_to(preset))
        except PresetError as error:
            wrong[""] = str(error)
    return Draft(preset, wrong)


def _check_board(preset: Preset, wrong: dict[str, str]) -> None:
    if preset.game != "pots":
        return
    if not preset.pots:
        wrong["pots"] = _("A board needs at least one place.")
    if preset["stop.fine"] and sum(pot.takes_fines for pot in preset.pots) != 1:
        wrong["stop.fine"] = _("Say at exactly one place that it takes these chips.")
    if sum(pot.won_by == "poker" for pot in preset.pots) > 1:
        wrong["pots"] = _("One place for the best poker hand is enough.")


def _text(text: str, key: str, longest: int, wrong: dict[str, str], *, is_needed: bool = False) -> str:
    if is_needed and not text:
        wrong[key] = _("It needs a name.")
    elif len(text) > longest:
        wrong[key] = _("At most %(n)s letters.", n=longest)
    elif text and not text.isprintable():
        wrong[key] = _("Plain letters, please.")
    return text[:longest] if text.isprintable() else ""


def _number(text: str, key: str, low: int, high: int, wrong: dict[str, str]) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 7 and low <= int(text) <= high:
        return int(text)
    wrong[key] = _("A whole number from %(low)s to %(high)s, please.", low=low, high=high)
    return low


def _seats(sheet: Sheet, wrong: dict[str, str]) -> Seats:
    low = _number(sheet.top["seats.min"], "seats.min", 1, 20, wrong)
    high = _number(sheet.top["seats.max"], "seats.max", 1, 20, wrong)
    if low > high:
        wrong["seats.max"] = _("This is less than the fewest people.")
    return Seats(low, max(low, high))


def _rules(typed: Mapping[str, str], start: Preset, wrong: dict[str, str]) -> dict[str, Value]:
    """Return the rules that the form gives another value than the board they started from had."""
    found: dict[str, Value] = {}
    for key, rule in rules_of(start.game).items():
        value = rule_value(rule, typed[key])
        if value is None:
            wrong[key] = _("From %(low)s to %(high)s, please.", low=rule.low, high=rule.high)
        elif value != start[key]:
            found[key] = value
    return found


def rule_value(rule: HouseRule, text: str) -> Value | None:
    """Return what a field says for a rule; None when the rule refuses it."""
    if rule.choices:
        return next((choice for choice in rule.choices if str(choice) == text), None)
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 7 else -1
    return None if rule.fault(number) else number


def _pots(rows: Sequence[PotRow], wrong: dict[str, str]) -> tuple[Pot, ...]:
    if len(rows) > MOST_POTS:
        wrong["pots"] = _("A board has at most 16 places.")
    taken = {row.id for row in rows if row.id} | {"bank"}
    found: list[Pot] = []
    for at, row in enumerate(rows[:MOST_POTS]):
        pot = _pot(row, f"pot.{at}", wrong)
        if not re.fullmatch(r"[a-z0-9-]{1,32}", row.id) or row.id in {one.id for one in found} | {"bank"}:
            pot = replace(pot, id=free_id(pot.name, taken | {one.id for one in found}))
        found.append(pot)
    return tuple(found)


def _pot(row: PotRow, key: str, wrong: dict[str, str]) -> Pot:
    won_by = row.won_by if row.won_by in ("card", "out", "poker", "side") else "card"
    cards = _cards(row.cards, f"{key}.cards", wrong) if won_by in ("card", "side") else ()
    label = _text(row.label, f"{key}.label", LONGEST_LABEL, wrong) or _label(cards) or _won_label(won_by)
    name = _text(row.name, f"{key}.name", LONGEST_NAME, wrong) or _name(cards) or label
    if won_by in ("card", "side") and not cards and f"{key}.cards" not in wrong:
        wrong[f"{key}.cards"] = _("Which card wins it? Such as 10♥, or K♥ Q♥, or 7 8 9.")
    return Pot(
        row.id,
        name,
        label,
        won_by,
        cards,
        _ante(row.ante, f"{key}.ante", wrong),
        _ante(row.dealer_ante, f"{key}.dealer_ante", wrong),
        _number(row.fed_by, f"{key}.fed_by", 0, 20, wrong) if row.fed_by else 0,
        takes_fines=bool(row.takes_fines),
        ends_hand=bool(row.ends_hand) and won_by == "card",
    )


def _ante(text: str, key: str, wrong: dict[str, str]) -> int | None:
    return _number(text, key, 0, 1000, wrong) if text else None


def _cards(text: str, key: str, wrong: dict[str, str]) -> tuple[str, ...]:
    """Return the cards that a text names, as `10♥ Q♥` or `KH, QH` or `7 8 9`."""
    for sign, letter in SIGN.items():
        text = text.replace(f" {sign}", sign).replace(sign, letter)
    words = [word for word in re.split(r"[\s,;·+/&-]+", text.replace("\ufe0f", "").upper()) if word]
    bad = [word for word in words if not (word in RANKS or (word[:-1] in RANKS and word[-1] in SUITS))]
    if bad:
        wrong[key] = _("%(card)s is no card. Write 10♥, K♥ Q♥, or 7 8 9 for a run.", card=bad[0][:12])
    elif len(words) > 5:
        wrong[key] = _("At most five cards.")
    return tuple(word for word in words if word not in bad)[:5]


def _label(cards: Sequence[str]) -> str:
    ranks = [card[:-1] if card[-1] in SUITS else card for card in cards]
    return ("" if all(rank in COURT for rank in ranks) else "·").join(ranks)[:LONGEST_LABEL]


def _won_label(won_by: str) -> str:
    return _("Poker") if won_by == "poker" else _("Pot") if won_by == "out" else "?"


def _name(cards: Sequence[str]) -> str:
    """Return a name for a place from its cards, as "King and queen of hearts"."""
    if not cards:
        return ""
    ranks = [NAMES[card.rstrip("CDHS")] for card in cards]
    suits = {card[-1] for card in cards if card[-1] in SUITS}
    named = (" and " if len(ranks) == 2 else ", ").join(ranks).capitalize()
    if len(suits) == 1:
        return f"{named} of {SUITS[suits.pop()]}"
    return f"{named} of one suit" if len(ranks) > 1 and not suits else named


def _dues(rows: Sequence[DueRow], wrong: dict[str, str]) -> tuple[DirectPayment, ...]:
    found: list[DirectPayment] = []
    for at, row in enumerate(rows):
        name = _text(row.name, f"due.{at}.name", LONGEST_NAME, wrong, is_needed=True) or "?"
        chips = _number(row.chips, f"due.{at}.chips", 1, 1000, wrong)
        known = {one.id for one in found}
        is_id = re.fullmatch(r"[a-z0-9-]{1,32}", row.id) and row.id not in known
        found.append(DirectPayment(row.id if is_id else free_id(name, known), name, chips))
    return tuple(found)


def _colours(rows: Sequence[ChipRow], wrong: dict[str, str]) -> tuple[ChipColour, ...]:
    found = []
    for at, row in enumerate(rows):
        name = _text(row.name, f"chip.{at}.name", LONGEST_LABEL, wrong, is_needed=True)
        value = _number(row.value, f"chip.{at}.value", 1, 10_000, wrong)
        if not COLOUR.fullmatch(row.colour):
            wrong[f"chip.{at}.colour"] = _("Choose a colour.")
        found.append(ChipColour(name, row.colour if COLOUR.fullmatch(row.colour) else "#C23B30", value))
    return tuple(found)
