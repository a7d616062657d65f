"""What may happen now, as `apply_new` would say of each event; nobody is refused for want of chips."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from tracker.core import events, payments, pot_game
from tracker.core.apply import check
from tracker.core.errors import NotEnoughChips, TableError
from tracker.core.ledger import BANK
from tracker.core.night import POKER, STAKES, Night
from tracker.core.payments import caps_payments
from tracker.core.preset import DirectPayment, Pot
from tracker.core.queries.prompts import Prompt


def may_happen(night: Night, event: events.Event) -> bool:
    """Return whether `event` could be recorded now, if everybody had chips enough."""
    try:
        check(night, event)
    except NotEnoughChips:
        return True
    except TableError:
        return False
    return True


# The board


def place_question(night: Night, pot_id: str) -> str:
    """Return what a tap on a pot asks that somebody can answer: `collect`, `bettor`, `stakes`, `out` or `poker`."""
    won_by, seats = night.preset.board[pot_id].won_by, night.deal.seats if night.deal else ()
    if night.phase == STAKES and night.preset.board[pot_id] in night.preset.stake_places:
        return "stakes"
    if won_by == "poker" and night.phase != POKER:
        return ""  # after a hand the table asks by itself, and may have been told that nobody wins it
    asked = _QUESTIONS[won_by] if night.ledger.holds(pot_id) else _QUESTIONS_OF_EMPTY[won_by]
    return next(
        (one for one in asked if any(may_happen(night, _POT_EVENTS[one](night, seat, pot_id)) for seat in seats)), ""
    )


def going_out(night: Night, seat: str) -> events.Out:
    """Return the event by which a seat goes out while nobody else holds a card."""
    if pot_game.takes_nothing(night, seat):
        return events.Out(seat)
    return events.Out(seat, {other: events.Chips(0) for other in pot_game.players(night) if other != seat})


_QUESTIONS = {"card": ("collect",), "side": ("collect", "bettor"), "out": ("out",), "poker": ("poker",)}
_QUESTIONS_OF_EMPTY = {**_QUESTIONS, "card": (), "side": ("bettor",)}  # nobody can take it, so nobody is looked for
_POT_EVENTS: Mapping[str, Callable[[Night, str, str], events.Event]] = {
    "collect": lambda _night, seat, pot: events.Collect(seat, pot),
    "bettor": lambda _night, seat, pot: events.Bet(seat, events.Amount(1), pot),
    "out": lambda night, seat, _pot: going_out(night, seat),
    "poker": lambda _night, seat, _pot: events.Poker((seat,)),
}


def may_bet_on_pool(night: Night) -> bool:
    return night.phase == POKER and any(
        may_happen(night, events.Bet(seat, events.Amount(1))) for seat in pot_game.players(night)
    )


def may_share(night: Night, pot_id: str) -> bool:
    """Return whether several who hold the same cards may share this pot now."""
    if night.preset.has_one_holder(night.preset.board[pot_id]):
        return False  # so that nobody is looked for
    takers = tuple(seat for seat in pot_game.players(night) if may_happen(night, events.Collect(seat, pot_id)))
    return len(takers) > 1 and may_happen(night, events.Share(pot_id, takers))


def pots_to_turn_up(night: Night) -> tuple[Pot, ...]:
    """Return the pots whose card may be the one turned up now."""
    if night.deal is None or night.house_rules.turn_up == "off":
        return ()
    others = {seat: events.Chips(0) for seat in night.deal.seats if seat != night.deal.dealer}
    ends = night.preset.ends_hand
    pots = [
        pot
        for pot in night.preset.won_by("card")
        if may_happen(night, events.TurnUp(pot.id, others if ends(pot) else None))
    ]
    return tuple(replace(pot, ends_hand=ends(pot)) for pot in pots)


# Who can be the answer


def unanswerable(
    night: Night, prompt: Prompt, seat: str, questions: Mapping[str, str], known: Mapping[str, bool] | None = None
) -> set[str]:
    """Return the questions asked now whose answer this seat can't be; `questions` is what each pot asks.

    `known` has those of which the caller knows whether this seat can be the answer.
    """
    asked: dict[str, Iterable[events.Event]] = {  # made one by one as they are asked about: one that may is enough
        one: map(partial(_POT_EVENTS[one], night, seat), [pot for pot, asks in questions.items() if asks == one])
        for one in _POT_EVENTS.keys() & questions.values()
    }
    if prompt.name == "play":
        asked["out"] = map(going_out, [night], [seat])
    elif prompt.name == "dummy":
        asked["buyer"] = [events.Sale(seat, events.Amount(prompt.least))]
    elif prompt.name == "poker":
        asked["poker"] = [events.Poker((seat,))]
        asked["tie"] = [events.Poker((seat, other)) for other in pot_game.players(night) if other != seat]
        if may_bet_on_pool(night):
            asked["bettor"] = [*asked.get("bettor", ()), events.Bet(seat, events.Amount(1))]
    elif prompt.name == "match":
        asked["match"] = [events.MatchWithheld(str(prompt.pot), seat, str(prompt.offender))]
    known = known or {}
    found = {
        question
        for question, made in asked.items()
        if not (known[question] if question in known else any(may_happen(night, event) for event in made))
    }
    if prompt.name == "stakes" and seat not in prompt.needs:
        found.add("stakes")
    return found | ({"share"} if "collect" in found else set())


# One person


@dataclass(frozen=True)
class SeatOptions:
    """What may be recorded of one seat now, with what it costs."""

    wrong_lead: int | None
    """Chips that a wrong lead would cost in all; None where none can be recorded."""
    may_withhold: bool
    """A card held back can be recorded."""
    fine: int
    """Chips paid for not being able to play or lead; 0 where nobody is fined now."""
    dues: tuple[DirectPayment, ...]
    """Cards that everybody else would pay for at once."""
    left: tuple[Pot, ...]
    """Pots whose card the seat may still hold, after the hand."""
    may_sweep: bool
    may_leave: bool
    may_sit_out: bool
    """The next hand can be dealt without the seat."""


def seat_options(night: Night, prompt: Prompt, seat: str) -> SeatOptions:
    """Return what may be recorded of a seat now; the next hand is the one that `prompt` asks for."""
    sits_out = (*(other for other in night.seats if other not in prompt.needs), seat)
    may_lead_wrongly = may_happen(night, events.Penalty(seat, "wrong-lead"))
    return SeatOptions(
        wrong_lead=sum(due.chips for due in pot_game.wrong_lead_dues(night, seat)) if may_lead_wrongly else None,
        may_withhold=may_happen(night, events.Penalty(seat, "withheld-card", "S")),
        fine=night.house_rules.stop_fine if may_happen(night, events.Fine(seat)) else 0,
        dues=tuple(due for due in night.preset.dues if may_happen(night, events.PayDue(seat, due.id))),
        left=tuple(pot for pot in night.preset.won_by("card") if may_happen(night, events.Left(seat, pot.id))),
        may_sweep=may_happen(night, events.Sweep(seat)),
        may_leave=may_happen(night, events.Leave(seat)),
        may_sit_out=prompt.name == "ante"
        and prompt.dealer is not None
        and may_happen(night, events.Hand(prompt.dealer, sits_out)),
    )


# The payment of a hand


@dataclass(frozen=True)
class CardCount:
    """What people have said of a hand's payment before it is recorded."""

    cards: Mapping[str, int] = field(default_factory=dict)
    """Cards left by seat, where they are known."""
    cover: Mapping[str, str] = field(default_factory=dict)
    """By seat, how somebody with too few chips wants to pay: one of `covers`."""
    excused: str | None = None
    """Who pays nothing for cards left."""


