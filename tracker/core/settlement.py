"""The end of a night: the leftover split, IOUs redeemed, nets in money, and the fewest payments that settle them.

Also what goes on to other nights: a board that was left as it was, and open payments of several nights settled at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from tracker.core.errors import BadEvent, NotAllowed, Unknown, WrongMoment
from tracker.core.events import Amount, Buy, End, Event, Move, Paid, Text
from tracker.core.ledger import BANK, LedgerDraft
from tracker.core.night import ENDED, LOBBY, PLAY, SHOWDOWN, Night

EXACT_UP_TO = 15
"""Up to so many people the number of payments is proven to be the smallest."""


@dataclass(frozen=True)
class Payment:
    """What a debtor hands to a creditor, in chips (or points, or cents, as the nets given were)."""

    debtor: str
    creditor: str
    chips: int


def end(night: Night, event: End) -> Night:
    """Share what is left on the board by the preset's rule, then redeem every IOU (RULES P7, K5, K6)."""
    if event.winners and (not night.preset.is_pot_game or night.house_rules.end != "poker_hand"):
        raise NotAllowed("at this table no poker hand decides who gets what is left")
    if not night.preset.is_pot_game:
        night.require_phase(LOBBY, PLAY)
        return replace(night, phase=ENDED, last_transfers=())
    night.require_phase(LOBBY, SHOWDOWN)
    draft = night.ledger_draft()
    shares = leftover_shares(night, [night.require_seated(seat) for seat in event.winners])
    _require_heirs(night, shares)
    for (debtor, holder), chips in list(draft.iou.items()):
        draft.redeem(debtor, holder, chips)
        _claim(draft, debtor, -chips)
        if holder in night.people or not shares:  # where the board is shared, the shares hold what is owed to it
            _claim(draft, holder, chips)
    for seat, share in shares.items():
        _claim(draft, seat, share - _from_board(night, draft, seat, share))
    _clear_claims(night, draft)
    return night.with_draft(draft, phase=ENDED, deal=None)


def _require_heirs(night: Night, shares: Mapping[str, int]) -> None:
    """Raise BadEvent or NotAllowed while it is not clear who gets what is left on the board, or its odd chips."""
    if not shares and night.house_rules.end == "poker_hand" and leftover(night) and night.seats:
        raise BadEvent("who has the best hand, and takes what is left on the board?", field="winners")
    if odd := odd_chips(night, len(shares)):
        raise NotAllowed("{count} chips can't be shared: draw cards, and move them to the highest", count=odd)


def paid(night: Night, event: Paid) -> Night:
    """Note a payment of the settlement as made. The table is right: one that the settlement does not ask for, too."""
    if not night.is_over:
        raise WrongMoment("the night is not over yet: payments are ticked off after its end")
    for account in (event.source, event.target):
        if account != BANK and account not in night.people:
            raise Unknown("nobody of this night is called {seat!r}", seat=account)
    if event.source == event.target:
        raise BadEvent("a payment goes from one person to another", field="target")
    return replace(night, payments_made=(*night.payments_made, event), last_transfers=())


def leftover(night: Night) -> int:
    """Return what the board is worth: the chips in all pots and the IOUs in them."""
    return sum(night.ledger.holds(pot) for pot in night.preset.board)


def leftover_shares(night: Night, winners: Sequence[str] = ()) -> dict[str, int]:
    """Return what each seat at the table gets of the leftover, in chips, before anything moves.

    `winners` are asked for only where one poker hand decides; without them nobody gets anything there.
    """
    total, seats = leftover(night), night.clockwise_from(night.dealer)
    if night.house_rules.end == "poker_hand":
        seats = tuple(seat for seat in seats if seat in winners)
    last_winner = night.deal.winner if night.deal else None
    if last_winner not in seats:
        last_winner = None
    if not total or not seats or night.house_rules.end == "leave":
        return {}
    if night.house_rules.end == "last_hand_winner" and last_winner:
        return {last_winner: total}
    each, odd = divmod(total, len(seats))
    if night.house_rules.end_rest == "last_hand_winner" and last_winner:
        return {seat: each + (odd if seat == last_winner else 0) for seat in seats}
    return {seat: each + (place < odd) for place, seat in enumerate(seats)}


