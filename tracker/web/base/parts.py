"""The table of a page's parts: what each shows, and for whom it is rendered once.

A part is one element: its id, the macro that renders it, and a function that returns the macro's arguments. The
arguments are all that it depends on, for a macro is given nothing else: where they are the same, so is the part.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tracker.streaming.page import Page, Part
from tracker.web.base.context import get_template
from tracker.web.base.snapshot import NightSnapshot
from tracker.web.wording.texts import language

Values = tuple[Hashable, ...]


@dataclass(frozen=True, eq=False)
class Declared:
    """A part of a page, or several of one kind."""

    name: str
    """The id of its element."""
    macro: str
    """`file:name`. A `*` in the file stands for the first value, which the macro is not given."""
    values: Callable[[Any], Values | Mapping[str, Values] | None]
    """Returns the macro's arguments from what is seen; None where the page has no such part now.

    Of several parts the arguments by id.
    """


@dataclass(frozen=True)
class PartTable:
    """All that changes on one kind of page."""

    frame: Declared
    for_all: Mapping[str, tuple[Declared, ...]]
    """Groups of parts that everybody sees alike, by name: made once for all who look at a snapshot."""
    own: tuple[Declared, ...] = ()
    """Parts of one viewer; those of whom have the same arguments share them."""

    def groups(self, snapshot: NightSnapshot, seen: Any) -> dict[str, tuple[Part, ...]]:
        """Return the groups that everybody sees alike."""

        def make() -> dict[str, tuple[Part, ...]]:
            return {name: self._parts(snapshot, (name,), declared, seen) for name, declared in self.for_all.items()}

        return snapshot.cached((id(self), language()), make)

    def page(self, snapshot: NightSnapshot, seen: Any, viewer: Hashable, groups: Iterable[tuple[Part, ...]]) -> Page:
        """Return the page of one viewer: these groups and the viewer's own parts in the frame."""
        frame, *own = self._parts(snapshot, ("own", viewer), (self.frame, *self.own), seen)
        return Page(frame.html, (*groups, tuple(own)))

    def _parts(
        self, snapshot: NightSnapshot, whose: Values, declared: Iterable[Declared], seen: Any
    ) -> tuple[Part, ...]:
        """Return parts, each the same object as in the snapshot before where it has the same arguments or HTML."""
        key = id(self), language(), whose
        _, last = snapshot.made.get(key, ("", {}))
        now = {}
        for one in declared:
            values = one.values(seen)
            if values is None:
                continue
            for name, arguments in values.items() if isinstance(values, Mapping) else ((one.name, values),):
                known = last.get(name)
                if known is None or known[0] is not one or known[1] != arguments:
                    part = self._part(snapshot, one, name, arguments)
                    known = one, arguments, known[2] if known and known[2].html == part.html else part
                now[name] = known
        snapshot.made[key] = "", now
        return tuple([part for _, _, part in now.values()])

    def _part(self, snapshot: NightSnapshot, one: Declared, name: str, arguments: Values) -> Part:
        """Return a part as somebody else sees it who has the same arguments, else render it."""
        shared: dict[Hashable, Part] = snapshot.cached((id(self), language(), "shared"), dict)
        found = shared.get((one, name, arguments))
        if found is None:
            file, _, macro = one.macro.partition(":")
            if "*" in file:
                file, arguments = file.replace("*", str(arguments[0])), arguments[1:]
            html = getattr(get_template(f"{file}.html").module, macro)(*arguments)
            found = shared[one, name, arguments] = Part(name, str(html))
        return found