@dataclass(frozen=True)
class HandPayment:
    """What going out would pay, from the cards left that are known so far."""

    jackpot: int
    """Chips of the board that go to whoever is out."""
    pays: Mapping[str, int]
    """Chips that each payer whose cards are known pays for them; what there is, where the house has it so."""
    cover: Mapping[str, str]
    """How each payer who has less than that pays: what was chosen, or else what the house rule `shortage` says."""

    @property
    def total(self) -> int:
        return self.jackpot + sum(self.pays.values())


def covers(night: Night, winner: str) -> tuple[str, ...]:
    """Return how somebody short can pay a winner, the house's way first: an IOU, the bank, or "" for what there is."""
    if caps_payments(night):
        return ("", winner, BANK)
    return (winner, BANK) if night.house_rules.shortage == "iou" else (BANK, winner)


def hand_payment(night: Night, prompt: Prompt, count: CardCount) -> HandPayment:
    """Return what the payment that `prompt` counts would be, from what is known of it."""
    if prompt.winner is None:
        return HandPayment(0, {}, {})
    known = {seat: count.cards[seat] for seat in prompt.payers if seat in count.cards}
    due = payments.paid_for_cards(night, known, [count.excused] if count.excused else [])
    choices = covers(night, prompt.winner)
    short = [seat for seat, chips in due.items() if chips > night.stack(seat)]
    cover = {seat: chosen if (chosen := count.cover.get(seat)) in choices else choices[0] for seat in short}
    return HandPayment(
        jackpot=sum(night.pot(pot.id) for pot in pot_game.jackpots(night, prompt.winner)),
        pays={seat: night.stack(seat) if cover.get(seat) == "" else chips for seat, chips in due.items()},
        cover=cover,
    )
