"""Events of pot games that only some boards have: the dummy hand, stakes, shares, bets, stages and payments at once."""

from tracker.core import events
from tracker.core.errors import N_
from tracker.core.night import DUMMY, HELD, PLAY, POKER, Night
from tracker.core.stages import is_passed_round
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, Vocabulary, moved, number, says
from tracker.web.events.hand import UNSOLD, hand_won
from tracker.web.wording.texts import gettext as _, listed

# The dummy hand: the exchange, the bids and the sale


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
    return sentence + ". " + _(UNSOLD) if deal.dummy == "dead" else sentence


def _sold(words: Vocabulary, buyer: str, price: int) -> str:
    dealer = words.name(words.after.current_deal().dealer)
    return _(
        "%(name)s buys the dummy hand from %(dealer)s for %(price)s", name=words.name(buyer), dealer=dealer, price=price
    )


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
    name, deal = words.name(event.seat), words.after.current_deal()
    if event.seat not in deal.folded:
        return _with_auction_result(_("%(name)s passes", name=name), words)
    sentence = _("%(name)s folds", name=name)
    if not deal.poker:
        return sentence
    won = _("%(name)s is the last one in and wins %(n)s", name=words.names(deal.poker), n=words.chips_moved())
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
    buttons={"sale": lambda form: events.Sale(form.seat, events.Amount(form.chips), form.cover)},
    correction=ask.Form(
        ask.pick("buyer", N_("Who bought the dummy hand?"), ask.in_hand),
        ask.number("price", N_("For how many chips?"), 1),
        ask.cover,
    ),
    reason="dummy",
)


NO_SALE = EventKind(event=events.NoSale, sentence=says(UNSOLD), seats=_dealer, icon="minus")


# Stakes, shares, bets and stages


def _place(event: events.Place, words: Vocabulary) -> str:
    stakes = listed(f"{words.name(pot)} {chips}" for pot, chips in event.pots.items())
    return _(
        "%(name)s places %(chips)s: %(stakes)s",
        name=words.name(event.seat),
        chips=sum(event.pots.values()),
        stakes=stakes,
    )


def _read_place(form: MoveForm) -> events.Place:
    stakes = (stake.partition(":") for stake in form.text("stakes").split())
    stakes_by_pot = {pot: events.Amount(number(chips)) for pot, _colon, chips in stakes}
    return events.Place(form.argument or form.seat, stakes_by_pot, form.cover)


PLACE = EventKind(
    event=events.Place,
    sentence=_place,
    own="seat",
    buttons={"place": _read_place},
    correction=ask.Form(ask.person, ask.pick("pots", N_("Chips on each place"), ask.pots, "numbers"), ask.cover),
    reason="antes",
)


SHARE = EventKind(
    event=events.Share,
    sentence=says(N_("%(names)s share %(chips)s: %(pot)s"), names="seats", chips=moved(source="pot"), pot="pot"),
    buttons={"share": lambda form: events.Share(form.text("pot"), tuple(form.text("winners").split()))},
    correction=ask.Form(ask.pick("seats", N_("Who shares it?"), ask.in_hand, "picks"), ask.which_pot),
    reason="places",
)


def _bet(event: events.Bet, words: Vocabulary) -> str:
    name = words.name(event.seat)
    if event.pot is None:
        return _("%(name)s bets %(chips)s", name=name, chips=event.chips)
    return _("%(name)s bets %(chips)s on %(pot)s", name=name, chips=event.chips, pot=words.name(event.pot))


BET = EventKind(
    event=events.Bet,
    sentence=_bet,
    own="seat",
    buttons={
        "bet": lambda form: events.Bet(form.seat, events.Amount(form.chips), form.text("pot") or None, form.cover),
        "call": lambda form: events.Bet(
            form.seat, events.Amount(form.prompt.calls.get(form.seat, 0)), None, form.cover
        ),
    },
    correction=ask.Form(ask.person, ask.how_many, ask.which_bet_pot, ask.cover),
    reason="bets",
)


