"""Events that end a pot game's hand: going out, and the poker pool."""

from typing import Any

from tracker.core import events, pot_game
from tracker.core.errors import N_, Stale
from tracker.core.payments import paid_for_cards
from tracker.core.queries.options import going_out, hand_payment
from tracker.core.queries.prompts import is_asked_for_cards
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, Vocabulary
from tracker.web.wording.texts import gettext as _, listed


def _out(event: events.Out, words: Vocabulary) -> str:
    name, deal = words.name(event.seat), words.after.current_deal()
    if event.seat in deal.out_of_cards:
        return _("%(name)s is out but barred. Play goes on", name=name)
    sentence = _("%(name)s is out", name=name) + hand_won(event.seat, words)
    if not event.excused:
        return sentence
    return sentence + ". " + _("%(names)s pays nothing", names=words.names(event.excused))


def hand_won(seat: str, words: Vocabulary) -> str:
    """Return what the end of a hand brought its winner: from the board, and for cards left."""
    preset = words.after.preset
    jackpot = sum(
        sent.chips for sent in words.after.last_transfers if sent.source in preset.board and sent.target == seat
    )
    paid = sum(paid_for_cards(words.after, words.after.current_deal().cards).values())
    parts = [_("%(chips)s from the board", chips=jackpot)] if jackpot else []
    parts += [_("%(chips)s for cards left", chips=paid)] if paid else []
    return ": " + listed(parts) if parts else ""


def _short_out(event: events.Out, words: Vocabulary) -> str:
    name, deal = words.name(event.seat), words.after.deal
    if deal is not None and deal.winner == event.seat:
        won = words.chips_moved(target=event.seat) + sum(words.iou_chips(payer, event.seat) for payer in event.cover)
        return _("%(name)s went out and won %(n)s", name=name, n=words.number(won))
    return _("%(name)s is out but takes nothing. Play goes on until the next one.", name=name)


def _read_out(form: MoveForm) -> events.Out:
    """Return who is out; with everybody's cards where they cost nothing, for then nobody is asked for them."""
    seat = form.argument or form.seat
    is_free = seat in pot_game.players(form.night) and not is_asked_for_cards(form.night, seat)
    return events.Out(seat, going_out(form.night, seat).cards if is_free else None)


def _read_payment(form: MoveForm) -> events.Out:
    """Return the end of a hand as all phones have said it.

    Raises Stale when the sender's page showed another count: nobody pays what they have not seen.
    """
    winner, prompt, count = form.argument, form.prompt, form.card_count
    if winner != (prompt.winner or winner):
        raise Stale("somebody else is out now: look at the table and tap again")
    payment = hand_payment(form.night, prompt, count)
    said: dict[str, object] = {"excused": count.excused or ""}
    said |= {f"cards-{seat}": count.cards.get(seat, "") for seat in prompt.payers}
    said |= {f"cover-{seat}": source for seat, source in payment.cover.items()}
    if any(form.values.get(name, str(value)) != str(value) for name, value in said.items()):
        raise Stale("a number was changed meanwhile: look at the count and tap again")
    return events.Out(
        winner,
        cards={seat: events.Chips(count.cards[seat]) for seat in prompt.payers if seat in count.cards},
        excused=(count.excused,) if count.excused else (),
        cover={seat: source for seat, source in payment.cover.items() if source},
    )


def _from_out_form(typed: dict[str, Any]) -> dict[str, Any]:
    """Return what was typed; whoever is out holds no cards, whoever that is now."""
    return {**typed, "cards": {seat: left for seat, left in (typed["cards"] or {}).items() if seat != typed["seat"]}}


OUT = EventKind(
    event=events.Out,
    sentence=_out,
    short=_short_out,
    undone=lambda event, words: _("Undone: the payments to %(name)s go back", name=words.name(event.seat)),
    own="seat",
    buttons={"out": _read_out, "pay": _read_payment},
    correction=ask.Form(
        ask.pick("seat", N_("Who went out first?"), ask.in_hand),
        ask.cards_left,
        ask.only_if("out.excuse", "holder", ask.pick("excused", N_("Who pays nothing?"), ask.in_hand, "picks")),
        ask.cover,
        from_form=_from_out_form,
    ),
)


def _poker(event: events.Poker, words: Vocabulary) -> str:
    total = sum(words.chips_moved(target=seat) for seat in event.winners)
    names = words.names(event.winners)
    if len(event.winners) == 1:
        return _("%(name)s has the best poker hand: %(chips)s", name=names, chips=total)
    return _("%(names)s share the poker pool: %(chips)s", names=names, chips=total)


def _short_poker(event: events.Poker, words: Vocabulary) -> str:
    chips = words.number(words.chips_moved())
    if len(event.winners) == 1:
        return _("%(name)s won the poker pool, %(n)s", name=words.name(event.winners[0]), n=chips)
    return _("%(names)s share the poker pool, %(n)s", names=words.names(event.winners), n=chips)


POKER = EventKind(
    event=events.Poker,
    sentence=_poker,
    short=_short_poker,
    seats=lambda event, _night: event.winners,
    buttons={"poker": lambda form: events.Poker(tuple(form.text("winners").split()) or (form.argument or form.seat,))},
    correction=ask.Form(ask.pick("winners", N_("Best poker hand of the cards left?"), ask.may_win_poker, "picks")),
    icon="people",
    token=lambda event: event.winners[0] if len(event.winners) == 1 else None,
    reason="places",
)


def _abandon(_event: events.Abandon, words: Vocabulary) -> str:
    given = [
        _("%(a)s gives %(b)s %(n)s", a=words.name(one.source), b=words.name(one.target), n=one.chips)
        for one in words.after.last_transfers
    ]
    return ": ".join([_("The hand is given up, its antes stay"), *([listed(given)] if given else [])])


ABANDON = EventKind(
    event=events.Abandon,
    sentence=_abandon,
    short=lambda _event, _words: _("The hand is given up, its antes stay"),
    undone=lambda _event, _words: _("Undone: the hand goes on"),
    is_for_host=True,
    icon="x",
    reason="abandoned",
)

HAND_ENDS: tuple[AnyKind, ...] = (OUT, POKER, ABANDON)
