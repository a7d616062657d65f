"""What everybody's net is made of: the reason of each change, summed over the log."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.app.log_history import History
from tracker.core.events import Event
from tracker.core.night import SHOWDOWN, Night
from tracker.web.events.registry import kind_of
from tracker.web.wording.texts import gettext as _

REASONS = (
    "antes", "places", "cards", "dummy", "dues", "bets", "penalties", "corrections", "board", "won", "lost", "other",
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
        for deal in history.night.deals:
            yield from ((seat, "won" if change > 0 else "lost", change) for seat, change in deal.change.items())
        return
    before = Night(history.night.preset)
    for _number, event, after in history.steps:
        for seat in after.all_seats:
            if change := after.net(seat) - before.net(seat):
                yield from _split_by_reason(event, after, seat, change)
        before = after


def _split_by_reason(event: Event, after: Night, seat: str, change: int) -> Iterator[tuple[str, str, int]]:
    """Split what one event changed for one seat into its reasons."""
    if event.kind not in ("out", "turn-up") or after.phase != SHOWDOWN:
        yield seat, kind_of(event).reason, change
        return
    deal, won = after.current_deal(), 0
    if seat == deal.winner:
        pots = {pot.id for pot in after.preset.won_by("out")}
        pots |= {deal.turned_up} if event.kind == "turn-up" and deal.turned_up else set()
        won = sum(taken.chips for pot, taken in deal.taken.items() if pot in pots)
    yield seat, "places", won
    yield seat, "cards", change - won


def reason_name(reason: str) -> str:
    """Return a reason in the reader's language."""
    return {
        "antes": _("antes"),
        "places": _("won from places"),
        "cards": _("cards left"),
        "dummy": _("dummy hand"),
        "dues": _("cards that pay at once"),
        "bets": _("bets"),
        "penalties": _("penalties"),
        "corrections": _("set right by hand"),
        "board": _("share of the board"),
        "won": _("deals won"),
        "lost": _("deals lost"),
    }.get(reason, _("other"))