def _go_on(_event: events.GoOn, words: Vocabulary) -> str:
    stages = {
        DUMMY: _("Now the dummy hand"),
        HELD: _("Now the money cards that are held"),
        POKER: _("Now the poker hand"),
        PLAY: _("The play begins"),
    }
    return stages.get(words.after.phase, _("The next stage begins"))


GO_ON = EventKind(event=events.GoOn, sentence=_go_on, icon="go")


def _turn_up(event: events.TurnUp, words: Vocabulary) -> str:
    dealer = words.after.current_deal().dealer
    pot, name = words.name(event.pot), words.name(dealer)
    if event.cards is None:
        chips = words.chips_moved(source=event.pot)
        return _("%(pot)s was turned up: %(name)s deals and takes %(chips)s", pot=pot, name=name, chips=chips)
    won = hand_won(dealer, words)
    return _("%(pot)s was turned up and ends the hand for %(name)s", pot=pot, name=name) + won


def _read_turn_up(form: MoveForm) -> events.TurnUp:
    pot, board = form.text("pot"), form.night.preset.board
    if pot not in board or not form.night.preset.ends_hand(board[pot]):
        return events.TurnUp(pot)
    deal = form.night.current_deal()
    dealt = {seat: events.Chips(form.number(f"cards-{seat}")) for seat in deal.seats if seat != deal.dealer}
    return events.TurnUp(pot, dealt)


TURN_UP = EventKind(
    event=events.TurnUp,
    sentence=_turn_up,
    buttons={"turn-up": _read_turn_up},
    correction=ask.Form(
        ask.which_pot, lambda raw, night: ask.cards_left(raw, night) if "cards" in raw else None, ask.cover
    ),
    reason="places",
)


FINE = EventKind(
    event=events.Fine,
    sentence=says(
        N_("%(name)s can’t go on and pays %(chips)s"), chips=lambda _event, words: words.after.house_rules.stop_fine
    ),
    seats=lambda event, _night: {event.seat},
    buttons={"fine": lambda form: events.Fine(form.seat, form.cover)},
    correction=ask.Form(ask.person, ask.cover),
    icon="bar",
    reason="penalties",
)


def _due(event: events.PayDue, words: Vocabulary) -> str:
    due = next((due for due in words.after.preset.dues if due.id == event.due), None)
    card, chips = (words.text(_(due.name)), due.chips) if due else (event.due, 0)
    return _("%(name)s plays %(card)s: %(chips)s from each", name=words.name(event.seat), card=card, chips=chips)


def _dues(night: Night) -> tuple[ask.Option, ...]:
    return tuple(ask.Option(due.id, _(due.name)) for due in night.preset.dues)


DUE = EventKind(
    event=events.PayDue,
    sentence=_due,
    own="seat",
    buttons={"due": lambda form: events.PayDue(form.seat, form.argument, form.cover)},
    correction=ask.Form(ask.person, ask.pick("due", N_("Which card?"), _dues), ask.cover),
    reason="dues",
)


LEFT = EventKind(
    event=events.Left,
    sentence=says(N_("%(name)s still holds %(pot)s and pays %(chips)s"), pot="pot", chips=moved(source="seat")),
    seats=lambda event, _night: {event.seat},
    buttons={"left": lambda form: events.Left(form.seat, form.argument, form.cover)},
    correction=ask.Form(ask.person, ask.which_pot, ask.cover),
    reason="penalties",
)


SWEEP = EventKind(
    event=events.Sweep,
    sentence=says(N_("%(name)s plays every card in one go and takes the board: %(chips)s"), chips=moved(target="seat")),
    own="seat",
    buttons={"sweep": lambda form: events.Sweep(form.seat)},
    correction=ask.Form(ask.person),
    reason="places",
)

STAGES: tuple[AnyKind, ...] = (
    *(EXCHANGE, BID, PASS, SALE, NO_SALE),
    *(PLACE, SHARE, BET, GO_ON, TURN_UP, FINE, DUE, LEFT, SWEEP),
)
