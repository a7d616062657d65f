"""The words of the house rules about the deal and the places: chips put in, how places are won, the extra hand."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.core.errors import N_
from tracker.core.preset import Preset
from tracker.web.wording.rule_words import RuleWords, chips_in_words
from tracker.web.wording.texts import gettext as _


def _ante(preset: Preset) -> str:
    pots = [pot for pot in preset.board.values() if pot.won_by != "side"]
    plain = [pot for pot in pots if pot.ante is None and pot.dealer_ante is None]
    if not plain:
        return ""
    where = _("in each place")
    if len(plain) < len(pots):
        where = _("in each place that names no chips of its own")
    elif len(pots) < len(preset.board):
        where = _("in each place but those of side bets")
    rules = preset.house_rules
    each, dealer = rules.ante_times * rules.ante_each, rules.ante_times * rules.ante_dealer
    if not each and not dealer:
        is_all = len(plain) == len(preset.board)
        return _("Nobody puts chips in.") if is_all else _("Nobody puts chips in, but where a place says so.")
    if each == dealer:
        return _("Everybody puts %(n)s %(where)s.", n=chips_in_words(each), where=where)
    if not each:
        return _("Only the dealer puts %(n)s %(where)s.", n=chips_in_words(dealer), where=where)
    return _(
        "Everybody puts %(n)s %(where)s, the dealer %(dealer)s.", n=chips_in_words(each), where=where, dealer=dealer
    )


def _budget(preset: Preset) -> str:
    budget, dealer = preset.budget(is_dealer=False), preset.budget(is_dealer=True)
    if not budget:
        return ""
    if dealer > budget:
        return _("Everybody lays %(n)s as they like, the dealer %(more)s.", n=chips_in_words(budget), more=dealer)
    return _("Everybody lays %(n)s on the places as they like.", n=chips_in_words(budget))


def _auction(preset: Preset) -> str:
    least, step = preset.house_rules.auction_min, preset.house_rules.auction_step
    if preset.house_rules.dummy == "passed_round":
        return _("The dummy hand costs %(n)s.", n=chips_in_words(least))
    order = _("Bids go round from the dealer’s left, and a pass is final.")
    bids = _(
        "The first bid is %(n)s or more, each later one at least %(step)s higher.", n=chips_in_words(least), step=step
    )
    return f"{order} {bids}"


def _times(preset: Preset) -> str:
    times = preset.house_rules.ante_times
    return _("All chips put in before the deal are multiplied by %(n)s.", n=times) if times > 1 else ""


def _side_ante(preset: Preset) -> str:
    chips = preset.house_rules.ante_times * preset.house_rules.side_ante
    if not chips:
        return ""
    return _(
        "Everybody also puts %(n)s in each place of a side bet; only those who bet there can win it.",
        n=chips_in_words(chips),
    )


DEAL_RULE_WORDS: Mapping[str, RuleWords] = {
    "ante.each": RuleWords(
        N_("Everybody, in each place"),
        N_("Chips each player puts in each place before the deal."),
        sentence=_ante,
    ),
    "ante.dealer": RuleWords(
        N_("The dealer, in each place"),
        N_("Chips that the dealer puts in each place."),
        said_with="ante.each",
    ),
    "ante.times": RuleWords(
        N_("For double: stakes times"),
        N_("Everything that is put in before the deal is multiplied by this: with 2 you play for double."),
        sentence=_times,
    ),
    "ante.exempt": RuleWords(
        N_("Who puts nothing in?"),
        N_("Whoever won the last hand may be spared the chips before the deal."),
        choices={"nobody": N_("nobody"), "last_winner": N_("the winner of the last hand, unless dealing")},
        sentences={"last_winner": N_("Whoever won the last hand puts nothing in, unless dealing.")},
    ),
    "stakes.budget": RuleWords(
        N_("Chips to lay as you like"),
        N_("Chips that everybody lays on places of their own choice."),
        sentence=_budget,
    ),
    "stakes.dealer_extra": RuleWords(
        N_("More of them for the dealer"),
        N_("How many more of these the dealer lays."),
        said_with="stakes.budget",
    ),
    "stakes.cover_all": RuleWords(
        N_("Must they cover every place?"),
        N_("Chips laid freely may have to cover every place."),
        choices={"off": N_("no"), "on": N_("yes, a chip on each")},
        sentences={"on": N_("Every place must get a chip.")},
    ),
    "side.ante": RuleWords(
        N_("In each place of a side bet"),
        N_("Chips that everybody puts in each place of a side bet before the deal, such as a corner ace."),
        sentence=_side_ante,
    ),
    "claim": RuleWords(
        N_("How is a place won?"),
        N_("A place is won by playing its card, or before the play by whoever holds it."),
        choices={"played": N_("by playing its card"), "held": N_("by holding its card, before the play")},
        sentences={
            "played": N_("A place is won by playing its card when its turn comes."),
            "held": N_("Before the play, whoever holds a card takes its place."),
        },
    ),
    "claim.tie": RuleWords(
        N_("Two people could take it"),
        N_("When two people hold what wins a place, they share it, or the one nearer the dealer’s left takes it."),
        choices={"share": N_("they share it"), "forehand": N_("first from the dealer’s left")},
        sentences={
            "share": N_("If several hold such a run, they share its place; odd chips stay there."),
            "forehand": N_("If two hold such a run, the first from the dealer’s left takes its place."),
        },
    ),
    "combo": RuleWords(
        N_("Pairs and runs are won"),
        N_("A pair or a run is won by one player who plays all of it: one card after the other, or at any time."),
        choices={
            "one_player_in_succession": N_("by playing the cards one after the other"),
            "one_player_any_time": N_("by playing them all, at any time"),
        },
        sentences={
            "one_player_in_succession": N_("A pair or a run is won by one player who plays its cards in succession."),
            "one_player_any_time": N_("A pair or a run is won by one player who plays all its cards in the hand."),
        },
        kept_by_table=(
            "A pair or a run is won by one player who plays its cards in succession.",
            "A pair or a run is won by one player who plays all its cards in the hand.",
        ),
    ),
    "turn_up": RuleWords(
        N_("Is a card turned up?"),
        N_("The last card is turned up, and the dealer takes the place that it wins."),
        choices={
            "off": N_("no"),
            "on": N_("yes, and the dealer takes its place"),
            "pot_only": N_("yes, but no card ends the hand"),
        },
        sentences={
            "on": N_("A card is turned up, and the dealer takes the place that this one card wins."),
            "pot_only": N_(
                "A card is turned up, and the dealer takes the place that this one card wins; none ends the hand."
            ),
        },
    ),
    "dummy": RuleWords(
        N_("The dummy hand"),
        N_("A dummy hand is dealt besides. This says what the dealer may do with it."),
        choices={
            "exchange_or_sell": N_("the dealer swaps it or sells it"),
            "exchange_only": N_("the dealer may swap it"),
            "sell_only": N_("it is sold"),
            "passed_round": N_("it goes round, at one price"),
            "unused": N_("none is dealt"),
        },
        sentences={
            "exchange_or_sell": N_(
                "A dummy hand is dealt besides: the dealer swaps it, or sells it to the highest bidder."
            ),
            "exchange_only": N_("A dummy hand is dealt besides: the dealer may swap it."),
            "sell_only": N_("A dummy hand is dealt besides: it goes to the highest bidder, who pays the dealer."),
            "passed_round": N_(
                "A dummy hand is dealt besides: it is offered round from the dealer’s left, and the first who pays the "
                "dealer for it has it."
            ),
            "unused": N_("No dummy hand is dealt."),
        },
    ),
    "dummy.after_no_bid": RuleWords(
        N_("If nobody bids for it"),
        N_("When the dummy hand is for sale and nobody bids, it stays face down, or the dealer may still take it."),
        choices={"dead": N_("it stays face down"), "dealer_may_exchange": N_("the dealer may still swap")},
        sentences={
            "dead": N_("If nobody bids, it stays face down."),
            "dealer_may_exchange": N_("If nobody bids, the dealer may still swap."),
        },
    ),
    "dummy.card_bar": RuleWords(
        N_("With a money card in the hand"),
        N_("Whoever holds a money card may have to leave the dummy hand to the others."),
        choices={"on": N_("no swap and no bid"), "off": N_("all may swap or bid")},
        sentences={
            "on": N_("Whoever holds a money card neither swaps nor bids."),
            "off": N_("A money card in the hand is no bar to swapping or bidding."),
        },
        kept_by_table=(
            "Whoever holds a money card neither swaps nor bids.",
            "A money card in the hand is no bar to swapping or bidding.",
        ),
    ),
    "auction.min": RuleWords(
        N_("Lowest first bid"),
        N_("The lowest first bid for the dummy hand, or its price where it goes round."),
        sentence=_auction,
    ),
    "auction.step": RuleWords(
        N_("Each bid is higher by"),
        N_("Each bid is higher than the last by this much or more."),
        said_with="auction.min",
    ),
    "sweep": RuleWords(
        N_("All cards in one go"),
        N_("Whoever plays all cards in one go may take the whole board."),
        choices={"off": N_("wins nothing more"), "on": N_("takes the whole board")},
        sentences={"on": N_("Whoever plays all cards in one go takes the whole board.")},
    ),
    "late_claim": RuleWords(
        N_("Chips that were forgotten"),
        N_("Until when chips may be taken that were forgotten."),
        choices={
            "allowed_until_hand_end": N_("may be taken until the next hand begins"),
            "next_card_forfeits": N_("stay there once the next card is played"),
        },
        sentences={
            "allowed_until_hand_end": N_("Forgotten chips may be taken until the next hand begins."),
            "next_card_forfeits": N_("Forgotten chips stay there once the next card is played."),
        },
    ),
}
