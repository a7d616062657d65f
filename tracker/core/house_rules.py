"""Every house rule once: key, type with what it may be, default, and the sheet or game where it is found."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args, get_type_hints

from tracker.core.errors import Fault

Value = int | str
Choice = TypeVar("Choice", bound=Value)
ID = re.compile(r"[a-z0-9-]{1,32}")
"""Of presets, pots and payments; of seats too."""
MOST_CHIPS = 1_000_000
"""In one event, in one house rule, and to start with."""


@dataclass(frozen=True)
class HouseRule:
    """One setting of a preset: a word, a whole number within bounds, or (with `names_pot`) the id of a pot as well."""

    key: str
    default: Value
    source: str
    choices: tuple[Value, ...] = ()
    low: int = 0
    high: int = MOST_CHIPS
    idle_when: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    """The values of other rules, by key, with which this one does nothing."""
    names_pot: bool = False
    word: str = ""
    """Of a number: a word that it may be instead, where there is none."""

    @property
    def is_money(self) -> bool:
        """Whether it says what chips are worth: it moves none, so it holds at once, and until the first payment."""
        return self.key.startswith("money.")

    def fault(self, value: object) -> Fault | None:
        """Return what is wrong with `value` for this rule, or None."""
        if (self.names_pot and isinstance(value, str) and ID.fullmatch(value)) or (self.word and value == self.word):
            return None
        if self.choices:
            if value in self.choices and isinstance(value, type(self.default)) and not isinstance(value, bool):
                return None
            known = ", ".join([*map(str, self.choices), *(["the id of a pot"] if self.names_pot else [])])
            return Fault(
                "{key} must be one of {known}, not {value!r}", key=self.key, known=known, value=value, field=self.key
            )
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            facts = {"key": self.key, "low": self.low, "high": self.high, "value": value, "field": self.key}
            if self.word:
                text = "{key} must be {word}, or a whole number from {low} to {high}, not {value!r}"
                return Fault(text, word=self.word, **facts)
            return Fault("{key} must be a whole number from {low} to {high}, not {value!r}", **facts)
        return None


_RUMMY, _KITTY = "the sheet of Michigan Rummy", "the sheet of Michigan Kitty"
_TRIPOLEY, _RUMMOLI = "the leaflet of boards sold as Tripoley", "the sheet of boards sold as Rummoli"
_POPE, _NEWMARKET = "the books on Pope Joan", "Newmarket as played in Britain"
_ROYAL = "the sheets of Royal Rummy"
_FUNDEX = "the sheet of the boards with all hearts"
_POCH = "the German rules of Poch"
_NAIN, _SPINADO = "the rules of Nain jaune", "the books on Spinado"
AT_HOME = ""
"""The source of a rule that is known from tables at home: no sheet says it."""

END, MONEY, OWN = "end", "money", "own"
"""The groups of rules besides `pots`: when a score game ends, what it is all worth, those that one game alone has."""
_Idle = Mapping[str, tuple[Value, ...]]


def house_rule(
    key: str,
    default: Choice,
    source: str,
    *,
    low: int = 0,
    high: int = MOST_CHIPS,
    idle: _Idle = MappingProxyType({}),
) -> Choice:
    """Declare a house rule: one of the values that its annotation lists, or a whole number from `low` to `high`.

    One that is a text may be `default` or the id of a pot; `default` has a `_` then, so that it is no id.
    """
    return field(default=default, metadata={"rule": HouseRule(key, default, source, (), low, high, idle)})


_NO_DUMMY = ("unused", "none")
_NOT_SOLD: _Idle = {"dummy": ("exchange_only", *_NO_DUMMY)}
_NOT_BID_FOR: _Idle = {"dummy": ("exchange_only", "passed_round", *_NO_DUMMY)}
_NO_BETTING: _Idle = {"poker.when": ("hand_end_left", "hand_end_all", "before_showdown", "session_end", "off")}
NO_MONEY: _Idle = {"money.cents": (0,)}
_NO_PENALTIES: _Idle = {"penalties": ("off",)}


@dataclass(frozen=True)
class RuleSet:
    """The value of every house rule, as an attribute: the key with `_` for its dots. A game's own are in a subclass."""

    ante_each: int = house_rule("ante.each", 1, _RUMMY, high=1000)
    ante_dealer: int = house_rule("ante.dealer", 1, _RUMMY, high=1000)
    ante_times: int = house_rule("ante.times", 1, AT_HOME, low=1, high=10)
    ante_exempt: Literal["nobody", "last_winner"] = house_rule("ante.exempt", "nobody", _SPINADO)
    stakes_budget: int = house_rule("stakes.budget", 0, _NEWMARKET, high=1000)
    stakes_dealer_extra: int = house_rule("stakes.dealer_extra", 0, _NEWMARKET, high=1000, idle={"stakes.budget": (0,)})
    stakes_cover_all: Literal["on", "off"] = house_rule(
        "stakes.cover_all", "off", _NEWMARKET, idle={"stakes.budget": (0,)}
    )
    side_ante: int = house_rule("side.ante", 0, _ROYAL, high=1000)
    claim: Literal["played", "held"] = house_rule("claim", "played", _RUMMY)
    claim_tie: Literal["share", "forehand"] = house_rule("claim.tie", "share", _TRIPOLEY, idle={"claim": ("played",)})
    combo: Literal["one_player_in_succession", "one_player_any_time"] = house_rule(
        "combo", "one_player_in_succession", _FUNDEX, idle={"claim": ("held",)}
    )
    turn_up: Literal["on", "pot_only", "off"] = house_rule("turn_up", "off", _POPE)
    dummy: Literal["exchange_or_sell", "exchange_only", "sell_only", "passed_round", "unused", "none"] = house_rule(
        "dummy", "exchange_or_sell", _RUMMY
    )
    dummy_after_no_bid: Literal["dead", "dealer_may_exchange"] = house_rule(
        "dummy.after_no_bid", "dead", AT_HOME, idle=_NOT_SOLD
    )
    dummy_card_bar: Literal["on", "off"] = house_rule("dummy.card_bar", "on", _RUMMY, idle={"dummy": _NO_DUMMY})
    auction_min: int = house_rule("auction.min", 1, _KITTY, low=1, high=1000, idle=_NOT_SOLD)
    auction_step: int = house_rule("auction.step", 1, _KITTY, low=1, high=1000, idle=_NOT_BID_FOR)
    wrong_lead_each: int = house_rule("wrong_lead.each", 0, _RUMMY, high=1000, idle=_NO_PENALTIES)
    penalties: Literal["on", "off"] = house_rule("penalties", "off", _RUMMY)
    stop_fine: int = house_rule("stop.fine", 0, _RUMMOLI, high=1000)
    stop_pot: str = house_rule("stop.pot", "by_board", AT_HOME, idle={"stop.fine": (0,)})
    sweep: Literal["on", "off"] = house_rule("sweep", "off", _NAIN)
    out_per_card: int = house_rule("out.per_card", 1, _RUMMY, high=1000)
    out_count: Literal["cards", "points"] = house_rule("out.count", "cards", _RUMMY, idle={"out.per_card": (0,)})
    out_excuse: Literal["nobody", "holder"] = house_rule("out.excuse", "nobody", _POPE, idle={"out.per_card": (0,)})
    left_in_hand: Literal["off", "double_pot", "pay_base", "pay_winner"] = house_rule("left_in_hand", "off", _NAIN)
    bar_scope: Literal["from_now", "whole_hand_refund"] = house_rule(
        "bar.scope", "from_now", _RUMMY, idle=_NO_PENALTIES
    )
    withheld_source: Literal["offender", "pot"] = house_rule("withheld.source", "offender", _RUMMY, idle=_NO_PENALTIES)
    barred_out: Literal["nothing_play_on", "jackpot_carries", "jackpot_only_lost", "normal"] = house_rule(
        "barred_out", "nothing_play_on", _RUMMY, idle=_NO_PENALTIES
    )
    barred_out_applies: Literal["withhold", "both"] = house_rule(
        "barred_out.applies", "withhold", _RUMMY, idle={"penalties": ("off",), "barred_out": ("normal",)}
    )
    poker_when: Literal["hand_end_left", "hand_end_all", "before_showdown", "before_betting", "session_end", "off"] = (
        house_rule("poker.when", "hand_end_left", _RUMMY)
    )
    poker_hand: Literal["poker", "sets"] = house_rule("poker.hand", "poker", _POCH, idle={"poker.when": ("off",)})
    bet_limit: int = house_rule("bet.limit", 0, AT_HOME, high=10_000, idle=_NO_BETTING)
    poker_tie: Literal["split_leave_rest", "split_rest_seat", "carry_all"] = house_rule(
        "poker.tie", "split_leave_rest", _TRIPOLEY, idle={"poker.when": ("off",), "poker.hand": ("sets",)}
    )
    late_claim: Literal["allowed_until_hand_end", "next_card_forfeits"] = house_rule(
        "late_claim", "allowed_until_hand_end", AT_HOME, idle={"claim": ("held",)}
    )
    end: Literal["equal", "last_hand_winner", "poker_hand", "leave"] = house_rule("end", "equal", _RUMMY)
    end_rest: Literal["clockwise_from_dealer_left", "last_hand_winner", "high_card"] = house_rule(
        "end.rest", "clockwise_from_dealer_left", AT_HOME, idle={"end": ("last_hand_winner", "leave")}
    )
    shortage: Literal["buy_in", "iou", "partial_ante", "sit_out", "cap", "end_session"] = house_rule(
        "shortage", "buy_in", AT_HOME
    )

    game: Literal["open", "deals", "target"] = house_rule("game", "open", AT_HOME)
    game_deals: int = house_rule("game.deals", 10, AT_HOME, low=1, high=1000, idle={"game": ("open", "target")})
    game_target: int = house_rule("game.target", 500, AT_HOME, low=1, high=100_000, idle={"game": ("open", "deals")})

    money_chips: int = house_rule("money.chips", 1, AT_HOME, low=1, high=10_000, idle=NO_MONEY)
    money_cents: int = house_rule("money.cents", 0, AT_HOME, high=100_000)
    money_coin: int = house_rule("money.coin", 1, AT_HOME, low=1, high=10_000, idle=NO_MONEY)
    money_decimals: Literal[2, 0, 3] = house_rule("money.decimals", 2, AT_HOME, idle=NO_MONEY)


