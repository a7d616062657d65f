"""What the table asks and the pages offer: everything that may happen next, when it may, and at its price."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest
from support.core_nights import CoreNight, rummy
from support.event_phases import POT_EVENTS, POT_PHASES, check_in_phase
from support.random_nights import every_preset, random_night, random_options

from tracker.core import events, pot_game
from tracker.core.apply import apply, apply_new, check
from tracker.core.errors import NotEnoughChips, TableError
from tracker.core.events import KINDS, Amount, Chips, Event, SeatId
from tracker.core.game import GAMES, PotGame
from tracker.core.night import SHOWDOWN, Night
from tracker.core.payments import may_excuse
from tracker.core.queries.options import (
    CardCount,
    covers,
    hand_payment,
    may_bet_on_pool,
    may_happen,
    may_share,
    place_question,
    pots_to_turn_up,
    seat_options,
    unanswerable,
)
from tracker.core.queries.prompts import Prompt, asked_seats, prompt_of

POT_PRESETS = [preset for preset in every_preset() if preset.game == "pots"]
NIGHTS, LENGTH = 2, 90
each_board = pytest.mark.parametrize("board_id", [preset.id for preset in POT_PRESETS])


def test_who_holds_the_pope_is_asked_only_while_it_was_not_played() -> None:
    assert not may_excuse(rummy().hand().night)
    night = CoreNight("pope-joan").hand()
    assert may_excuse(night.night)
    assert night.night.preset.excusing_pot == night.preset.board["pope"]
    assert not may_excuse(night.collect("b", "pope").night)


@cache
def steps(board_id: str, seed: int) -> tuple[tuple[Night, Event], ...]:
    """Return the states of a random night with random house rules, each with the event that follows."""
    chance = Random(seed)
    preset = next(one for one in POT_PRESETS if one.id == board_id)
    night = Night(preset.with_options(random_options(preset, chance)))
    found = list[tuple[Night, Event]]()
    for event in random_night(night.preset, chance, LENGTH):
        found.append((night, event))
        night = apply(night, event)
    return tuple(found)


def is_answer(night: Night, prompt: Prompt, seat: str, question: str) -> bool:
    """Return whether a seat can be the answer to a question of the table."""
    return question not in unanswerable(night, prompt, seat, {pot: place_question(night, pot) for pot in board(night)})


def board(night: Night) -> list[str]:
    return [*night.preset.board]


def may_bet(night: Night, prompt: Prompt, event: events.Bet) -> bool:
    """Return whether a bet is offered: on the pool, or on a side pot once the stakes are placed."""
    if event.pot is None or night.preset.board[event.pot].won_by == "poker":
        return may_bet_on_pool(night)
    asks = place_question(night, event.pot)
    return asks in ("collect", "stakes") or is_answer(night, prompt, event.seat, "bettor")


def is_penalty_offered(night: Night, prompt: Prompt, event: events.Penalty) -> bool:
    options = seat_options(night, prompt, event.seat)
    return options.may_withhold if event.suit else options.wrong_lead is not None


def is_match_offered(night: Night, prompt: Prompt, event: events.MatchWithheld) -> bool:
    is_asked = (prompt.name, prompt.pot, prompt.offender) == ("match", event.pot, event.offender)
    return not is_asked or is_answer(night, prompt, event.seat, "match")


OFFERS: Mapping[type[Event], Callable[[Night, Prompt, Any], bool]] = {
    events.Collect: lambda night, prompt, event: (
        place_question(night, event.pot) == "collect" and is_answer(night, prompt, event.seat, "collect")
    ),
    events.Share: lambda night, _, event: place_question(night, event.pot) == "collect" and may_share(night, event.pot),
    events.Bet: may_bet,
    events.Out: lambda night, prompt, event: (
        is_answer(night, prompt, event.seat, "out") and (not event.excused or may_excuse(night))
    ),
    events.Place: lambda night, prompt, event: (
        is_answer(night, prompt, event.seat, "stakes")
        and {place_question(night, pot) for pot in event.pots} == {"stakes"}
    ),
    events.TurnUp: lambda night, _, event: event.pot in [pot.id for pot in pots_to_turn_up(night)],
    events.Sale: lambda night, prompt, event: prompt.name != "dummy" or is_answer(night, prompt, event.buyer, "buyer"),
    events.Poker: lambda night, prompt, event: all(is_answer(night, prompt, seat, "poker") for seat in event.winners),
    events.MatchWithheld: is_match_offered,
    events.Penalty: is_penalty_offered,
    events.Fine: lambda night, prompt, event: seat_options(night, prompt, event.seat).fine > 0,
    events.PayDue: lambda night, prompt, event: (
        event.due in [due.id for due in seat_options(night, prompt, event.seat).dues]
    ),
    events.Left: lambda night, prompt, event: (
        event.pot in [pot.id for pot in seat_options(night, prompt, event.seat).left]
    ),
    events.Sweep: lambda night, prompt, event: seat_options(night, prompt, event.seat).may_sweep,
    events.Leave: lambda night, prompt, event: seat_options(night, prompt, event.seat).may_leave,
}
"""Whether the page offers an event where it may happen, by its kind; other kinds are recorded elsewhere."""


@each_board
def test_every_legal_event_is_offered(board_id: str) -> None:
    played = [one for seed in range(NIGHTS) for one in steps(board_id, seed) if type(one[1]) in OFFERS]
    missing = [event for night, event in played if not OFFERS[type(event)](night, prompt_of(night), event)]
    assert missing == []
    assert events.Out in {type(event) for _night, event in played}


ELSEWHERE = {
    *(events.Sit, events.Order, events.End, events.Paid, events.Count, events.Rule, events.Undo, events.Amend),
    *(events.Buy, events.Borrow, events.Repay, events.Move, events.Hand, events.Abandon, events.GoOn),
    *(events.Exchange, events.NoSale, events.Bid, events.Pass),
}
"""Kinds that have a button or a page of their own, or are a correction by hand."""
SCORES = {KINDS[word] for game in GAMES.values() if not isinstance(game, PotGame) for word in game.handlers} - {
    *ELSEWHERE,
    events.Leave,
    events.Penalty,
}


def test_every_kind_of_event_is_offered_by_the_board_or_recorded_elsewhere() -> None:
    assert {*OFFERS, *ELSEWHERE, *SCORES} == {*KINDS.values()}
    assert not {*OFFERS} & ELSEWHERE


def attempts(night: Night, chance: Random) -> Iterator[Event]:
    """Yield events of every offered kind, about anybody and any place, most of which can't happen now."""
    seats, pots = [*night.all_seats], board(night)
    for _ in range(3 if seats else 0):
        seat, other, pot = chance.choice(seats), chance.choice(seats), chance.choice(pots)
        cards = {one: Chips(1) for one in pot_game.players(night) if one != seat}
        budget = night.preset.budget(is_dealer=bool(night.deal) and seat == night.dealer)
        yield from (events.Collect(seat, pot), events.Share(pot, (seat, other)), events.Left(seat, pot))
        yield from (events.Out(seat, cards), events.Out(seat, cards, (other,)), events.Out(seat))
        yield from (events.TurnUp(pot), events.TurnUp(pot, cards), events.MatchWithheld(pot, seat, other))
        yield from (events.Bet(seat, Amount(1), pot), events.Bet(seat, Amount(1)))
        yield events.Place(seat, {pot: Amount(budget)})
        yield from (events.Penalty(seat, "wrong-lead"), events.Penalty(seat, "withheld-card", chance.choice("CDHS")))
        yield from (events.Sale(seat, Amount(night.house_rules.auction_min)), events.Poker((seat,)))
        yield from (events.Poker((seat, other)), events.Fine(seat), events.Sweep(seat), events.Leave(seat))
        yield from (events.PayDue(seat, due.id) for due in night.preset.dues)


