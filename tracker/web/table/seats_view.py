"""The people at the table as its page shows them: their chips, the one word under the name, what they can't answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tracker.core.night import ENDED, LOBBY, PLAY, POKER, SHOWDOWN, STAKES, Night
from tracker.core.queries.options import unanswerable
from tracker.core.queries.prompts import Prompt
from tracker.web.drawing.player_token import PlayerToken


@dataclass(frozen=True)
class SeatView:
    """A person at the table."""

    face: PlayerToken
    stack: int
    change: int | None
    """Chips since before the antes; None between nights or when not in the hand."""
    state: str
    """The one word under the name: dealer, barred, out, dummy, away, short, sits-out, waits or nothing."""
    is_dealer: bool
    owes: int
    holds: int
    needs: int
    no: str
    """The questions for which this seat is no answer, separated by spaces."""


def seat_view(
    night: Night,
    moment: Prompt,
    plan: Mapping[str, str],
    face: PlayerToken,
    *,
    questions: Mapping[str, str],
) -> SeatView:
    """Return a person as everybody else sees them.

    `plan` is what was decided for the next antes, `questions` what each place asks.
    """
    seat, deal = face.seat, night.deal
    in_hand = deal is not None and seat in deal.seats
    change = night.stack(seat) - deal.stacks_before[seat] if deal is not None and in_hand else None
    return SeatView(
        face=face,
        stack=night.stack(seat),
        change=change if night.phase not in (LOBBY, ENDED) else None,
        state=_state(night, moment, plan.get(seat, ""), seat),
        is_dealer=seat == (moment.dealer or night.dealer) and not night.is_over,
        owes=night.ledger.owed_by(seat),
        holds=night.ledger.notes_in(seat),
        needs=moment.needs.get(seat, 0),
        no=" ".join(sorted(unanswerable(night, moment, seat, questions))),
    )


def _state(night: Night, moment: Prompt, plan: str, seat: str) -> str:
    deal = night.deal
    if moment.name == "ante":
        if plan == "out":
            return "sits-out"
        if seat in moment.short:
            return "covered" if plan else "short"
    if deal is None or night.phase in (LOBBY, ENDED):
        return ""
    tests = (
        ("waits", seat not in deal.seats and moment.name != "ante"),  # then they are in the hand that comes
        ("gone", seat in deal.out_of_cards),
        ("barred", seat in deal.barred and night.phase != SHOWDOWN),
        ("won", seat == deal.winner),
        ("folded", night.phase == POKER and seat in deal.folded),
        ("placed", night.phase == STAKES and seat in deal.stakes_placed),
        ("dummy", night.phase == PLAY and (seat == deal.buyer or (deal.dummy == "exchanged" and seat == deal.dealer))),
    )
    return next((word for word, is_so in tests if is_so), "")
