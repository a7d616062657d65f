"""A preset: one game as data. The code knows mechanisms; brand names and boards live in the TOML files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from tracker.core.cards import RANKS, SUITS
from tracker.core.errors import PresetError, Unknown
from tracker.core.house_rules import HOUSE_RULES, MOST_CHIPS, HouseRule, Value
from tracker.core.ledger import BANK

ID = re.compile(r"[a-z0-9-]{1,32}")
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
WON_BY = ("card", "out", "poker", "side")
LONGEST_NAME, LONGEST_LABEL = 60, 20


@dataclass(frozen=True)
class Pot:
    """One compartment of the board: its label, the cards that win it, and how it is won."""

    id: str
    name: str
    label: str
    won_by: str = "card"
    cards: tuple[str, ...] = ()
    """Cards such as `10H`; ranks alone (`7`, `8`, `9`) mean a run of any one suit, or trumps."""
    ante: int | None = None
    """Chips that everybody puts in; None follows `ante.each`."""
    dealer_ante: int | None = None
    """Chips that the dealer puts in; None follows `ante`, or `ante.dealer`."""
    fed_by: int = 0
    """Where pots are fed in turn: only the player so many places to the dealer's left puts in."""
    takes_fines: bool = False
    """Whoever can't play pays into this pot."""
    ends_hand: bool = False
    """Turned up, this card ends the hand at once in the dealer's favour."""

    @property
    def suit(self) -> str | None:
        """The suit of a single-card pot: a withheld card of that suit has to be matched."""
        return self.cards[0][-1] if len(self.cards) == 1 and self.cards[0][-1] in SUITS else None


@dataclass(frozen=True)
class DirectPayment:
    """What every other player pays at once to whoever plays a certain card."""

    id: str
    name: str
    chips: int


@dataclass(frozen=True)
class Seats:
    """For how many people the sheet is meant; other numbers are warned about, never refused."""

    min: int
    max: int


@dataclass(frozen=True)
class ChipColour:
    """A colour of chips and its value: for display only, the books count in units of 1."""

    name: str
    colour: str
    value: int


@dataclass(frozen=True)
class RoundCard:
    """A round of 8 Round Rummy: what it asks for, and the points of its card."""

    number: int
    goal: str
    points: int


@dataclass(frozen=True)
class Preset:
    """A complete named set of house rules; `preset["ante.dealer"]` is one of them, its default when not set."""

    id: str
    name: str
    game: str
    seats: Seats
    about: str = ""
    source: str = ""
    base: str = ""
    """The id of the printed game that this one was made from: its rule card says what is different."""
    stack: int = 0
    """Chips that a person sits down with, unless told otherwise."""
    pots: tuple[Pot, ...] = ()
    dues: tuple[DirectPayment, ...] = ()
    round_cards: tuple[RoundCard, ...] = ()
    chips: tuple[ChipColour, ...] = ()
    rules: Mapping[str, Value] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Value:
        return self.rules.get(key, HOUSE_RULES[self.game][key].default)

    def number(self, key: str) -> int:
        value = self[key]
        assert isinstance(value, int), key
        return value

    @cached_property
    def board(self) -> Mapping[str, Pot]:
        """The pots in play, by id: a poker pool that the house leaves out is no pot."""
        return {pot.id: pot for pot in self.pots if pot.won_by != "poker" or self["poker.when"] != "off"}

    def won_by(self, how: str) -> list[Pot]:
        return [pot for pot in self.board.values() if pot.won_by == how]

    def pot(self, pot_id: str) -> Pot:
        """Return the pot with that id; Unknown when this board has none."""
        if pot_id not in self.board:
            raise Unknown("this board has no pot {pot!r}: it has {pots}", pot=pot_id, pots=", ".join(self.board))
        return self.board[pot_id]

    def ante(self, pot: Pot, place: int, *, is_dealer: bool) -> int:
        """Return the chips that the player at `place` (1 at the dealer's left) puts in `pot`."""
        if pot.won_by == "side" or (pot.fed_by and pot.fed_by != place):
            return 0
        each = self.number("ante.each") if pot.ante is None else pot.ante
        if not is_dealer:
            return each
        if pot.dealer_ante is not None:
            return pot.dealer_ante
        return self.number("ante.dealer") if pot.ante is None else pot.ante

    @property
    def stages(self) -> tuple[str, ...]:
        """The parts of a hand that this game has, in order; the last is the play."""
        poker = self["poker.when"] in ("before_showdown", "before_betting") and self.won_by("poker")
        on = {
            "stakes": self.number("stakes.budget") > 0,
            "dummy": self["dummy"] != "unused",
            "held": self["claim"] == "held",
            "poker": bool(poker),
            "play": True,
        }
        return tuple(stage for stage, is_on in on.items() if is_on)

    @property
    def rounds_played(self) -> tuple[RoundCard, ...]:
        """The rounds of 8 Round Rummy that this table plays, in order."""
        return self.round_cards if self["rounds"] == "full" else self.round_cards[1::2]

    def with_options(self, options: Mapping[str, object]) -> Preset:
        """Return this preset with single house rules changed; PresetError naming every option that is wrong."""
        wrong = list(_rule_faults(self.game, options))
        if wrong:
            raise PresetError("{faults}", faults="; ".join(wrong))
        changed: dict[str, Value] = {key: value for key, value in options.items() if isinstance(value, int | str)}
        return replace(self, rules={**self.rules, **changed})


