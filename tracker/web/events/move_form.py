"""The form of a button on the table's page, and how its values become the fields of an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tracker.core.events import Event
from tracker.core.night import Night
from tracker.core.queries.options import CardCount
from tracker.core.queries.prompts import Prompt
from tracker.web.wording.numbers import whole_number

Fields = dict[str, Any]
"""The raw values of an event's fields, as in JSON; `kind` in it replaces the verb."""
NO_NUMBER = -1
"""Stands for a number that can't be read: every event refuses it."""


class DealCount(Protocol):
    """A deal whose hands, or a round whose points, are being counted."""

    @property
    def moment(self) -> str: ...
    @property
    def hands(self) -> Mapping[str, int]: ...
    @property
    def closing(self) -> Event: ...


@dataclass(frozen=True)
class MoveForm:
    """What a phone sent, and the moment of the night that it is read at."""

    values: Mapping[str, str]
    night: Night
    prompt: Prompt = field(default_factory=lambda: Prompt(""))
    plan: Mapping[str, str] = field(default_factory=dict)
    """For the next antes: seat -> `out` (sits out), or who lends, or `bank`."""
    card_count: CardCount = field(default_factory=CardCount)
    """What phones have said of this hand's payment."""
    count: DealCount | None = None

    @property
    def verb(self) -> str:
        """The first part of the button's value `verb:argument`."""
        return self.values.get("do", "").partition(":")[0]

    @property
    def argument(self) -> str:
        """The second part of the button's value; nothing where it has none."""
        return self.values.get("do", "").partition(":")[2]

    @property
    def seat(self) -> str:
        return self.text("seat")

    def text(self, name: str) -> str:
        """Return a field's text, without spaces around it; nothing where the form has no such field."""
        return self.values.get(name, "").strip()

    def number(self, name: str) -> int:
        """Return the whole number of a field; NO_NUMBER where it has none."""
        return number(self.values.get(name, ""))

    @property
    def chips(self) -> int:
        """The chips of the button, or else of the field `chips`."""
        return number(self.argument) if self.argument else self.number("chips")

    @property
    def cover(self) -> dict[str, str]:
        """Who lends to whom, from the fields `cover-<seat>`."""
        named = ((name, source) for name, source in self.values.items() if name.startswith("cover-"))
        return {name.removeprefix("cover-"): source for name, source in named if source}

    def with_cover(self, **fields: Any) -> Fields:
        """Return the fields of an event with its `cover`, if the form has one."""
        return {**fields, "cover": self.cover} if self.cover else fields


ReadFields = Callable[[MoveForm], Fields]


def number(text: str) -> int:
    """Return the whole number that `text` spells; NO_NUMBER where it spells none."""
    read = whole_number(text)
    return NO_NUMBER if read is None else read


def read_seat(form: MoveForm) -> Fields:
    """Return the seat of the form, or else of the button."""
    return {"seat": form.argument or form.seat}
