"""The words of the house rules of pot games: the deal, the places, the dummy hand, penalties, going out, poker."""

from collections.abc import Iterable, Mapping

from tracker.core.errors import N_
from tracker.core.preset import Pot, Preset
from tracker.web.wording.rule_words import RuleGroup, RuleWords, card_words, chips_in_words
from tracker.web.wording.texts import gettext as _, listed


def _ante(preset: Preset) -> str:
    pots = [pot for pot in preset.board.values() if pot.won_by != "side"]
    plain = [pot for pot in pots if pot.ante is None and pot.dealer_ante is None]
    if not plain:
        return ""
    where = _("in each place")
    if len(plain) < len(pots):
        where = _("in each of these: %(places)s", places=_listed(plain))
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
    facts = {"n": chips_in_words(budget), "places": _listed(preset.stake_places)}
    if dealer > budget:
        return _("Everybody lays %(n)s, the dealer %(more)s, as they like on these: %(places)s.", more=dealer, **facts)
    return _("Everybody lays %(n)s as they like on these: %(places)s.", **facts)


def _listed(pots: Iterable[Pot]) -> str:
    return listed(_(pot.name) for pot in pots)


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
    said = _(
        "You play for %(n)s times the stakes: what is put in before the deal stands here multiplied already.", n=times
    )
    return said if times > 1 else ""


def _side_ante(preset: Preset) -> str:
    chips = preset.house_rules.ante_times * preset.house_rules.side_ante
    if not chips:
        return ""
    return _(
        "Everybody also puts %(n)s in each place of a side bet; only those who bet there can win it.",
        n=chips_in_words(chips),
    )


def _fine(preset: Preset) -> str:
    fine = preset.house_rules.stop_fine
    if not fine or preset.fines_pot is None:
        return ""
    return _("Whoever can’t play or lead puts %(n)s in: %(pot)s.", n=chips_in_words(fine), pot=_(preset.fines_pot.name))


def _penalties(preset: Preset) -> str:
    cost = preset.house_rules.wrong_lead_each
    if preset.house_rules.penalties == "off" or not cost:
        return ""
    return _("A wrong lead also costs %(n)s to each.", n=chips_in_words(cost))


def _barred(preset: Preset) -> str:
    if preset.house_rules.barred_out == "normal":
        return ""
    if preset.house_rules.barred_out_applies == "both":
        return _("That is for wrong leads too.")
    return _("That is for cards held back only.")


def _out(preset: Preset) -> str:
    rate = preset.house_rules.out_per_card
    if not rate:
        return _("Nothing is paid for cards left.")
    if preset.house_rules.out_count == "points":
        return _("The others pay %(n)s for every point in their cards left.", n=chips_in_words(rate))
    return _("The others pay %(n)s for every card left.", n=chips_in_words(rate))


def _excused(preset: Preset) -> str:
    if preset.house_rules.out_excuse == "nobody":
        return ""
    if preset.excusing_pot is None:
        return _("One person may be spared paying for cards left.")
    cards = " ".join(map(card_words, preset.excusing_pot.cards))
    return _("Whoever still holds %(cards)s pays nothing for cards left.", cards=cards)


def _limit(preset: Preset) -> str:
    limit = preset.house_rules.bet_limit
    if preset.house_rules.poker_when != "before_betting" or not preset.won_by("poker"):
        return _("A side bet is %(n)s at most.", n=chips_in_words(limit)) if limit else _("Side bets have no limit.")
    return _("One bet is %(n)s at most.", n=chips_in_words(limit)) if limit else _("Bets have no limit.")


_POKER = {
    "hand_end_left": N_("After each hand, the best poker hand of the cards left wins the poker pool."),
    "hand_end_all": N_("After each hand, the best poker hand of all cards dealt wins the poker pool."),
    "before_showdown": N_("Before the play, the best poker hand wins the poker pool."),
    "before_betting": N_("Before the play, people bet, and the best poker hand wins the poker pool."),
    "session_end": N_("At the end of the night, the best poker hand wins the poker pool."),
    "off": N_("There is no poker."),
}
_SETS = {
    "hand_end_left": N_("After each hand, the best set in the cards left wins the pool."),
    "hand_end_all": N_("After each hand, the best set in all cards dealt wins the pool."),
    "before_showdown": N_("Before the play, the best set wins the pool."),
    "before_betting": N_("Before the play, people bet, and the best set wins the pool."),
    "session_end": N_("At the end of the night, the best set wins the pool."),
    "off": N_("There is no poker."),
}


