"""Events of pot games about the dummy hand: the exchange, the bids and the sale."""

from tracker.core import events
from tracker.core.auction import is_passed_round
from tracker.core.errors import N_
from tracker.core.night import Night
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, Vocabulary, number, says
from tracker.web.wording.texts import gettext as _


def _dealer(_event: events.Event, night: Night) -> set[str | None]:
    """Return the seat that deals the present hand, as an event about it; nobody's where none is on."""
    return {night.deal.dealer if night.deal else ""}


def _exchange(_event: events.Exchange, words: Vocabulary) -> str:
    return _("%(name)s swaps for the dummy hand", name=words.name(words.after.current_deal().dealer))


EXCHANGE = EventKind(event=events.Exchange, sentence=_exchange, seats=_dealer, icon="turn")


def _with_auction_result(sentence: str, words: Vocabulary) -> str:
    deal = words.after.current_deal()
    if deal.dummy == "sold":
        return sentence + ". " + _sold(words, str(deal.buyer), deal.price)
    return sentence + ". " + _unsold() if deal.dummy == "dead" else sentence


def _sold(words: Vocabulary, buyer: str, price: int) -> str:
    dealer = words.name(words.after.current_deal().dealer)
    return _(
        "%(name)s buys the dummy hand from %(dealer)s for %(price)s", name=words.name(buyer), dealer=dealer, price=price
    )


def _unsold() -> str:
    return _("The dummy hand is left alone")


def _short_sold(words: Vocabulary, buyer: str, price: int) -> str:
    return _("%(name)s bought the dummy for %(n)s", name=words.name(buyer), n=words.number(price))


def _short(event: events.Bid | events.Pass, words: Vocabulary) -> str:
    """Return who bought the dummy hand by this bid or pass; before that the whole sentence."""
    deal = words.after.current_deal()
    if deal.buyer:
        return _short_sold(words, deal.buyer, deal.price)
    return _bid(event, words) if isinstance(event, events.Bid) else _pass(event, words)


def _bid(event: events.Bid, words: Vocabulary) -> str:
    if is_passed_round(words.after):
        return _sold(words, event.seat, event.chips)
    bid = _("%(name)s bids %(chips)s", name=words.name(event.seat), chips=event.chips)
    return _with_auction_result(bid, words)


def _read_bid(form: MoveForm) -> events.Bid:
    seat = form.values.get("turn") or form.prompt.turn or ""
    return events.Bid(seat, events.Amount(number(form.argument)), form.cover)


BID = EventKind(
    event=events.Bid,
    sentence=_bid,
    short=_short,
    own="seat",
    buttons={"bid": _read_bid},
    correction=ask.Form(ask.person, ask.how_many, ask.cover),
    reason="dummy",
)


def _pass(event: events.Pass, words: Vocabulary) -> str:
    if event.seat in words.after.current_deal().folded:
        return _folded(event, words)
    return _with_auction_result(_("%(name)s passes", name=words.name(event.seat)), words)


def _folded(event: events.Pass, words: Vocabulary) -> str:
    sentence, winners = _("%(name)s folds", name=words.name(event.seat)), words.after.current_deal().poker
    if not winners:
        return sentence
    won = _("%(name)s is the last one in and wins %(n)s", name=words.names(winners), n=words.chips_moved())
    return f"{sentence}. {won}"


PASS = EventKind(
    event=events.Pass,
    sentence=_pass,
    short=_short,
    own="seat",
    buttons={"pass": lambda form: events.Pass(form.argument or form.prompt.turn or form.seat, form.cover)},
    correction=ask.Form(ask.person),
    reason="dummy",
)


SALE = EventKind(
    event=events.Sale,
    sentence=lambda event, words: _sold(words, event.buyer, event.price),
    short=lambda event, words: _short_sold(words, event.buyer, event.price),
    undone=says(N_("Undone: %(name)s takes back %(n)s"), name="buyer", n="price"),
    own="buyer",
    buttons={"sale": lambda form: events.Sale(form.seat, events.Amount(number(form.argument)), form.cover)},
    correction=ask.Form(
        ask.pick("buyer", N_("Who bought the dummy hand?"), ask.in_hand),
        ask.number("price", N_("For how many chips?"), 1),
        ask.cover,
    ),
    reason="dummy",
)


NO_SALE = EventKind(event=events.NoSale, sentence=lambda _event, _words: _unsold(), seats=_dealer, icon="minus")

AUCTION: tuple[AnyKind, ...] = (EXCHANGE, BID, PASS, SALE, NO_SALE)
