"""8 Round Rummy: one winner a round, the round card's points, and the automatic win (RULES 2.3)."""

from __future__ import annotations

from dataclasses import replace

from tracker.core.errors import NotAllowed, WrongMoment
from tracker.core.events import Reverse, Round
from tracker.core.night import ENDED, LOBBY, PLAY, Night, RoundWon
from tracker.core.preset import RoundCard

LAST_ROUND = 8


def next_round(night: Night) -> RoundCard | None:
    """Return the round to be played now; None when all are won."""
    left = night.preset.rounds_played[len(night.rounds) :]
    return left[0] if left else None


def round_(night: Night, event: Round) -> Night:
    """Give the round card to its winner; without a joker in the hand, round 8 (or any) wins the game at once."""
    night.demand(LOBBY, PLAY)
    winner, card = night.present(event.winner), next_round(night)
    if card is None:
        raise WrongMoment("all rounds are won: end the night")
    won = RoundWon(card.number, card.points, winner, event.jokers)
    points = {**night.points, winner: night.points.get(winner, 0) + card.points}
    after = replace(
        night, phase=PLAY, hand=night.hand + 1, rounds=(*night.rounds, won), points=points, last_transfers=()
    )
    return replace(after, phase=ENDED) if next_round(after) is None or automatic_winner(after) else after


def demand_two_people(night: Night, _: Round) -> None:
    """Raise NotAllowed for a round that one person plays alone: the sheet says 2 to 6."""
    if len(night.seats) < 2:
        raise NotAllowed("a round needs at least two people")


def reverse(night: Night, event: Reverse) -> Night:
    """Reverse & New Hand was played: the direction of play turns; it has no effect on the score."""
    night.demand(LOBBY, PLAY)
    return replace(night, phase=PLAY, is_reversed=not night.is_reversed, last_transfers=())


def automatic_winner(night: Night) -> str | None:
    """Return who won round 8 (by house rule: any round) without a joker, and so the game regardless of points."""
    return next((won.winner for won in night.rounds if counts_jokers(night, won.number) and won.jokers == 0), None)


def counts_jokers(night: Night, number: int) -> bool:
    """Return whether the round of that number wins the game at once where no joker is in the hand (RULES 2.3, R2)."""
    return number == LAST_ROUND or night.house_rules.auto_win == "any_round"


def winners(night: Night) -> list[str]:
    """Return who leads, or has won: most points, ties by the house rule (RULES R1)."""
    automatic = automatic_winner(night)
    if automatic:
        return [automatic]
    most = max((night.points.get(seat, 0) for seat in night.all_seats), default=0)
    tied = [seat for seat in night.all_seats if night.points.get(seat, 0) == most]
    if night.house_rules.tie == "round_8":
        holder = [won.winner for won in night.rounds if won.number == LAST_ROUND and won.winner in tied]
        return holder or tied
    if night.house_rules.tie == "most_cards":
        cards = {seat: sum(won.winner == seat for won in night.rounds) for seat in tied}
        return [seat for seat in tied if cards[seat] == max(cards.values())]
    return tied


def winning_reason(night: Night) -> str:
    """Return why the winner has won: `automatic`, `shared`, a tie-breaking rule or `points`; empty for nobody."""
    won = winners(night) if night.rounds else []
    if not won:
        return ""
    if automatic_winner(night):
        return "automatic"
    if len(won) > 1:
        return "shared"
    most = night.points.get(won[0], 0)
    is_tie = sum(points == most for points in night.points.values()) > 1
    return str(night.house_rules.tie) if is_tie else "points"