HOUSE_RULES: dict[str, Mapping[str, HouseRule]] = {}
"""All house rules of each kind of game, by key."""
_RULE_SETS: dict[str, type[RuleSet]] = {}


def add_rules(game: str, rules: type[RuleSet], groups: Sequence[str]) -> None:
    """Make the house rules of a kind of game known: those of these groups, in this order."""
    kinds, known = get_type_hints(rules), dict[str, HouseRule]()
    for group in groups:
        for one in fields(rules):
            rule, kind = one.metadata["rule"], kinds[one.name]
            if _group(rule.key, one.name) != group:
                continue
            if int in get_args(kind):  # a whole number, or a word
                rule = replace(rule, word=rule.default)
            else:
                choices = (rule.default,) if kind is str else get_args(kind)
                rule = replace(rule, choices=choices, names_pot=kind is str)
            known[rule.key] = rule
    HOUSE_RULES[game], _RULE_SETS[game] = MappingProxyType(known), rules


def _group(key: str, name: str) -> str:
    first = {"money": MONEY, "game": END}.get(key.partition(".")[0])
    return first or ("pots" if hasattr(RuleSet, name) else OWN)


add_rules("pots", RuleSet, ("pots", MONEY))


def rule_set(game: str, values: Mapping[str, Value]) -> RuleSet:
    """Return the house rules of a game, those in `values` by key and all others at their defaults."""
    given: dict[str, Any] = {key.replace(".", "_"): value for key, value in values.items() if key in HOUSE_RULES[game]}
    return _RULE_SETS[game](**given)


def rule_faults(game: str, rules: Mapping[str, object]) -> list[Fault]:
    """Return what is wrong with house rules by key: unknown keys, then values that the rule does not allow."""
    known = HOUSE_RULES[game]
    unknown = [
        Fault("there is no house rule {key!r} in this kind of game", key=key, field=key)
        for key in rules
        if key not in known
    ]
    wrong = [known[key].fault(value) for key, value in rules.items() if key in known]
    return unknown + [fault for fault in wrong if fault]
