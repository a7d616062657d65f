"""One sentence for each house rule as a preset has it, for its rule card; none where the rule changes nothing there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.core.preset import Preset
from tracker.web.texts import gettext as _
from tracker.web.texts import ngettext

N_ = str

CHOSEN: Mapping[str, Mapping[Value, str]] = {
    "ante.exempt": {"last_winner": N_("Whoever won the last hand puts nothing in, unless dealing.")},
    "stakes.cover_all": {"on": N_("Every place must get a chip.")},
    "claim": {
        "played": N_("A place is won by playing its card when its turn comes."),
        "held": N_("Before the play, whoever holds a card takes its place."),
    },
    "claim.tie": {"forehand": N_("If two hold it, the first from the dealer’s left takes it.")},
    "turn_up": {"on": N_("A card is turned up, and the dealer takes the place it wins.")},
    "late_claim": {
        "allowed_until_hand_end": N_("Forgotten chips may be taken until the hand is paid."),
        "next_card_forfeits": N_("Forgotten chips stay there once the next card is played."),
    },
    "sweep": {"on": N_("Whoever plays all cards in one go takes the whole board.")},
    "dummy": {
        "exchange_or_sell": N_("One hand too many is dealt: the dealer swaps it, or sells it to the highest bidder."),
        "exchange_only": N_("One hand too many is dealt: the dealer may swap it."),
        "sell_only": N_("One hand too many is dealt: it goes to the highest bidder, who pays the dealer."),
        "unused": N_("Nobody uses an extra hand."),
    },
    "dummy.after_no_bid": {
        "dead": N_("If nobody bids, it stays face down."),
        "dealer_may_exchange": N_("If nobody bids, the dealer may still swap."),
    },
    "penalties": {
        "on": N_("Leading too high, or holding a card back, bars from money cards for the rest of the hand."),
        "off": N_("There are no penalties."),
    },
    "out.excuse": {"holder": N_("Whoever holds the named card pays nothing for cards left.")},
    "left_in_hand": {
        "double_pot": N_("A money card still held doubles its place, out of the holder’s chips."),
        "pay_base": N_("A money card still held costs what its place began with."),
        "pay_winner": N_("A money card still held costs as much as lies there, to the winner."),
    },
    "barred_out": {
        "nothing_play_on": N_("Out first after a penalty wins nothing, and the others play on."),
        "jackpot_only_lost": N_("Out first after a penalty is paid for cards, but wins no jackpot."),
        "normal": N_("Out first after a penalty is paid like anybody."),
    },
    "poker.when": {
        "hand_end_left": N_("After each hand, the best poker hand of the cards left wins the poker pool."),
        "hand_end_all": N_("After each hand, the best poker hand of all cards dealt wins the poker pool."),
        "before_showdown": N_("Before the play, the best poker hand wins the poker pool."),
        "before_betting": N_("Before the play, people bet, and the best poker hand wins the poker pool."),
        "session_end": N_("At the end of the night, the best poker hand wins the poker pool."),
        "off": N_("There is no poker."),
    },
    "poker.tie": {
        "split_leave_rest": N_("Equal poker hands share it; odd chips stay for the next hand."),
        "split_rest_seat": N_("Equal poker hands share it; odd chips go round from the dealer’s left."),
        "carry_all": N_("Equal poker hands leave it for the next hand."),
    },
    "shortage": {
        "buy_in": N_("Whoever can’t pay buys more chips."),
        "iou": N_("Whoever can’t pay gives an IOU."),
        "sit_out": N_("Whoever can’t pay sits out."),
    },
    "rounds": {
        "full": N_("All eight rounds are played; the most points win."),
        "short": N_("Rounds 2, 4, 6 and 8 are played; the most points win."),
    },
    "tie": {
        "shared": N_("With equal points, both have won."),
        "round_8": N_("With equal points, whoever won round 8 wins."),
        "most_cards": N_("With equal points, more rounds win."),
    },
    "ace_high_seq": {
        1: N_("The ace counts 1 in queen, king, ace."),
        15: N_("The ace counts 15 in queen, king, ace."),
    },
    "joker": {
        20: N_("A joker left in the hand counts 20."),
        25: N_("A joker left in the hand counts 25."),
        0: N_("There are no jokers."),
    },
    "one_turn": {2: N_("Going out in one turn is paid double.")},
    "stock_out": {
        "full": N_("When the stock is used up, fewest points win, and the others pay their whole hand."),
        "difference": N_("When the stock is used up, fewest points win, and the others pay the difference."),
    },
    "fault.own": {
        "reduce": N_("If the offender wins, the others pay so much less."),
        "sheet": N_("If the offender wins, the fault stays on the sheet."),
        "ignore": N_("If the offender wins, the fault is forgiven."),
    },
}


def sentence(preset: Preset, key: str) -> str:
    """Return what a rule says at this table; empty when it plays no part there."""
    if key not in HOUSE_RULES[preset.game] or not _matters(preset, key):
        return ""
    if key in _COUNTED:
        return _COUNTED[key](preset)
    words = CHOSEN[key].get(preset[key])
    return _(words) if words else ""


def _matters(preset: Preset, key: str) -> bool:
    needs: Mapping[str, Callable[[Preset], bool]] = {
        "claim": lambda p: bool(p.won_by("card")),
        "claim.tie": lambda p: p["claim"] == "held",
        "stakes.cover_all": lambda p: p.number("stakes.budget") > 0,
        "auction.min": _is_sold,
        "dummy.after_no_bid": _is_sold,
        "barred_out": lambda p: p["penalties"] == "on",
        "poker.when": lambda p: any(pot.won_by == "poker" for pot in p.pots),
        "poker.tie": lambda p: bool(p.won_by("poker")),
        "bet.limit": lambda p: "poker" in p.stages and p["poker.when"] == "before_betting",
    }
    return key not in needs or needs[key](preset)


def _is_sold(preset: Preset) -> bool:
    return preset["dummy"] in ("exchange_or_sell", "sell_only")


def _chips(count: int) -> str:
    return ngettext("%(num)s chip", "%(num)s chips", count)


def _ante(preset: Preset) -> str:
    plain = [pot for pot in preset.board.values() if pot.ante is None and pot.dealer_ante is None]
    if not any(pot.won_by != "side" for pot in plain):
        return ""
    each, dealer = preset.number("ante.each"), preset.number("ante.dealer")
    if each == dealer:
        return _("Everybody puts %(n)s in each place.", n=_chips(each)) if each else _("Nobody puts chips in.")
    if not each:
        return _("Only the dealer puts chips in: %(n)s in each place.", n=dealer)
    return _("Everybody puts %(n)s in each place, the dealer %(dealer)s.", n=_chips(each), dealer=dealer)


def _budget(preset: Preset) -> str:
    budget, extra = preset.number("stakes.budget"), preset.number("stakes.dealer_extra")
    if not budget:
        return ""
    if extra:
        return _("Everybody lays %(n)s as they like, the dealer %(more)s.", n=_chips(budget), more=budget + extra)
    return _("Everybody lays %(n)s on the places as they like.", n=_chips(budget))


def _auction(preset: Preset) -> str:
    least, step = preset.number("auction.min"), preset.number("auction.step")
    return _("The first bid is %(n)s or more, each later one at least %(step)s higher.", n=_chips(least), step=step)


def _fine(preset: Preset) -> str:
    fine = preset.number("stop.fine")
    to = next((_(pot.name) for pot in preset.board.values() if pot.takes_fines), _("kitty"))
    return _("Whoever can’t play or lead puts %(n)s in: %(pot)s.", n=_chips(fine), pot=to) if fine else ""


def _penalties(preset: Preset) -> str:
    said = _(CHOSEN["penalties"][preset["penalties"]])
    cost = preset.number("wrong_lead.each")
    if preset["penalties"] == "off" or not cost:
        return said
    return said + " " + _("A wrong lead also costs %(n)s to each.", n=_chips(cost))


def _barred(preset: Preset) -> str:
    said = _(CHOSEN["barred_out"][preset["barred_out"]])
    if preset["barred_out.applies"] == "both":
        return said + " " + _("That is for wrong leads too.")
    return said + " " + _("That is for cards held back only.")


def _out(preset: Preset) -> str:
    rate = preset.number("out.per_card")
    if not rate:
        return _("Nothing is paid for cards left.")
    if preset["out.count"] == "points":
        return _("The others pay %(n)s for every point in their cards left.", n=_chips(rate))
    return _("The others pay %(n)s for every card left.", n=_chips(rate))


def _limit(preset: Preset) -> str:
    limit = preset.number("bet.limit")
    return _("One bet is %(n)s at most.", n=_chips(limit)) if limit else _("Bets have no limit.")


def _end(preset: Preset) -> str:
    if preset["end"] == "last_hand_winner":
        return _("At the end, what is left on the board goes to the winner of the last hand.")
    if preset["end"] == "poker_hand":
        return _("At the end, what is left on the board goes to the best poker hand.")
    if preset["end.rest"] == "last_hand_winner":
        return _("At the end, the board is shared equally; odd chips go to the winner of the last hand.")
    return _("At the end, the board is shared equally; odd chips go round from the dealer’s left.")


def _money(preset: Preset) -> str:
    cents, coin = preset.number("money.cents"), preset.number("money.coin")
    if not cents:
        return _("You play for nothing.")
    many = preset.number("money.chips")
    if preset.game == "rum":
        return _("%(n)s points are worth %(cents)s cents, paid in coins of %(coin)s.", n=many, cents=cents, coin=coin)
    return _("%(n)s are worth %(cents)s cents, paid in coins of %(coin)s.", n=_chips(many), cents=cents, coin=coin)


def _faults(preset: Preset) -> str:
    cost = preset.number("fault.points")
    to = {
        "winner": _("A wrong Rummy or an unused purchase costs %(n)s points, for the winner.", n=cost),
        "each": _("A wrong Rummy or an unused purchase costs %(n)s points, for every other player.", n=cost),
        "sheet": _("A wrong Rummy or an unused purchase costs %(n)s points, off the sheet.", n=cost),
    }
    return to[str(preset["fault.to"])]


def _game(preset: Preset) -> str:
    if preset["game"] == "deals":
        return _("The night ends after %(n)s deals.", n=preset.number("game.deals"))
    if preset["game"] == "target":
        return _("The night ends when somebody has %(n)s points.", n=preset.number("game.target"))
    return _("The night ends when the table says so.")


_COUNTED: Mapping[str, Callable[[Preset], str]] = {
    "ante.each": _ante,
    "stakes.budget": _budget,
    "auction.min": _auction,
    "stop.fine": _fine,
    "penalties": _penalties,
    "barred_out": _barred,
    "out.per_card": _out,
    "bet.limit": _limit,
    "end": _end,
    "money.chips": _money,
    "fault.points": _faults,
    "game": _game,
}
