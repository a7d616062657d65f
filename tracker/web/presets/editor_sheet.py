"""The board editor's form as it is typed: filled from a preset, read back from what a browser sends, its rows moved.

Nothing is saved while a form is being filled: the form itself carries everything, also what can't be right yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from tracker.core.preset import MOST_POTS, MOST_ROUNDS, Pot, Preset, rules_of
from tracker.web.wording.card_names import card_words, label_from, name_from

MOST_LINES = 12

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
    colour: str = ""


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


@dataclass(frozen=True)
class RoundRow:
    """What a round card counts, as typed; which round that is says its place in the list."""

    points: str = ""


Row = TypeVar("Row", PotRow, DueRow, ChipRow, RoundRow)


@dataclass(frozen=True)
class EditorSheet:
    """Everything in the form, as typed."""

    top: Mapping[str, str]
    """name, about, stack, seats.min, seats.max"""
    rules: Mapping[str, str]
    pots: tuple[PotRow, ...] = ()
    dues: tuple[DueRow, ...] = ()
    chips: tuple[ChipRow, ...] = ()
    rounds: tuple[RoundRow, ...] = ()


def sheet_of(preset: Preset) -> EditorSheet:
    """Return the form that shows a preset."""
    top = {
        "name": preset.name,
        "about": preset.about,
        "stack": str(preset.stack),
        "seats.min": str(preset.seats.min),
        "seats.max": str(preset.seats.max),
    }
    return EditorSheet(
        top,
        {key: str(preset[key]) for key in rules_of(preset.game)},
        tuple(_pot_row(pot) for pot in preset.pots),
        tuple(DueRow(due.id, due.name, str(due.chips)) for due in preset.dues),
        tuple(ChipRow(one.name, one.colour, str(one.value)) for one in preset.chips),
        tuple(RoundRow(str(one.points)) for one in preset.round_cards),
    )


def _pot_row(pot: Pot) -> PotRow:
    # What the cards say anyway is left empty, so that it follows them when they are changed.
    return PotRow(
        pot.id,
        "" if pot.label == label_from(pot.cards) else pot.label,
        " ".join(map(card_words, pot.cards)),
        "" if pot.name == name_from(pot.cards) else pot.name,
        pot.won_by,
        "" if pot.ante is None else str(pot.ante),
        "" if pot.dealer_ante is None else str(pot.dealer_ante),
        str(pot.fed_by) if pot.fed_by else "",
        "on" if pot.takes_fines else "",
        "on" if pot.ends_hand else "",
        pot.colour,
    )


def sheet_from(form: Form, start: Preset) -> EditorSheet:
    """Return what a form that was sent holds; what it leaves out is as in `start`."""
    shown = sheet_of(start)
    return EditorSheet(
        {key: form.get(key, value).strip()[:400] for key, value in shown.top.items()},
        {key: form.get(key, value).strip()[:40] for key, value in shown.rules.items()},
        tuple(_rows(form, "pot", PotRow, MOST_POTS + 1)),
        tuple(_rows(form, "due", DueRow, MOST_LINES)),
        tuple(_rows(form, "chip", ChipRow, MOST_LINES)),
        tuple(_rows(form, "round", RoundRow, MOST_ROUNDS)),
    )


def _rows(form: Form, name: str, kind: type[Row], most: int) -> Iterable[Row]:
    names = [one.name for one in fields(kind)]
    for at in range(most):
        given = {one: form[f"{name}.{at}.{one}"].strip()[:200] for one in names if f"{name}.{at}.{one}" in form}
        if given:
            yield kind(**given)


def changed(sheet: EditorSheet, action: str) -> EditorSheet:
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
