"""One event applied to one state, the only way that a night changes; the events by which people and chips move."""

from dataclasses import replace

from tracker.core import (
    payment_list,
    payments,
    pot_game,
    settlement,
    stages,
)
from tracker.core.errors import AlreadyDone, BadEvent, NotAllowed, Unknown, WrongMoment
from tracker.core.events import Borrow, Buy, Count, Event, Leave, Move, Order, Repay, Sit
from tracker.core.game import GAMES, Handler, PotGame, add_game
from tracker.core.ledger import BANK
from tracker.core.night import PLAY, Deal, Night, Person


def sit(night: Night, event: Sit) -> Night:
    """Seat a person at the end of the seat order; in pot games they buy their stack from the bank."""
    known = night.people.get(event.seat)
    if known and known.is_here:
        raise AlreadyDone("{name} sits at {seat!r} already", name=known.name, seat=event.seat)
    if event.seat == BANK or event.seat in {pot.id for pot in night.preset.pots}:
        raise BadEvent("{seat!r} is taken by the board: choose another seat id", seat=event.seat, field="seat")
    all_seats = (*(seat for seat in night.all_seats if seat != event.seat), event.seat)
    people = {**night.people, event.seat: Person(event.name, number=known.number if known else 0)}
    if not night.preset.is_pot_game:
        if event.chips is not None:
            raise BadEvent("this game has no chips to sit down with", field="chips")
        points = {event.seat: 0} | dict(night.points)
        newcomers = night.newcomers | ({event.seat} if night.phase == PLAY else set())
        return replace(night, all_seats=all_seats, people=people, points=points, newcomers=newcomers, last_transfers=())
    seated = replace(night, all_seats=all_seats, people=people)
    draft = seated.ledger_draft()
    draft.buy(event.seat, night.preset.stack if event.chips is None else event.chips)
    return seated.with_draft(draft)


def leave(night: Night, event: Leave) -> Night:
    """Cash out a seat's stack; it keeps its worth, and its place in the seat order for the passing of the deal."""
    seat = night.require_seated(event.seat)
    if not night.is_between_hands and night.deal and seat in night.deal.seats:
        raise WrongMoment("{name} is in this hand: leaving has to wait until it is over", name=night.name(seat))
    if night.seats == (seat,) and settlement.leftover(night):
        raise NotAllowed(
            "{name} is the last at the table, and the board is not empty: end the night to share it out",
            name=night.name(seat),
        )
    people = {**night.people, seat: replace(night.people[seat], is_here=False)}
    draft = night.ledger_draft()
    draft.cash(seat)
    return night.with_draft(draft, people=people)


def order(night: Night, event: Order) -> Night:
    if not night.is_between_hands:
        raise WrongMoment("seats change places between hands: wait until this one is over")
    if sorted(event.seats) != sorted(night.seats):
        everybody = ", ".join(night.seats)
        raise BadEvent("the order must name everybody at the table once: {seats}", seats=everybody, field="seats")
    away = tuple(seat for seat in night.all_seats if not night.people[seat].is_here)
    return replace(night, all_seats=event.seats + away, last_transfers=())


def count(night: Night, event: Count) -> Night:
    """Keep what was really counted; nothing moves."""
    for account in event.stacks:
        night.require_account(account)
    return replace(night, counted=dict(event.stacks), last_transfers=())


def buy(night: Night, event: Buy) -> Night:
    draft = night.ledger_draft()
    draft.buy(night.require_seated(event.seat), event.chips)
    return night.with_draft(draft)


def borrow(night: Night, event: Borrow) -> Night:
    seat, source = night.require_seated(event.seat), night.require_account(event.source)
    if seat == source:
        raise NotAllowed("{name} can’t borrow from themself", name=night.name(seat))
    draft = night.ledger_draft()
    draft.borrow(seat, source, event.chips)
    return night.with_draft(draft)


def repay(night: Night, event: Repay) -> Night:
    seat = night.require_seated(event.seat)
    owed = night.ledger.iou.get((seat, event.holder), 0)
    if event.chips > owed:
        raise Unknown(
            "{holder} holds {owed} of {name}’s IOUs, not {chips}",
            holder=night.name(event.holder),
            owed=owed,
            name=night.name(seat),
            chips=event.chips,
        )
    draft = night.ledger_draft()
    draft.move(seat, event.holder, event.chips)
    if event.holder in night.people and not night.people[event.holder].is_here:
        draft.cash(event.holder)
    draft.redeem(seat, event.holder, event.chips)
    return night.with_draft(draft)


def require_no_pot_at_bank(night: Night, event: Move) -> None:
    """Raise NotAllowed for chips between a pot and the bank: no seat's net would have them, so nets sum to zero."""
    pot = next((end for end in (event.source, event.target) if end in night.preset.board), None)
    if pot and BANK in (event.source, event.target):
        raise NotAllowed("{pot} and the bank exchange no chips: say who puts them in or gets them", pot=night.name(pot))


def move(night: Night, event: Move) -> Night:
    """Correct by hand. Chips from or to the bank count as bought or given back, so that nets stay right."""
    ends = [account if account == BANK else night.require_account(account) for account in (event.source, event.target)]
    if ends[0] == ends[1]:
        raise BadEvent("chips move between two different places", field="target")
    draft = night.ledger_draft()
    draft.move(event.source, event.target, event.chips)
    for seat, chips in ((event.target, event.chips), (event.source, -event.chips)):
        if BANK in ends and seat in night.people:
            draft.bought[seat] = draft.bought.get(seat, 0) + chips
    return night.with_draft(draft, deal=night.deal and _refilled(night, night.deal, event.target))


def _refilled(night: Night, deal: Deal, place: str) -> Deal:
    """Return a hand after chips were moved to an account: a place that was won in it can be won anew."""
    pot = night.preset.board.get(place)
    if pot is not None and pot.won_by == "poker":
        return replace(deal, poker=None)
    if place not in deal.taken:
        return deal
    return replace(
        deal,
        taken={one: taken for one, taken in deal.taken.items() if one != place},
        turned_up=None if deal.turned_up == place else deal.turned_up,
        matched_cards=frozenset(pair for pair in deal.matched_cards if pair[0] != place),
    )


# The handlers of all kinds


EVERY_GAME: dict[str, Handler] = {
    "sit": Handler(sit),
    "leave": Handler(leave),
    "order": Handler(order),
    "count": Handler(count),
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
            "buy": Handler(buy),
            "borrow": Handler(borrow),
            "repay": Handler(repay),
            "move": Handler(move, require_no_pot_at_bank),
            "hand": Handler(pot_game.hand, pot_game.require_stakes),
            "exchange": Handler(stages.exchange),
            "bid": Handler(stages.bid),
            "pass": Handler(stages.pass_),
            "sale": Handler(stages.sale),
            "no-sale": Handler(stages.no_sale),
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
    """Raise a TableError for what the file format refuses; `apply` plays it, so that every stored night still opens."""
    GAMES[night.preset.game].handlers[event.kind].check_new(night, event)
