"""One event applied to one state: the only way that a night changes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

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


class Step(NamedTuple):
    """How events of one kind change a night, and what is checked of new ones."""

    play: Callable[[Night, Any], Night]
    check_new: Callable[[Night, Any], None] = lambda _night, _event: None
    """Raises a TableError for what is refused of a new event, and may be in the log of an older night."""
    check: Callable[[Night, Any], object] | None = None
    """For the kinds that are asked about most: raises whatever `play` does, but for too few chips."""


_EVERY_GAME: dict[str, Step] = {
    "sit": Step(people.sit),
    "leave": Step(people.leave),
    "order": Step(people.order),
    "count": Step(people.count),
    "end": Step(settlement.end, rum_game.require_faults_paid),
    "paid": Step(settlement.paid, payment_list.require_owed),
    "rule": Step(stages.rule, stages.require_playable),
}


def _and_first_points(step: Step) -> Step:
    """Return a step of a score sheet after which everybody who waits has the points to begin with."""
    return step._replace(play=lambda night, event: points_game.with_first_points(step.play(night, event)))


_STEPS: Mapping[str, Mapping[str, Step]] = {
    "pots": _EVERY_GAME
    | {
        "end": Step(settlement.end, pot_game.require_end),
        "buy": Step(people.buy),
        "borrow": Step(people.borrow),
        "repay": Step(people.repay),
        "move": Step(people.move, people.require_no_pot_at_bank),
        "hand": Step(pot_game.hand, pot_game.require_stakes),
        "exchange": Step(auction.exchange),
        "bid": Step(auction.bid),
        "pass": Step(stages.pass_),
        "sale": Step(auction.sale),
        "no-sale": Step(auction.no_sale),
        "collect": Step(pot_game.collect, pot_game.require_free, pot_game.check_collect),
        "penalty": Step(pot_game.penalty),
        "out": Step(pot_game.out, payments.require_excused, pot_game.check_out),
        "held": Step(pot_game.held, pot_game.require_free),
        "poker": Step(pot_game.poker, pot_game.require_winners_hold_cards),
        "abandon": Step(pot_game.abandon),
        "place": Step(stages.place, stages.require_stake_places, stages.check_place),
        "go-on": Step(stages.go_on),
        "share": Step(stages.share, stages.require_several_holders, stages.check_share),
        "bet": Step(stages.bet, pot_game.require_free),
        "turn-up": Step(stages.turn_up, stages.require_turned_up),
        "fine": Step(stages.fine),
        "due": Step(stages.pay_due),
        "left": Step(stages.left),
        "sweep": Step(stages.sweep),
    },
    "rounds": _EVERY_GAME
    | {
        "round": Step(rounds_game.round_, rounds_game.require_two_people),
        "reverse": Step(rounds_game.reverse),
    },
    "rum": _EVERY_GAME
    | {"penalty": Step(rum_game.penalty), "rummy": Step(rum_game.rummy), "stock-out": Step(rum_game.stock_out)},
    "points": {
        kind: _and_first_points(step)
        for kind, step in (
            _EVERY_GAME
            | {
                "sit": Step(points_game.sit),
                "leave": Step(points_game.leave),
                "scores": Step(points_game.scores, points_game.require_one_winner),
            }
        ).items()
    },
}


def apply(night: Night, event: Event) -> Night:
    """Return the state after `event`; TableError when it can't have happened now. Undo and amend belong to the log."""
    after = _step(night, event).play(night, event)
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
    (step.check or step.play)(night, event)
    step.check_new(night, event)


def check_new(night: Night, event: Event) -> None:
    """Raise a TableError for what the file format refuses and the log of an older night may hold.

    `apply` plays such an event, so that every stored night still opens. The state after it answers as the one before.
    """
    _STEPS[night.preset.game][event.kind].check_new(night, event)
