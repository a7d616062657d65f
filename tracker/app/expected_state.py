"""The state that the sender's page showed, compared with the current one before an event is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tracker.core.errors import Stale
from tracker.core.events import End, Event
from tracker.core.night import Night


@dataclass(frozen=True)
class ExpectedState:
    """The state that the sender's page showed; None or empty where the form does not say."""

    head: int | None = None
    """Number of events in the log."""
    hand: int | None = None
    pots: Mapping[str, int] = field(default_factory=dict)
    """Chips that the named pots held."""
    is_exact: bool = False
    """Whether any event recorded since `head` is a conflict."""

    def check(self, event: Event, night: Night, head: int) -> None:
        """Raise Stale when the hand, the chips of a named pot or, where it matters, the log's head have changed."""
        if self.hand is not None and self.hand != night.hand:
            raise Stale("that page showed hand {old}, now it is hand {new}", old=self.hand, new=night.hand)
        for pot, chips in self.pots.items():
            taken = night.deal.taken.get(pot) if night.deal else None
            if taken and chips != night.pot(pot):
                raise Stale("{name} took it", name=", ".join(map(night.name, (taken.seat, *taken.others))))
            if pot in night.preset.board and night.pot(pot) != chips:
                raise Stale(
                    "{pot} now holds {now}, not {then}: look and tap again",
                    pot=night.name(pot),
                    now=night.pot(pot),
                    then=chips,
                )
        if self.head is not None and self.head != head:
            if self.is_exact:
                raise Stale("the night is at event {head}, not {seen}", head=head, seen=self.head)
            if isinstance(event, End):
                raise Stale("something was recorded in the meantime: look at the board, then end the night")
