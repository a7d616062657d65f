"""The end of a night: the leftover split, IOUs redeemed, nets in money, the fewest payments, a kept board."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from tracker.core.errors import BadEvent, NotAllowed, Unknown, WrongMoment
from tracker.core.events import Amount, Buy, End, Event, Move, Paid, Text
from tracker.core.game import GAMES
from tracker.core.ledger import BANK, LedgerDraft
from tracker.core.night import ENDED, LOBBY, PLAY, SHOWDOWN, Night

EXACT_UP_TO = 15
"""Up to so many people the number of payments is proven to be the smallest."""


class Payment(NamedTuple):
    """What a debtor hands to a creditor, in chips (or points, or cents, as the nets given were)."""

    debtor: str
    creditor: str
    chips: int


def end(night: Night, event: End) -> Night:
    """Share what is left on the board by the preset's rule, then redeem every IOU (RULES P7, K5, K6)."""
    if not night.preset.is_pot_game:
        night.require_phase(LOBBY, PLAY)
        if event.winners:
            raise NotAllowed("at this table the points alone decide who has won")
        return replace(night, phase=ENDED, last_transfers=())
    if event.winners and night.house_rules.end != "poker_hand":
        raise NotAllowed("at this table no poker hand decides who gets what is left")
    night.require_phase(LOBBY, SHOWDOWN)
    draft = night.ledger_draft()
    shares = leftover_shares(night, [night.require_seated(seat) for seat in event.winners])
    if not shares and night.house_rules.end == "poker_hand" and leftover(night) and night.seats:
        raise BadEvent("who has the best hand, and takes what is left on the board?", field="winners")
    for (debtor, holder), chips in list(draft.iou.items()):
        draft.redeem(debtor, holder, chips)
        _claim(draft, debtor, -chips)
        if holder in night.people or not shares:  # where the board is shared, the shares hold what is owed to it
            _claim(draft, holder, chips)
    for seat, share in shares.items():
        _claim(draft, seat, share)
    for one in matched({pot: draft.balance(pot) for pot in night.preset.board}, shares):
        draft.move(one.debtor, one.creditor, one.chips)
        _claim(draft, one.creditor, -one.chips)
    _clear_claims(night, draft)
    return night.with_draft(draft, phase=ENDED, deal=None)


def require_shared(night: Night, event: End) -> None:
    """Raise NotAllowed while it is not clear who gets what is left on the board, its odd chips or the poker pool."""
    for seat in event.winners:
        if leftover(night) and seat not in heirs(night):
            raise NotAllowed("{name} was dealt no hand, so has no part in it", name=night.name(seat))
    if odd := odd_chips(night, len(leftover_shares(night, event.winners))):
        raise NotAllowed("{count} chips can’t be shared: draw cards, and move them to the highest", count=odd)


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
    """Return each heir's part of the leftover, in chips; where one poker hand decides, only that of its `winners`."""
    total, seats = leftover(night), heirs(night)
    if night.house_rules.end == "poker_hand":
        seats = tuple(seat for seat in night.clockwise_from(night.dealer) if seat in winners)
    last_winner = night.last_winner if night.last_winner in seats else None
    if not total or not seats or night.house_rules.end == "leave":
        return {}
    if night.house_rules.end == "last_hand_winner" and last_winner:
        return {last_winner: total}
    if night.house_rules.end_rest == "last_hand_winner" and last_winner:
        each, odd = divmod(total, len(seats))
        return {seat: each + (odd if seat == last_winner else 0) for seat in seats}
    return equal_shares(total, seats)


def heirs(night: Night) -> tuple[str, ...]:
    """Return who has a part in the leftover, from the left of the last dealer: who is at the table and was dealt in.

    Where nobody there was dealt into a finished hand, those of the hand that was given up have it, else all of them.
    """
    there = night.clockwise_from(night.dealer)
    given_up = night.deal.seats if night.deal and night.deal.is_abandoned else ()
    return next(
        (found for seats in (night.players, given_up) if (found := tuple(one for one in there if one in seats))), there
    )


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
    pots = {pot: night.pot(pot) for pot in sorted(night.preset.board, key=night.pot, reverse=True)}
    return [Move(one.debtor, seat, Amount(one.chips)) for one in matched(pots, {seat: chips})]


