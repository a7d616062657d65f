"""Compute a night's summary from its log and the replayed steps. Reads nothing else."""

from collections.abc import Callable, Iterator, Sequence

from tracker.core import payment_list
from tracker.core.log import Entry, PlayedEvent
from tracker.core.night import SHOWDOWN, Night
from tracker.core.preset import Preset
from tracker.core.queries.summary import hand_ends, leaders, ranking
from tracker.core.settlement import has_money
from tracker.extras._night_summaries.night_summary import NightSummary, PaymentSummary, SeatSummary

VERSION = 13
"""Of the computation: a summary that another version has stored is computed again. Raise it with every change."""
MORE: dict[str, Callable[[Preset, Sequence[Entry], Sequence[PlayedEvent]], str]] = {}
"""By the name that a summary has it by, what else extras keep of each night: a text, computed from its log."""


def summarize(preset: Preset, entries: Sequence[Entry], steps: Sequence[PlayedEvent]) -> NightSummary:
    """Return the summary of a night; `steps` is the replayed log of `entries`."""
    states = [Night(preset), *(after for _, _, after in steps)]
    night, ends = states[-1], hand_ends(states)
    rules, totals = night.house_rules, [*map(payment_list.totals, ends)]
    finished = finished_hands(night, ends)
    board = {pot.id: str(pot.name) for state in states for pot in state.preset.board.values()}
    return NightSummary(
        preset=night.preset.id,
        game_name=night.preset.name,
        game=night.preset.game,
        phase=night.phase,
        hand=night.hand,
        hands=len(finished),
        head=len(entries),
        began_at=(entries[0].at or "") if entries else "",
        last_at=(entries[-1].at or "") if entries else "",
        dealer=night.dealer or "",
        money=(rules.money_chips, rules.money_cents) if has_money(night) else (1, 0),
        decimals=rules.money_decimals,
        winners=tuple(leaders(night)),
        seats=tuple(_seats(night, finished)),
        unpaid=tuple(_unpaid(night)),
        series=tuple(tuple(one.get(seat, 0) for one in totals) for seat in night.all_seats),
        pots=tuple(board.values()),
        more={name: text_of(preset, entries, steps) for name, text_of in MORE.items()},
    )


def finished_hands(night: Night, ends: Sequence[Night]) -> list[Night]:
    """Return the last states of the hands that are over; `ends` are those of all hands."""
    return [end for end in ends if end.hand < night.hand or end.phase == SHOWDOWN or not end.preset.is_pot_game]


def _seats(night: Night, finished: Sequence[Night]) -> Iterator[SeatSummary]:
    nets, cents = payment_list.nets(night), payment_list.nets_in_cents(night)
    rank_of = {one.seat: one.place for one in ranking(night)}
    for seat in night.all_seats:
        hands = sum(seat in _players(end) for end in finished)
        is_here = night.people[seat].is_here
        yield SeatSummary(seat, night.name(seat), is_here, rank_of[seat], nets[seat], cents.get(seat, 0), hands)


def _players(state: Night) -> Sequence[str]:
    """Return who played the hand that a state is of."""
    if state.deals:
        return state.deals[-1].players
    return state.deal.seats if state.deal else state.seats


def _unpaid(night: Night) -> Iterator[PaymentSummary]:
    for one in payment_list.payment_list(night) if night.is_over and has_money(night) else ():
        if not one.is_made:
            yield PaymentSummary(one.event.source, one.event.target, one.event.cents)
