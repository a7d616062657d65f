"""Every house rule once: its key, what it may be, its default, a plain sentence about it and where that comes from.

A source is the sheet that the default is taken from, or the game that the rule was added for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tracker.core.errors import Fault

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

    def fault(self, value: object) -> Fault | None:
        """Return what is wrong with `value` for this rule, or None."""
        if self.choices:
            if value in self.choices and isinstance(value, type(self.default)) and not isinstance(value, bool):
                return None
            known = ", ".join(map(str, self.choices))
            return Fault("{key} must be one of {known}, not {value!r}", key=self.key, known=known, value=value)
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            facts = {"key": self.key, "low": self.low, "high": self.high, "value": value}
            return Fault("{key} must be a whole number from {low} to {high}, not {value!r}", **facts)
        return None


_RUMMY, _KITTY = "the sheet of Michigan Rummy", "the sheet of Michigan Kitty"
_TRIPOLEY, _RUMMOLI = "the leaflet of boards sold as Tripoley", "the sheet of boards sold as Rummoli"
_POPE, _NEWMARKET = "the books on Pope Joan", "Newmarket as played in Britain"
_NAIN, _SPINADO = "the rules of Nain jaune", "the books on Spinado"
_ROUND, _SNAKE = "the sheet of 8 Round Rummy", "the German sheet with the snake"
_OPEN, _HOME = "no sheet: it leaves this open", "tables at home"

_MONEY = (
    HouseRule("money.chips", 1, "So many chips or points are worth the sum below.", _HOME, low=1, high=10_000),
    HouseRule("money.cents", 0, "What they are worth, in cents; with 0 you play for nothing.", _HOME, high=100_000),
    HouseRule("money.coin", 1, "The smallest coin you pay with, in cents.", _HOME, low=1, high=10_000),
)

_POTS = (
    HouseRule("ante.each", 1, "So many chips everybody puts in each place before the deal.", _RUMMY, high=1000),
    HouseRule("ante.dealer", 1, "So many chips the dealer puts in each place.", _KITTY, high=1000),
    HouseRule(
        "ante.exempt",
        "nobody",
        "Whoever won the last hand may be spared the chips before the deal.",
        _SPINADO,
        ("nobody", "last_winner"),
    ),
    HouseRule("stakes.budget", 0, "So many chips everybody lays on places of their own choice.", _NEWMARKET, high=1000),
    HouseRule("stakes.dealer_extra", 0, "So many more of these the dealer lays.", _NEWMARKET, high=1000),
    HouseRule("stakes.cover_all", "off", "Chips laid freely may have to cover every place.", _NEWMARKET, ("on", "off")),
    HouseRule(
        "claim",
        "played",
        "A place is won by playing its card, or before the play by whoever holds it.",
        _RUMMY,
        ("played", "held"),
    ),
    HouseRule(
        "claim.tie",
        "share",
        "When two people hold what wins a place, they share it, or the one nearer the dealer's left takes it.",
        _TRIPOLEY,
        ("share", "forehand"),
    ),
    HouseRule(
        "turn_up",
        "off",
        "The last card is turned up, and the dealer takes the place that it wins.",
        _POPE,
        ("on", "off"),
    ),
    HouseRule(
        "dummy",
        "exchange_or_sell",
        "One hand too many is dealt. This says what the dealer may do with it.",
        _RUMMY,
        ("exchange_or_sell", "exchange_only", "sell_only", "unused"),
    ),
    HouseRule(
        "dummy.after_no_bid",
        "dead",
        "When the extra hand is for sale and nobody bids, it stays face down, or the dealer may still take it.",
        _OPEN,
        ("dead", "dealer_may_exchange"),
    ),
    HouseRule("auction.min", 1, "The lowest first bid for the extra hand.", _KITTY, low=1, high=1000),
    HouseRule("auction.step", 1, "Each bid is higher than the last by so much or more.", _KITTY, low=1, high=1000),
    HouseRule(
        "wrong_lead.each", 0, "Whoever leads a card that is too high pays every other player this.", _RUMMY, high=1000
    ),
    HouseRule(
        "penalties",
        "off",
        "Leading too high or holding a card back costs chips, and money cards for the rest of the hand.",
        _RUMMY,
        ("on", "off"),
    ),
    HouseRule("stop.fine", 0, "Whoever can't play or lead puts so many chips in the kitty.", _RUMMOLI, high=1000),
    HouseRule("sweep", "off", "Whoever plays all cards in one go may take the whole board.", _NAIN, ("on", "off")),
    HouseRule(
        "out.per_card", 1, "For every card left, each player pays this to whoever is out first.", _RUMMY, high=1000
    ),
    HouseRule(
        "out.count",
        "cards",
        "Cards left count one each, or their points: court cards ten, the ace one.",
        _RUMMY,
        ("cards", "points"),
    ),
    HouseRule(
        "out.excuse",
        "nobody",
        "Whoever still holds a certain card, as the Pope, may be spared paying for cards left.",
        _POPE,
        ("nobody", "holder"),
    ),
    HouseRule(
        "left_in_hand",
        "off",
        "What it costs to still hold a money card when the hand ends.",
        _NAIN,
        ("off", "double_pot", "pay_base", "pay_winner"),
    ),
    HouseRule(
        "barred_out",
        "nothing_play_on",
        "What somebody gets who is out first after a penalty in the same hand.",
        _RUMMY,
        ("nothing_play_on", "jackpot_only_lost", "normal"),
    ),
    HouseRule(
        "barred_out.applies", "withhold", "The penalty that the rule above is for.", _RUMMY, ("withhold", "both")
    ),
    HouseRule(
        "poker.when",
        "hand_end_left",
        "When the best poker hand is shown for the poker pool.",
        _RUMMY,
        ("hand_end_left", "hand_end_all", "before_showdown", "before_betting", "session_end", "off"),
    ),
    HouseRule("bet.limit", 0, "The most chips in one bet; 0 sets no limit.", _HOME, high=10_000),
    HouseRule(
        "poker.tie",
        "split_leave_rest",
        "What happens when two poker hands are equal.",
        _TRIPOLEY,
        ("split_leave_rest", "split_rest_seat", "carry_all"),
    ),
    HouseRule(
        "late_claim",
        "allowed_until_hand_end",
        "Until when chips may be taken that were forgotten.",
        _OPEN,
        ("allowed_until_hand_end", "next_card_forfeits"),
    ),
    HouseRule(
        "end",
        "equal",
        "Who gets what is left on the board when the night is over.",
        _RUMMY,
        ("equal", "last_hand_winner", "poker_hand"),
    ),
    HouseRule(
        "end.rest",
        "clockwise_from_dealer_left",
        "Who gets the odd chips when the board is shared.",
        _OPEN,
        ("clockwise_from_dealer_left", "last_hand_winner"),
    ),
    HouseRule(
        "shortage",
        "buy_in",
        "What is offered first to somebody who can't pay; the other ways stay open.",
        _OPEN,
        ("buy_in", "iou", "sit_out"),
    ),
)

_ROUNDS = (
    HouseRule("rounds", "full", "All eight rounds, or the short game of four.", _ROUND, ("full", "short")),
    HouseRule(
        "tie", "shared", "Who wins when points are equal at the end.", _OPEN, ("shared", "round_8", "most_cards")
    ),
)

_RUM = (
    HouseRule("ace_high_seq", 1, "What the ace counts in queen, king, ace.", _SNAKE, (1, 15)),
    HouseRule("fault.points", 20, "What a wrong Rummy, or a bought card not laid down, costs.", _SNAKE, high=1000),
    HouseRule("fault.to", "winner", "Who gets the points of such a fault.", _OPEN, ("winner", "each", "sheet")),
    HouseRule(
        "fault.own", "reduce", "What happens when whoever made it wins the deal.", _OPEN, ("reduce", "sheet", "ignore")
    ),
    HouseRule("stock_out", "full", "What the others pay when the stock is used up.", _SNAKE, ("full", "difference")),
    HouseRule("joker", 0, "What a joker counts in the hand; 0 plays without jokers.", _HOME, (0, 20, 25)),
    HouseRule("one_turn", 1, "Going out in one turn is paid so many times.", _HOME, (1, 2)),
    HouseRule("game", "open", "When the night is over by itself.", _HOME, ("open", "deals", "target")),
    HouseRule("game.deals", 10, "After so many deals, if you count them.", _HOME, low=1, high=1000),
    HouseRule("game.target", 500, "At so many points, if you play to a target.", _HOME, low=1, high=100_000),
)


def _by_key(rules: tuple[HouseRule, ...]) -> Mapping[str, HouseRule]:
    return MappingProxyType({rule.key: rule for rule in rules})


HOUSE_RULES: Mapping[str, Mapping[str, HouseRule]] = MappingProxyType(
    {"pots": _by_key(_POTS + _MONEY), "rounds": _by_key(_ROUNDS), "rum": _by_key(_RUM + _MONEY)}
)
"""All house rules of each kind of game, by key."""