def _claim(draft: LedgerDraft, seat: str, chips: int) -> None:
    draft.claims[seat] = draft.claims.get(seat, 0) + chips


def _clear_claims(night: Night, draft: LedgerDraft) -> None:
    """Pay claims in chips as far as the debtors' stacks go; the rest is settled with the nets."""
    owes = {seat: min(-draft.claims.get(seat, 0), draft.balance(seat)) for seat in night.seats}
    gets = {account: draft.claims.get(account, 0) for account in (*night.seats, *night.preset.board)}
    for one in matched(owes, gets):
        draft.move(one.debtor, one.creditor, one.chips)
        _claim(draft, one.debtor, one.chips)
        _claim(draft, one.creditor, -one.chips)
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
    ones = [1 << place for place in range(len(nets))]
    everybody = (1 << len(nets)) - 1
    sums, most, cut, cut_before = ([0] * (everybody + 1) for _ in range(4))
    for subset in range(1, everybody + 1):
        rest = max((subset ^ one for one in ones if subset & one), key=most.__getitem__)
        sums[subset] = sums[rest] + nets[(subset ^ rest).bit_length() - 1][1]
        most[subset] = most[rest] + (sums[subset] == 0)
        cut[subset], cut_before[subset] = cut[rest] if sums[subset] else subset, cut[rest]
    groups = []
    while everybody:
        left = cut_before[everybody]
        groups.append([net for net, one in zip(nets, ones, strict=True) if one & (everybody ^ left)])
        everybody = left
    return groups


def _settle(group: Sequence[tuple[str, int]]) -> Iterator[Payment]:
    """Pay the largest creditor by the largest debtor until nobody is left: one payment fewer than people."""
    owes, gets = {seat: -net for seat, net in group}, dict(group)
    return matched(owes, gets, lambda side: max(side, key=lambda seat: side[seat]))


def matched(
    owes: Mapping[str, int],
    gets: Mapping[str, int],
    choose: Callable[[dict[str, int]], str] = lambda side: next(iter(side)),
) -> Iterator[Payment]:
    """Yield payments from those who owe to those who get, each as large as both allow, until one side has no more.

    Who has nothing, or less, pays and gets nothing. Of those who are left, `choose` says who is next: else the first.
    """
    owing, due = ({one: chips for one, chips in side.items() if chips > 0} for side in (owes, gets))
    while owing and due:
        debtor, creditor = choose(owing), choose(due)
        chips = min(owing[debtor], due[creditor])
        yield Payment(debtor, creditor, chips)
        for side, one in ((owing, debtor), (due, creditor)):
            side[one] -= chips
            if not side[one]:
                del side[one]


def has_money(night: Night) -> bool:
    """Return whether chips (or points) are worth money at this table."""
    return GAMES[night.preset.game].has_money and night.house_rules.money_cents > 0


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


def equal_shares(total: int, sharers: Sequence[str]) -> dict[str, int]:
    """Return equal parts of cents or chips: the first sharers have one each of what can't be split. None is lost."""
    each, rest = divmod(total, len(sharers))
    return {sharer: each + (place < rest) for place, sharer in enumerate(sharers)}


def kept_board(night: Night) -> dict[str, int]:
    """Return what each pot is worth that a night left for the next one: its chips, and the IOUs in it.

    The debtors of those have paid with the settlement. Empty where the board was shared out, or the night goes on.
    """
    if not night.preset.is_pot_game or not night.is_over:
        return {}
    return {pot: chips for pot in night.preset.board if (chips := night.ledger.holds(pot))}


def refill(board: Mapping[str, int], seats: Sequence[str], why: str) -> list[Event]:
    """Return the events by which these seats buy what lay on a board and put it there, `why` in the log."""
    shares = equal_shares(sum(board.values()), seats)
    bought: list[Event] = [Buy(seat, Amount(chips)) for seat, chips in shares.items() if chips]
    return [*bought, *(Move(one.debtor, one.creditor, Amount(one.chips), Text(why)) for one in matched(shares, board))]
