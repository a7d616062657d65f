"""Paying what an event makes due, cards left among it, and the ways out of who can't (NIGHT-FORMAT: `cover`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tracker.core.cards import PACK
from tracker.core.errors import BadEvent, NotAllowed, NotEnoughChips
from tracker.core.events import Out
from tracker.core.ledger import BANK, LedgerDraft
from tracker.core.night import Night


@dataclass(frozen=True)
class Due:
    """Chips that a payer owes to a payee (a seat or a pot) by one event."""

    payer: str
    payee: str
    chips: int


def check_cover(night: Night, cover: Mapping[str, str]) -> None:
    """Unknown or NotAllowed when a cover names somebody or some place that can't lend."""
    for seat, source in cover.items():
        night.require_seated(seat)
        if source != BANK:
            night.require_account(source)
        if seat == source:
            raise NotAllowed("{name} can’t borrow from themself", name=night.name(seat))


def caps_payments(night: Night) -> bool:
    """Return whether somebody who can't pay in a hand pays what there is and owes nothing (RULES P6)."""
    return night.house_rules.shortage in ("cap", "end_session")


def pay(draft: LedgerDraft, dues: Sequence[Due], cover: Mapping[str, str], *, is_capped: bool = False) -> None:
    """Pay all dues: who can pay does so first, then the short ones in the order given, each by the cover named.

    With `is_capped`, who is short and has no cover pays what there is, in the order given. Otherwise raises
    NotEnoughChips with everyone who is short and not covered, or with a lender who holds too little.
    """
    by_payer: dict[str, list[Due]] = {}
    for due in dues:
        by_payer.setdefault(due.payer, []).append(due)
    owing = {payer: sum(due.chips for due in owed) for payer, owed in by_payer.items()}
    able = [payer for payer in owing if draft.balance(payer) >= owing[payer]]
    for payer in able:
        _pay_all(draft, by_payer[payer])
    short = [payer for payer in owing if payer not in able]
    missing = {
        payer: owing[payer] - draft.balance(payer)
        for payer in short
        if payer not in cover and owing[payer] > draft.balance(payer)
    }
    if missing and not is_capped:
        raise NotEnoughChips(missing, draft.names, {payer: by_payer[payer][0].payee for payer in missing})
    for payer in short:
        if payer in missing:
            _pay_all(draft, _within(draft.balance(payer), by_payer[payer]))
        else:
            _pay_all(draft, _covered(draft, by_payer[payer], cover.get(payer, BANK)))


def with_paid(
    night: Night, dues: Sequence[Due], cover: Mapping[str, str], *, is_capped: bool = False, **changes: Any
) -> Night:
    """Return the night with all dues paid and other fields changed. Raises what `check_cover` and `pay` raise."""
    check_cover(night, cover)
    draft = night.ledger_draft()
    pay(draft, dues, cover, is_capped=is_capped)
    return night.with_draft(draft, **changes)


def _pay_all(draft: LedgerDraft, dues: Sequence[Due]) -> None:
    for due in dues:
        draft.move(due.payer, due.payee, due.chips)


def _within(chips: int, dues: Sequence[Due]) -> list[Due]:
    """Return as much of some dues as that many chips pay, the first ones first."""
    paid: list[Due] = []
    for due in dues:
        part = min(due.chips, chips)
        chips -= part
        paid.append(Due(due.payer, due.payee, part))
    return paid


def _covered(draft: LedgerDraft, dues: Sequence[Due], source: str) -> list[Due]:
    """Borrow or buy the shortfall and return what is still to be paid in chips.

    A payee who lends to his own payer gets the paper in place of the chips, so nothing has to move for that part.
    """
    payer = dues[0].payer
    shortfall = sum(due.chips for due in dues) - draft.balance(payer)
    if shortfall <= 0:
        return list(dues)
    if source == BANK:
        draft.buy(payer, shortfall)
        return list(dues)
    left = shortfall
    rest: list[Due] = []
    for due in dues:
        forgone = min(left, due.chips) if due.payee == source else 0
        left -= forgone
        rest.append(Due(payer, due.payee, due.chips - forgone))
    draft.owe(payer, source, shortfall - left)
    draft.borrow(payer, source, left)
    return rest


def paid_for_cards(night: Night, cards: Mapping[str, int], excused: Sequence[str] = ()) -> dict[str, int]:
    """Return the chips that each seat pays for its cards left; nothing where it is excused."""
    each = night.house_rules.out_per_card
    return {seat: 0 if seat in excused else left * each for seat, left in cards.items()}


def may_excuse(night: Night) -> bool:
    """Return whether somebody may hold the card that excuses from paying: not once it was played or turned up."""
    pot, deal = night.preset.excusing_pot, night.deal
    is_gone = pot is not None and deal is not None and pot.id in deal.taken
    return night.house_rules.out_excuse == "holder" and not is_gone


def require_excused(night: Night, event: Out) -> None:
    """Raise NotAllowed for somebody who is excused for a card that was played in this hand."""
    pot = night.preset.excusing_pot
    if event.excused and pot and not may_excuse(night):
        raise NotAllowed("{pot} was played in this hand, so nobody holds it: everybody pays", pot=pot.name)


def card_dues(night: Night, winner: str, cards: Mapping[str, int], excused: Sequence[str] = ()) -> list[Due]:
    """Return what every other seat of the hand pays for its cards left; BadEvent when one is missing or too many."""
    payers = check_cards(night, winner, cards, excused)
    pays = paid_for_cards(night, {seat: cards.get(seat, 0) for seat in payers}, excused)
    return [Due(seat, winner, pays[seat]) for seat in payers if seat not in excused]


def check_cards(night: Night, winner: str, cards: Mapping[str, int], excused: Sequence[str] = ()) -> Sequence[str]:
    """Return who pays for cards left, clockwise; BadEvent when one of them is missing or has too many."""
    deal = night.current_deal()
    payers = [seat for seat in night.clockwise_from(winner) if seat in deal.seats and seat != winner]
    if winner in (*cards, *excused):
        raise BadEvent("{name} is out of cards, so pays for none", name=night.name(winner), field="cards")
    _require_counts(night, payers, cards, excused)
    known = {*cards, *excused, *deal.out_of_cards}
    missing = [night.name(seat) for seat in payers if seat not in known] if night.house_rules.out_per_card else []
    if missing:
        raise BadEvent("how many cards are left with {names}?", names=", ".join(missing), field="cards")
    return payers


def _require_counts(night: Night, payers: Sequence[str], cards: Mapping[str, int], excused: Sequence[str]) -> None:
    """Raise NotAllowed or BadEvent for cards that can't be counted, and for people who can't be excused from paying."""
    if excused and night.house_rules.out_excuse == "nobody":
        raise NotAllowed("on this board nobody is excused from paying for cards left")
    if len(set(excused)) > 1:
        raise BadEvent("one person holds the card that pays nothing, not {count}", count=len(excused), field="cards")
    for seat in (*cards, *excused):
        if seat not in payers:
            raise BadEvent("{seat} does not pay for cards in this hand", seat=night.name(seat), field="cards")
        if seat in night.current_deal().out_of_cards and cards.get(seat):
            raise BadEvent("{name} is out already and holds no cards", name=night.name(seat), field="cards")
    if night.house_rules.out_count == "cards" and max(cards.values(), default=0) > PACK:
        raise BadEvent("a hand has at most {most} cards", most=PACK, field="cards")
