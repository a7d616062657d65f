"""Events of every pot game: chips that are bought, lent or set right, and those of a hand."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tracker.core import events, pot_game
from tracker.core.errors import N_, Stale
from tracker.core.ledger import BANK
from tracker.core.night import DUMMY, Night
from tracker.core.payments import paid_for_cards
from tracker.core.preset import SUITS, ante_sums
from tracker.core.queries.options import going_out, hand_payment
from tracker.core.queries.prompts import is_asked_for_cards, planned_hand
from tracker.formats.codec import event_to
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, Vocabulary, says
from tracker.web.wording.texts import gettext as _, listed, ngettext

# Chips that only move


def _buy(event: events.Buy, words: Vocabulary) -> str:
    return ngettext(
        "%(name)s buys %(num)s chip", "%(name)s buys %(num)s chips", event.chips, name=words.name(event.seat)
    )


_UNDONE_LOAN = says(N_("Undone: %(name)s gives back %(n)s"), n="chips")


BUY = EventKind(
    event=events.Buy,
    sentence=_buy,
    undone=_UNDONE_LOAN,
    buttons={"buy": lambda form: events.Buy(form.seat, events.Amount(form.chips))},
    correction=ask.Form(ask.who_at_table, ask.how_many),
    token=lambda event: event.seat,
)


def loan_words(words: Vocabulary, seat: str, lender: str, chips: int) -> str:
    """Return who hands whom the chips of a loan; a pot lends for an IOU that lies in it, and the bank sells them."""
    facts = {"name": words.name(seat), "n": words.number(chips), "lender": words.name(lender)}
    if lender in words.after.people:
        return _("%(lender)s hands %(name)s %(n)s", **facts)
    if lender == BANK:
        return _("%(name)s buys %(n)s from the box", **facts)
    return _("%(name)s takes %(n)s from %(lender)s for an IOU", **facts)


BORROW = EventKind(
    event=events.Borrow,
    sentence=says(N_("%(name)s borrows %(chips)s from %(lender)s"), chips="chips", lender="source"),
    short=lambda event, words: loan_words(words, event.seat, event.source, event.chips),
    undone=_UNDONE_LOAN,
    own="seat",
    buttons={"borrow": lambda form: events.Borrow(form.seat, form.text("source"), events.Amount(form.chips))},
    correction=ask.Form(ask.who_at_table, ask.pick("source", N_("From whom?"), ask.accounts), ask.how_many),
)


def _read_repay(form: MoveForm) -> events.Repay:
    holder = form.argument
    return events.Repay(form.seat, holder, events.Amount(form.number(f"owed-{holder}")))


REPAY = EventKind(
    event=events.Repay,
    sentence=says(N_("%(name)s pays back %(chips)s to %(lender)s"), chips="chips", lender="holder"),
    own="seat",
    buttons={"repay": _read_repay},
    correction=ask.Form(ask.who_at_table, ask.pick("holder", N_("To whom?"), ask.accounts), ask.how_many),
)


def _move(event: events.Move, words: Vocabulary) -> str:
    source, target = words.name(event.source), words.name(event.target)
    sentence = _("Set right: %(chips)s from %(source)s to %(target)s", chips=event.chips, source=source, target=target)
    if event.why == "counted":
        return sentence + " (" + _("counted") + ")"
    return sentence + (f" ({words.text(event.why)})" if event.why else "")


MOVE = EventKind(
    event=events.Move,
    sentence=_move,
    is_for_host=True,
    buttons={
        "move": lambda form: events.Move(
            form.text("source"), form.text("target"), events.Amount(form.chips), events.Text(form.text("why"))
        )
    },
    correction=ask.Form(
        ask.pick("source", N_("From where?"), ask.accounts_and_bank),
        ask.pick("target", N_("To where?"), ask.accounts_and_bank),
        ask.how_many,
        ask.text("why", N_("Why?")),
    ),
    icon="edit",
    reason="corrections",
)


# The antes


def _hand(event: events.Hand, words: Vocabulary) -> str:
    parts = [_antes(words)]
    exempt = [seat for seat in words.after.current_deal().seats if _is_exempt(words, seat)]
    parts += [_("%(names)s won the last hand and puts nothing in", names=words.names(exempt))] if exempt else []
    parts += [_("Without %(names)s", names=words.names(event.sits_out))] if event.sits_out else []
    return ". ".join(parts)


def _is_exempt(words: Vocabulary, seat: str) -> bool:
    """Return whether the winner of the last hand puts nothing in, where the house has it so."""
    is_rule = words.after.house_rules.ante_exempt == "last_winner" and seat != words.after.current_deal().dealer
    return is_rule and not words.chips_moved(source=seat) and max(ante_sums(words.after.preset, 2)[0]) > 0


def _antes(words: Vocabulary) -> str:
    deal = words.after.current_deal()
    others, dealer_puts = ante_sums(words.after.preset, len(deal.seats))
    dealer, each = words.name(deal.dealer), others[0]
    if len(set(others)) > 1:
        return _("%(dealer)s deals. Antes: %(chips)s chips", dealer=dealer, chips=sum(others) + dealer_puts)
    if each == dealer_puts:
        return _("%(dealer)s deals. Ante: %(each)s each", dealer=dealer, each=each)
    if not each:
        return _("%(dealer)s deals and puts %(more)s on the board", dealer=dealer, more=dealer_puts)
    return _("Ante: %(each)s each, %(dealer)s deals and puts %(more)s", each=each, dealer=dealer, more=dealer_puts)


def _short_hand(event: events.Hand, words: Vocabulary) -> str:
    """Return how many chips everybody puts in each place, and in all; and who hands whom what for it."""
    loans = [(seat, lender, words.chips_moved(source=lender, target=seat)) for seat, lender in event.cover.items()]
    return ". ".join([*(loan_words(words, *loan) for loan in loans if loan[2]), _short_antes(words)])


def _short_antes(words: Vocabulary) -> str:
    deal, rules, pots = words.after.current_deal(), words.after.house_rules, len(words.after.preset.board)
    paid = [words.chips_moved(source=seat) for seat in deal.seats if seat != deal.dealer]
    own, others = words.chips_moved(source=deal.dealer), max(set(paid), key=paid.count) if paid else 0
    name, b, d = words.name(deal.dealer), words.number(own), words.number(others)
    if not own and not others:
        return _("Hand %(n)s begins", n=words.after.hand)
    each, dealer = rules.ante_times * rules.ante_each, rules.ante_times * rules.ante_dealer
    if own == others and own == each * pots:
        return _("Everybody puts %(a)s in each place (%(b)s)", a=words.number(each), b=own)
    if own == others:
        return _("Everybody puts in %(b)s", b=b)
    if others and own == dealer * pots:
        a, c = words.number(dealer), words.number(each)
        facts = {"name": name, "a": a, "b": own, "c": c, "d": others}
        if deal.dealer == words.reader:
            text = N_("You put %(a)s in each place (%(b)s), the others %(c)s (%(d)s)")
        else:
            text = N_("%(name)s puts %(a)s in each place (%(b)s), the others %(c)s (%(d)s)")
        return _(text, **facts)
    if others:
        return _("%(name)s puts in %(b)s, the others %(d)s", name=name, b=b, d=d)
    return _("%(name)s puts in %(b)s", name=name, b=b)


def _read_antes(form: MoveForm) -> events.Hand:
    """Return the hand that the table is about to begin; Stale when somebody else deals by now."""
    dealer, prompt = form.argument or form.seat, form.prompt
    if prompt.dealer and dealer != prompt.dealer:
        raise Stale("somebody else deals now: look at the table and tap again")
    return planned_hand(form.night, {**form.plan, "dealer": dealer})


def _read_deal(form: MoveForm) -> events.Hand:
    """Return the hand that begins when somebody is picked to deal."""
    return replace(planned_hand(form.night, {**form.plan, "dealer": form.argument}), dealer=form.argument)


HAND = EventKind(
    event=events.Hand,
    sentence=_hand,
    short=_short_hand,
    undone=lambda _event, _words: _("Undone: everybody takes the antes back"),
    own="dealer",
    buttons={"ante": _read_antes, "deal": _read_deal},
    correction=ask.Form(
        ask.pick("dealer", N_("Who deals?"), ask.at_table),
        ask.pick("sits_out", N_("Who sits out?"), ask.at_table, "picks"),
        ask.cover,
    ),
    reason="antes",
)


# Money cards and penalties

UNSOLD = N_("The dummy hand is left alone")


def _collect(event: events.Collect, words: Vocabulary) -> str:
    name, pot, chips = words.name(event.seat), words.name(event.pot), words.chips_moved(source=event.pot)
    taken = words.after.current_deal().taken.get(event.pot)
    notes = taken.chips - chips if taken else 0
    facts = {"name": name, "chips": chips, "pot": pot}
    said = (
        _("%(name)s takes %(chips)s and IOUs for %(paper)s: %(pot)s", paper=notes, **facts)
        if notes > 0
        else _("%(name)s takes %(chips)s: %(pot)s", **facts)
    )
    leaves_dummy = words.before is not None and words.before.phase == DUMMY
    return f"{said}. {_(UNSOLD)}" if leaves_dummy else said


def _short_collect(event: events.Collect, words: Vocabulary) -> str:
    chips = words.number(words.chips_moved())
    if event.seat == words.reader:
        return _("you took %(n)s", n=chips)
    return _("%(name)s took %(n)s", name=words.name(event.seat), n=chips)


COLLECT = EventKind(
    event=events.Collect,
    sentence=_collect,
    short=_short_collect,
    undone=says(N_("Undone: %(name)s gives back %(n)s"), n=lambda event, words: words.after.pot(event.pot)),
    seats=lambda event, _night: {event.seat},
    buttons={"collect": lambda form: events.Collect(form.seat, form.text("pot"))},
    correction=ask.Form(ask.pick("seat", N_("Who took it?"), ask.in_hand), ask.which_pot),
    reason="places",
)


def _penalty(event: events.Penalty, words: Vocabulary) -> str:
    name, rules = words.name(event.seat), words.after.house_rules
    if event.suit:
        suit = _(SUITS[event.suit])
        sentence = _(
            "%(name)s held back a card of %(suit)s. No money cards for %(name)s in this hand", name=name, suit=suit
        )
        back = words.chips_moved(source=event.seat)
        return f"{sentence}. {_('%(name)s puts back %(n)s', name=name, n=back)}" if back else sentence
    each = rules.wrong_lead_each
    return _(
        "%(name)s led too high and pays %(each)s to each. No money cards for %(name)s in this hand",
        name=name,
        each=each,
    )


def _short_penalty(event: events.Penalty, words: Vocabulary) -> str:
    name = words.name(event.seat)
    if not event.suit:
        return _(
            "%(name)s led too high: paid %(n)s, barred", name=name, n=words.number(words.chips_moved(source=event.seat))
        )
    return _("%(name)s held back a card of %(suit)s", name=name, suit=_(SUITS[event.suit]))


def _read_penalty(form: MoveForm) -> events.Penalty:
    offence, suit = f"{form.argument}/".split("/")[:2]
    return events.Penalty(form.seat, offence, suit or None, form.cover)


def _offences(_night: Night) -> tuple[ask.Option, ...]:
    return (
        ask.Option("wrong-lead:", _("Led too high")),
        *(
            ask.Option(f"withheld-card:{suit}", _("Held back: %(suit)s", suit=_(name)), suit=suit)
            for suit, name in SUITS.items()
        ),
    )


def _from_penalty_form(typed: dict[str, Any]) -> dict[str, Any]:
    offence, _colon, suit = typed.pop("what").partition(":")
    return {**typed, "offence": offence, "suit": suit or None}


def penalty_form(offences: Callable[[Night], tuple[ask.Option, ...]]) -> ask.Form:
    """Return the form that corrects a penalty, for these offences (`offence:suit`)."""
    return ask.Form(
        ask.person,
        ask.pick("what", N_("What happened?"), offences),
        ask.cover,
        to_form=lambda event, _before: {**event_to(event), "what": f"{event.offence}:{event.suit or ''}"},
        from_form=_from_penalty_form,
    )


PENALTY = EventKind(
    event=events.Penalty,
    sentence=_penalty,
    short=_short_penalty,
    undone=says(N_("Undone: %(name)s is free again")),
    seats=lambda event, _night: {event.seat},
    buttons={"penalty": _read_penalty},
    correction=penalty_form(_offences),
    icon="bar",
    reason="penalties",
)


def _held(event: events.MatchWithheld, words: Vocabulary) -> str:
    if words.after.house_rules.withheld_source == "pot":
        name, chips = words.name(event.seat), words.chips_moved(source=event.pot)
        return _("%(name)s still held %(pot)s and takes %(chips)s", name=name, chips=chips, pot=words.name(event.pot))
    in_pot = words.after.ledger.holds(event.pot)
    return _(
        "%(offender)s pays %(name)s %(chips)s, who still held %(pot)s",
        offender=words.name(event.offender),
        name=words.name(event.seat),
        chips=max(words.chips_moved(target=event.seat), in_pot),
        pot=words.name(event.pot),
    )


def _short_held(event: events.MatchWithheld, words: Vocabulary) -> str:
    chips, other = words.number(words.chips_moved(target=event.seat)), words.name(event.seat)
    if words.after.house_rules.withheld_source == "pot":
        return _("%(name)s takes %(n)s", name=other, n=chips)
    return _("%(name)s pays %(other)s %(n)s", name=words.name(event.offender), other=other, n=chips)


def _read_match(form: MoveForm) -> events.MatchWithheld:
    pot, offender = f"{form.argument or form.text('question')}/".split("/")[:2]
    return events.MatchWithheld(pot, form.seat, offender, form.cover)


HELD = EventKind(
    event=events.MatchWithheld,
    sentence=_held,
    short=_short_held,
    buttons={"match": _read_match},
    correction=ask.Form(
        ask.pick("offender", N_("Who held a card back?"), ask.in_hand),
        ask.pick("seat", N_("Who still had the money card?"), ask.in_hand),
        ask.which_pot,
        ask.cover,
    ),
    reason="penalties",
)


# The end of a hand


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
    """Return the end of a hand as all phones have said it; Stale when the sender's page showed another count."""
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
        from_form=ask.without_winners("cards"),
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

HANDS: tuple[AnyKind, ...] = (BUY, BORROW, REPAY, MOVE, HAND, COLLECT, PENALTY, HELD, OUT, POKER, ABANDON)
