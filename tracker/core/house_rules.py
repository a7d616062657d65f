"""Every house rule once: its key, what it may be, its default, a plain sentence about it and where that comes from.

The letters in the sources are the numbers of the questions that the rule sheets leave open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Value = int | str
MOST_CHIPS = 1_000_000


@dataclass(frozen=True)
class HouseRule:
    """One setting of a preset: a choice among words, or a whole number within bounds."""

    key: str
    default: Value
    says: str
    source: str
    choices: tuple[Value, ...] = ()
    low: int = 0
    high: int = MOST_CHIPS

    def fault(self, value: object) -> str | None:
        """Return what is wrong with `value` for this rule, or None."""
        if self.choices:
            if value in self.choices and isinstance(value, type(self.default)) and not isinstance(value, bool):
                return None
            return f"{self.key} must be one of {', '.join(map(str, self.choices))}, not {value!r}"
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            return f"{self.key} must be a whole number from {self.low} to {self.high}, not {value!r}"
        return None


_MONEY = (
    HouseRule("money.chips", 1, "So many chips (or points) are worth the sum below.", "table", low=1, high=10_000),
    HouseRule("money.cents", 0, "What they are worth, in cents; 0 plays for nothing.", "table", high=100_000),
    HouseRule("money.coin", 1, "The smallest coin used to settle, in cents.", "table", low=1, high=10_000),
)

_POTS = (
    HouseRule("ante.each", 1, "Chips that everybody puts in each pot before the deal.", "sheet", high=1000),
    HouseRule("ante.dealer", 1, "Chips that the dealer puts in each pot.", "P8", high=1000),
    HouseRule("ante.exempt", "nobody", "Who puts nothing in, unless dealing.", "M9", ("nobody", "last_winner")),
    HouseRule("stakes.budget", 0, "Chips that everybody places on pots of their own choice.", "M7", high=1000),
    HouseRule("stakes.dealer_extra", 0, "How many more of those the dealer places.", "M7", high=1000),
    HouseRule("stakes.cover_all", "off", "Whether a stake must lie on every pot.", "M7", ("on", "off")),
    HouseRule(
        "claim", "played", "Whether a pot is won by playing its card or by holding it.", "M10", ("played", "held")
    ),
    HouseRule("claim.tie", "share", "What several holders of one combination do.", "M12", ("share", "forehand")),
    HouseRule("turn_up", "off", "Whether the dealer takes the pot of the turned-up card.", "M10", ("on", "off")),
    HouseRule(
        "dummy",
        "exchange_or_sell",
        "What the dealer may do with the extra hand.",
        "P5b",
        ("exchange_or_sell", "exchange_only", "sell_only", "unused"),
    ),
    HouseRule(
        "dummy.after_no_bid",
        "dead",
        "What happens to the extra hand when nobody bids.",
        "P5b",
        ("dead", "dealer_may_exchange"),
    ),
    HouseRule("auction.min", 1, "The lowest opening bid.", "P5", low=1, high=1000),
    HouseRule("auction.step", 1, "How far each bid must be above the last.", "P5", low=1, high=1000),
    HouseRule("wrong_lead.each", 0, "Chips paid to every other player for a wrong lead.", "sheet", high=1000),
    HouseRule("penalties", "off", "Whether wrong leads and withheld cards are punished.", "sheet", ("on", "off")),
    HouseRule("stop.fine", 0, "Chips for the kitty from whoever can't play or lead.", "M18", high=1000),
    HouseRule("sweep", "off", "Whether all cards in one go take the whole board.", "M22", ("on", "off")),
    HouseRule("out.per_card", 1, "Chips paid for every card left to whoever goes out.", "P2", high=1000),
    HouseRule("out.count", "cards", "Whether cards left count one each, or their points.", "P2", ("cards", "points")),
    HouseRule("out.excuse", "nobody", "Whether the holder of a named card pays nothing.", "M20", ("nobody", "holder")),
    HouseRule(
        "left_in_hand",
        "off",
        "What a money card costs that is still held at the end.",
        "M23",
        ("off", "double_pot", "pay_base", "pay_winner"),
    ),
    HouseRule(
        "barred_out",
        "nothing_play_on",
        "What an offender who goes out first gets.",
        "P3",
        ("nothing_play_on", "jackpot_only_lost", "normal"),
    ),
    HouseRule("barred_out.applies", "withhold", "Which offence that is for.", "P3b", ("withhold", "both")),
    HouseRule(
        "poker.when",
        "hand_end_left",
        "When the poker pool is decided.",
        "P1",
        ("hand_end_left", "hand_end_all", "before_showdown", "before_betting", "session_end", "off"),
    ),
    HouseRule("bet.limit", 0, "The most chips in one bet; 0 for no limit.", "M15", high=10_000),
    HouseRule(
        "poker.tie",
        "split_leave_rest",
        "What tied poker hands do with the pool.",
        "P1b",
        ("split_leave_rest", "split_rest_seat", "carry_all"),
    ),
    HouseRule(
        "late_claim",
        "allowed_until_hand_end",
        "Whether a forgotten pot may still be taken after somebody is out.",
        "P11",
        ("allowed_until_hand_end", "next_card_forfeits"),
    ),
    HouseRule("end", "equal", "Who gets what is left on the board.", "P7", ("equal", "last_hand_winner", "poker_hand")),
    HouseRule(
        "end.rest",
        "clockwise_from_dealer_left",
        "Who gets the odd chips of an equal split.",
        "P7",
        ("clockwise_from_dealer_left", "last_hand_winner"),
    ),
    HouseRule(
        "shortage",
        "buy_in",
        "What is offered first to somebody who can't pay.",
        "P6",
        ("buy_in", "iou", "sit_out"),
    ),
)

_ROUNDS = (
    HouseRule("rounds", "full", "All eight rounds, or 2, 4, 6 and 8.", "sheet", ("full", "short")),
    HouseRule("tie", "shared", "Who wins on equal points.", "R1", ("shared", "round_8", "most_cards")),
)

_RUM = (
    HouseRule("ace_high_seq", 1, "What the ace counts in queen, king, ace.", "G3", (1, 15)),
    HouseRule("fault.points", 20, "Points for a wrong Rummy or an unused purchase.", "sheet", high=1000),
    HouseRule("fault.to", "winner", "Who gets those points.", "G4", ("winner", "each", "sheet")),
    HouseRule(
        "fault.own", "reduce", "What happens when the offender wins the deal.", "G5", ("reduce", "sheet", "ignore")
    ),
    HouseRule("stock_out", "full", "What losers pay when the stock is used up.", "G6", ("full", "difference")),
    HouseRule("joker", 0, "What a joker counts in the hand; 0 plays without.", "G7", (0, 20, 25)),
    HouseRule("one_turn", 1, "Going out in one turn pays this many times.", "G9", (1, 2)),
    HouseRule("game", "open", "When the night is over by itself.", "G8", ("open", "deals", "target")),
    HouseRule("game.deals", 10, "After how many deals.", "G8", low=1, high=1000),
    HouseRule("game.target", 500, "At how many points.", "G8", low=1, high=100_000),
)


def _by_key(rules: tuple[HouseRule, ...]) -> Mapping[str, HouseRule]:
    return MappingProxyType({rule.key: rule for rule in rules})


HOUSE_RULES: Mapping[str, Mapping[str, HouseRule]] = MappingProxyType(
    {"pots": _by_key(_POTS + _MONEY), "rounds": _by_key(_ROUNDS), "rum": _by_key(_RUM + _MONEY)}
)
"""All house rules of each kind of game, by key."""
