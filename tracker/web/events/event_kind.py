"""The record of one kind of event: everything that pages know about it beyond the core's step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from tracker.core.events import Event
from tracker.core.night import Night
from tracker.web.events.correction_form import CorrectionForm, Questions
from tracker.web.events.move_form import ReadFields
from tracker.web.events.vocabulary import Vocabulary

E = TypeVar("E", bound=Event)
Reason = Literal[
    "antes", "places", "cards", "dummy", "dues", "bets", "penalties", "corrections", "board", "abandoned", "other"
]
"""What a seat won or lost chips by, in the settlement's ranking."""


@dataclass(frozen=True, kw_only=True)
class EventKind(Generic[E]):
    """One kind of event: its sentence, who may record it, how forms record and correct it, how the log shows it."""

    event: type[E]
    sentence: Callable[[E, Vocabulary], str]
    """What the event did, from the state after it."""
    short: Callable[[E, Vocabulary], str] | None = None
    """The same in fewer words, for the line under the table; where there is none, `sentence` stands there."""
    undone: Callable[[E, Vocabulary], str] | None = None
    """What taking the event back means at the table, from the state without it; None says so in general words."""
    is_for_host: bool = False
    """For others only the host may record it, also where the night lets everybody record for everybody."""
    seats: Callable[[E, Night], Collection[str | None]] | None = None
    """The seats that it is about: a seat's phone may record it if it is about no other seat.

    None: it is about the whole table, so a seat may record it only where everybody may record for everybody.
    """
    buttons: Mapping[str, ReadFields] = field(default_factory=dict)
    """The verb of each button that records it -> what reads the event's fields from the form.

    A kind without fields needs none: its own word is the verb.
    """
    correction: CorrectionForm = field(default_factory=Questions)
    icon: str = "log"
    """The icon before its line in the log, where no token or pot label stands there."""
    token: Callable[[E], str | None] = lambda _event: None
    """The seat whose token stands before its line in the log."""
    reason: Reason = "other"

    @property
    def word(self) -> str:
        """The kind's word in the log."""
        return self.event.kind

    def may_record(self, event: E, night: Night, seat: str | None, *, is_open: bool) -> bool:
        """Return whether a seat's phone may record `event`; `is_open` where everybody may record for everybody."""
        is_own = self.seats is not None and set(self.seats(event, night)) <= {seat}
        return is_own or (is_open and not self.is_for_host)


AnyKind = EventKind[Any]
