"""Which house rules do anything on a board, and which are idle because of its pots or of another rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.core.preset import Preset


def has_effect(preset: Preset, key: str) -> bool:
    """Return whether a house rule changes anything in this preset as its other rules stand."""
    rule = HOUSE_RULES[preset.game].get(key)
    if rule is None or not fits_preset(preset, key):
        return False
    return all(preset[other] not in values for other, values in idle_when(preset, key).items())


def idle_when(preset: Preset, key: str) -> Mapping[str, tuple[Value, ...]]:
    """Return the values of other rules, by key, with which a house rule does nothing on this board."""
    if key == "bet.limit" and _has_won_by("side")(preset):
        return {}  # side bets are made with any kind of poker
    return HOUSE_RULES[preset.game][key].idle_when


def fits_preset(preset: Preset, key: str) -> bool:
    """Return whether the board has what the rule is about, whatever the other rules are."""
    needed = _NEEDED.get(key)
    return needed is None or needed(preset)


def _has_won_by(how: str) -> Callable[[Preset], bool]:
    return lambda preset: any(pot.won_by == how for pot in preset.pots)


def _has_plain_ante(preset: Preset) -> bool:
    return any(pot.ante is None for pot in preset.pots if pot.won_by != "side")


def _has_plain_dealer_ante(preset: Preset) -> bool:
    return any(pot.ante is None and pot.dealer_ante is None for pot in preset.pots if pot.won_by != "side")


def _has_combination(preset: Preset) -> bool:
    return any(pot.won_by == "card" and len(pot.cards) > 1 for pot in preset.pots)


def _has_ante(preset: Preset) -> bool:
    """Return whether anything is put in before the deal, by everybody, by the dealer or freely."""
    return preset.house_rules.stakes_budget > 0 or any(
        preset.ante(pot, max(pot.fed_by, 1), is_dealer=is_dealer) for pot in preset.pots for is_dealer in (False, True)
    )


_NEEDED: Mapping[str, Callable[[Preset], bool]] = {
    "ante.each": _has_plain_ante,
    "ante.dealer": _has_plain_dealer_ante,
    "ante.times": _has_ante,
    "side.ante": _has_won_by("side"),
    "claim": _has_won_by("card"),
    "claim.tie": lambda preset: any(pot.is_run for pot in preset.pots if pot.won_by == "card"),
    "combo": _has_combination,
    "turn_up": lambda preset: any(len(pot.cards) == 1 for pot in preset.won_by("card")),
    "late_claim": _has_won_by("card"),
    "withheld.source": lambda preset: any(pot.suit for pot in preset.won_by("card")),
    "left_in_hand": _has_won_by("card"),
    "poker.when": _has_won_by("poker"),
    "poker.hand": _has_won_by("poker"),
    "poker.tie": _has_won_by("poker"),
    "bet.limit": lambda preset: _has_won_by("poker")(preset) or _has_won_by("side")(preset),
}
