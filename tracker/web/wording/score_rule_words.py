"""The words of the house rules of the score games, and of those about money."""

from collections.abc import Mapping

from tracker.core.errors import N_
from tracker.core.preset import Preset
from tracker.web.wording.rule_words import RuleGroup, RuleWords
from tracker.web.wording.texts import amount, gettext as _, listed, ngettext


def _faults(preset: Preset) -> str:
    cost = preset.house_rules.fault_points
    if preset.house_rules.fault_to == "winner":
        return ngettext(
            "A wrong Rummy or an unused purchase costs %(num)s point; the winner of the deal gets it.",
            "A wrong Rummy or an unused purchase costs %(num)s points; the winner of the deal gets them.",
            cost,
        )
    if preset.house_rules.fault_to == "each":
        return ngettext(
            "A wrong Rummy or an unused purchase costs %(num)s point to every other player.",
            "A wrong Rummy or an unused purchase costs %(num)s points to every other player.",
            cost,
        )
    return ngettext(
        "A wrong Rummy or an unused purchase costs %(num)s point, off the sheet.",
        "A wrong Rummy or an unused purchase costs %(num)s points, off the sheet.",
        cost,
    )


def _game(preset: Preset) -> str:
    if preset.house_rules.game == "deals":
        count = preset.house_rules.game_deals
        return ngettext("The night ends after %(num)s deal.", "The night ends after %(num)s deals.", count)
    if preset.house_rules.game == "target":
        return ngettext(
            "The night ends when somebody has %(num)s point.",
            "The night ends when somebody has %(num)s points.",
            preset.house_rules.game_target,
        )
    return _("The night ends when the table says so.")


def _sum(preset: Preset) -> str:
    total = preset.house_rules.points_sum
    return "" if total == "any" else _("The points of a round come to %(n)s.", n=total)


def _late(preset: Preset) -> str:
    back = _("Who stops for some rounds and comes back begins with that too, if the own sum is better.")
    return f"{_joins(preset)} {back}"


def _joins(preset: Preset) -> str:
    if preset.house_rules.points_late == "average":
        return _("Who joins later begins with the average sum of the table.")
    if preset.house_rules.points_late == "zero":
        return _("Who joins later begins with 0 points.")
    if preset.house_rules.points_wins == "high":
        return _("Who joins later begins with 0 points, or with the worst sum of the table if that is below 0.")
    return _("Who joins later begins with the worst sum of the table.")


def chips_count(preset: Preset) -> str:
    """Return what each colour of chips counts; empty for a game without chips."""
    colours = listed(f"{_(one.name)} {one.value}" for one in preset.chips)
    return _("Chips count: %(colours)s.", colours=colours) if colours else ""


def money_worth(preset: Preset) -> str:
    """Return what chips or points are worth in money; empty where the table plays without."""
    return money_sentence(preset) if preset.house_rules.money_cents else ""


def money_sentence(preset: Preset) -> str:
    """Return what chips or points are worth in money, or that the table plays without."""
    cents, coin = preset.house_rules.money_cents, preset.house_rules.money_coin
    decimals = preset.house_rules.money_decimals
    if not cents:
        return _("You play without money.")
    many = preset.house_rules.money_chips
    worth = _worth(preset.game, many, amount(cents, decimals))
    rounded = _("Sums are rounded to coins of %(coin)s.", coin=amount(coin, decimals))
    return f"{worth} {rounded}" if coin > 1 else worth


def _worth(game: str, many: int, money: str) -> str:
    if game in ("rum", "points"):
        return ngettext("%(num)s point is worth %(money)s.", "%(num)s points are worth %(money)s.", many, money=money)
    return ngettext("%(num)s chip is worth %(money)s.", "%(num)s chips are worth %(money)s.", many, money=money)


