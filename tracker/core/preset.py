"""A preset: one game as data, and which house rules do anything on its board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from tracker.core.cards import RANKS, SUITS
from tracker.core.errors import Fault, Faults, PresetError, Unknown
from tracker.core.house_rules import HOUSE_RULES, RuleSet, Value, rule_faults, rule_set

COLOUR = re.compile(r"#[0-9A-Fa-f]{6}", re.ASCII)
WON_BY = ("card", "out", "poker", "side")
LONGEST_NAME, LONGEST_LABEL = 60, 20
MOST_POTS, MOST_ROUNDS, MOST_ANTE, MOST_POINTS = 16, 16, 1000, 1000
MOST_DUE, MOST_SEATS = 1000, 20
RANGE = "range"
"""The key of a field's metadata with the lowest and the highest value that a file may have there."""


def within(low: int, high: int) -> Mapping[str, tuple[int, int]]:
    """Return the metadata of a field that holds a whole number from `low` to `high`."""
    return {RANGE: (low, high)}


@dataclass(frozen=True)
class Pot:
    """One compartment of the board: its label, the cards that win it, and how it is won."""

    id: str
    name: str
    label: str
    won_by: str = "card"
    cards: tuple[str, ...] = ()
    """Cards such as `10H`; ranks alone (`7`, `8`, `9`) mean a run of any one suit, or trumps."""
    ante: int | None = field(default=None, metadata=within(0, MOST_ANTE))
    """Chips that everybody puts in; None follows `ante.each`."""
    dealer_ante: int | None = field(default=None, metadata=within(0, MOST_ANTE))
    """Chips that the dealer puts in; None follows `ante`, or `ante.dealer`."""
    fed_by: int = 0
    """Where pots are fed in turn: only the player so many places to the dealer's left puts in."""
    takes_fines: bool = False
    """Whoever can't play pays into this pot."""
    ends_hand: bool = False
    """Turned up, this card ends the hand at once in the dealer's favour."""
    colour: str = ""
    """Its colour on the board, as `#C23B30`; without one it is as the board is."""

    @property
    def is_run(self) -> bool:
        """Whether a run of any one suit wins it, which several can hold; a run of trumps has `trump` in its name."""
        return len(self.cards) > 1 and set(self.cards) <= set(RANKS) and "trump" not in self.name.lower()

    @property
    def suit(self) -> str | None:
        """The one suit of the cards that win it: a withheld card of that suit has to be matched."""
        suits = {card[-1] for card in self.cards}
        return suits.pop() if len(suits) == 1 and suits <= set(SUITS) else None


@dataclass(frozen=True)
class DirectPayment:
    """What every other player pays at once to whoever plays a certain card."""

    id: str
    name: str
    chips: int = field(metadata=within(1, MOST_DUE))


@dataclass(frozen=True)
class Seats:
    """For how many people the sheet is meant; other numbers are warned about, never refused."""

    min: int = field(metadata=within(1, MOST_SEATS))
    max: int = field(metadata=within(1, MOST_SEATS))


@dataclass(frozen=True)
class ChipColour:
    """A colour of chips and its value: for display only, the books count in units of 1."""

    name: str
    colour: str
    value: int


@dataclass(frozen=True)
class RoundCard:
    """A round of a game that is played in rounds: what it asks for, and the points of its card."""

    number: int
    goal: str
    points: int = field(metadata=within(0, MOST_POINTS))


