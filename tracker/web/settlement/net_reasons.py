"""What everybody's net is made of: the reason of each change, summed over the log."""

from collections.abc import Iterator

from tracker.app.log_history import History
from tracker.core.events import Sit
from tracker.core.night import Night
from tracker.core.points_game import starting_points
from tracker.web.events.registry import split_by_reason

REASONS = (
    "start", "antes", "places", "cards", "dummy", "dues", "bets", "penalties", "corrections", "board", "abandoned",
    "won", "lost", "other",
)  # fmt: skip
"""In the order in which they are shown."""


def net_reasons(history: History) -> dict[str, dict[str, int]]:
    """Return what each seat's net is made of: reason -> chips (or points)."""
    reasons: dict[str, dict[str, int]] = {}
    for seat, reason, change in _changes(history):
        sums = reasons.setdefault(seat, {})
        sums[reason] = sums.get(reason, 0) + change
    return reasons


def _changes(history: History) -> Iterator[tuple[str, str, int]]:
    """Yield (seat, reason, chips or points) for each change of somebody's net."""
    if not history.preset.is_pot_game:
        if history.preset.game == "points":
            yield from ((seat, "start", starting_points(history.night, seat)) for seat in history.night.all_seats)
        for deal in history.night.deals:
            yield from ((seat, "won" if change > 0 else "lost", change) for seat, change in deal.change.items())
        return
    before = Night(history.night.preset)
    for _number, event, after in history.steps:
        for seat in after.all_seats:
            if change := after.net(seat) - before.net(seat):
                yield from ((seat, reason, chips) for reason, chips in split_by_reason(event, after, seat, change))
        before = after


def starting_chips(history: History) -> dict[str, int]:
    """Return how many of the chips that each seat bought it got when it first sat down."""
    start: dict[str, int] = {}
    for _number, event, after in history.steps:
        if isinstance(event, Sit):
            start.setdefault(event.seat, after.ledger.bought.get(event.seat, 0))
    return start
