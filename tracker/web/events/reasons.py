"""By what a seat won or lost chips: what one event changed, split into its reasons, and their names."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.core.events import Event
from tracker.core.night import SHOWDOWN, Night
from tracker.web.events.registry import kind_of
from tracker.web.wording.texts import gettext as _


def split_by_reason(event: Event, after: Night, seat: str, change: int) -> Iterator[tuple[str, int]]:
    """Yield (reason, chips) for the parts of what one event changed of a seat's net; their sum is `change`."""
    if event.kind not in ("out", "turn-up") or after.phase != SHOWDOWN:
        yield kind_of(event).reason, change
        return
    deal, won = after.current_deal(), 0
    if seat == deal.winner:
        pots = {pot.id for pot in after.preset.won_by("out")}
        pots |= {deal.turned_up} if event.kind == "turn-up" and deal.turned_up else set()
        won = sum(taken.chips for pot, taken in deal.taken.items() if pot in pots)
    yield "places", won
    yield "cards", change - won


def outside_net(before: Night, after: Night, seat: str) -> Iterator[tuple[str, int]]:
    """Yield (reason, chips) for what one event changed of a seat's stack without changing its net.

    Chips bought count as spent, borrowed chips as owed, and IOUs held as chips.
    """
    old, new = before.ledger, after.ledger
    bought = new.bought.get(seat, 0) - old.bought.get(seat, 0)
    yield "bought", bought - new.cashed.get(seat, 0) + old.cashed.get(seat, 0)
    owed = new.owed_by(seat) - old.owed_by(seat)
    yield "borrowed" if owed > 0 else "paid-back", owed
    yield "ious", old.notes_in(seat) - new.notes_in(seat)


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
        "bought": _("bought"),
        "borrowed": _("borrowed"),
        "paid-back": _("paid back"),
        "ious": _("in IOUs"),
    }.get(reason, _("other"))