@dataclass(frozen=True)
class Preset:
    """A complete named set of house rules; `preset["ante.dealer"]` is one where the key is data, as in forms."""

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
    silent: tuple[str, ...] = field(default=(), compare=False)
    """Lines of the rule card, by key, of which the source of a printed game says nothing: they are our defaults."""

    def __getitem__(self, key: str) -> Value:
        return self.rules.get(key, HOUSE_RULES[self.game][key].default)

    @cached_property
    def house_rules(self) -> RuleSet:
        """All house rules with their values: those of `rules`, and the defaults."""
        return rule_set(self.game, self.rules)

    @property
    def is_pot_game(self) -> bool:
        """Whether chips are played for on a board of pots; else points are kept, in rounds or deals."""
        return self.game == "pots"

    @cached_property
    def board(self) -> Mapping[str, Pot]:
        """The pots in play, by id: a poker pool that the house leaves out is no pot."""
        return {pot.id: pot for pot in self.pots if pot.won_by != "poker" or self.house_rules.poker_when != "off"}

    def won_by(self, how: str) -> list[Pot]:
        return [pot for pot in self.board.values() if pot.won_by == how]

    def has_one_holder(self, pot: Pot) -> bool:
        """Return whether one alone can hold a pot's cards: of a suit, or trumps (ranks with a place of their own)."""
        return any(card[-1] in SUITS or card in self._trumps for card in pot.cards)

    @cached_property
    def _trumps(self) -> frozenset[str]:
        return frozenset(one.cards[0] for one in self.pots if len(one.cards) == 1)

    @property
    def excusing_pot(self) -> Pot | None:
        """The pot whose card excuses its holder from paying for cards left; None where the board names none."""
        return next((pot for pot in self.won_by("card") if pot.ends_hand), None)

    def ends_hand(self, pot: Pot) -> bool:
        """Return whether a pot's card ends the hand for the dealer when it is turned up."""
        return pot.ends_hand and self.house_rules.turn_up == "on"

    @property
    def fines_pot(self) -> Pot | None:
        """The pot that whoever is stuck pays into: the house rule's, the marked one, one of going out, or the first."""
        pots = list(self.board.values())
        named = [pot for pot in pots if pot.id == self.house_rules.stop_pot]
        marked = [pot for pot in pots if pot.takes_fines]
        return next(iter(named + marked + self.won_by("out") + pots), None)

    def pot(self, pot_id: str) -> Pot:
        """Return the pot with that id; Unknown when this board has none."""
        if pot_id not in self.board:
            raise Unknown("this board has no pot {pot!r}: it has {pots}", pot=pot_id, pots=", ".join(self.board))
        return self.board[pot_id]

    def ante(self, pot: Pot, place: int, *, is_dealer: bool) -> int:
        """Return the chips that the player at `place` (1 at the dealer's left) puts in `pot`, stakes multiplied."""
        if pot.fed_by and pot.fed_by != place:
            return 0
        chips = self.house_rules.side_ante if pot.won_by == "side" else self._ante(pot, is_dealer=is_dealer)
        return self.house_rules.ante_times * chips

    def budget(self, *, is_dealer: bool) -> int:
        """Return the chips that a player lays freely on the places before a hand, stakes multiplied."""
        rules = self.house_rules
        return rules.ante_times * (rules.stakes_budget + (rules.stakes_dealer_extra if is_dealer else 0))

    @cached_property
    def stake_places(self) -> tuple[Pot, ...]:
        """The pots on which chips are laid freely: those of cards without an ante, else all of cards."""
        pots = [pot for pot in self.board.values() if pot.won_by in ("card", "side")]
        free = [pot for pot in pots if not self.ante(pot, max(pot.fed_by, 1), is_dealer=False)]
        return tuple(free if any(pot.won_by == "card" for pot in free) else pots)

    def _ante(self, pot: Pot, *, is_dealer: bool) -> int:
        each = self.house_rules.ante_each if pot.ante is None else pot.ante
        if not is_dealer:
            return each
        if pot.dealer_ante is not None:
            return pot.dealer_ante
        return self.house_rules.ante_dealer if pot.ante is None else pot.ante

    @property
    def stages(self) -> tuple[str, ...]:
        """The parts of a hand that this game has, in order; the last is the play."""
        poker = self.house_rules.poker_when in ("before_showdown", "before_betting") and self.won_by("poker")
        on = {
            "stakes": self.house_rules.stakes_budget > 0,
            "dummy": self.house_rules.dummy not in ("unused", "none"),
            "held": self.house_rules.claim == "held",
            "poker": bool(poker),
            "play": True,
        }
        return tuple(stage for stage, is_on in on.items() if is_on)

    def with_options(self, options: Mapping[str, object]) -> Preset:
        """Return this preset with single house rules changed; PresetError naming every option that is wrong."""
        wrong = list(rule_faults(self.game, options))
        if wrong:
            raise PresetError("{faults}", faults=Faults(wrong))
        changed: dict[str, Value] = {key: value for key, value in options.items() if isinstance(value, int | str)}
        preset = replace(self, rules={**self.rules, **changed})
        if wrong := list(preset.unknown_pots()):
            raise PresetError("{faults}", faults=Faults(wrong))
        return preset

    def unknown_pots(self) -> Iterator[Fault]:
        """Yield a fault for every house rule that names a pot which the board does not have."""
        for key, rule in HOUSE_RULES[self.game].items():
            if rule.names_pot and self[key] not in (*rule.choices, *self.board) and not rule.fault(self[key]):
                facts = {"key": key, "pot": self[key], "pots": ", ".join(self.board), "field": key}
                yield Fault("{key}: this board has no pot {pot!r}; it has {pots}", **facts)


