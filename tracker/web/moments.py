"""The one question that the table asks just now: what the dock offers follows from it and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tracker.core import auction, pot_game
from tracker.core.night import DUMMY, ENDED, PLAY, SHOWDOWN, Night

STAGES = ("ante", "dummy", "play", "count")


@dataclass(frozen=True)
class Moment:
    """Where the night is: `ante`, `dummy`, `auction`, `play`, `count`, `held`, `poker` or `ended`."""

    name: str
    dealer: str | None = None
    """Before a hand: who deals it."""
    needs: Mapping[str, int] = field(default_factory=dict)
    """Before a hand: each seat's whole ante, in chips."""
    short: Mapping[str, int] = field(default_factory=dict)
    """Before a hand: seats that can't pay it, and how many chips they lack."""
    winner: str | None = None
    """While cards are counted: who is out."""
    payers: tuple[str, ...] = ()
    """While cards are counted: everybody who is asked, clockwise."""
    pot: str | None = None
    offender: str | None = None
    """At the question about a withheld card: whose pot, and who withheld."""
    turn: str | None = None
    """In the auction: whose bid it is."""
    least: int = 0

    @property
    def stage(self) -> str:
        named = {"auction": "dummy", "held": "count", "poker": "count", "ended": "count"}
        return named.get(self.name, self.name)


def stages(night: Night) -> tuple[str, ...]:
    """Return the stages that a hand of this preset goes through."""
    return STAGES if night.preset["dummy"] != "unused" else ("ante", "play", "count")


def moment_of(
    night: Night,
    out: str | None = None,
    said: Mapping[str, int] | None = None,
    plan: Mapping[str, str] | None = None,
    waived: frozenset[str] = frozenset(),
) -> Moment:
    """Return the question that the table asks now."""
    if night.phase == ENDED:
        return Moment("ended")
    if night.phase == DUMMY:
        return _dummy(night)
    if night.phase == PLAY:
        return _count(night, out) if out in pot_game.players(night) else Moment("play")
    if night.phase == SHOWDOWN and (question := _showdown(night, waived)):
        return question
    return _ante(night, plan or {})


def _dummy(night: Night) -> Moment:
    deal = night.the_deal()
    if deal.auction.bidder is None and not deal.auction.passed:
        return Moment("dummy", dealer=deal.dealer)
    least = (
        deal.auction.chips + night.preset.number("auction.step")
        if deal.auction.bidder
        else night.preset.number("auction.min")
    )
    return Moment("auction", dealer=deal.dealer, turn=auction.whose_bid(night), least=least)


def _count(night: Night, out: str | None) -> Moment:
    payers = tuple(
        seat for seat in night.clockwise_from(out) if seat in pot_game.players(night) and seat != out
    )
    return Moment("count", winner=out, payers=payers)


def _showdown(night: Night, waived: frozenset[str]) -> Moment | None:
    deal = night.the_deal()
    for offender, suit in deal.withheld:
        for pot in pot_game.card_pots_of(night, suit):
            if (pot, offender) not in deal.matched and f"held/{pot}/{offender}" not in waived:
                return Moment("held", pot=pot, offender=offender)
    after_hand = night.preset["poker.when"] in ("hand_end_left", "hand_end_all")
    pools = [pool.id for pool in night.preset.won_by("poker") if night.pot(pool.id) or night.ledger.notes_in(pool.id)]
    if after_hand and pools and deal.poker is None and "poker" not in waived:
        return Moment("poker", pot=pools[0])
    return None


def _ante(night: Night, plan: Mapping[str, str]) -> Moment:
    dealer = plan.get("dealer") if plan.get("dealer") in night.seats else night.next_dealer()
    if dealer is None:
        return Moment("ante")
    seats = tuple(seat for seat in night.clockwise_from(dealer) if plan.get(seat) != "out" or seat == dealer)
    needs: dict[str, int] = {}
    for due in pot_game.antes(night, seats):
        needs[due.payer] = needs.get(due.payer, 0) + due.chips
    short = {seat: chips - night.stack(seat) for seat, chips in needs.items() if chips > night.stack(seat)}
    return Moment("ante", dealer=dealer, needs=needs, short=short)
