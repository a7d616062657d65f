"""The type of a house rule's words and of the groups that they stand in; those of the rules that several games have."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from tracker.core.errors import N_
from tracker.core.house_rules import Value
from tracker.core.preset import Preset
from tracker.web.wording.texts import amount, gettext as _, listed, ngettext

FEWEST_AT_A_GAME = 2
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
CardPart = Literal["deal", "play", "out", "poker", "score", "end"]
"""A part of the rule card."""


class RuleGroup(NamedTuple):
    """House rules that belong together: their heading in the forms, in English, and where the card says them."""

    title: str
    part: CardPart


@dataclass(frozen=True)
class RuleWords:
    """Everything the pages say about one house rule, in English; it is translated where it is shown."""

    label: str
    """Its name in the forms and in the log."""
    help: str = ""
    """What the name and the values leave open; behind "why?"."""
    choices: Mapping[Value, str] = field(default_factory=dict)
    """What each of its values is called in the forms; empty for a number."""
    sentences: Mapping[Value, str] = field(default_factory=dict)
    """What the rule card says for each value; a value without one changes nothing that is worth a line."""
    sentence: Callable[[Preset], str] | None = None
    """Returns the sentence, already translated, that needs more than the value; it follows that of `sentences`."""
    said_with: str = ""
    """The key of the rule whose sentence covers this one as well."""
    part: CardPart | None = None
    """The part of the rule card that says it, where it is not its group's."""
    card_order: int = 0
    """Its sentence follows those of the part with a smaller number; among equals the order is that of the forms."""


def chips_in_words(count: int) -> str:
    return ngettext("%(num)s chip", "%(num)s chips", count)


def card_words(card: str) -> str:
    """Return a card with its sign, as `10♥`; a rank alone stays as it is."""
    return card[:-1] + SIGNS[card[-1]] if card[-1:] in SIGNS else card


def seats_note(preset: Preset, people: int) -> str:
    """Return the warning for more or fewer people than the game is meant for; empty where they fit or one is alone."""
    seats = preset.seats
    if people < FEWEST_AT_A_GAME or seats.min <= people <= seats.max:
        return ""
    facts = {"min": seats.min, "max": seats.max, "n": people}
    return _(
        "This game is meant for %(min)s to %(max)s people, and %(n)s sit here. You can play all the same.", **facts
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
    is_small = decimals == 2 and cents < 100
    money = ngettext("%(num)s cent", "%(num)s cents", cents) if is_small else amount(cents, decimals)
    if preset.is_pot_game:
        worth = ngettext("%(num)s chip is worth %(money)s.", "%(num)s chips are worth %(money)s.", many, money=money)
    else:
        worth = ngettext("%(num)s point is worth %(money)s.", "%(num)s points are worth %(money)s.", many, money=money)
    rounded = _("Sums are rounded to coins of %(coin)s.", coin=amount(coin, decimals))
    return f"{worth} {rounded}" if coin > 1 else worth


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
            N_("What they are worth, in cents"), N_("With 0 you play without money."), sentence=money_sentence
        ),
        "money.coin": RuleWords(N_("Smallest coin, in cents"), said_with="money.cents"),
        "money.decimals": RuleWords(
            N_("A cent here is"),
            choices={2: N_("a hundredth"), 0: N_("a whole: yen, won, forint"), 3: N_("a thousandth: dinars")},
            said_with="money.cents",
        ),
    },
}
"""Their words, after those that a game has alone."""
