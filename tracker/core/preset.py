"""A preset: one game as data. The code knows mechanisms; brand names and boards live in the TOML files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from tracker.core.cards import RANKS, SUITS
from tracker.core.errors import Fault, Faults, PresetError, Unknown
from tracker.core.house_rules import HOUSE_RULES, MOST_CHIPS, HouseRule, RuleSet, Value, rule_set
from tracker.core.ledger import BANK

ID = re.compile(r"[a-z0-9-]{1,32}")
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}", re.ASCII)
WON_BY = ("card", "out", "poker", "side")
LONGEST_NAME, LONGEST_LABEL = 60, 20
MOST_POTS, MOST_ROUNDS, MOST_ANTE, MOST_POINTS = 16, 16, 1000, 1000


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
    colour: str = ""
    """Its colour on the board, as `#C23B30`; without one it is as the board is."""

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
    """A complete named set of house rules.

    `preset.house_rules.ante_dealer` is the value of one; `preset["ante.dealer"]` the same where the key is data, as in
    forms and templates.
    """

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

    @cached_property
    def house_rules(self) -> RuleSet:
        """All house rules with their values: those of `rules`, and the defaults."""
        return rule_set({key: value for key, value in self.rules.items() if key in HOUSE_RULES[self.game]})

    @cached_property
    def board(self) -> Mapping[str, Pot]:
        """The pots in play, by id: a poker pool that the house leaves out is no pot."""
        return {pot.id: pot for pot in self.pots if pot.won_by != "poker" or self.house_rules.poker_when != "off"}

    def won_by(self, how: str) -> list[Pot]:
        return [pot for pot in self.board.values() if pot.won_by == how]

    @property
    def fines_pot(self) -> Pot | None:
        """The pot that whoever is stuck pays into: the one marked for it, else the one won by going out, else any."""
        pots = list(self.board.values())
        marked = [pot for pot in pots if pot.takes_fines]
        return next(iter(marked + self.won_by("out") + pots), None)

    def pot(self, pot_id: str) -> Pot:
        """Return the pot with that id; Unknown when this board has none."""
        if pot_id not in self.board:
            raise Unknown("this board has no pot {pot!r}: it has {pots}", pot=pot_id, pots=", ".join(self.board))
        return self.board[pot_id]

    def ante(self, pot: Pot, place: int, *, is_dealer: bool) -> int:
        """Return the chips that the player at `place` (1 at the dealer's left) puts in `pot`, stakes multiplied."""
        if pot.won_by == "side" or (pot.fed_by and pot.fed_by != place):
            return 0
        return self.house_rules.ante_times * self._ante(pot, is_dealer=is_dealer)

    def budget(self, *, is_dealer: bool) -> int:
        """Return the chips that a player lays freely on the places before a hand, stakes multiplied."""
        rules = self.house_rules
        return rules.ante_times * (rules.stakes_budget + (rules.stakes_dealer_extra if is_dealer else 0))

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
            "dummy": self.house_rules.dummy != "unused",
            "held": self.house_rules.claim == "held",
            "poker": bool(poker),
            "play": True,
        }
        return tuple(stage for stage, is_on in on.items() if is_on)

    @property
    def rounds_played(self) -> tuple[RoundCard, ...]:
        """The rounds of 8 Round Rummy that this table plays, in order."""
        return self.round_cards if self.house_rules.rounds == "full" else self.round_cards[1::2]

    def with_options(self, options: Mapping[str, object]) -> Preset:
        """Return this preset with single house rules changed; PresetError naming every option that is wrong."""
        wrong = list(rule_faults(self.game, options))
        if wrong:
            raise PresetError("{faults}", faults=Faults(wrong))
        changed: dict[str, Value] = {key: value for key, value in options.items() if isinstance(value, int | str)}
        return replace(self, rules={**self.rules, **changed})


def rules_of(game: str) -> Mapping[str, HouseRule]:
    return HOUSE_RULES[game]


def faults(preset: Preset) -> list[Fault]:
    """Return everything that is wrong with a preset, each as one sentence; an empty list when it can be played."""
    if preset.game not in HOUSE_RULES:
        return [Fault("game must be one of {known}, not {game!r}", known=", ".join(HOUSE_RULES), game=preset.game)]
    return [
        *_top_faults(preset),
        *rule_faults(preset.game, preset.rules),
        *(_board_faults(preset) if preset.game == "pots" else _round_faults(preset)),
        *(fault for chip in preset.chips for fault in _chip_faults(chip)),
    ]


