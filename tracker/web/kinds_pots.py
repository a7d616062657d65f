"""What each kind of event of a pot game did, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tracker.core import events
from tracker.core.preset import Preset
from tracker.web.texts import gettext as _
from tracker.web.texts import listed, ngettext
from tracker.web.voice import Voice

Teller = Callable[[Any, Voice], str]


def _buy(event: events.Buy, voice: Voice) -> str:
    return ngettext(
        "%(name)s buys %(num)s chip", "%(name)s buys %(num)s chips", event.chips, name=voice.name(event.seat)
    )


def _borrow(event: events.Borrow, voice: Voice) -> str:
    lender = voice.name(event.source)
    return _(
        "%(name)s borrows %(chips)s from %(lender)s", name=voice.name(event.seat), chips=event.chips, lender=lender
    )


def _repay(event: events.Repay, voice: Voice) -> str:
    holder = voice.name(event.holder)
    return _(
        "%(name)s pays back %(chips)s to %(lender)s", name=voice.name(event.seat), chips=event.chips, lender=holder
    )


def _hand(event: events.Hand, voice: Voice) -> str:
    said = [antes_told(voice)]
    spared = [seat for seat in voice.after.the_deal().seats if _is_spared(voice, seat)]
    said += [_("%(names)s won the last hand and puts nothing in", names=voice.names(spared))] if spared else []
    said += [_("Without %(names)s", names=voice.names(event.sits_out))] if event.sits_out else []
    return ". ".join(said)


def _is_spared(voice: Voice, seat: str) -> bool:
    """Return whether the winner of the last hand puts nothing in, where the house has it so."""
    is_rule = voice.after.preset["ante.exempt"] == "last_winner" and seat != voice.after.the_deal().dealer
    return is_rule and not voice.moved(source=seat) and max(ante_sums(voice.after.preset, 2)[0]) > 0


def ante_sums(preset: Preset, people: int) -> tuple[list[int], int]:
    """Return what each player at the dealer's left, one after the other, and the dealer put in altogether."""
    pots = preset.board.values()
    others = [sum(preset.ante(pot, place, is_dealer=False) for pot in pots) for place in range(1, people)]
    return others, sum(preset.ante(pot, people, is_dealer=True) for pot in pots)


def antes_told(voice: Voice) -> str:
    """Return the antes of the hand that begins, in words."""
    deal = voice.after.the_deal()
    others, dealer_puts = ante_sums(voice.after.preset, len(deal.seats))
    dealer, each = voice.name(deal.dealer), others[0]
    if len(set(others)) > 1:
        return _("%(dealer)s deals. Antes: %(chips)s chips", dealer=dealer, chips=sum(others) + dealer_puts)
    if each == dealer_puts:
        return _("%(dealer)s deals. Ante: %(each)s each", dealer=dealer, each=each)
    if not each:
        return _("%(dealer)s deals and puts %(more)s on the board", dealer=dealer, more=dealer_puts)
    return _("Ante: %(each)s each, %(dealer)s deals and puts %(more)s", each=each, dealer=dealer, more=dealer_puts)


def _exchange(_event: events.Exchange, voice: Voice) -> str:
    return _("%(name)s swaps for the dummy hand", name=voice.name(voice.after.the_deal().dealer))


def _bid(event: events.Bid, voice: Voice) -> str:
    bid = _("%(name)s bids %(chips)s", name=voice.name(event.seat), chips=event.chips)
    return _with_auction_result(bid, voice)


def _pass(event: events.Pass, voice: Voice) -> str:
    return _with_auction_result(_("%(name)s passes", name=voice.name(event.seat)), voice)


def _with_auction_result(said: str, voice: Voice) -> str:
    deal = voice.after.the_deal()
    if deal.dummy == "sold":
        return said + ". " + _bought(voice, str(deal.buyer), deal.price)
    return said + ". " + _dead() if deal.dummy == "dead" else said


def _sale(event: events.Sale, voice: Voice) -> str:
    return _bought(voice, event.buyer, event.price)


def _bought(voice: Voice, buyer: str, price: int) -> str:
    dealer = voice.name(voice.after.the_deal().dealer)
    return _(
        "%(name)s buys the dummy hand from %(dealer)s for %(price)s", name=voice.name(buyer), dealer=dealer, price=price
    )


def _no_sale(_event: events.NoSale, _voice: Voice) -> str:
    return _dead()


