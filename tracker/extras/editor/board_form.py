"""The board editor's form: filled from a preset, and read into one with every fault at its field."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import Hand, Sit
from tracker.core.house_rules import HOUSE_RULES, ID, MOST_CHIPS
from tracker.core.night import Night
from tracker.core.preset import (
    COLOUR,
    LONGEST_LABEL,
    LONGEST_NAME,
    MOST_ANTE,
    MOST_POINTS,
    MOST_POTS,
    MOST_ROUNDS,
    WON_BY,
    ChipColour,
    DirectPayment,
    Pot,
    Preset,
    RoundCard,
    Seats,
    antes_of,
)
from tracker.extras.editor.library import free_id
from tracker.extras.editor.rule_card import label_from
from tracker.extras.editor.words import cards_typed, name_from
from tracker.formats.codec import preset_faults
from tracker.web.drawing import board
from tracker.web.drawing.board_places import board_size, places_of
from tracker.web.nights.made_files import board_styles
from tracker.web.wording.game_words import rules_typed
from tracker.web.wording.rule_words import card_words
from tracker.web.wording.texts import gettext as _, refusal, whole_number, whole_number_from

LONGEST_ABOUT = 200
MOST_LINES = 12
RED = "#C23B30"

Typed = Mapping[str, str]
NEW_ROWS: Mapping[str, Typed] = {
    "pot": {
        **dict.fromkeys(("id", "label", "cards", "name"), ""),
        "won_by": "card",
        **dict.fromkeys(("ante", "dealer_ante", "fed_by", "takes_fines", "ends_hand", "colour"), ""),
    },
    "due": {"id": "", "name": "", "chips": "1"},
    "chip": {"name": "", "colour": RED, "value": "1"},
    "round": {"points": ""},
}
"""A new row of each kind: a place, a payment for a card, a colour of chips, the points of a round card; as typed."""
MOST_ROWS = {"pot": MOST_POTS, "due": MOST_LINES, "chip": MOST_LINES, "round": MOST_ROUNDS}

# The form as it is typed


@dataclass(frozen=True)
class EditorSheet:
    """Everything in the form, as typed."""

    top: Typed
    """name, about, stack, seats.min, seats.max"""
    rules: Typed
    rows: Mapping[str, tuple[Typed, ...]]
    """The rows of each kind in NEW_ROWS."""


def sheet_of(preset: Preset) -> EditorSheet:
    top = {
        "name": preset.name,
        "about": preset.about,
        "stack": str(preset.stack),
        "seats.min": str(preset.seats.min),
        "seats.max": str(preset.seats.max),
    }
    shown = {"pot": preset.pots, "due": preset.dues, "chip": preset.chips, "round": preset.round_cards}
    rows = {kind: tuple(_row(kind, one) for one in listed) for kind, listed in shown.items()}
    return EditorSheet(top, {key: str(preset[key]) for key in HOUSE_RULES[preset.game]}, rows)


def _row(kind: str, shown: object) -> Typed:
    row = {key: _as_typed(getattr(shown, key)) for key in NEW_ROWS[kind]}
    if isinstance(shown, Pot):  # what the cards say anyway is left empty, so that it follows them when they are changed
        usual = {"label": label_from(shown.cards), "name": name_from(shown.cards), "fed_by": "0"}
        return {key: "" if text == usual.get(key) else text for key, text in row.items()}
    return row


def _as_typed(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(card_words, value))
    if isinstance(value, bool):
        return "on" if value else ""
    return "" if value is None else str(value)


def sheet_from(form: Typed, start: Preset) -> EditorSheet:
    """Return what a form that was sent holds; what it leaves out is as in `start`."""
    shown = sheet_of(start)
    return EditorSheet(
        {key: form.get(key, value).strip()[:400] for key, value in shown.top.items()},
        {key: form.get(key, value).strip()[:40] for key, value in shown.rules.items()},
        {kind: _rows(form, kind) for kind in NEW_ROWS},
    )


def _rows(form: Typed, kind: str) -> tuple[Typed, ...]:
    most = MOST_ROWS[kind] + (kind == "pot")  # a place too many is refused in words
    sent = (
        {key: form[name].strip()[:200] for key in NEW_ROWS[kind] if (name := f"{kind}.{at}.{key}") in form}
        for at in range(most)
    )
    return tuple({**NEW_ROWS[kind], **given} for given in sent if given)


def changed(sheet: EditorSheet, action: str) -> EditorSheet:
    """Return the form after a tap on one of its buttons: `pot.up.3`, `pot.remove.3`, `pot.add`, `due.add`…"""
    found = re.fullmatch(r"(pot|due|chip)\.(up|down|remove|add)(?:\.(\d{1,2}))?", action)
    if not found:
        return sheet
    kind, verb, at = found[1], found[2], int(found[3] or 0)
    rows = list(sheet.rows[kind])
    if verb == "add":
        rows.append(NEW_ROWS[kind])
    elif at < len(rows):
        row = rows.pop(at)
        if verb != "remove":
            rows.insert(max(0, at - 1) if verb == "up" else at + 1, row)
    return replace(sheet, rows={**sheet.rows, kind: tuple(rows[: MOST_ROWS[kind]])})


# What it describes


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
    top = _Fields(sheet.top, wrong)
    rows = {
        kind: [_Fields(row, wrong, f"{kind}.{at}.") for at, row in enumerate(typed)]
        for kind, typed in sheet.rows.items()
    }
    is_pot_game = start.game == "pots"
    preset = replace(
        start,
        name=top.text("name", LONGEST_NAME, is_needed=True) or start.name,
        about=top.text("about", LONGEST_ABOUT),
        stack=top.number("stack", 0, MOST_CHIPS) if is_pot_game else start.stack,
        seats=_seats(top),
        pots=_pots(rows["pot"], wrong) if is_pot_game else (),
        dues=_dues(rows["due"]),
        chips=tuple(_chip_colour(row) for row in rows["chip"]),
        round_cards=_round_cards(rows["round"], start),
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


@dataclass(frozen=True)
class _Fields:
    """Fields of the form that are read by name; what is wrong with one is told in `wrong`, by its name in the form."""

    typed: Typed
    wrong: dict[str, str]
    prefix: str = ""

    def __getitem__(self, name: str) -> str:
        return self.typed[name]

    def refuse(self, name: str, why: str) -> None:
        self.wrong[self.prefix + name] = why

    def text(self, name: str, longest: int, *, is_needed: bool = False) -> str:
        text = self.typed[name]
        if is_needed and not text:
            self.refuse(name, _("It needs a name."))
        elif len(text) > longest:
            self.refuse(name, _("At most %(n)s letters.", n=longest))
        elif text and not text.isprintable():
            self.refuse(name, _("Plain letters, please."))
        return text[:longest] if text.isprintable() else ""

    def number(self, name: str, low: int, high: int) -> int:
        number = whole_number(self.typed[name])
        if number is not None and low <= number <= high:
            return number
        self.refuse(name, whole_number_from(low, high))
        return low

    def colour(self, name: str) -> str:
        if COLOUR.fullmatch(self.typed[name]):
            return self.typed[name].upper()
        self.refuse(name, _("Choose a colour."))
        return ""

    def ante(self, name: str, *, is_side: bool) -> int | None:
        if self.typed[name] and is_side:
            self.refuse(name, _("Leave this empty: see “In each place of a side bet”."))
            return None
        return self.number(name, 0, MOST_ANTE) if self.typed[name] else None


def _seats(top: _Fields) -> Seats:
    low, high = top.number("seats.min", 1, 20), top.number("seats.max", 1, 20)
    if low > high:
        top.refuse("seats.max", _("This is less than the fewest people."))
    return Seats(low, max(low, high))


def _pots(rows: list[_Fields], wrong: dict[str, str]) -> tuple[Pot, ...]:
    if len(rows) > MOST_POTS:
        wrong["pots"] = _("A board has at most 16 places.")
    typed = {row["id"] for row in rows if row["id"]}
    found: dict[str, Pot] = {}
    for row in rows[:MOST_POTS]:
        pot = _pot(row)
        id_ = _free(row["id"], pot.name, {*found, "bank"}, typed)
        found[id_] = replace(pot, id=id_)
    return tuple(found.values())


def _free(id_: str, name: str, taken: Collection[str], reserved: Collection[str] = ()) -> str:
    """Return the id that a row brought, or one made from its name when it is none or `taken`."""
    return id_ if ID.fullmatch(id_) and id_ not in taken else free_id(name, {*taken, *reserved})


def _pot(row: _Fields) -> Pot:
    won_by = row["won_by"] if row["won_by"] in WON_BY else "card"
    if won_by != row["won_by"]:
        row.refuse("won_by", _("Choose one of these, please."))
    has_cards, is_side = won_by in ("card", "side"), won_by == "side"
    cards_key = f"{row.prefix}cards"
    cards = cards_typed(row["cards"], cards_key, row.wrong) if has_cards else ()
    usual = {"poker": _("Poker"), "out": _("Pot")}.get(won_by, "?")
    label = row.text("label", LONGEST_LABEL) or label_from(cards) or usual
    name = row.text("name", LONGEST_NAME) or name_from(cards) or label
    if has_cards and not cards and cards_key not in row.wrong:
        row.refuse("cards", _("Which card wins it? Such as 10♥, or K♥ Q♥, or 7 8 9."))
    return Pot(
        row["id"],
        name,
        label,
        won_by,
        cards,
        row.ante("ante", is_side=is_side),
        row.ante("dealer_ante", is_side=is_side),
        row.number("fed_by", 0, 20) if row["fed_by"] else 0,
        takes_fines=bool(row["takes_fines"]),
        ends_hand=bool(row["ends_hand"]) and won_by == "card",
        colour=row.colour("colour") if row["colour"] else "",
    )


def _dues(rows: list[_Fields]) -> tuple[DirectPayment, ...]:
    found: dict[str, DirectPayment] = {}
    for row in rows:
        name, chips = row.text("name", LONGEST_NAME, is_needed=True) or "?", row.number("chips", 1, 1000)
        id_ = _free(row["id"], name, found)
        found[id_] = DirectPayment(id_, name, chips)
    return tuple(found.values())


def _chip_colour(row: _Fields) -> ChipColour:
    name, value = row.text("name", LONGEST_LABEL, is_needed=True), row.number("value", 1, 10_000)
    return ChipColour(name, row.colour("colour") or RED, value)


def _round_cards(rows: list[_Fields], start: Preset) -> tuple[RoundCard, ...]:
    """Return the round cards with what they count; which rounds there are is the game's."""
    typed = [row.number("points", 0, MOST_POINTS) for row in rows]
    return tuple(
        replace(card, points=typed[at] if at < len(typed) else card.points) for at, card in enumerate(start.round_cards)
    )


# How it would lie on the table


def drawing_of(preset: Preset) -> SimpleNamespace | None:
    """Return a board as it lies after the first antes, and what these cost, for its template; None for score games."""
    if preset.game != "pots" or not preset.board:
        return None
    people = max(2, preset.seats.min, min(5, preset.seats.max))
    dealer, other = antes_of(preset, people)
    night = after_antes(preset, people)
    lying, size = sum(night.pot(pot) for pot in preset.board), board_size(night)
    total = lying or dealer + other * (people - 1)
    return SimpleNamespace(
        places=places_of(night, {}),
        size=size,
        art=board.art(size),
        styles=board_styles(night),
        people=people,
        dealer=dealer,
        total=total,
        hands=preset.stack * people // total if total else 0,  # that the starting stack lasts for without winning
    )


def after_antes(preset: Preset, people: int) -> Night:
    """Return a night of so many people after its first antes; before them when those can't be paid."""
    night = Night(preset)
    try:
        for seat in range(people):
            night = apply(night, Sit(f"p{seat}", f"P{seat}", chips=1_000_000))  # type: ignore[arg-type]
        return apply(night, Hand("p0"))
    except TableError:
        return Night(preset)
