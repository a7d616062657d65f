"""Sitting down, leaving, the order around the table, counting, and buying, borrowing and correcting chips."""

from dataclasses import replace

from tracker.core.errors import AlreadyDone, BadEvent, NotAllowed, Unknown, WrongMoment
from tracker.core.events import Borrow, Buy, Count, Leave, Move, Order, Repay, Sit
from tracker.core.ledger import BANK
from tracker.core.night import PLAY, Deal, Night, Person
from tracker.core.settlement import leftover


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
    if night.seats == (seat,) and leftover(night):
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