def _poker(preset: Preset) -> str:
    sentences = _SETS if preset.house_rules.poker_hand == "sets" else _POKER
    return _(sentences[preset.house_rules.poker_when])


POT_RULES: Mapping[RuleGroup, Mapping[str, RuleWords]] = {
    RuleGroup(N_("Before the deal"), "deal"): {
        "ante.each": RuleWords(N_("Everybody, in each place"), sentence=_ante),
        "ante.dealer": RuleWords(N_("The dealer, in each place"), said_with="ante.each"),
        "ante.times": RuleWords(
            N_("For double: stakes times"), N_("With 2, everything put in before the deal is doubled."), sentence=_times
        ),
        "side.ante": RuleWords(N_("In each place of a side bet"), N_("Such as a corner ace."), sentence=_side_ante),
        "ante.exempt": RuleWords(
            N_("Who puts nothing in?"),
            choices={"nobody": N_("nobody"), "last_winner": N_("the winner of the last hand, unless dealing")},
            sentences={"last_winner": N_("Whoever won the last finished hand puts nothing in, unless dealing.")},
        ),
    },
    RuleGroup(N_("Chips laid freely"), "deal"): {
        "stakes.budget": RuleWords(N_("Chips to lay as you like"), sentence=_budget),
        "stakes.dealer_extra": RuleWords(N_("More of them for the dealer"), said_with="stakes.budget"),
        "stakes.cover_all": RuleWords(
            N_("Must they cover every place?"),
            choices={"off": N_("no"), "on": N_("yes, a chip on each")},
            sentences={"on": N_("Each of them must get a chip, as far as the chips reach.")},
        ),
    },
    RuleGroup(N_("Winning a place"), "play"): {
        "claim": RuleWords(
            N_("How is a place won?"),
            choices={"played": N_("by playing its card"), "held": N_("by holding its card, before the play")},
            sentences={
                "played": N_("A place is won by playing its card when its turn comes."),
                "held": N_("Before the play, whoever holds a card takes its place."),
            },
        ),
        "claim.tie": RuleWords(
            N_("Two people could take it"),
            choices={"share": N_("they share it"), "forehand": N_("first from the dealer’s left")},
            sentences={
                "share": N_("If several hold such a run, they share its place; odd chips stay there."),
                "forehand": N_("If two hold such a run, the first from the dealer’s left takes its place."),
            },
        ),
        "combo": RuleWords(
            N_("Pairs and runs are won"),
            choices={
                "one_player_in_succession": N_("by playing them in succession"),
                "one_player_any_time": N_("by playing them all, at any time"),
            },
            sentences={
                "one_player_in_succession": N_(
                    "A pair or a run is won by one player who plays its cards in succession."
                ),
                "one_player_any_time": N_("A pair or a run is won by one player who plays all its cards in the hand."),
            },
        ),
        "turn_up": RuleWords(
            N_("Is a card turned up?"),
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
        "late_claim": RuleWords(
            N_("Chips that were forgotten"),
            choices={
                "allowed_until_hand_end": N_("may be taken until the next hand"),
                "next_card_forfeits": N_("stay there once the next card is played"),
            },
            sentences={
                "allowed_until_hand_end": N_("Forgotten chips may be taken until the next hand begins."),
                "next_card_forfeits": N_("Forgotten chips stay there once the next card is played."),
            },
        ),
        "sweep": RuleWords(
            N_("All cards in one go"),
            choices={"off": N_("wins nothing more"), "on": N_("takes the whole board")},
            sentences={"on": N_("Whoever plays all cards in one go takes the whole board.")},
            card_order=1,
        ),
    },
    RuleGroup(N_("The dummy hand"), "deal"): {
        "dummy": RuleWords(
            N_("The dummy hand"),
            N_("A hand that is dealt besides."),
            choices={
                "exchange_or_sell": N_("the dealer swaps it or sells it"),
                "exchange_only": N_("the dealer may swap it"),
                "sell_only": N_("it is sold"),
                "passed_round": N_("it goes round, at one price"),
                "unused": N_("it is dealt, and nobody uses it"),
                "none": N_("none is dealt"),
            },
            sentences={
                "exchange_or_sell": N_(
                    "A dummy hand is dealt besides: the dealer swaps it, or sells it to the highest bidder."
                ),
                "exchange_only": N_("A dummy hand is dealt besides: the dealer may swap it."),
                "sell_only": N_("A dummy hand is dealt besides: it goes to the highest bidder, who pays the dealer."),
                "passed_round": N_(
                    "A dummy hand is dealt besides: it is offered round from the dealer’s left, and the first who pays "
                    "the dealer for it has it."
                ),
                "unused": N_("A dummy hand is dealt besides, and nobody uses it."),
                "none": N_("No dummy hand is dealt."),
            },
        ),
        "dummy.card_bar": RuleWords(
            N_("With a money card in the hand"),
            choices={"on": N_("no swap and no bid"), "off": N_("all may swap or bid")},
            sentences={
                "on": N_("Whoever holds a money card neither swaps nor bids."),
                "off": N_("A money card in the hand is no bar to swapping or bidding."),
            },
        ),
        "dummy.after_no_bid": RuleWords(
            N_("If nobody bids for it"),
            choices={"dead": N_("it stays face down"), "dealer_may_exchange": N_("the dealer may still swap")},
            sentences={
                "dead": N_("If nobody bids, it stays face down."),
                "dealer_may_exchange": N_("If nobody bids, the dealer may still swap."),
            },
            card_order=1,
        ),
        "auction.min": RuleWords(
            N_("Lowest first bid"), N_("Its price, where the dummy hand goes round."), sentence=_auction
        ),
        "auction.step": RuleWords(N_("Each bid is higher by"), said_with="auction.min"),
    },
    RuleGroup(N_("Penalties"), "play"): {
        "penalties": RuleWords(
            N_("Penalties"),
            N_("Leading too high or holding a card back costs chips, and money cards for the rest of the hand."),
            choices={"on": N_("as printed"), "off": N_("none, the table talks it over")},
            sentences={
                "on": N_("Whoever leads too high or holds a card back wins no more money cards in this hand."),
                "off": N_("There are no penalties."),
            },
            sentence=_penalties,
        ),
        "wrong_lead.each": RuleWords(N_("A wrong lead costs, to each"), said_with="penalties"),
        "bar.scope": RuleWords(
            N_("Whoever held a card back"),
            choices={"from_now": N_("keeps what was won before"), "whole_hand_refund": N_("puts all of it back")},
            sentences={
                "whole_hand_refund": N_("Whoever held a card back puts back what money cards won in this hand.")
            },
        ),
        "withheld.source": RuleWords(
            N_("The card of a suit held back is paid"),
            N_("A money card that did not come out because its suit was held back."),
            choices={"offender": N_("by whoever held it back"), "pot": N_("out of its place")},
            sentences={
                "offender": N_(
                    "Whoever held back pays whoever still holds a money card or pair of that suit as much as lies "
                    "there; the place keeps it."
                ),
                "pot": N_(
                    "Whoever still holds a money card or pair of a suit held back takes its place after the hand."
                ),
            },
        ),
        "barred_out": RuleWords(
            N_("Out first after a penalty"),
            choices={
                "nothing_play_on": N_("gets nothing, and the others play on"),
                "jackpot_carries": N_("gets nothing; the jackpot waits"),
                "jackpot_only_lost": N_("is paid for cards, without the jackpot"),
                "normal": N_("is paid like anybody"),
            },
            sentences={
                "nothing_play_on": N_("Out first after a penalty wins nothing, and the others play on."),
                "jackpot_carries": N_(
                    "Out first after a penalty wins nothing, the others play on, and the jackpot waits for the next "
                    "hand."
                ),
                "jackpot_only_lost": N_("Out first after a penalty is paid for cards, but wins no jackpot."),
                "normal": N_("Out first after a penalty is paid like anybody."),
            },
            sentence=_barred,
            part="out",
            card_order=2,
        ),
        "barred_out.applies": RuleWords(
            N_("After which penalty?"),
            choices={"withhold": N_("a card held back"), "both": N_("a wrong lead too")},
            said_with="barred_out",
        ),
        "stop.fine": RuleWords(
            N_("Stuck: chips to put in"), N_("Whoever can’t play or lead puts this many chips in."), sentence=_fine
        ),
        "stop.pot": RuleWords(
            N_("Stuck: into which place?"),
            choices={"by_board": N_("the one marked for it, or for being out first")},
            said_with="stop.fine",
        ),
        "left_in_hand": RuleWords(
            N_("A money card still held"),
            choices={
                "off": N_("costs nothing"),
                "double_pot": N_("doubles its place, out of the holder’s chips"),
                "pay_base": N_("costs what its place began with"),
                "pay_winner": N_("costs as much as lies there, to the winner"),
            },
            sentences={
                "double_pot": N_("A money card still held doubles its place, out of the holder’s chips."),
                "pay_base": N_("A money card still held costs what its place began with."),
                "pay_winner": N_("A money card still held costs as much as lies there, to the winner."),
            },
            part="out",
            card_order=1,
        ),
    },
    RuleGroup(N_("Out of cards"), "out"): {
        "out.per_card": RuleWords(N_("Chips for every card left"), N_("Paid to whoever is out first."), sentence=_out),
        "out.count": RuleWords(
            N_("What a card left counts"),
            N_("Court cards ten, the ace one."),
            choices={"cards": N_("one each"), "points": N_("its points")},
            said_with="out.per_card",
        ),
        "out.excuse": RuleWords(
            N_("Who is spared paying?"),
            N_("The card that ends the hand when it is turned up."),
            choices={"nobody": N_("nobody"), "holder": N_("whoever holds the named card")},
            sentence=_excused,
        ),
    },
    RuleGroup(N_("Poker"), "poker"): {
        "poker.when": RuleWords(
            N_("The poker pool"),
            choices={
                "hand_end_left": N_("after each hand, with the cards left"),
                "hand_end_all": N_("after each hand, with all cards dealt"),
                "before_showdown": N_("before the play, shown at once"),
                "before_betting": N_("before the play, with betting"),
                "session_end": N_("once, at the end of the night"),
                "off": N_("is not used"),
            },
            sentence=_poker,
        ),
        "poker.hand": RuleWords(
            N_("What is the best hand?"),
            choices={"poker": N_("the best poker hand"), "sets": N_("the best set; of equals, the one with the trump")},
            sentences={
                "sets": N_(
                    "Four of a kind beat three, and three beat a pair; then the higher cards win, and of equals the "
                    "set with the trump."
                )
            },
        ),
        "bet.limit": RuleWords(N_("Most chips in one bet"), N_("0 sets no limit."), sentence=_limit),
        "poker.tie": RuleWords(
            N_("Equal poker hands"),
            choices={
                "split_leave_rest": N_("share it, odd chips stay"),
                "split_rest_seat": N_("share it, odd chips go round"),
                "carry_all": N_("leave it for the next hand"),
            },
            sentences={
                "split_leave_rest": N_("Equal poker hands share it; odd chips stay for the next hand."),
                "split_rest_seat": N_("Equal poker hands share it; odd chips go round from the dealer’s left."),
                "carry_all": N_("Equal poker hands leave it for the next hand."),
            },
        ),
    },
    RuleGroup(N_("Short of chips, and the end"), "end"): {
        "shortage": RuleWords(
            N_("Somebody can’t pay"),
            N_("What is done first; the other ways stay open."),
            choices={
                "buy_in": N_("buys more chips"),
                "iou": N_("gives an IOU"),
                "partial_ante": N_("antes as far as chips reach"),
                "sit_out": N_("sits out"),
                "cap": N_("pays what is there"),
                "end_session": N_("ends the night"),
            },
            sentences={
                "buy_in": N_("Whoever can’t pay buys more chips."),
                "iou": N_("Whoever can’t pay gives an IOU."),
                "partial_ante": N_(
                    "Whoever can’t pay the whole ante goes round the board in its order, pays each place that the "
                    "chips left still cover, and wins only those."
                ),
                "sit_out": N_("Whoever can’t pay sits out."),
                "cap": N_("Whoever can’t pay gives what is there, and owes nothing."),
                "end_session": N_("Whoever can’t pay gives what is there; before the next hand the night ends."),
            },
        ),
        "end": RuleWords(
            N_("Left on the board at the end"),
            choices={
                "equal": N_("is shared equally"),
                "last_hand_winner": N_("goes to the winner of the last hand"),
                "poker_hand": N_("goes to the best poker hand"),
                "leave": N_("stays there for next time"),
            },
            sentences={
                "equal": N_("At the end, those at the table who were dealt a hand share the board equally."),
                "last_hand_winner": N_(
                    "At the end, what is left on the board goes to the winner of the last finished hand; without one "
                    "at the table it is shared equally."
                ),
                "poker_hand": N_("At the end, what is left on the board goes to the best poker hand."),
                "leave": N_("At the end, what is left stays on the board for next time."),
            },
        ),
        "end.rest": RuleWords(
            N_("Odd chips of that"),
            choices={
                "clockwise_from_dealer_left": N_("one each from the dealer’s left"),
                "last_hand_winner": N_("to the winner of the last hand"),
                "high_card": N_("to whoever draws the highest card"),
            },
            sentences={
                "clockwise_from_dealer_left": N_("Odd chips of the board go round from the dealer’s left."),
                "last_hand_winner": N_("Odd chips of the board go to the winner of the last finished hand."),
                "high_card": N_("Odd chips of the board go to whoever draws the highest card."),
            },
        ),
    },
}
