"""Out of what everybody's net is made: what each hand and each entry has brought or cost them, and by what."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracker.app.log_history import History
from tracker.core.events import Abandon, Sit
from tracker.core.night import Night
from tracker.core.pot_game import is_part_of_hand
from tracker.core.queries import summary
from tracker.web.events.registry import REASON_NAMES, reason_name, split_by_reason
from tracker.web.settlement.report_view import Rank, SettlementReport
from tracker.web.wording.game_words import words_of


def net_reasons(history: History) -> dict[str, dict[str, int]]:
    """Return what each seat's net is made of: reason -> chips (or points)."""
    reasons = defaultdict[str, dict[str, int]](Counter)
    for seat, reason, change in _changes(history):
        reasons[seat][reason] += change
    return reasons


def _changes(history: History) -> Iterator[tuple[str, str, int]]:
    """Yield (seat, reason, chips or points) for each change of somebody's net."""
    if not history.preset.is_pot_game:
        yield from ((seat, "start", summary.starting_points(history.night, seat)) for seat in history.night.all_seats)
        reason = words_of(history.preset).reason
        for deal in history.night.deals:
            yield from ((seat, reason(change), change) for seat, change in deal.change.items())
        return
    before, of_hand = Night(history.night.preset), list[tuple[str, str, int]]()  # what is not known to count yet
    for _number, event, after in history.steps:
        changes = [(seat, after.net(seat) - before.net(seat)) for seat in after.all_seats]
        split = [
            (seat, *one) for seat, change in changes if change for one in split_by_reason(event, after, seat, change)
        ]
        if event.kind in ("hand", "end"):
            yield from of_hand
            of_hand = []
        if isinstance(event, Abandon):
            of_hand = _given_back([*of_hand, *split])
        elif event.kind != "hand" and is_part_of_hand(event):
            of_hand += split
        else:
            yield from split
        before = after
    yield from of_hand


def _given_back(changes: Sequence[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Return what is left of the changes of a hand that was given up, by seat: mostly nothing."""
    left = Counter[str]()
    for seat, _reason, chips in changes:
        left[seat] += chips
    return [(seat, "abandoned", chips) for seat, chips in left.items() if chips]


def starting_chips(history: History) -> dict[str, int]:
    """Return how many of the chips that each seat bought it got when it first sat down."""
    start: dict[str, int] = {}
    for _number, event, after in history.steps:
        if isinstance(event, Sit):
            start.setdefault(event.seat, after.ledger.bought.get(event.seat, 0))
    return start


@dataclass(frozen=True)
class RankReasons:
    """Out of what the net of a line of the ranking is made."""

    rank: Rank
    start: int
    """How many of the chips bought were those to begin with."""
    why: tuple[tuple[str, int], ...]
    """(reason, chips), summing to the net."""
    note: str


def rank_reasons(report: SettlementReport) -> Iterator[RankReasons]:
    """Yield out of what the nets of a ranking are made, line by line."""
    reasons, start, night = net_reasons(report.history), starting_chips(report.history), report.night
    for rank in report.ranks:
        seat = rank.face.seat
        of_seat = reasons.get(seat, {})
        why = tuple((reason_name(reason), of_seat[reason]) for reason in REASON_NAMES if of_seat.get(reason))
        yield RankReasons(rank, start.get(seat, 0), why, words_of(night.preset).rank_note(night, seat))