@each_board
def test_nothing_is_accepted_that_no_page_offers(board_id: str) -> None:
    accepted = set()
    for seed in range(NIGHTS):
        chance = Random(seed)
        for night, _event in steps(board_id, seed):
            for event in attempts(night, chance):
                if may_happen(night, event):
                    accepted.add(type(event))
                    assert OFFERS[type(event)](night, prompt_of(night), event), (night.phase, event)
    assert {events.Collect, events.Out, events.Leave} <= accepted


@each_board
def test_going_out_pays_the_amounts_shown_before(board_id: str) -> None:
    count = 0
    for seed in range(NIGHTS):
        for night, event in steps(board_id, seed):
            if not isinstance(event, events.Out) or event.cover or apply(night, event).phase != SHOWDOWN:
                continue
            prompt = prompt_of(night, out=event.seat)
            shown = hand_payment(night, prompt, CardCount(event.cards or {}, excused=next(iter(event.excused), None)))
            if not prompt.payers:
                continue
            moved = [(one.source, one.chips) for one in apply(night, event).last_transfers if one.target == event.seat]
            assert {seat: chips for seat, chips in moved if seat in night.people} == {
                seat: chips for seat, chips in shown.pays.items() if chips
            }
            assert sum(chips for seat, chips in moved if seat not in night.people) == shown.jackpot
            assert not any(shown.cover.values())
            count += 1
    assert count


@pytest.mark.parametrize("shortage", ["buy_in", "iou", "cap", "end_session"])
def test_each_way_to_pay_with_too_few_chips_brings_what_was_shown(shortage: str) -> None:
    night = rummy(shortage=shortage).hand().night
    night = apply(night, events.Move(SeatId("b"), "bank", Amount(night.stack("b") - 1)))
    prompt = prompt_of(night, out="a")
    cards = dict.fromkeys(prompt.payers, 3)
    for source in (None, *covers(night, "a")):
        chosen = {} if source is None else {"b": source}
        shown = hand_payment(night, prompt, CardCount(cards, chosen))
        assert shown.cover == {"b": covers(night, "a")[0] if source is None else source}
        cover = {seat: way for seat, way in shown.cover.items() if way}
        after = apply(night, events.Out(SeatId("a"), dict.fromkeys(cards, Chips(3)), cover=cover))
        owed = sum(note.chips for note in after.ledger.notes() if note.debtor == "b")
        assert after.stack("a") - night.stack("a") + owed == shown.total
        assert owed == (2 if shown.cover["b"] == "a" else 0)


