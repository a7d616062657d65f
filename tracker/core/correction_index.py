"""What the corrections of a log name, read once: one more correction is judged without reading the log again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.core.errors import Unknown
from tracker.core.events import Amend, Event, Undo


class CorrectionIndex:
    """The entries of a log by id, and its corrections by what they name; `add` is called for one after the other."""

    def __init__(self) -> None:
        self.count = 0
        """How many entries were added."""
        self.named: dict[int, int] = {}
        """The number of every correction, in order, with the number of the entry that it names."""
        self.corrected: dict[int, int] = {}
        """The number of every correction, with that of the event that it is about in the end."""
        self._numbers: dict[str, int] = {}
        self._undos: dict[int, int] = {}
        self._changes: dict[int, Mapping[str, Any]] = {}
        self._undos_of: dict[int, list[int]] = {}
        self._of_event: dict[int, list[int]] = {}

    def add(self, event: Event, id: str | None) -> None:  # noqa: A002
        """Add the next entry of the log; Unknown when it is a correction and names no entry before it."""
        number = self.count + 1
        if isinstance(event, Undo | Amend):
            self._add_correction(number, event)
        if id is not None:
            self._numbers[id] = number
        self.count = number

    def _add_correction(self, number: int, event: Undo | Amend) -> None:
        target = event.event if isinstance(event.event, int) else self.number(event.event)
        if not 0 < target < number:
            raise unknown(event.event)
        root = self.about(target)
        self.named[number], self.corrected[number] = target, root
        self._of_event.setdefault(root, []).append(number)
        if isinstance(event, Undo):
            self._undos[number] = target
            self._undos_of.setdefault(target, []).append(number)
        else:
            self._changes[number] = event.change

    def number(self, id: str) -> int:  # noqa: A002
        """Return the number of the newest entry that has this id; Unknown when none has."""
        if id not in self._numbers:
            raise unknown(id)
        return self._numbers[id]

    def about(self, number: int) -> int:
        """Return the number of the event that a correction is about in the end; `number` itself if it is none."""
        return self.corrected.get(number, number)

    def of_event(self, number: int) -> list[int]:
        """Return the numbers of all corrections that are about an event in the end."""
        return self._of_event.get(number, [])

    def is_newest(self, number: int) -> bool:
        """Return whether no later correction is about the same event as the correction `number`."""
        return self._of_event[self.corrected[number]][-1] == number

    def change_after(self, number: int, target: int) -> dict[str, Any] | None:
        """Return how the event of the correction `target` is amended after an entry `number` has taken that back.

        None when the event is not in force then. Only the corrections of that event are read.
        """
        root = self.corrected[target]
        corrections = self._of_event[root]
        undone = _undone([*((one, self._undos[one]) for one in corrections if one in self._undos), (number, target)])
        if root in undone:
            return None
        changes = (self._changes[one] for one in corrections if one in self._changes and one not in undone)
        return {key: value for change in changes for key, value in change.items()}

    def undone(self) -> dict[int, int]:
        """Return the number of every entry that was taken back, with the number of the undo in force that did it."""
        return _undone([*self._undos.items()])

    def is_undone(self, number: int) -> bool:
        """Return whether an undo of the entry `number` is in force; reads the undos of it, and the undos of those."""
        undos = [*self._undos_of.get(number, ())]
        for undo in undos:
            undos += self._undos_of.get(undo, ())
        return number in _undone([(undo, self._undos[undo]) for undo in undos])


def _undone(undos: list[tuple[int, int]]) -> dict[int, int]:
    """Return what undos have taken back, from all undos with their targets, each after the one that it names."""
    undone: dict[int, int] = {}
    for undo, target in reversed(undos):
        if undo not in undone:
            undone[target] = undo
    return undone


def unknown(ref: int | str) -> Unknown:
    """Return the refusal of a correction that names no earlier entry."""
    return Unknown("there is no event {ref!r} before this one", ref=ref, field="event")
