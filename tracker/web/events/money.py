"""Events of pot games that only move chips: buying, borrowing, paying back, and setting right."""

from tracker.core import events
from tracker.core.errors import N_
from tracker.core.ledger import BANK
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, Vocabulary, says
from tracker.web.wording.texts import gettext as _, ngettext


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

MONEY: tuple[AnyKind, ...] = (BUY, BORROW, REPAY, MOVE)
