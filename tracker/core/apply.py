"""One event applied to one state: the only way that a night changes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tracker.core import (
    auction,
    payment_list,
    payments,
    people,
    points_game,
    pot_game,
    rounds_game,
    rum_game,
    settlement,
    stages,
)
from tracker.core.errors import NotAllowed, WrongMoment
from tracker.core.events import Event
from tracker.core.night import Night

Step = Callable[[Night, Any], Night]

_EVERY_GAME: dict[str, Step] = {
    "sit": people.sit,
    "leave": people.leave,
    "order": people.order,
    "count": people.count,
    "end": settlement.end,
    "paid": settlement.paid,
    "rule": stages.rule,
}


def _and_first_points(step: Step) -> Step:
    """Return a step of a score sheet after which everybody who waits has the points to begin with."""
    return lambda night, event: points_game.with_first_points(step(night, event))


_STEPS: Mapping[str, Mapping[str, Step]] = {
    "pots": _EVERY_GAME
    | {
        "buy": people.buy,
        "borrow": people.borrow,
        "repay": people.repay,
        "move": people.move,
        "hand": pot_game.hand,
        "exchange": auction.exchange,
        "bid": auction.bid,
        "sale": auction.sale,
        "no-sale": auction.no_sale,
        "collect": pot_game.collect,
        "penalty": pot_game.penalty,
        "out": pot_game.out,
        "held": pot_game.held,
        "poker": pot_game.poker,
        "abandon": pot_game.abandon,
    }
    | stages.STEPS,
    "rounds": _EVERY_GAME | {"round": rounds_game.round_, "reverse": rounds_game.reverse},
    "rum": _EVERY_GAME | {"penalty": rum_game.penalty, "rummy": rum_game.rummy, "stock-out": rum_game.stock_out},
    "points": {kind: _and_first_points(step) for kind, step in (_EVERY_GAME | {"scores": points_game.scores}).items()},
}

_CHECKS_OF_NEW: Mapping[str, Callable[[Night, Any], None]] = {
    "bet": stages.require_not_won,
    "collect": pot_game.require_free,
    "end": rum_game.require_faults_paid,
    "held": pot_game.require_free,
    "move": people.require_no_pot_at_bank,
    "out": payments.require_excused,
    "paid": payment_list.require_owed,
    "place": stages.require_places_of_cards,
    "poker": pot_game.require_winners_hold_cards,
    "round": rounds_game.require_two_people,
    "rule": stages.require_playable,
    "scores": points_game.require_one_winner,
    "share": stages.require_several_holders,
    "turn-up": stages.require_turned_up,
}

_CHECKS: Mapping[str, Callable[[Night, Any], object]] = {
    "collect": pot_game.check_collect,
    "share": stages.check_share,
    "out": pot_game.check_out,
}
"""For the kinds that are asked about most: what raises whatever the step does, but for too few chips."""


def apply(night: Night, event: Event) -> Night:
    """Return the state after `event`; TableError when it can't have happened now. Undo and amend belong to the log."""
    after = _step(night, event)(night, event)
    deal, is_part = after.deal, pot_game.is_part_of_hand(event)
    if deal is None or after.ledger is night.ledger or not (is_part or event.kind in ("hand", "abandon")):
        return after
    won = dict(night.deal.won) if night.deal and event.kind != "hand" else {}
    for seat in after.all_seats:
        won[seat] = won.get(seat, 0) + after.net(seat) - night.net(seat)
    change = deal.change
    if night.deal and is_part:
        change = change.then(night.ledger, after.ledger, after.last_transfers)
    return replace(after, deal=replace(deal, won=won, change=change))


def _step(night: Night, event: Event) -> Step:
    steps = _STEPS[night.preset.game]
    if event.kind not in steps:
        raise NotAllowed("{kind} does not belong to {game}", kind=event.kind, game=night.preset.name)
    if night.is_over and event.kind not in ("paid", "rule"):
        raise WrongMoment("the night is over: take back its end to go on")
    return steps[event.kind]


def apply_new(night: Night, event: Event) -> Night:
    """Return the state after an event that is recorded or changed now: `apply`, and what the file format refuses."""
    after = apply(night, event)
    check_new(night, event)
    return after


def check(night: Night, event: Event) -> None:
    """Raise what `apply_new` would; of who has too few chips only some kinds say so. Faster than making the state."""
    step = _step(night, event)
    _CHECKS.get(event.kind, step)(night, event)
    check_new(night, event)


def check_new(night: Night, event: Event) -> None:
    """Raise a TableError for what the file format refuses and the log of an older night may hold.

    `apply` plays such an event, so that every stored night still opens. The state after it answers as the one before.
    """
    check = _CHECKS_OF_NEW.get(event.kind)
    if check:
        check(night, event)