def odd_chips(night: Night, shares: int) -> int:
    """Return how many chips whoever draws the highest card is given before the rest of the board is shared.

    None by another rule, and none while the board holds too few chips, but IOUs. They are moved by hand before the end.
    """
    if night.house_rules.end_rest != "high_card" or shares < 2:
        return 0
    odd = leftover(night) % shares
    return odd if odd <= sum(night.pot(pot) for pot in night.preset.board) else 0


def odd_moves(night: Night, seat: str, chips: int) -> list[Move]:
    """Return the corrections by hand that give so many chips of the board to whoever drew the highest card."""
    moves = []
    for pot in sorted(night.preset.board, key=night.pot, reverse=True):
        part = min(chips, night.pot(pot))
        if part:
            moves.append(Move(pot, seat, Amount(part)))
        chips -= part
    return moves


def _from_board(night: Night, draft: LedgerDraft, seat: str, share: int) -> int:
    """Hand `seat` up to `share` chips out of the pots and return how many there were."""
    given = 0
    for pot in night.preset.board:
        part = min(draft.balance(pot), share - given)
        draft.move(pot, seat, part)
        given += part
    return given


def _claim(draft: LedgerDraft, seat: str, chips: int) -> None:
    draft.claims[seat] = draft.claims.get(seat, 0) + chips


def _clear_claims(night: Night, draft: LedgerDraft) -> None:
    """Pay claims in chips as far as the debtors' stacks go; the rest is settled with the nets."""
    for debtor in night.seats:
        for creditor in (*night.seats, *night.preset.board):
            owed = min(-draft.claims.get(debtor, 0), draft.claims.get(creditor, 0), draft.balance(debtor))
            if owed > 0:
                draft.move(debtor, creditor, owed)
                _claim(draft, debtor, owed)
                _claim(draft, creditor, -owed)
    draft.claims = {seat: chips for seat, chips in draft.claims.items() if chips}


def payments(nets: Mapping[str, int]) -> list[Payment]:
    """Return payments that bring every net to zero: as few as possible for up to 15 people, else nearly so.

    The nets must sum to zero. Groups that sum to zero among themselves need one payment less each, so the most
    such groups are looked for (exactly, by subset sums); inside a group the largest debtor pays first.
    """
    assert sum(nets.values()) == 0, nets
    owing = {seat: net for seat, net in nets.items() if net}
    groups = _zero_groups(tuple(owing.items())) if len(owing) <= EXACT_UP_TO else [list(owing.items())]
    return [payment for group in groups for payment in _settle(group)]


@lru_cache(maxsize=256)
def _zero_groups(nets: tuple[tuple[str, int], ...]) -> list[list[tuple[str, int]]]:
    """Split the nets into the most groups that each sum to zero. With 15 people it takes a third of a second."""
    count = len(nets)
    sums, most = [0] * (1 << count), [0] * (1 << count)
    for subset in range(1, 1 << count):
        lowest = subset & -subset
        sums[subset] = sums[subset ^ lowest] + nets[lowest.bit_length() - 1][1]
        rest, best = subset, 0
        while rest:
            one = rest & -rest
            best = max(best, most[subset ^ one])
            rest ^= one
        most[subset] = best + (sums[subset] == 0)
    return [[nets[place] for place in range(count) if group >> place & 1] for group in _chain(sums, most)]


def _chain(sums: list[int], most: list[int]) -> list[int]:
    """Walk back from everybody to nobody, cutting off a group whenever what is left sums to zero."""
    groups, subset, group = [], len(sums) - 1, 0
    while subset:
        here = most[subset] - (sums[subset] == 0)
        rest = subset
        while rest:
            one = rest & -rest
            if most[subset ^ one] == here:
                break
            rest ^= one
        if sums[subset] == 0 and group:
            groups.append(group)
            group = 0
        group |= one
        subset ^= one
    return [*groups, group] if group else groups


def _settle(group: Sequence[tuple[str, int]]) -> list[Payment]:
    """Pay the largest creditor by the largest debtor until nobody is left: one payment fewer than people."""
    owes = {seat: -net for seat, net in group if net < 0}
    gets = {seat: net for seat, net in group if net > 0}
    made = []
    while owes:
        debtor, creditor = max(owes, key=lambda seat: owes[seat]), max(gets, key=lambda seat: gets[seat])
        chips = min(owes[debtor], gets[creditor])
        made.append(Payment(debtor, creditor, chips))
        for side, seat in ((owes, debtor), (gets, creditor)):
            side[seat] -= chips
            if not side[seat]:
                del side[seat]
    return made