@each_board
def test_checking_an_event_refuses_what_recording_it_would_refuse(board_id: str) -> None:
    found: set[tuple[str, str | None]] = set()
    for seed in range(NIGHTS):
        for turn, (night, event) in enumerate(steps(board_id, seed)):
            for asked in (event, *asked_about(night, turn)):
                refusal = refusal_of(apply_new, night, asked)
                assert refusal_of(check, night, asked) == refusal
                found.add((asked.kind, refusal[0].__name__ if refusal else None))
    assert {("collect", None), ("collect", "WrongMoment"), ("out", None), ("out", "BadEvent")} <= found


def asked_about(night: Night, turn: int) -> Iterator[Event]:
    """Yield what one seat in turn may ask for: every pot, alone or with the first one, to go out with some counts."""
    if not night.all_seats:
        return
    first, seat = night.all_seats[0], night.all_seats[turn % len(night.all_seats)]
    yield from (events.Collect(seat, pot) for pot in board(night))
    yield from (events.Share(pot, (seat, first)) for pot in board(night))
    for cards in (dict.fromkeys(night.seats, Chips(2)), {night.seats[0]: Chips(60)}, None):
        others = {other: left for other, left in (cards or {}).items() if other != seat}
        yield events.Out(seat, others if cards else None)


def refusal_of(judge: Callable[[Night, Event], object], night: Night, event: Event) -> tuple[type, str] | None:
    """Return how an event is refused now; None when it is not, or only because somebody is short of chips."""
    try:
        judge(night, event)
    except NotEnoughChips:
        return None
    except TableError as refusal:
        return type(refusal), str(refusal)
    return None


def test_an_offender_of_one_card_may_still_hold_another_offenders_card() -> None:
    night = rummy("abcd").hand()
    for seat, suit in (("b", "H"), ("c", "S")):
        night.withholds(seat, suit)
    night.out("a", b=1, c=1, d=1)
    prompt = prompt_of(night.night)
    assert (prompt.name, prompt.offender) == ("match", "b")
    found = {seat: unanswerable(night.night, prompt, seat, {}) for seat in "abcd"}
    assert found == {"a": {"match"}, "b": {"match"}, "c": set(), "d": set()}


def test_the_last_two_cannot_both_sit_out() -> None:
    night = rummy("abc")
    prompt = prompt_of(night.night, plan={"dealer": "a", "b": "out"})
    assert not seat_options(night.night, prompt, "c").may_sit_out
    assert seat_options(night.night, prompt_of(night.night, plan={"dealer": "a"}), "c").may_sit_out


def test_chips_that_are_short_hide_nothing_that_may_be_bought() -> None:
    night = rummy("ab", 30).hand()
    night.moves("b", a=night.stacks["b"])
    assert may_happen(night.night, events.Penalty("b", "wrong-lead"))


# When each kind of event may happen: everywhere else it is refused with a sentence, and nothing changes


def pots_at(phase: str) -> CoreNight:
    """Return a night in that phase: B owes A, E waits, and from the play on C has withheld a spade."""
    night = rummy("abc").record("borrow", seat="b", source="a", chips=5)
    if phase in ("dummy", "play", "showdown"):
        night.record("hand", dealer="a")
    if phase in ("play", "showdown"):
        night.record("no-sale").withholds("c", "S")
    if phase == "showdown":
        night.out("b", a=1, c=2)
    night.record("sit", seat="e", name="E")
    return night.record("end") if phase == "ended" else night


def test_every_kind_of_event_is_tried_in_each_phase() -> None:
    of_table = {word for word, kind in KINDS.items() if kind.__module__.startswith("tracker.core")}
    assert of_table - {"undo", "amend", "rule"} == POT_EVENTS.keys()


@pytest.mark.parametrize("phase", POT_PHASES)
def test_pot_game_events_happen_in_their_phases_only(phase: str) -> None:
    for kind, fields_and_phases in POT_EVENTS.items():
        night = pots_at(phase)
        assert night.night.phase == phase
        check_in_phase(night, kind, *fields_and_phases)


def test_the_question_waits_for_the_seats_that_can_answer_it() -> None:
    night = rummy("abc")

    def asked(out: str | None = None, *waived: str) -> set[str]:
        return set(asked_seats(night.night, prompt_of(night.night, out, waived=frozenset(waived))))

    assert asked() == set(), "the table itself says who deals first"
    night.record("hand", dealer="a")
    assert asked() == {"a"}, "the dealer chooses what becomes of the dummy hand"
    night.record("bid", seat="b", chips=1)
    assert asked() == {"c"}, "whose bid it is"
    night.record("sale", buyer="b", price=1)
    assert asked() == set(), "everybody may take a place, nobody is asked"
    assert asked(out="b") == {"a", "c"}, "who has cards left"
    night.out("b", a=1, c=2)
    assert asked() == set(), "the table itself says who had the best poker hand"
    assert asked(None, "poker") == {"b"}, "who deals next"
    night.record("end")
    assert asked() == set()