def rules_of(game: str) -> Mapping[str, HouseRule]:
    return HOUSE_RULES[game]


def faults(preset: Preset) -> list[str]:
    """Return everything that is wrong with a preset, each as one sentence; an empty list when it can be played."""
    if preset.game not in HOUSE_RULES:
        return [f"game must be one of {', '.join(HOUSE_RULES)}, not {preset.game!r}"]
    found = [] if ID.fullmatch(preset.id) else [f"id {preset.id!r} must be 1 to 32 of a-z, 0-9 and -"]
    found += [] if not preset.base or ID.fullmatch(preset.base) else [f"base {preset.base[:40]!r} is no id"]
    found += [] if preset.name.strip() else ["the preset needs a name"]
    found += [] if len(preset.name) <= LONGEST_NAME else [f"the name has more than {LONGEST_NAME} characters"]
    found += list(_rule_faults(preset.game, preset.rules))
    if not 1 <= preset.seats.min <= preset.seats.max <= 20:
        found.append("seats must be from 1 to 20, the smaller number first")
    if not 0 <= preset.stack <= MOST_CHIPS:
        found.append(f"stack must be from 0 to {MOST_CHIPS}")
    if preset.game == "pots":
        found += _board_faults(preset)
    elif preset.pots:
        found.append("only a game of pots has pots")
    found += [f"{one.colour!r} is no colour like #C23B30" for one in preset.chips if not COLOUR.fullmatch(one.colour)]
    if preset.game == "rounds" and not preset.round_cards:
        found.append("a game of rounds needs its round cards")
    return found


def _rule_faults(game: str, rules: Mapping[str, object]) -> list[str]:
    known = HOUSE_RULES[game]
    unknown = [f"there is no house rule {key!r} in this kind of game" for key in rules if key not in known]
    wrong = [known[key].fault(value) for key, value in rules.items() if key in known]
    return unknown + [fault for fault in wrong if fault]


def _board_faults(preset: Preset) -> list[str]:
    ids = [pot.id for pot in preset.pots]
    found = [f"pot id {one!r} stands twice" for one in sorted({one for one in ids if ids.count(one) > 1})]
    if not 1 <= len(preset.pots) <= 16:
        found.append(f"a board has 1 to 16 pots, not {len(preset.pots)}")
    for pot in preset.pots:
        if not ID.fullmatch(pot.id) or pot.id == BANK:
            found.append(f"pot id {pot.id!r} must be 1 to 32 of a-z, 0-9 and -, and not 'bank'")
        if pot.won_by not in WON_BY:
            found.append(f"pot {pot.id!r} must be won by one of {', '.join(WON_BY)}, not {pot.won_by!r}")
        if len(pot.name) > LONGEST_NAME or len(pot.label) > LONGEST_LABEL:
            found.append(f"pot {pot.id!r}: a name has at most {LONGEST_NAME} characters, a label {LONGEST_LABEL}")
        if max(pot.ante or 0, pot.dealer_ante or 0) > 1000:
            found.append(f"pot {pot.id!r}: an ante has at most 1000 chips")
        found += [f"pot {pot.id!r}: {text!r} is not a card" for text in pot.cards if not _is_card(text)]
    if preset["stop.fine"] and sum(pot.takes_fines for pot in preset.pots) != 1:
        found.append("exactly one pot takes the fines")
    return found + _dues_faults(preset)


def _dues_faults(preset: Preset) -> list[str]:
    ids = [due.id for due in preset.dues]
    found = [f"payment {one!r} stands twice" for one in sorted({one for one in ids if ids.count(one) > 1})]
    for due in preset.dues:
        if not ID.fullmatch(due.id):
            found.append(f"payment id {due.id!r} must be 1 to 32 of a-z, 0-9 and -")
        if not 1 <= due.chips <= 1000:
            found.append(f"payment {due.id!r} has 1 to 1000 chips")
    return found


def _is_card(text: str) -> bool:
    return text in RANKS or (text[:-1] in RANKS and text[-1:] in SUITS)
