"""The house rules in plain words, each once: what the editor calls them, and what their choices are called.

`N_` marks texts that are translated where they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.web.texts import gettext as _

N_ = str


@dataclass(frozen=True)
class Group:
    """House rules that belong together, under one heading."""

    title: str
    keys: tuple[str, ...]


GROUPS: Mapping[str, tuple[Group, ...]] = {
    "pots": (
        Group(N_("Before the deal"), ("ante.each", "ante.dealer", "ante.exempt")),
        Group(N_("Chips laid freely"), ("stakes.budget", "stakes.dealer_extra", "stakes.cover_all")),
        Group(N_("Winning a place"), ("claim", "claim.tie", "turn_up", "late_claim", "sweep")),
        Group(N_("The extra hand"), ("dummy", "dummy.after_no_bid", "auction.min", "auction.step")),
        Group(
            N_("Penalties"),
            ("penalties", "wrong_lead.each", "barred_out", "barred_out.applies", "stop.fine", "left_in_hand"),
        ),
        Group(N_("Out of cards"), ("out.per_card", "out.count", "out.excuse")),
        Group(N_("Poker"), ("poker.when", "bet.limit", "poker.tie")),
        Group(N_("Short of chips, and the end"), ("shortage", "end", "end.rest")),
        Group(N_("Money"), ("money.chips", "money.cents", "money.coin")),
    ),
    "rounds": (Group(N_("The rounds"), ("rounds", "tie")),),
    "rum": (
        Group(N_("What cards count"), ("ace_high_seq", "joker", "one_turn", "stock_out")),
        Group(N_("Faults"), ("fault.points", "fault.to", "fault.own")),
        Group(N_("The end"), ("game", "game.deals", "game.target")),
        Group(N_("Money"), ("money.chips", "money.cents", "money.coin")),
    ),
}

LABELS: Mapping[str, str] = {
    "ante.each": N_("Everybody, in each place"),
    "ante.dealer": N_("The dealer, in each place"),
    "ante.exempt": N_("Who puts nothing in?"),
    "stakes.budget": N_("Chips to lay as you like"),
    "stakes.dealer_extra": N_("More of them for the dealer"),
    "stakes.cover_all": N_("Must they cover every place?"),
    "claim": N_("How is a place won?"),
    "claim.tie": N_("Two people could take it"),
    "turn_up": N_("Is a card turned up?"),
    "late_claim": N_("Chips that were forgotten"),
    "sweep": N_("All cards in one go"),
    "dummy": N_("The extra hand"),
    "dummy.after_no_bid": N_("If nobody bids for it"),
    "auction.min": N_("Lowest first bid"),
    "auction.step": N_("Each bid is higher by"),
    "penalties": N_("Penalties"),
    "wrong_lead.each": N_("A wrong lead costs, to each"),
    "barred_out": N_("Out first after a penalty"),
    "barred_out.applies": N_("After which penalty?"),
    "stop.fine": N_("Stuck: chips for the kitty"),
    "left_in_hand": N_("A money card still held"),
    "out.per_card": N_("Chips for every card left"),
    "out.count": N_("What a card left counts"),
    "out.excuse": N_("Who is spared paying?"),
    "poker.when": N_("The poker pool"),
    "bet.limit": N_("Most chips in one bet"),
    "poker.tie": N_("Equal poker hands"),
    "shortage": N_("Somebody can't pay"),
    "end": N_("Left on the board at the end"),
    "end.rest": N_("Odd chips of that"),
    "money.chips": N_("So many chips or points …"),
    "money.cents": N_("… are worth so many cents"),
    "money.coin": N_("Smallest coin, in cents"),
    "rounds": N_("How many rounds?"),
    "tie": N_("Equal points at the end"),
    "ace_high_seq": N_("An ace above the king"),
    "joker": N_("Jokers"),
    "one_turn": N_("Out in one turn"),
    "stock_out": N_("The stock is used up"),
    "fault.points": N_("A fault costs"),
    "fault.to": N_("Who gets that?"),
    "fault.own": N_("If the offender wins the deal"),
    "game": N_("When is the night over?"),
    "game.deals": N_("After so many deals"),
    "game.target": N_("At so many points"),
}

CHOICES: Mapping[str, Mapping[Value, str]] = {
    "ante.exempt": {"nobody": N_("nobody"), "last_winner": N_("the winner of the last hand, unless dealing")},
    "stakes.cover_all": {"off": N_("no"), "on": N_("yes, a chip on each")},
    "claim": {"played": N_("by playing its card"), "held": N_("by holding its card, before the play")},
    "claim.tie": {"share": N_("they share it"), "forehand": N_("first from the dealer’s left")},
    "turn_up": {"off": N_("no"), "on": N_("yes, and the dealer takes its place")},
    "late_claim": {
        "allowed_until_hand_end": N_("may be taken until the hand is paid"),
        "next_card_forfeits": N_("stay there once the next card is played"),
    },
    "sweep": {"off": N_("wins nothing more"), "on": N_("takes the whole board")},
    "dummy": {
        "exchange_or_sell": N_("the dealer swaps it or sells it"),
        "exchange_only": N_("the dealer may swap it"),
        "sell_only": N_("it is sold"),
        "unused": N_("nobody uses one"),
    },
    "dummy.after_no_bid": {"dead": N_("it stays face down"), "dealer_may_exchange": N_("the dealer may still swap")},
    "penalties": {"on": N_("as printed"), "off": N_("none: talk it over")},
    "barred_out": {
        "nothing_play_on": N_("gets nothing, and the others play on"),
        "jackpot_only_lost": N_("is paid for cards, without the jackpot"),
        "normal": N_("is paid like anybody"),
    },
    "barred_out.applies": {"withhold": N_("a card held back"), "both": N_("a wrong lead too")},
    "left_in_hand": {
        "off": N_("costs nothing"),
        "double_pot": N_("doubles its place, out of the holder’s chips"),
        "pay_base": N_("costs what its place began with"),
        "pay_winner": N_("costs as much as lies there, to the winner"),
    },
    "out.count": {"cards": N_("one each"), "points": N_("its points")},
    "out.excuse": {"nobody": N_("nobody"), "holder": N_("whoever holds the named card")},
    "poker.when": {
        "hand_end_left": N_("after each hand, with the cards left"),
        "hand_end_all": N_("after each hand, with all cards dealt"),
        "before_showdown": N_("before the play, shown at once"),
        "before_betting": N_("before the play, with betting"),
        "session_end": N_("once, at the end of the night"),
        "off": N_("is not used"),
    },
    "poker.tie": {
        "split_leave_rest": N_("share it, odd chips stay"),
        "split_rest_seat": N_("share it, odd chips go round"),
        "carry_all": N_("leave it for the next hand"),
    },
    "shortage": {"buy_in": N_("buys more chips"), "iou": N_("gives an IOU"), "sit_out": N_("sits out")},
    "end": {
        "equal": N_("is shared equally"),
        "last_hand_winner": N_("goes to the winner of the last hand"),
        "poker_hand": N_("goes to the best poker hand"),
    },
    "end.rest": {
        "clockwise_from_dealer_left": N_("one each from the dealer’s left"),
        "last_hand_winner": N_("to the winner of the last hand"),
    },
    "rounds": {"full": N_("all eight"), "short": N_("four: 2, 4, 6 and 8")},
    "tie": {
        "shared": N_("both have won"),
        "round_8": N_("whoever won round 8"),
        "most_cards": N_("whoever won more rounds"),
    },
    "ace_high_seq": {1: N_("counts 1"), 15: N_("counts 15")},
    "joker": {0: N_("none"), 20: N_("count 20 in the hand"), 25: N_("count 25 in the hand")},
    "one_turn": {1: N_("is paid like any other"), 2: N_("is paid double")},
    "stock_out": {"full": N_("the others pay their whole hand"), "difference": N_("the others pay the difference")},
    "fault.to": {
        "winner": N_("the winner of the deal"),
        "each": N_("every other player"),
        "sheet": N_("nobody: it goes on the sheet"),
    },
    "fault.own": {
        "reduce": N_("the others pay so much less"),
        "sheet": N_("it goes on the sheet"),
        "ignore": N_("it is forgiven"),
    },
    "game": {
        "open": N_("when the table says so"),
        "deals": N_("after a number of deals"),
        "target": N_("when somebody has so many points"),
    },
}


def label(key: str) -> str:
    """Return what the editor calls a rule, in the reader's language."""
    return _(LABELS[key])


def value_words(key: str, value: Value) -> str:
    """Return a rule's value in words; a number is itself."""
    words = CHOICES.get(key, {}).get(value)
    return _(words) if words else str(value)


def hint(game: str, key: str) -> str:
    """Return what a rule does, what it is by default, and the sheet that this comes from."""
    rule = HOUSE_RULES[game][key]
    default = value_words(key, rule.default)
    return _(
        "%(says)s Usually: %(default)s. From %(source)s.", says=_(rule.says), default=default, source=_(rule.source)
    )


def change_words(game: str, key: str, value: Value) -> str:
    """Return a changed rule for the log: what it is called, and what it is now."""
    named = _(LABELS[key]).rstrip("?… ").lstrip("… ") if key in HOUSE_RULES[game] else key
    return f"{named}: {value_words(key, value)}"


def rule_form(game: str) -> dict[str, Any]:
    """Return what a template needs to ask for the house rules of a kind of game, in words."""
    return {
        "groups": GROUPS[game],
        "choices": CHOICES,
        "label": label,
        "words": value_words,
        "hint": lambda key: hint(game, key),
    }