GAME_SENTENCES: Mapping[str, tuple[str, ...]] = {
    "rounds": (
        N_("A round card counts its number; whoever wins the round gets it."),
        N_("Reverse & New Hand changes the direction of play; it costs no points."),
    ),
    "rum": (
        N_("To buy is to draw a card: it costs no points."),
        N_(
            "Whoever goes out is paid every other hand in full, figures still held included. "
            "What lies on the table does not count."
        ),
        N_("King, queen and jack count 10, the ace 15, the others their number. In a sequence the ace counts 1."),
    ),
    "points": (N_("After each round everybody says their points; they are added up."),),
}
"""What holds in every game of a kind: no house rule changes it."""

SCORE_RULES: Mapping[RuleGroup, Mapping[str, RuleWords]] = {
    RuleGroup(N_("The rounds"), "score"): {
        "rounds": RuleWords(
            N_("How many rounds?"),
            choices={"full": N_("all eight"), "short": N_("four: 2, 4, 6 and 8")},
            sentences={
                "full": N_("All eight rounds are played; the most points win."),
                "short": N_("Rounds 2, 4, 6 and 8 are played; the most points win."),
            },
        ),
        "auto_win": RuleWords(
            N_("Winning without a joker"),
            N_("Seven equal numbers."),
            choices={
                "round_8": N_("wins the game in round 8"),
                "any_round": N_("seven equal numbers win the game in any round"),
            },
            sentences={
                "round_8": N_("Whoever wins round 8 without a joker wins the game at once, whatever the points."),
                "any_round": N_(
                    "Whoever wins round 8 without a joker, or any other with seven equal numbers and no joker, wins "
                    "the game at once, whatever the points."
                ),
            },
        ),
        "tie": RuleWords(
            N_("Equal points at the end"),
            choices={
                "shared": N_("both have won"),
                "round_8": N_("whoever won round 8"),
                "most_cards": N_("whoever won more rounds"),
            },
            sentences={
                "shared": N_("With equal points, both have won."),
                "round_8": N_("With equal points, whoever won round 8 wins."),
                "most_cards": N_("With equal points, more rounds win."),
            },
        ),
    },
    RuleGroup(N_("What cards count"), "score"): {
        "ace_high_seq": RuleWords(
            N_("An ace above the king"),
            choices={1: N_("counts 1"), 15: N_("counts 15")},
            sentences={
                1: N_("The ace counts 1 in queen, king, ace."),
                15: N_("The ace counts 15 in queen, king, ace."),
            },
        ),
        "joker": RuleWords(
            N_("Jokers"),
            choices={0: N_("none"), 20: N_("count 20 in the hand"), 25: N_("count 25 in the hand")},
            sentences={
                20: N_("A joker left in the hand counts 20."),
                25: N_("A joker left in the hand counts 25."),
                0: N_("There are no jokers."),
            },
        ),
        "one_turn": RuleWords(
            N_("Out in one turn"),
            choices={1: N_("is paid like any other"), 2: N_("is paid double")},
            sentences={2: N_("Going out in one turn is paid double.")},
        ),
        "stock_out": RuleWords(
            N_("The stock is used up"),
            choices={"full": N_("the others pay their whole hand"), "difference": N_("the others pay the difference")},
            sentences={
                "full": N_("When the stock is used up, fewest points win, and the others pay their whole hand."),
                "difference": N_("When the stock is used up, fewest points win, and the others pay the difference."),
            },
        ),
    },
    RuleGroup(N_("Faults"), "score"): {
        "fault.points": RuleWords(
            N_("A fault costs"),
            N_("A wrong Rummy, or a bought card not laid down."),
            sentence=_faults,
        ),
        "fault.to": RuleWords(
            N_("Who gets that?"),
            choices={
                "winner": N_("the winner of the deal"),
                "each": N_("every other player"),
                "sheet": N_("nobody: it goes on the sheet"),
            },
            said_with="fault.points",
        ),
        "fault.own": RuleWords(
            N_("If the offender wins the deal"),
            choices={
                "reduce": N_("the others pay that much less"),
                "sheet": N_("it goes on the sheet"),
                "ignore": N_("it is forgiven"),
            },
            sentences={
                "reduce": N_("If the offender wins, the others pay that much less."),
                "sheet": N_("If the offender wins, the fault stays on the sheet."),
                "ignore": N_("If the offender wins, the fault is forgiven."),
            },
        ),
    },
    RuleGroup(N_("The points"), "score"): {
        "points.wins": RuleWords(
            N_("Who wins?"),
            choices={"high": N_("the most points"), "low": N_("the fewest points")},
            sentences={"high": N_("The most points win."), "low": N_("The fewest points win.")},
        ),
        "points.completed": RuleWords(
            N_("Whoever completes the last task"),
            N_("As the tenth phase: the end asks who did."),
            choices={"off": N_("has won nothing by that"), "wins": N_("has won; of several, by the points")},
            sentences={"wins": N_("Whoever completes the last task of the game has won; of several, by the points.")},
        ),
        "points.entry": RuleWords(
            N_("What is written down?"),
            choices={"points": N_("everybody’s points"), "winner": N_("only who won the round")},
            sentences={"winner": N_("Only the winner of a round is written down: 1 point.")},
        ),
        "points.sum": RuleWords(
            N_("A round’s points come to"),
            N_("Another sum is asked about. Left empty, any sum is right."),
            sentence=_sum,
        ),
        "points.dealer": RuleWords(
            N_("Whose deal is it?"),
            choices={"on": N_("the page says it"), "off": N_("nobody asks")},
            sentences={"on": N_("The deal passes to the left after each round.")},
        ),
        "points.pause": RuleWords(
            N_("Who pauses in a round?"),
            N_("A proposal: each round, one tap has somebody pause, or play after all."),
            choices={"nobody": N_("nobody"), "dealer": N_("the dealer")},
            sentences={"dealer": N_("From three people on, whoever deals a round pauses in it.")},
        ),
        "points.late": RuleWords(
            N_("Who joins later begins with"),
            N_("The points decide who wins, and move no money."),
            choices={
                "worst": N_("the worst sum, but no more than 0 where the most points win"),
                "average": N_("the average sum"),
                "zero": N_("0 points"),
            },
            sentence=_late,
        ),
        "points.pay": RuleWords(
            N_("Who pays whom?"),
            N_("When points are worth money."),
            choices={"each": N_("everybody settles with everybody"), "winner": N_("everybody pays the winner")},
            sentences={
                "each": N_(
                    "In money, everybody settles each round’s difference in points with everybody who played it."
                ),
                "winner": N_(
                    "In money, everybody pays the winner the difference in points of the rounds that both have played."
                ),
            },
            part="end",
            card_order=1,
        ),
    },
    RuleGroup(N_("The end"), "score"): {
        "game": RuleWords(
            N_("When is the night over?"),
            choices={
                "open": N_("when the table says so"),
                "deals": N_("after a number of deals"),
                "target": N_("at a number of points"),
            },
            sentence=_game,
        ),
        "game.deals": RuleWords(N_("Ends after this many deals"), said_with="game"),
        "game.target": RuleWords(N_("Ends at this many points"), said_with="game"),
    },
    RuleGroup(N_("Money"), "end"): {
        "money.chips": RuleWords(N_("How many chips or points are worth a sum of money"), said_with="money.cents"),
        "money.cents": RuleWords(
            N_("What they are worth, in cents"),
            N_("With 0 you play without money."),
            sentence=money_sentence,
        ),
        "money.coin": RuleWords(N_("Smallest coin, in cents"), said_with="money.cents"),
        "money.decimals": RuleWords(
            N_("A cent here is"),
            choices={
                2: N_("a hundredth"),
                0: N_("a whole: yen, won, forint"),
                3: N_("a thousandth: dinars"),
            },
            said_with="money.cents",
        ),
    },
}
