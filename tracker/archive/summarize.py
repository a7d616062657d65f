"""Compute a night's summary from its log and the replayed steps. Reads nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from tracker.archive.night_details import (
    NOBODY,
    OFFENCES,
    DummyBought,
    HandEnd,
    NightDetails,
    PenaltyPaid,
    PotSummary,
    PotTaken,
    Rows,
)
from tracker.archive.night_facts import facts_of
from tracker.archive.night_summary import NightSummary, PaymentSummary, SeatSummary, moments_text
from tracker.archive.pot_facts import PotFacts, Step
from tracker.core import payment_list
from tracker.core.log import Entry
from tracker.core.night import SHOWDOWN, Night
from tracker.core.preset import Preset
from tracker.core.queries.best_moments import Kind, best_moments
from tracker.core.queries.summary import leaders
from tracker.core.settlement import has_money

VERSION = 5
"""Of the computation: a summary that another version has stored is computed again. Raise it with every change."""


def summarize(preset: Preset, entries: Sequence[Entry], steps: Sequence[Step]) -> NightSummary:
    """Return the summary of a night; `steps` is the replayed log of `entries`."""
    night = steps[-1][2] if steps else Night(preset)
    is_pots, rules = night.preset.game == "pots", night.house_rules
    details = _details(night, steps, PotFacts(preset, steps) if is_pots else None)
    return NightSummary(
        preset=night.preset.id,
        game_name=night.preset.name,
        game=night.preset.game,
        phase=night.phase,
        hand=night.hand,
        head=len(entries),
        began_at=(entries[0].at or "") if entries else "",
        ended_at=_ended_at(entries, steps),
        last_at=(entries[-1].at or "") if entries else "",
        dealer=night.dealer or "",
        on_board=sum(night.pot(pot) for pot in night.preset.board) if is_pots else 0,
        money=(rules.money_chips, rules.money_cents) if has_money(night) else (1, 0),
        winners=tuple(leaders(night)),
        seats=tuple(_seats(night, steps)),
        payments=tuple(_payments(night)),
        facts_text=facts_of(details, night.hand).to_text(),
        moments_text=moments_text(best_moments((state for _, _, state in steps), len(get_args(Kind)))),
        details_text=details.to_text(),
    )


def _details(night: Night, steps: Sequence[Step], facts: PotFacts | None) -> NightDetails:
    """Return a night hand by hand; `facts` are those of a pot game."""
    totals = [payment_list.totals(state) for state in _hand_states(steps)]
    places = {seat: place for place, seat in enumerate(night.all_seats)}
    return NightDetails(
        series=tuple(tuple(one.get(seat, 0) for one in totals) for seat in night.all_seats),
        pots=tuple(_pots(facts) if facts else ()),
        hands=Rows.of(HandEnd, facts.hand_ends(places) if facts else _scored_hands(night, places)),
        taken=Rows.of(PotTaken, facts.taken(places) if facts else ()),
        dummies=Rows.of(DummyBought, facts.dummies(places) if facts else ()),
        penalties=Rows.of(PenaltyPaid, facts.penalties(places) if facts else _faults(night, places)),
    )


def _ended_at(entries: Sequence[Entry], steps: Sequence[Step]) -> str:
    """Return when the event was recorded that ended the night; empty where it goes on, or the log does not say."""
    number = next((number for number, _, after in steps if after.is_over), None)
    return (entries[number - 1].at or "") if number is not None and steps[-1][2].is_over else ""


def _hand_states(steps: Sequence[Step]) -> list[Night]:
    """Return the last state of each hand; in a pot game without the end of the night, when the board is shared out."""
    last: dict[int, Night] = {}
    for _, _, after in steps:
        if after.hand and not (after.is_over and after.preset.game == "pots"):
            last[after.hand] = after
    return [last[hand] for hand in sorted(last)]


def _seats(night: Night, steps: Sequence[Step]) -> list[SeatSummary]:
    states = _hand_states(steps)
    finished = [state for state in states if state.hand < night.hand or state.phase == SHOWDOWN or _is_scored(state)]
    nets, cents = payment_list.nets(night), payment_list.nets_in_cents(night)
    return [
        SeatSummary(
            seat=seat,
            name=night.name(seat),
            is_here=night.people[seat].is_here,
            net=nets[seat],
            cents=cents.get(seat, 0),
            score=night.points[seat] if seat in night.players else 0,
            hands=sum(seat in _players(state) for state in finished),
        )
        for seat in night.all_seats
    ]


def _is_scored(state: Night) -> bool:
    return state.preset.game != "pots"


def _players(state: Night) -> Sequence[str]:
    """Return who played the hand that a state is of."""
    if state.rounds:
        return state.rounds[-1].players
    if state.deals:
        return state.deals[-1].players
    return state.deal.seats if state.deal else state.seats


def _pots(facts: PotFacts) -> Iterator[PotSummary]:
    for pot in facts.pots:
        yield PotSummary(pot.id, str(pot.name), pot.label, pot.won_by, facts.most.get(pot.id, 0))


def _payments(night: Night) -> Iterator[PaymentSummary]:
    """Yield the payments of a night that is over and was played for money."""
    if night.is_over and has_money(night):
        for one in payment_list.payment_list(night):
            yield PaymentSummary(one.event.source, one.event.target, one.event.cents, one.is_made)


def _scored_hands(night: Night, places: dict[str, int]) -> Iterator[HandEnd]:
    for hand, won in enumerate(night.rounds, start=1):
        yield HandEnd(hand, NOBODY, places[won.winner])
    for hand, deal in enumerate(night.deals, start=1):
        for winner in deal.winners:
            yield HandEnd(hand, NOBODY, places[winner])


def _faults(night: Night, places: dict[str, int]) -> Iterator[PenaltyPaid]:
    for hand, deal in enumerate(night.deals, start=1):
        for seat, offence in deal.faults:
            yield PenaltyPaid(hand, places[seat], OFFENCES.index(offence), night.house_rules.fault_points)