def has_money(night: Night) -> bool:
    """Return whether chips (or points) are worth money at this table."""
    return night.preset.game != "rounds" and night.house_rules.money_cents > 0


def price_of(night: Night, chips: int) -> int:
    """Return what so many chips cost, in cents rounded to the nearest; 0 where they are worth no money."""
    if not has_money(night):
        return 0
    rules = night.house_rules
    return (2 * chips * rules.money_cents + rules.money_chips) // (2 * rules.money_chips)


def in_money(nets: Mapping[str, int], *, chips: int, cents: int, coin: int = 1) -> dict[str, int]:
    """Return the nets in cents, rounded to the smallest coin so that they still sum to zero.

    `chips` chips are worth `cents` cents. Largest remainders are rounded up first; among equals, in the order given.
    """
    floors, rests = {}, {}
    for seat, net in nets.items():
        floors[seat], rests[seat] = divmod(net * cents, chips * coin)
    missing = sum(rests.values()) // (chips * coin)
    for seat in sorted(nets, key=lambda seat: -rests[seat])[:missing]:
        floors[seat] += 1
    return {seat: coins * coin for seat, coins in floors.items()}


class Owed(NamedTuple):
    """Cents that one party owes another; a party is a person, or the box of the table."""

    debtor: str
    creditor: str
    cents: int


class SharedCost(NamedTuple):
    """What one party has paid for several, itself among them or not."""

    payer: str
    sharers: Sequence[str]
    cents: int


def equal_shares(total: int, sharers: Sequence[str]) -> dict[str, int]:
    """Return equal parts of cents or chips: the first sharers have one each of what can't be split. None is lost."""
    each, rest = divmod(total, len(sharers))
    return {sharer: each + (place < rest) for place, sharer in enumerate(sharers)}


def combined_nets(owed: Iterable[Owed], costs: Iterable[SharedCost] = ()) -> dict[str, int]:
    """Return what each party gets (+) or pays (-) in the end, in cents; they sum to zero."""
    nets: dict[str, int] = {}
    for one in owed:
        nets[one.debtor] = nets.get(one.debtor, 0) - one.cents
        nets[one.creditor] = nets.get(one.creditor, 0) + one.cents
    for cost in costs:
        nets[cost.payer] = nets.get(cost.payer, 0) + cost.cents
        for sharer, share in equal_shares(cost.cents, cost.sharers).items():
            nets[sharer] = nets.get(sharer, 0) - share
    return nets


def fewest_payments(owed: Iterable[Owed], costs: Iterable[SharedCost] = ()) -> list[Owed]:
    """Return payments that settle all of it: as few as possible for up to 15 parties, else nearly so."""
    nets = {party: cents for party, cents in sorted(combined_nets(owed, costs).items()) if cents}
    return [Owed(one.debtor, one.creditor, one.chips) for one in payments(nets)]


def kept_board(night: Night) -> dict[str, int]:
    """Return what each pot is worth that a night left for the next one: its chips, and the IOUs in it.

    The debtors of those have paid with the settlement. Empty where the board was shared out, or the night goes on.
    """
    if not night.preset.is_pot_game or not night.is_over:
        return {}
    return {pot: chips for pot in night.preset.board if (chips := night.ledger.holds(pot))}


def refill(board: Mapping[str, int], seats: Sequence[str], why: str) -> list[Event]:
    """Return the events by which these seats buy what lay on a board in equal parts, and put it there again.

    `why` is the reason that the log gives for the chips moved.
    """
    shares = {seat: chips for seat, chips in equal_shares(sum(board.values()), seats).items() if chips}
    bought: list[Event] = [Buy(seat, Amount(chips)) for seat, chips in shares.items()]
    moves: list[Event] = []
    empty = {pot: chips for pot, chips in board.items() if chips}
    for seat, share in shares.items():
        rest = share
        while rest:
            pot = next(iter(empty))
            part = min(rest, empty[pot])
            moves.append(Move(seat, pot, Amount(part), Text(why)))
            rest -= part
            empty[pot] -= part
            if not empty[pot]:
                del empty[pot]
    return [*bought, *moves]