def _dead() -> str:
    return _("The dummy hand is left alone")


def _collect(event: events.Collect, voice: Voice) -> str:
    name, pot, chips = voice.name(event.seat), voice.name(event.pot), voice.moved(source=event.pot)
    taken = voice.after.the_deal().taken.get(event.pot)
    paper = taken.chips - chips if taken else 0
    if paper > 0:
        return _(
            "%(name)s takes %(chips)s and IOUs for %(paper)s: %(pot)s", name=name, chips=chips, paper=paper, pot=pot
        )
    return _("%(name)s takes %(chips)s: %(pot)s", name=name, chips=chips, pot=pot)


_SUITS: Mapping[str, Callable[[], str]] = {
    "C": lambda: _("clubs"),
    "D": lambda: _("diamonds"),
    "H": lambda: _("hearts"),
    "S": lambda: _("spades"),
}


def _penalty(event: events.Penalty, voice: Voice) -> str:
    name = voice.name(event.seat)
    if event.offence == "false-rummy":
        return _("%(name)s called Rummy wrongly: %(points)s", name=name, points=voice.after.preset["fault.points"])
    if event.offence == "unused-purchase":
        points = voice.after.preset["fault.points"]
        return _("%(name)s bought a card and did not meld it: %(points)s", name=name, points=points)
    if event.suit:
        suit = _SUITS[event.suit]()
        return _(
            "%(name)s held back a card of %(suit)s. No money cards for %(name)s in this hand", name=name, suit=suit
        )
    each = voice.after.preset["wrong_lead.each"]
    return _(
        "%(name)s led too high and pays %(each)s to each. No money cards for %(name)s in this hand",
        name=name,
        each=each,
    )


def _out(event: events.Out, voice: Voice) -> str:
    name, deal = voice.name(event.seat), voice.after.the_deal()
    if event.seat in deal.gone:
        return _("%(name)s is out but barred. Play goes on", name=name)
    said = _("%(name)s is out", name=name) + hand_won(event.seat, event.cards, voice)
    if not event.excused:
        return said
    return said + ". " + _("%(names)s pays nothing", names=voice.names(event.excused))


def hand_won(seat: str, cards: Mapping[str, int] | None, voice: Voice) -> str:
    """Return what the end of a hand brought its winner: from the board, and for cards left."""
    board = voice.after.preset.board
    jackpot = sum(one.chips for one in voice.after.moved if one.source in board and one.target == seat)
    paid = sum((cards or {}).values()) * voice.after.preset.number("out.per_card")
    parts = [_("%(chips)s from the board", chips=jackpot)] if jackpot else []
    parts += [_("%(chips)s for cards left", chips=paid)] if paid else []
    return ": " + listed(parts) if parts else ""


def _held(event: events.Held, voice: Voice) -> str:
    chips = max(voice.moved(target=event.seat), voice.after.pot(event.pot) + voice.after.ledger.notes_in(event.pot))
    offender, name, pot = voice.name(event.offender), voice.name(event.seat), voice.name(event.pot)
    return _(
        "%(offender)s pays %(name)s %(chips)s, who still held %(pot)s",
        offender=offender,
        name=name,
        chips=chips,
        pot=pot,
    )


def _poker(event: events.Poker, voice: Voice) -> str:
    total = sum(voice.moved(target=seat) for seat in event.winners)
    names = voice.names(event.winners)
    if len(event.winners) == 1:
        return _("%(name)s has the best poker hand: %(chips)s", name=names, chips=total)
    return _("%(names)s share the poker pool: %(chips)s", names=names, chips=total)


def _move(event: events.Move, voice: Voice) -> str:
    source, target = voice.name(event.source), voice.name(event.target)
    said = _("Set right: %(chips)s from %(source)s to %(target)s", chips=event.chips, source=source, target=target)
    if event.why == "counted":
        return said + " (" + _("counted") + ")"
    return said + (f" ({voice.text(event.why)})" if event.why else "")


POT_GAMES: Mapping[str, Teller] = {
    "buy": _buy,
    "borrow": _borrow,
    "repay": _repay,
    "hand": _hand,
    "exchange": _exchange,
    "bid": _bid,
    "pass": _pass,
    "sale": _sale,
    "no-sale": _no_sale,
    "collect": _collect,
    "penalty": _penalty,
    "out": _out,
    "held": _held,
    "poker": _poker,
    "move": _move,
}
