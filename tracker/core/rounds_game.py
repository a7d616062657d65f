"""8 Round Rummy: one winner a round, the round card's points, and the automatic win (RULES 2.3)."""

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
    """Give the round card to its winner; a hand without a joker may win the game at once (RULES 2.3, R2)."""
    night.require_phase(LOBBY, PLAY)
    winner, card = night.require_seated(event.winner), next_round(night)
    if card is None:
        raise WrongMoment("all rounds are won: end the night")
    players = tuple(seat for seat in night.seats if seat == winner or seat not in night.newcomers)
    is_automatic = event.jokers == 0 and (
        card.number == LAST_ROUND or (event.seven_alike and asks_seven_alike(night, card.number))
    )
    won = RoundWon(card.number, card.points, winner, event.jokers, players, is_automatic)
    points = {**night.points, winner: night.points.get(winner, 0) + card.points}
    after = replace(
        night,
        phase=PLAY,
        hand=night.hand + 1,
        rounds=(*night.rounds, won),
        points=points,
        newcomers=frozenset(),
        last_transfers=(),
    )
    return replace(after, phase=ENDED) if next_round(after) is None or is_automatic else after


def require_two_people(night: Night, _: Round) -> None:
    """Raise NotAllowed for a round that one person plays alone: the sheet says 2 to 6."""
    if len(night.seats) < 2:
        raise NotAllowed("a round needs at least two people")


def reverse(night: Night, event: Reverse) -> Night:
    """Reverse & New Hand was played: the direction of play turns; it has no effect on the score."""
    night.require_phase(LOBBY, PLAY)
    return replace(night, phase=PLAY, is_reversed=not night.is_reversed, last_transfers=())


def automatic_winner(night: Night) -> str | None:
    """Return who won a round that won the game at once, regardless of points; None when nobody has."""
    return next((won.winner for won in night.rounds if won.is_automatic), None)


def asks_seven_alike(night: Night, number: int) -> bool:
    """Return whether seven equal numbers without a joker win the game in that round too, which asks for others."""
    return number != LAST_ROUND and night.house_rules.auto_win == "any_round"


def winners(night: Night) -> list[str]:
    """Return who of the contenders leads, or has won: most points, ties by the house rule (RULES R1)."""
    automatic = automatic_winner(night)
    if automatic:
        return [automatic]
    tied = night.with_best_points
    if night.house_rules.tie == "round_8":
        holder = [won.winner for won in night.rounds if won.number == LAST_ROUND and won.winner in tied]
        return holder or tied
    if night.house_rules.tie == "most_cards":
        cards = {seat: sum(won.winner == seat for won in night.rounds) for seat in tied}
        return [seat for seat in tied if cards[seat] == max(cards.values())]
    return tied


def winning_reason(night: Night) -> str:
    """Return why the winner has won: `automatic`, `shared`, a tie-breaking rule or `points`; empty for nobody."""
    won = winners(night)
    if not won:
        return ""
    if automatic_winner(night):
        return "automatic"
    if len(won) > 1:
        return "shared"
    return str(night.house_rules.tie) if len(night.with_best_points) > 1 else "points"