def _top_faults(preset: Preset) -> Iterator[Fault]:
    if not ID.fullmatch(preset.id):
        yield Fault("id {id!r} must be 1 to 32 of a-z, 0-9 and -", id=preset.id)
    if preset.base and not ID.fullmatch(preset.base):
        yield Fault("base {base!r} is no id", base=preset.base[:40])
    if not preset.name.strip():
        yield Fault("the preset needs a name")
    if len(preset.name) > LONGEST_NAME:
        yield Fault("the name has more than {most} characters", most=LONGEST_NAME)
    if not 1 <= preset.seats.min <= preset.seats.max <= 20:
        yield Fault("seats must be from 1 to 20, the smaller number first")
    if not 0 <= preset.stack <= MOST_CHIPS:
        yield Fault("stack must be from 0 to {most}", most=MOST_CHIPS)


def rule_faults(game: str, rules: Mapping[str, object]) -> list[Fault]:
    """Return what is wrong with house rules by key: unknown keys, then values that the rule does not allow."""
    known = HOUSE_RULES[game]
    unknown = [
        Fault("there is no house rule {key!r} in this kind of game", key=key) for key in rules if key not in known
    ]
    wrong = [known[key].fault(value) for key, value in rules.items() if key in known]
    return unknown + [fault for fault in wrong if fault]


def _board_faults(preset: Preset) -> Iterator[Fault]:
    ids = [pot.id for pot in preset.pots]
    for twice in sorted({one for one in ids if ids.count(one) > 1}):
        yield Fault("pot id {pot!r} stands twice", pot=twice)
    if not 1 <= len(preset.pots) <= MOST_POTS:
        yield Fault("a board has 1 to {most} pots, not {count}", most=MOST_POTS, count=len(preset.pots))
    for pot in preset.pots:
        yield from _pot_faults(pot)
    yield from _dues_faults(preset)


def _pot_faults(pot: Pot) -> Iterator[Fault]:
    if not ID.fullmatch(pot.id) or pot.id == BANK:
        yield Fault("pot id {pot!r} must be 1 to 32 of a-z, 0-9 and -, and not 'bank'", pot=pot.id)
    if pot.won_by not in WON_BY:
        known = ", ".join(WON_BY)
        yield Fault("pot {pot!r} must be won by one of {known}, not {how!r}", pot=pot.id, known=known, how=pot.won_by)
    if len(pot.name) > LONGEST_NAME or len(pot.label) > LONGEST_LABEL:
        longest = {"name": LONGEST_NAME, "label": LONGEST_LABEL}
        yield Fault("pot {pot!r}: a name has at most {name} characters, a label {label}", pot=pot.id, **longest)
    if max(pot.ante or 0, pot.dealer_ante or 0) > MOST_ANTE:
        yield Fault("pot {pot!r}: an ante has at most {most} chips", pot=pot.id, most=MOST_ANTE)
    for text in pot.cards:
        if not _is_card(text):
            yield Fault("pot {pot!r}: {card!r} is not a card such as 10H, QS or A", pot=pot.id, card=text)
    if pot.colour and not COLOUR.fullmatch(pot.colour):
        yield Fault("pot {pot!r}: {colour!r} is no colour like #C23B30", pot=pot.id, colour=pot.colour)


def _chip_faults(chip: ChipColour) -> Iterator[Fault]:
    if not COLOUR.fullmatch(chip.colour):
        yield Fault("chip {chip!r}: {colour!r} is no colour like #C23B30", chip=chip.name, colour=chip.colour)


def _round_faults(preset: Preset) -> Iterator[Fault]:
    """The score games have no board; only one of them has round cards."""
    if preset.pots:
        yield Fault("only a game of pots has pots")
    if preset.game != "rounds":
        return
    if not preset.round_cards:
        yield Fault("a game of rounds needs its round cards")
    if len(preset.round_cards) > MOST_ROUNDS:
        yield Fault("a game has at most {most} round cards", most=MOST_ROUNDS)
    numbers = [one.number for one in preset.round_cards]
    for twice in sorted({one for one in numbers if numbers.count(one) > 1}):
        yield Fault("round {number} stands twice", number=twice)
    for one in preset.round_cards:
        if one.points > MOST_POINTS:
            yield Fault("round {number}: a card has at most {most} points", number=one.number, most=MOST_POINTS)


def _dues_faults(preset: Preset) -> Iterator[Fault]:
    ids = [due.id for due in preset.dues]
    for twice in sorted({one for one in ids if ids.count(one) > 1}):
        yield Fault("payment {due!r} stands twice", due=twice)
    for due in preset.dues:
        if not ID.fullmatch(due.id):
            yield Fault("payment id {due!r} must be 1 to 32 of a-z, 0-9 and -", due=due.id)
        if not 1 <= due.chips <= 1000:
            yield Fault("payment {due!r} has 1 to 1000 chips", due=due.id)


def _is_card(text: str) -> bool:
    return text in RANKS or (text[:-1] in RANKS and text[-1:] in SUITS)
