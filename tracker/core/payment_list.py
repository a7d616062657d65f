"""What the settlement comes to: nets in money, who pays whom, and which of these payments were made."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tracker.core.errors import AlreadyDone
from tracker.core.events import Cents, Paid
from tracker.core.game import GAMES
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.pot_game import with_new_rules
from tracker.core.settlement import Payment, has_money, in_money, payments


@dataclass(frozen=True)
class ListedPayment:
    """A payment of the settlement as the event that notes it, and whether that was recorded."""

    event: Paid
    is_made: bool
    nth: int = 1
    """Which of several equal payments it is: parts of one debt."""


def may_be_played_for_money(night: Night) -> bool:
    """Return whether a night is played without money though its chips or points could be worth some."""
    return GAMES[night.preset.game].has_money and not has_money(with_new_rules(night))


def totals(night: Night) -> dict[str, int]:
    """Return what stands beside each name: net chips, or in a score game the points."""
    if night.preset.is_pot_game:
        return {seat: night.net(seat) for seat in night.all_seats}
    return {seat: night.points.get(seat, 0) for seat in night.all_seats}


def nets(night: Night) -> dict[str, int]:
    """Return what each seat has won or lost: its total, or what the rounds come to that are settled one by one."""
    return GAMES[night.preset.game].nets(night)


def won_in_hand(before: Night, after: Night) -> dict[str, int]:
    """Return what a hand has won (+) or lost (-) each seat; `before` is the last state of the hand before it.

    In a pot game without what was bought, lent, paid back or corrected by hand; in a score game the points, without
    those with which somebody who has joined later begins.
    """
    if after.preset.is_pot_game:
        return dict(after.deal.won) if after.deal else {}
    return {seat: points for deal in after.deals[len(before.deals) :] for seat, points in deal.change.items()}


def nets_in_cents(night: Night) -> dict[str, int]:
    """Return the nets in cents, rounded to the smallest coin so that they sum to zero; nothing without money.

    The bank has a share where the nets of the seats don't sum to zero: points paid "on the sheet", and what the board
    holds before the end.
    """
    if not has_money(night):
        return {}
    shares, rules = nets(night), night.house_rules
    if bank := -sum(shares.values()):
        shares[BANK] = bank
    return in_money(shares, chips=rules.money_chips, cents=rules.money_cents, coin=rules.money_coin)


def settling(night: Night) -> list[Payment]:
    """Return the fewest payments that settle the nets, in chips or points; none while the board holds the rest.

    Chips that a correction took from the bank onto the board are the bank's to settle.
    """
    if not (has_money(night) or GAMES[night.preset.game].settles_points):
        return []
    owed = nets(night)
    bank = -sum(owed.values())
    if bank and night.is_over and night.preset.is_pot_game:
        owed[BANK] = bank
    return payments(owed) if sum(owed.values()) == 0 else []


def payment_list(night: Night) -> list[ListedPayment]:
    """Return the payments that settle the night: the fewest, each with whether it was made.

    They are in cents; without money in points, or in the chips that IOUs left open. Where payments were made that are
    not among the fewest, these come first, and then the fewest that settle the rest.
    """
    owed = _owed(night)
    fewest = _fewest(owed)
    made = list(night.payments_made)
    if not Counter(made) - Counter(fewest):
        return [ListedPayment(event, event in made) for event in fewest]
    rest = _fewest(_less(owed, made))
    times: Counter[Paid] = Counter()
    listed = []
    for place, event in enumerate((*made, *rest)):
        times[event] += 1
        listed.append(ListedPayment(event, place < len(made), times[event]))
    return listed


def require_owed(night: Night, event: Paid) -> None:
    """Raise AlreadyDone for the same payment once more, unless so much is still owed: parts of a debt may be equal.

    Without money, also by the nets in chips or points, as the state of a night says who owes whom.
    """
    if event not in night.payments_made:
        return
    debts = [_less(owed, list(night.payments_made)) for owed in (_owed(night), {} if has_money(night) else nets(night))]
    if not any(min(-left.get(event.source, 0), left.get(event.target, 0)) >= event.cents for left in debts):
        names = {"source": night.name(event.source), "target": night.name(event.target)}
        raise AlreadyDone("{source} has paid {target} that already; nothing was counted twice", **names)


def _owed(night: Night) -> Mapping[str, int]:
    """Return what each account gets (+) or pays (-), in the unit in which the night is settled."""
    if has_money(night):
        return nets_in_cents(night)
    if night.preset.is_pot_game:
        owed = {seat: night.ledger.claims[seat] for seat in night.all_seats if seat in night.ledger.claims}
        return {**owed, BANK: -sum(owed.values())}  # what is owed to a board that is kept goes into the box
    owed = nets(night)
    return owed if GAMES[night.preset.game].settles_points and sum(owed.values()) == 0 else {}


def _less(owed: Mapping[str, int], made: list[Paid]) -> dict[str, int]:
    """Return what is owed once some payments were made."""
    left = dict(owed)
    for event in made:
        left[event.source] = left.get(event.source, 0) + event.cents
        left[event.target] = left.get(event.target, 0) - event.cents
    return left


def _fewest(owed: Mapping[str, int]) -> list[Paid]:
    return [Paid(one.debtor, one.creditor, Cents(one.chips)) for one in payments(owed)]
