"""What the sender's page showed: checked against the present, so that no tap lands on another meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tracker.core.errors import Stale
from tracker.core.events import End, Event
from tracker.core.night import Night


@dataclass(frozen=True)
class Seen:
    """What the page of whoever sends an event showed, as far as it knows."""

    head: int | None = None
    """How many events the log had."""
    hand: int | None = None
    pots: Mapping[str, int] = field(default_factory=dict)
    """Chips that the named pots held."""
    is_exact: bool = False
    """Whether anything at all recorded since `head` is too much."""

    def check(self, event: Event, night: Night, head: int) -> None:
        """Raise Stale when `event` would mean something else now: another hand, other chips, a log that went on."""
        if self.hand is not None and self.hand != night.hand:
            raise Stale("that page showed hand {old}, now it is hand {new}", old=self.hand, new=night.hand)
        for pot, chips in self.pots.items():
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
