"""The words of the house rules that several games have: when a score game ends, and what it is all worth."""

from collections.abc import Mapping

from tracker.core.errors import N_
from tracker.core.preset import Preset
from tracker.web.wording.rule_words import RuleGroup, RuleWords
from tracker.web.wording.texts import amount, gettext as _, listed, ngettext


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


def chips_count(preset: Preset) -> str:
    """Return what each colour of chips counts; empty for a game without chips."""
    colours = listed(f"{_(one.name)} {one.value}" for one in preset.chips)
    return _("Chips count: %(colours)s.", colours=colours) if colours else ""


def money_sentence(preset: Preset) -> str:
    """Return what chips or points are worth in money, or that the table plays without."""
    cents, coin = preset.house_rules.money_cents, preset.house_rules.money_coin
    decimals = preset.house_rules.money_decimals
    if not cents:
        return _("You play without money.")
    many = preset.house_rules.money_chips
    worth = _worth(preset, many, amount(cents, decimals))
    rounded = _("Sums are rounded to coins of %(coin)s.", coin=amount(coin, decimals))
    return f"{worth} {rounded}" if coin > 1 else worth


def _worth(preset: Preset, many: int, money: str) -> str:
    if not preset.is_pot_game:
        return ngettext("%(num)s point is worth %(money)s.", "%(num)s points are worth %(money)s.", many, money=money)
    return ngettext("%(num)s chip is worth %(money)s.", "%(num)s chips are worth %(money)s.", many, money=money)


SHARED_RULES: Mapping[RuleGroup, Mapping[str, RuleWords]] = {
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
"""Their words, after those that a game has alone."""
