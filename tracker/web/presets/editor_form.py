"""What the board editor's form describes: a preset that can be drawn, and every fault at its field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tracker.app.preset_library import free_id
from tracker.core.house_rules import MOST_CHIPS
from tracker.core.preset import (
    COLOUR,
    LONGEST_LABEL,
    LONGEST_NAME,
    MOST_ANTE,
    MOST_POINTS,
    MOST_POTS,
    ChipColour,
    DirectPayment,
    Pot,
    Preset,
    RoundCard,
    Seats,
)
from tracker.formats.preset_check import preset_faults
from tracker.web.presets.editor_sheet import ChipRow, DueRow, EditorSheet, PotRow, RoundRow
from tracker.web.wording.card_names import cards_typed, label_from, name_from
from tracker.web.wording.house_rules import rules_typed
from tracker.web.wording.numbers import whole_number
from tracker.web.wording.refusals import refusal
from tracker.web.wording.texts import gettext as _
from tracker.web.wording.texts import whole_number_from

LONGEST_ABOUT = 200


@dataclass(frozen=True)
class PresetDraft:
    """What a form describes: a preset that can be drawn, what is wrong, and what has no effect, by field."""

    preset: Preset
    wrong: Mapping[str, str] = field(default_factory=dict)
    warnings: Mapping[str, str] = field(default_factory=dict)
    """What can be saved and played, but surely was not meant."""


def read(sheet: EditorSheet, start: Preset) -> PresetDraft:
    """Return the preset that a form describes and everything that is wrong with it, each at its field."""
    wrong: dict[str, str] = {}
    is_pot_game = start.game == "pots"
    preset = replace(
        start,
        name=_text(sheet.top["name"], "name", LONGEST_NAME, wrong, is_needed=True) or start.name,
        about=_text(sheet.top["about"], "about", LONGEST_ABOUT, wrong),
        stack=_number(sheet.top["stack"], "stack", 0, MOST_CHIPS, wrong) if is_pot_game else start.stack,
        seats=_seats(sheet, wrong),
        pots=_pots(sheet.pots, wrong) if is_pot_game else (),
        dues=_dues(sheet.dues, wrong),
        chips=_colours(sheet.chips, wrong),
        round_cards=_round_cards(sheet.rounds, start, wrong),
        rules={**start.rules, **rules_typed(sheet.rules, start, start, wrong)},
    )
    for fault in preset_faults(preset):
        wrong.setdefault(str(fault.facts["field"]), refusal(fault))
    return PresetDraft(preset, wrong, _warnings(preset))


def _warnings(preset: Preset) -> dict[str, str]:
    """Return what plays no part as the other settings stand, by field."""
    found: dict[str, str] = {}
    if preset.game != "pots":
        return found
    for at, pot in enumerate(preset.pots):
        if pot.ends_hand and preset.house_rules.turn_up != "on":
            found[f"pot.{at}.ends_hand"] = _("No card is turned up here: say yes at “Is a card turned up?”.")
        if pot.takes_fines and not preset.house_rules.stop_fine:
            found[f"pot.{at}.takes_fines"] = _("Nobody pays for being stuck here: see “Stuck: chips to put in”.")
    return found


def _text(text: str, key: str, longest: int, wrong: dict[str, str], *, is_needed: bool = False) -> str:
    if is_needed and not text:
        wrong[key] = _("It needs a name.")
    elif len(text) > longest:
        wrong[key] = _("At most %(n)s letters.", n=longest)
    elif text and not text.isprintable():
        wrong[key] = _("Plain letters, please.")
    return text[:longest] if text.isprintable() else ""


def _number(text: str, key: str, low: int, high: int, wrong: dict[str, str]) -> int:
    number = whole_number(text)
    if number is not None and low <= number <= high:
        return number
    wrong[key] = whole_number_from(low, high)
    return low


def _colour(text: str, key: str, wrong: dict[str, str]) -> str:
    if COLOUR.fullmatch(text):
        return text.upper()
    wrong[key] = _("Choose a colour.")
    return ""


def _seats(sheet: EditorSheet, wrong: dict[str, str]) -> Seats:
    low = _number(sheet.top["seats.min"], "seats.min", 1, 20, wrong)
    high = _number(sheet.top["seats.max"], "seats.max", 1, 20, wrong)
    if low > high:
        wrong["seats.max"] = _("This is less than the fewest people.")
    return Seats(low, max(low, high))


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
    if won_by != row.won_by:
        wrong[f"{key}.won_by"] = _("Choose one of these, please.")
    cards = cards_typed(row.cards, f"{key}.cards", wrong) if won_by in ("card", "side") else ()
    label = _text(row.label, f"{key}.label", LONGEST_LABEL, wrong) or label_from(cards) or _won_label(won_by)
    name = _text(row.name, f"{key}.name", LONGEST_NAME, wrong) or name_from(cards) or label
    if won_by in ("card", "side") and not cards and f"{key}.cards" not in wrong:
        wrong[f"{key}.cards"] = _("Which card wins it? Such as 10♥, or K♥ Q♥, or 7 8 9.")
    is_side = won_by == "side"
    return Pot(
        row.id,
        name,
        label,
        won_by,
        cards,
        _ante(row.ante, f"{key}.ante", wrong, is_side=is_side),
        _ante(row.dealer_ante, f"{key}.dealer_ante", wrong, is_side=is_side),
        _number(row.fed_by, f"{key}.fed_by", 0, 20, wrong) if row.fed_by else 0,
        takes_fines=bool(row.takes_fines),
        ends_hand=bool(row.ends_hand) and won_by == "card",
        colour=_colour(row.colour, f"{key}.colour", wrong) if row.colour else "",
    )


def _won_label(won_by: str) -> str:
    return _("Poker") if won_by == "poker" else _("Pot") if won_by == "out" else "?"


def _ante(text: str, key: str, wrong: dict[str, str], *, is_side: bool) -> int | None:
    if text and is_side:
        wrong[key] = _("Leave this empty: see “In each place of a side bet”.")
        return None
    return _number(text, key, 0, MOST_ANTE, wrong) if text else None


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
        found.append(ChipColour(name, _colour(row.colour, f"chip.{at}.colour", wrong) or "#C23B30", value))
    return tuple(found)


def _round_cards(rows: Sequence[RoundRow], start: Preset, wrong: dict[str, str]) -> tuple[RoundCard, ...]:
    """Return the round cards with what they count; which rounds there are is the game's."""
    typed = {at: _number(row.points, f"round.{at}.points", 0, MOST_POINTS, wrong) for at, row in enumerate(rows)}
    cards = enumerate(start.round_cards)
    return tuple(replace(card, points=typed.get(at, card.points)) for at, card in cards)
