"""One event applied to one state: the only way that a night changes."""

from dataclasses import replace

from tracker.core import (
    auction,
    payment_list,
    payments,
    people,
    pot_game,
    settlement,
    stages,
)
from tracker.core.errors import NotAllowed, WrongMoment
from tracker.core.events import Event
from tracker.core.game import GAMES, Handler, PotGame, add_game
from tracker.core.night import Night

EVERY_GAME: dict[str, Handler] = {
    "sit": Handler(people.sit),
    "leave": Handler(people.leave),
    "order": Handler(people.order),
    "count": Handler(people.count),
    "end": Handler(settlement.end),
    "paid": Handler(settlement.paid, payment_list.require_owed),
    "rule": Handler(stages.rule, stages.require_playable),
}
"""The events of every kind of game."""


add_game(
    PotGame(
        EVERY_GAME
        | {
            "end": Handler(settlement.end, pot_game.require_end),
            "buy": Handler(people.buy),
            "borrow": Handler(people.borrow),
            "repay": Handler(people.repay),
            "move": Handler(people.move, people.require_no_pot_at_bank),
            "hand": Handler(pot_game.hand, pot_game.require_stakes),
            "exchange": Handler(auction.exchange),
            "bid": Handler(auction.bid),
            "pass": Handler(stages.pass_),
            "sale": Handler(auction.sale),
            "no-sale": Handler(auction.no_sale),
            "collect": Handler(pot_game.collect, pot_game.require_free, pot_game.check_collect),
            "penalty": Handler(pot_game.penalty),
            "out": Handler(pot_game.out, payments.require_excused, pot_game.check_out),
            "held": Handler(pot_game.held, pot_game.require_free),
            "poker": Handler(pot_game.poker, pot_game.require_winners_hold_cards),
            "abandon": Handler(pot_game.abandon),
            "place": Handler(stages.place, stages.require_stake_places, stages.check_place),
            "go-on": Handler(stages.go_on),
            "share": Handler(stages.share, stages.require_several_holders, stages.check_share),
            "bet": Handler(stages.bet, pot_game.require_free),
            "turn-up": Handler(stages.turn_up, stages.require_turned_up),
            "fine": Handler(stages.fine),
            "due": Handler(stages.pay_due),
            "left": Handler(stages.left),
            "sweep": Handler(stages.sweep),
        }
    )
)


def apply(night: Night, event: Event) -> Night:
    """Return the state after `event`; TableError when it can't have happened now. Undo and amend belong to the log."""
    after = _handler(night, event).play(night, event)
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


def _handler(night: Night, event: Event) -> Handler:
    handlers = GAMES[night.preset.game].handlers
    if event.kind not in handlers:
        raise NotAllowed("{kind} does not belong to {game}", kind=event.kind, game=night.preset.name)
    if night.is_over and event.kind not in ("paid", "rule"):
        raise WrongMoment("the night is over: take back its end to go on")
    return handlers[event.kind]


def apply_new(night: Night, event: Event) -> Night:
    """Return the state after an event that is recorded or changed now: `apply`, and what the file format refuses."""
    after = apply(night, event)
    check_new(night, event)
    return after


def check(night: Night, event: Event) -> None:
    """Raise what `apply_new` would; of who has too few chips only some kinds say so. Faster than making the state."""
    handler = _handler(night, event)
    (handler.check or handler.play)(night, event)
    handler.check_new(night, event)


def check_new(night: Night, event: Event) -> None:
    """Raise a TableError for what the file format refuses and the log of an older night may hold.

    `apply` plays such an event, so that every stored night still opens. The state after it answers as the one before.
    """
    GAMES[night.preset.game].handlers[event.kind].check_new(night, event)
