"""The words of the house rules about the play and the end: penalties, going out, poker, who is short, what is left."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.core.errors import N_
from tracker.core.preset import Preset
from tracker.web.wording.card_names import card_words
from tracker.web.wording.rule_words import RuleWords, chips_in_words
from tracker.web.wording.texts import gettext as _


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
    pot = next((pot for pot in preset.won_by("card") if pot.ends_hand), None)
    if pot is None:
        return _("One person may be spared paying for cards left.")
    cards = " ".join(card_words(card) for card in pot.cards)
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


PLAY_RULE_WORDS: Mapping[str, RuleWords] = {
    "wrong_lead.each": RuleWords(
        N_("A wrong lead costs, to each"),
        N_("Whoever leads a card that is too high pays every other player this."),
        said_with="penalties",
    ),
    "penalties": RuleWords(
        N_("Penalties"),
        N_("Leading too high or holding a card back costs chips, and money cards for the rest of the hand."),
        choices={"on": N_("as printed"), "off": N_("none, the table talks it over")},
        sentences={
            "on": N_("Leading too high, or holding a card back, bars from money cards for the rest of the hand."),
            "off": N_("There are no penalties."),
        },
        sentence=_penalties,
    ),
    "stop.fine": RuleWords(
        N_("Stuck: chips to put in"),
        N_("Whoever can’t play or lead puts this many chips in the kitty, or in the place that the rule card names."),
        sentence=_fine,
    ),
    "stop.pot": RuleWords(
        N_("Stuck: into which place?"),
        N_("The place that takes the chips of whoever is stuck."),
        choices={"by_board": N_("the one marked for it, or for being out first")},
        said_with="stop.fine",
    ),
    "out.per_card": RuleWords(
        N_("Chips for every card left"),
        N_("For every card left, each player pays this to whoever is out first."),
        sentence=_out,
    ),
    "out.count": RuleWords(
        N_("What a card left counts"),
        N_("Cards left count one each, or their points: court cards ten, the ace one."),
        choices={"cards": N_("one each"), "points": N_("its points")},
        said_with="out.per_card",
    ),
    "out.excuse": RuleWords(
        N_("Who is spared paying?"),
        N_("Whoever still holds a certain card, as the Pope, may be spared paying for cards left."),
        choices={"nobody": N_("nobody"), "holder": N_("whoever holds the named card")},
        sentence=_excused,
    ),
    "left_in_hand": RuleWords(
        N_("A money card still held"),
        N_("What it costs to still hold a money card when the hand ends."),
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
    ),
    "bar.scope": RuleWords(
        N_("Whoever held a card back"),
        N_("What somebody who held a card back keeps of the money cards won before in this hand."),
        choices={
            "from_now": N_("keeps what was won before"),
            "whole_hand_refund": N_("puts all of it back"),
        },
        sentences={"whole_hand_refund": N_("Whoever held a card back puts back what money cards won in this hand.")},
    ),
    "withheld.source": RuleWords(
        N_("The card of a suit held back is paid"),
        N_("Who pays the holder of a money card that did not come out because its suit was held back."),
        choices={"offender": N_("by whoever held it back"), "pot": N_("out of its place")},
        sentences={
            "offender": N_(
                "Whoever held back pays whoever still holds a money card or pair of that suit as much as lies there; "
                "the place keeps it."
            ),
            "pot": N_("Whoever still holds a money card or pair of a suit held back takes its place after the hand."),
        },
    ),
    "barred_out": RuleWords(
        N_("Out first after a penalty"),
        N_("What somebody gets who is out first after a penalty in the same hand."),
        choices={
            "nothing_play_on": N_("gets nothing, and the others play on"),
            "jackpot_carries": N_("gets nothing; the jackpot waits"),
            "jackpot_only_lost": N_("is paid for cards, without the jackpot"),
            "normal": N_("is paid like anybody"),
        },
        sentences={
            "nothing_play_on": N_("Out first after a penalty wins nothing, and the others play on."),
            "jackpot_carries": N_(
                "Out first after a penalty wins nothing, the others play on, and the jackpot waits for the next hand."
            ),
            "jackpot_only_lost": N_("Out first after a penalty is paid for cards, but wins no jackpot."),
            "normal": N_("Out first after a penalty is paid like anybody."),
        },
        sentence=_barred,
    ),
    "barred_out.applies": RuleWords(
        N_("After which penalty?"),
        N_("The penalty that the rule above is for."),
        choices={"withhold": N_("a card held back"), "both": N_("a wrong lead too")},
        said_with="barred_out",
    ),
    "poker.when": RuleWords(
        N_("The poker pool"),
        N_("When the best poker hand is shown for the poker pool."),
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
        N_("The best hand is a poker hand, or the best set of equal cards, as in Poch."),
        choices={"poker": N_("the best poker hand"), "sets": N_("the best set; of equals, the one with the trump")},
        sentences={
            "sets": N_(
                "Four of a kind beat three, and three beat a pair; then the higher cards win, and of equals the set "
                "with the trump."
            )
        },
    ),
    "bet.limit": RuleWords(
        N_("Most chips in one bet"),
        N_("The most chips in one bet; 0 sets no limit."),
        sentence=_limit,
    ),
    "poker.tie": RuleWords(
        N_("Equal poker hands"),
        N_("What happens when two poker hands are equal."),
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
    "end": RuleWords(
        N_("Left on the board at the end"),
        N_("Who gets what is left on the board when the night is over."),
        choices={
            "equal": N_("is shared equally"),
            "last_hand_winner": N_("goes to the winner of the last hand"),
            "poker_hand": N_("goes to the best poker hand"),
            "leave": N_("stays there for next time"),
        },
        sentences={
            "equal": N_("At the end, the board is shared equally."),
            "last_hand_winner": N_("At the end, what is left on the board goes to the winner of the last hand."),
            "poker_hand": N_("At the end, what is left on the board goes to the best poker hand."),
            "leave": N_("At the end, what is left stays on the board for next time."),
        },
    ),
    "end.rest": RuleWords(
        N_("Odd chips of that"),
        N_("Who gets the odd chips when the board is shared."),
        choices={
            "clockwise_from_dealer_left": N_("one each from the dealer’s left"),
            "last_hand_winner": N_("to the winner of the last hand"),
            "high_card": N_("to whoever draws the highest card"),
        },
        sentences={
            "clockwise_from_dealer_left": N_("Odd chips of the board go round from the dealer’s left."),
            "last_hand_winner": N_("Odd chips of the board go to the winner of the last hand."),
            "high_card": N_("Odd chips of the board go to whoever draws the highest card."),
        },
    ),
    "shortage": RuleWords(
        N_("Somebody can’t pay"),
        N_("What is done first when somebody can’t pay; the other ways stay open."),
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
                "Whoever can’t pay the whole ante goes round the board in its order, pays each place that the chips "
                "left still cover, and wins only those."
            ),
            "sit_out": N_("Whoever can’t pay sits out."),
            "cap": N_("Whoever can’t pay gives what is there, and owes nothing."),
            "end_session": N_("Whoever can’t pay gives what is there; before the next hand the night ends."),
        },
    ),
}
