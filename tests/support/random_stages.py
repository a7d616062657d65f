"""What may happen on boards with more stages: own stakes, held cards, betting, turn-ups, fines, sweeps, new rules."""

# ruff: noqa: ARG001 - every maker takes the same, also one that has nothing to choose

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from random import Random

from tracker.core import events, pot_game
from tracker.core.errors import TableError
from tracker.core.events import Amount, Chips, Event
from tracker.core.house_rules import HOUSE_RULES, HouseRule, Value
from tracker.core.night import DUMMY, HELD, PLAY, POKER, SHOWDOWN, STAKES, Night
from tracker.core.preset import Preset
from tracker.core.preset_faults import with_new_options
from tracker.formats.codec import preset_from_toml

RUNS_OF_ANY_SUIT = ("seven-eight-nine", "eight-nine-ten", "sequence")
"""Pots whose cards several may hold."""
WithCover = Callable[[Night, Event, Random], Event]


@cache
def every_preset() -> tuple[Preset, ...]:
    """Return every game that comes with the tracker."""
    found = sorted(one.name for one in files("tracker.presets").iterdir() if one.name.endswith(".toml"))
    return tuple(preset_from_toml(files("tracker.presets").joinpath(name).read_text("utf-8")) for name in found)


def random_options(preset: Preset, chance: Random, most: int = 4) -> dict[str, Value]:
    """Return a few house rules changed to something else that they may be."""
    rules = HOUSE_RULES[preset.game]
    changed = chance.sample(sorted(rules), chance.randint(0, min(most, len(rules))))
    return {key: _setting(preset, rules[key], chance) for key in changed}


def _setting(preset: Preset, rule: HouseRule, chance: Random) -> Value:
    if rule.names_pot:  # a poker pool is no place where there is no poker
        return chance.choice([*rule.choices, *(pot.id for pot in preset.pots if pot.won_by != "poker")])
    if rule.choices:
        return chance.choice(rule.choices)
    return chance.randint(3, 60) if rule.key.startswith(("game.", "money.")) else chance.randint(1, 3)


def playing_seats(night: Night) -> list[str]:
    """Return who is in the present hand and still at the table; nobody once it was given up."""
    deal = night.deal
    return [seat for seat in deal.seats if seat in night.seats] if deal and not deal.is_abandoned else []


def claimed_now(night: Night) -> bool:
    """Return whether money cards are paid at this moment."""
    if night.preset["claim"] == "held" or night.is_abandoned:
        return night.phase == HELD
    return night.phase == PLAY or (night.phase == SHOWDOWN and night.preset["late_claim"] != "next_card_forfeits")


def unbarred(night: Night) -> list[str]:
    return [seat for seat in playing_seats(night) if seat not in night.current_deal().barred]


def has_paid(night: Night, pot: str, *seats: str) -> bool:
    """Return whether all these seats could put their antes in a pot, so that they may win it."""
    return not any((seat, pot) in night.current_deal().unpaid for seat in seats)


def full_pots(night: Night, *won_by: str) -> list[str]:
    """Return the pots won in one of these ways that hold chips or IOUs and that nobody took in this hand."""
    taken = night.deal.taken if night.deal else {}
    pots = [pot.id for how in won_by for pot in night.preset.won_by(how) if pot.id not in taken]
    return [pot for pot in pots if night.ledger.holds(pot)]


def place(night: Night, chance: Random, cover: WithCover) -> Event | None:
    if night.phase != STAKES:
        return None
    deal, preset = night.current_deal(), night.preset
    seat = chance.choice([one for one in deal.seats if one not in deal.stakes_placed])
    budget = preset.budget(is_dealer=seat == deal.dealer)
    must = [pot.id for pot in preset.won_by("card")] if preset["stakes.cover_all"] == "on" else []
    if budget < len(must):
        return None
    stakes = dict.fromkeys(must, Amount(1))
    for _ in range(budget - len(must)):
        pot = chance.choice([pot.id for pot in preset.board.values() if pot.won_by in ("card", "side")])
        stakes[pot] = Amount(stakes.get(pot, 0) + 1)
    return cover(night, events.Place(seat, stakes), chance)


def go_on(night: Night, chance: Random, cover: WithCover) -> Event | None:
    return events.GoOn() if night.phase in (STAKES, HELD, POKER) else None


def share(night: Night, chance: Random, cover: WithCover) -> Event | None:
    if not claimed_now(night) or night.preset["claim.tie"] != "share":
        return None
    seats, pots = unbarred(night), [pot for pot in full_pots(night, "card") if pot in RUNS_OF_ANY_SUIT]
    if len(seats) < 2 or not pots:
        return None
    sharers, pot = tuple(chance.sample(seats, chance.randint(2, len(seats)))), chance.choice(pots)
    return events.Share(pot, sharers) if has_paid(night, pot, *sharers) else None


