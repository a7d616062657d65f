"""The house rules in plain words: what the forms and the log call them, and their order in the forms.

The words of each rule are one record in `deal_rule_words`, `play_rule_words` or `score_rule_words`. `N_` marks texts
that are translated where they are shown.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tracker.core.errors import N_
from tracker.core.house_rules import HOUSE_RULES, HouseRule, Value
from tracker.core.preset import Preset, rules_of
from tracker.core.rule_effects import fits_preset, has_effect, idle_when
from tracker.web.wording.deal_rule_words import DEAL_RULE_WORDS
from tracker.web.wording.play_rule_words import PLAY_RULE_WORDS
from tracker.web.wording.rule_words import RuleWords
from tracker.web.wording.score_rule_words import SCORE_RULE_WORDS
from tracker.web.wording.texts import gettext as _

RULE_WORDS: Mapping[str, RuleWords] = {**DEAL_RULE_WORDS, **PLAY_RULE_WORDS, **SCORE_RULE_WORDS}
"""The words of every house rule, by key."""


@dataclass(frozen=True)
class Group:
    """House rules that belong together, under one heading."""

    title: str
    keys: tuple[str, ...]


GROUPS: Mapping[str, tuple[Group, ...]] = {
    "pots": (
        Group(N_("Before the deal"), ("ante.each", "ante.dealer", "ante.times", "side.ante", "ante.exempt")),
        Group(N_("Chips laid freely"), ("stakes.budget", "stakes.dealer_extra", "stakes.cover_all")),
        Group(N_("Winning a place"), ("claim", "claim.tie", "combo", "turn_up", "late_claim", "sweep")),
        Group(N_("The dummy hand"), ("dummy", "dummy.card_bar", "dummy.after_no_bid", "auction.min", "auction.step")),
        Group(
            N_("Penalties"),
            (
                *("penalties", "wrong_lead.each", "bar.scope", "withheld.source", "barred_out", "barred_out.applies"),
                *("stop.fine", "stop.pot", "left_in_hand"),
            ),
        ),
        Group(N_("Out of cards"), ("out.per_card", "out.count", "out.excuse")),
        Group(N_("Poker"), ("poker.when", "poker.hand", "bet.limit", "poker.tie")),
        Group(N_("Short of chips, and the end"), ("shortage", "end", "end.rest")),
        Group(N_("Money"), ("money.chips", "money.cents", "money.coin")),
    ),
    "rounds": (Group(N_("The rounds"), ("rounds", "auto_win", "tie")),),
    "rum": (
        Group(N_("What cards count"), ("ace_high_seq", "joker", "one_turn", "stock_out")),
        Group(N_("Faults"), ("fault.points", "fault.to", "fault.own")),
        Group(N_("The end"), ("game", "game.deals", "game.target")),
        Group(N_("Money"), ("money.chips", "money.cents", "money.coin")),
    ),
    "points": (
        Group(N_("The points"), ("points.wins", "points.entry", "points.dealer", "points.late", "points.pay")),
        Group(N_("The end"), ("game", "game.deals", "game.target")),
        Group(N_("Money"), ("money.chips", "money.cents", "money.coin")),
    ),
}


def label(key: str) -> str:
    """Return what the editor calls a rule, in the reader's language."""
    return _(RULE_WORDS[key].label)


def value_words(key: str, value: Value, preset: Preset | None = None) -> str:
    """Return a rule's value in words; a number is itself, a pot has its name on the board of `preset`."""
    words = RULE_WORDS[key].choices.get(value) if key in RULE_WORDS else None
    if preset and key in rules_of(preset.game) and rules_of(preset.game)[key].names_pot and value in preset.board:
        words = preset.board[str(value)].name
    return _(words) if words else str(value)


def value_choices(preset: Preset, rule: HouseRule) -> tuple[Value, ...]:
    """Return the values that a rule can be chosen from on this board; none for a number."""
    return (*rule.choices, *(preset.board if rule.names_pot else ()))


def hint(game: str, key: str, printed: Preset | None) -> str:
    """Return what a rule does, what it is in the printed game (without one, by default), and where it is known from.

    A value of the printed game's own is known from that game.
    """
    rule = HOUSE_RULES[game][key]
    facts = {"says": _(RULE_WORDS[key].help), "source": _(rule.source)}
    if printed is None:
        default = value_words(key, rule.default)
        return _(
            "%(says)s Unless said otherwise: %(default)s. The rule is known from %(source)s.", default=default, **facts
        )
    facts |= {"game": _(printed.name), "value": value_words(key, printed[key], printed)}
    if printed[key] != rule.default:
        return _("%(says)s Usually in “%(game)s”: %(value)s.", **facts)
    return _("%(says)s Usually in “%(game)s”: %(value)s. The rule is known from %(source)s.", **facts)


def change_words(preset: Preset, key: str, value: Value) -> str:
    """Return a changed rule for the log: what it is called, and what it is now."""
    named = label(key).rstrip("?… ").lstrip("… ") if key in HOUSE_RULES[preset.game] else key
    return f"{named}: {value_words(key, value, preset)}"


def rule_form(preset: Preset, *others: Preset, printed: Preset | None, without: Container[str] = ()) -> dict[str, Any]:
    """Return what a template needs to ask for the house rules that fit a preset's board, in words.

    With `others`, of the same kind of game, rules that fit any of their boards are asked for as well. `printed` is the
    game that the preset is or was made from: its values are the usual ones. Rules in `without` are not asked for.
    """
    boards = (preset, *others)
    game, newest = preset.game, boards[-1]
    fitting = [
        (
            group,
            tuple(key for key in group.keys if key not in without and any(fits_preset(one, key) for one in boards)),
        )
        for group in GROUPS[game]
    ]
    return {
        "groups": tuple(replace(group, keys=keys) for group, keys in fitting if keys),
        "choices": {key: value_choices(newest, rule) for key, rule in HOUSE_RULES[game].items()},
        "rules": HOUSE_RULES[game],
        "label": label,
        "words": lambda key, value: value_words(key, value, newest),
        "hint": lambda key: hint(game, key, printed),
        "idle": {key for key in HOUSE_RULES[game] if not has_effect(newest, key)},
        "idle_when": lambda key: _conditions(idle_when(newest, key)),
    }


def _conditions(idle: Mapping[str, tuple[Value, ...]]) -> str:
    """Return what makes a rule idle as one word a rule: `dummy=exchange_only,unused`."""
    return " ".join(f"{key}={','.join(map(str, values))}" for key, values in idle.items())
