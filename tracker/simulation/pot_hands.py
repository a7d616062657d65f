"""What might be recorded next in a hand of a pot game: it follows from the cards dealt and from what was recorded.

Nothing is remembered between two events, so that a hand goes on from any state, also after a correction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from tracker.core import pot_game
from tracker.core.apply import apply
from tracker.core.errors import NotEnoughChips
from tracker.core.events import Chips, Collect, Event, Fine, Left, Out, PayDue, Penalty
from tracker.core.ledger import BANK
from tracker.core.night import PLAY, SHOWDOWN, Night
from tracker.core.queries.consent import with_default_cover
from tracker.core.queries.options import going_out, may_happen
from tracker.core.queries.prompts import prompt_of
from tracker.simulation.before_play import BEFORE_PLAY, before_play, cards_of, chance_of, open_pots, poker_won
from tracker.simulation.card_play import CardPlay, winning_cards

_POINTS = {"A": 1, "J": 10, "Q": 10, "K": 10}


def hand_events(night: Night, seed: str) -> Iterator[Event]:
    """Yield what is still to be recorded in the present hand, in order; nothing once it is over.

    Only the first is sure to fit. The others are what would follow if the first were left out.
    """
    for event in _STAGES[night.phase](night, seed):
        yield with_cover(night, event)


def with_cover(night: Night, event: Event) -> Event:
    """Return the event with a cover for whoever is short, by the house rule `shortage`."""
    if not isinstance(event, Out) or event.cover:
        return with_default_cover(night, event)
    try:
        apply(night, event)
    except NotEnoughChips as error:
        owed = night.house_rules.shortage == "iou"
        return replace(event, cover=dict.fromkeys(error.short, event.seat if owed else BANK))
    return event


# The play


def _play(night: Night, seed: str) -> Iterator[Event]:
    deal, cards = night.current_deal(), cards_of(night, seed)
    able = [seat for seat in cards.finishes if seat in night.seats and seat not in deal.out_of_cards]
    winner = able[0] if able else pot_game.players(night)[0]
    end = cards.finishes.get(winner, len(cards.plays))
    if not deal.taken and not deal.paid_dues:
        yield from _wrong_lead(night, seed)
    yield from _stuck(night, seed)
    timed = [*_takes(night, cards), *_dues(night, cards, seed)]
    in_order = sorted(((at, event) for at, event in timed if at <= end), key=lambda pair: pair[0])
    yield from (event for _, event in in_order if may_happen(night, event))
    yield _out(night, cards, winner, end)


def _wrong_lead(night: Night, seed: str) -> Iterator[Event]:
    chance, deal = chance_of(seed, night, "wrong lead"), night.current_deal()
    if chance.random() < 0.08 and not deal.barred:
        event = Penalty(chance.choice(deal.seats), "wrong-lead")
        if may_happen(night, event):
            yield event


def _stuck(night: Night, seed: str) -> Iterator[Event]:
    """Yield the fine of somebody who can't lead; what the stacks hold says how often that was drawn."""
    chance = chance_of(seed, night, f"stuck with {sorted(night.ledger.balances.items())}")
    event = Fine(chance.choice(night.current_deal().seats))
    if night.house_rules.stop_fine and chance.random() < 0.2 and night.stack(event.seat):
        yield event


def _takes(night: Night, cards: CardPlay) -> Iterator[tuple[int, Event]]:
    """Yield who could take which pot, with the number of cards played until then."""
    for pot in open_pots(night) if night.house_rules.claim == "played" else ():
        for each in winning_cards(pot.cards, cards.trumps):
            if seat := cards.holder(each):
                yield cards.played_at(each), Collect(seat, pot.id)


def _dues(night: Night, cards: CardPlay, seed: str) -> Iterator[tuple[int, Event]]:
    paid = night.current_deal().paid_dues
    for due in night.preset.dues:
        at = chance_of(seed, night, due.id).randrange(len(cards.plays) * 5 // 4)
        if due.id not in paid and at < len(cards.plays):
            yield at, PayDue(cards.plays[at][0], due.id)


def _out(night: Night, cards: CardPlay, winner: str, end: int) -> Event:
    if pot_game.takes_nothing(night, winner):
        return going_out(night, winner)
    gone = night.current_deal().out_of_cards
    payers = {seat: cards.left(seat, end) for seat in cards.hands if seat != winner}
    worth = _points if night.house_rules.out_count == "points" else len
    left = {seat: Chips(0 if seat in gone else worth(hand)) for seat, hand in payers.items()}
    return Out(winner, left, _excused(night, payers))


def _points(hand: tuple[str, ...]) -> int:
    return sum(_POINTS.get(card[:-1]) or int(card[:-1]) for card in hand)


def _excused(night: Night, left: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return who still holds the card that excuses from paying, where the house has it so."""
    cards = {card for pot in night.preset.pots if pot.ends_hand for card in pot.cards}
    holders = [seat for seat, hand in left.items() if cards & set(hand)]
    return tuple(holders[:1]) if night.house_rules.out_excuse == "holder" else ()


# After the play


def _showdown(night: Night, seed: str) -> Iterator[Event]:
    deal = night.current_deal()
    if night.house_rules.left_in_hand != "off" and deal.winner and deal.dealer in night.seats:
        yield from _left_in_hands(night, seed)
    if prompt_of(night).name == "poker":
        chance = chance_of(seed, night, "poker")
        yield from poker_won(night, chance.sample(deal.seats, len(deal.seats)))


def _left_in_hands(night: Night, seed: str) -> Iterator[Event]:
    cards, deal = cards_of(night, seed), night.current_deal()
    end = cards.finishes.get(deal.winner or "", 0)
    for pot in night.preset.won_by("card"):
        for seat in deal.seats:
            held = cards.left(seat, end)
            is_left = any(set(each) <= set(held) for each in winning_cards(pot.cards, cards.trumps))
            if is_left and may_happen(night, Left(seat, pot.id)) and night.ledger.holds(pot.id):
                yield Left(seat, pot.id)


_STAGES: Mapping[str, Callable[[Night, str], Iterator[Event]]] = {
    **BEFORE_PLAY,
    PLAY: before_play(_play),
    SHOWDOWN: _showdown,
}
