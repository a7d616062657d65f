"""Events of pot games that only some boards have: stakes, shares, bets, stages and payments at once."""

from tracker.core import events
from tracker.core.errors import N_
from tracker.core.night import DUMMY, HELD, PLAY, POKER, Night
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, Vocabulary, moved, number, says
from tracker.web.events.hand_end import hand_won
from tracker.web.wording.texts import gettext as _, listed


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


def _read_bet(form: MoveForm) -> events.Bet:
    return events.Bet(form.seat, events.Amount(form.chips), form.text("pot") or None, form.cover)


def _read_call(form: MoveForm) -> events.Bet:
    return events.Bet(form.seat, events.Amount(form.prompt.calls.get(form.seat, 0)), cover=form.cover)


BET = EventKind(
    event=events.Bet,
    sentence=_bet,
    own="seat",
    buttons={"bet": _read_bet, "call": _read_call},
    correction=ask.Form(ask.person, ask.how_many, ask.pick("pot", N_("Which place?"), ask.bet_pots), ask.cover),
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


def _ask_cards_dealt(raw: ask.Raw, night: Night) -> ask.Field | None:
    return ask.cards_left(raw, night) if "cards" in raw else None


TURN_UP = EventKind(
    event=events.TurnUp,
    sentence=_turn_up,
    buttons={"turn-up": _read_turn_up},
    correction=ask.Form(ask.which_pot, _ask_cards_dealt, ask.cover),
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

STAGES: tuple[AnyKind, ...] = (PLACE, SHARE, BET, GO_ON, TURN_UP, FINE, DUE, LEFT, SWEEP)