def ante_sums(preset: Preset, people: int) -> tuple[list[int], int]:
    """Return what each player at the dealer's left, one after the other, and the dealer put in altogether."""
    pots = preset.board.values()
    others = [sum(preset.ante(pot, place, is_dealer=False) for pot in pots) for place in range(1, people)]
    return others, sum(preset.ante(pot, people, is_dealer=True) for pot in pots)


def antes_of(preset: Preset, people: int) -> tuple[int, int]:
    """Return the chips that the dealer, and at most anybody else, puts on the board for a hand."""
    others, dealer = ante_sums(preset, people)
    return dealer + preset.budget(is_dealer=True), max(others, default=0) + preset.budget(is_dealer=False)


def has_effect(preset: Preset, key: str) -> bool:
    """Return whether a house rule changes anything in this preset as its other rules stand."""
    rule = HOUSE_RULES[preset.game].get(key)
    if rule is None or not fits_preset(preset, key):
        return False
    return all(preset[other] not in values for other, values in idle_when(preset, key).items())


def idle_when(preset: Preset, key: str) -> Mapping[str, tuple[Value, ...]]:
    """Return the values of other rules, by key, with which a house rule does nothing on this board."""
    if key == "bet.limit" and _has_won_by("side")(preset):
        return {}  # side bets are made with any kind of poker
    return HOUSE_RULES[preset.game][key].idle_when


def fits_preset(preset: Preset, key: str) -> bool:
    """Return whether the board has what the rule is about, whatever the other rules are."""
    needed = _NEEDED.get(key)
    return needed is None or needed(preset)


def _has_won_by(how: str) -> Callable[[Preset], bool]:
    return lambda preset: any(pot.won_by == how for pot in preset.pots)


def _has_ante(preset: Preset) -> bool:
    """Return whether anything is put in before the deal, by everybody, by the dealer or freely."""
    return preset.house_rules.stakes_budget > 0 or any(
        preset.ante(pot, max(pot.fed_by, 1), is_dealer=is_dealer) for pot in preset.pots for is_dealer in (False, True)
    )


_NEEDED: Mapping[str, Callable[[Preset], bool]] = {
    "ante.each": lambda preset: any(pot.ante is None for pot in preset.pots if pot.won_by != "side"),
    "ante.dealer": lambda preset: any(
        pot.ante is None and pot.dealer_ante is None for pot in preset.pots if pot.won_by != "side"
    ),
    "ante.times": _has_ante,
    "side.ante": _has_won_by("side"),
    "claim": _has_won_by("card"),
    "claim.tie": lambda preset: any(pot.is_run for pot in preset.pots if pot.won_by == "card"),
    "combo": lambda preset: any(pot.won_by == "card" and len(pot.cards) > 1 for pot in preset.pots),
    "turn_up": lambda preset: any(len(pot.cards) == 1 for pot in preset.won_by("card")),
    "late_claim": _has_won_by("card"),
    "withheld.source": lambda preset: any(pot.suit for pot in preset.won_by("card")),
    "left_in_hand": _has_won_by("card"),
    "poker.when": _has_won_by("poker"),
    "poker.hand": _has_won_by("poker"),
    "poker.tie": _has_won_by("poker"),
    "bet.limit": lambda preset: _has_won_by("poker")(preset) or _has_won_by("side")(preset),
}