def bet(night: Night, chance: Random, cover: WithCover) -> Event | None:
    pots = night.preset.won_by("side") if night.phase in (STAKES, DUMMY, HELD, POKER, PLAY) else []
    if night.phase == POKER and night.preset["poker.when"] == "before_betting":
        pots = [*pots, *night.preset.won_by("poker")]
    if not pots:
        return None
    pots = [pot for pot in pots if pot.id not in night.current_deal().taken]
    if not pots:
        return None
    chips = Amount(chance.randint(1, night.house_rules.bet_limit or 5))
    seats = [seat for seat in playing_seats(night) if seat not in night.current_deal().folded]
    return cover(night, events.Bet(chance.choice(seats), chips, chance.choice(pots).id), chance)


def fold(night: Night, chance: Random, cover: WithCover) -> Event | None:
    if night.phase != POKER or night.preset["poker.when"] != "before_betting":
        return None
    return events.Pass(
        chance.choice([seat for seat in playing_seats(night) if seat not in night.current_deal().folded])
    )


def collect_side(night: Night, chance: Random, cover: WithCover) -> Event | None:
    if not claimed_now(night):
        return None
    ready = [
        (seat, pot)
        for (seat, pot) in night.current_deal().bets
        if seat in unbarred(night) and pot in full_pots(night, "side")
    ]
    return events.Collect(*chance.choice(ready)) if ready else None


def turn_up(night: Night, chance: Random, cover: WithCover) -> Event | None:
    on = night.preset["turn_up"] != "off" and night.phase in (STAKES, DUMMY, HELD, POKER, PLAY)
    pots = [pot for pot in full_pots(night, "card") if len(night.preset.pot(pot).cards) == 1] if on else []
    if not pots or night.current_deal().turned_up:
        return None
    pot = night.preset.pot(chance.choice(pots))
    if not has_paid(night, pot.id, night.current_deal().dealer):
        return None
    if not night.preset.ends_hand(pot):
        return events.TurnUp(pot.id)
    deal = night.current_deal()
    dealt = {seat: Chips(0 if seat in deal.out_of_cards else 6) for seat in deal.seats if seat != deal.dealer}
    return cover(night, events.TurnUp(pot.id, dealt), chance)


def fine(night: Night, chance: Random, cover: WithCover) -> Event | None:
    if night.phase != PLAY or not night.house_rules.stop_fine:
        return None
    return cover(night, events.Fine(chance.choice(night.current_deal().seats)), chance)


def due(night: Night, chance: Random, cover: WithCover) -> Event | None:
    open_dues = [
        one.id for one in night.preset.dues if night.phase == PLAY and one.id not in night.current_deal().paid_dues
    ]
    if not open_dues:
        return None
    return cover(night, events.PayDue(chance.choice(night.current_deal().seats), chance.choice(open_dues)), chance)


def left(night: Night, chance: Random, cover: WithCover) -> Event | None:
    how = night.preset["left_in_hand"]
    if night.phase != SHOWDOWN or how == "off":
        return None
    deal = night.current_deal()
    seats = [seat for seat in playing_seats(night) if not pot_game.is_out_of_cards(night, seat)]
    settled = {*deal.pots_still_held, *deal.taken}
    pots = [pot.id for pot in night.preset.board.values() if pot.won_by in ("card", "side") and pot.id not in settled]
    if not seats or not pots or (how == "pay_winner" and deal.winner not in night.seats):
        return None
    return cover(night, events.Left(chance.choice(seats), chance.choice(pots)), chance)


def sweep(night: Night, chance: Random, cover: WithCover) -> Event | None:
    if night.phase != PLAY or night.preset["sweep"] != "on" or not unbarred(night):
        return None
    seat, pots = chance.choice(unbarred(night)), full_pots(night, "card", "out", "poker", "side")
    return events.Sweep(seat) if any(has_paid(night, pot, seat) for pot in pots) else None


def rule(night: Night, chance: Random, cover: WithCover) -> Event | None:
    change = random_options(night.preset, chance, most=2)
    if "rounds" in change and night.rounds:
        return None
    if change.get("ante.each", 0) and "ante.dealer" not in change:
        change["ante.dealer"] = change["ante.each"]
    try:
        with_new_options(night.preset.with_options(night.new_rules), change)
        night.with_rules(night.preset.with_options({**night.new_rules, **change}))
    except TableError:
        return None
    return events.Rule(change)


def rules_fit(night: Night) -> bool:
    """Return whether a hand may begin: no pot that holds chips goes with the rules that change."""
    try:
        night.with_rules(night.preset.with_options(night.new_rules))
    except TableError:
        return False
    return True


MAKERS = {
    place: 8.0,
    go_on: 1.5,
    share: 1.0,
    bet: 3.0,
    fold: 0.7,
    collect_side: 1.0,
    turn_up: 1.5,
    fine: 1.0,
    due: 2.0,
    left: 2.0,
    sweep: 0.5,
}
