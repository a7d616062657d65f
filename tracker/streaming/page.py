"""A page as a frame with slots, and the parts that stand in them: of two pages only the parts that differ are sent."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

SLOT = "\x1e"
"""Stands before and behind the name of a part in a frame."""


class Part:
    """One element with an id, rendered once for all who see the same: the same object says that it is the same."""

    def __init__(self, name: str, html: str) -> None:
        self.name, self.html = name, html

    @cached_property
    def change(self) -> bytes:
        """What is sent to a page that shows another state of this element."""
        return b'<hx-partial id="%s" hx-swap="outerMorph">%s</hx-partial>' % (self.name.encode(), as_data(self.html))

    @cached_property
    def without_button(self) -> Part:
        """The same element for whoever may not tap it: no button."""
        html = self.html.replace('<button type="button"', "<div").replace(' aria-pressed="false"', "")
        return Part(self.name, html.replace("</button>", "</div>"))


def as_data(text: str) -> bytes:
    """Return text as the data of a message: every line of it is marked as data, so none can forge a field."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.encode().replace(b"\n", b"\ndata: ")


def slot(name: str) -> str:
    """Return the place in a frame where a part stands."""
    return f"{SLOT}{name}{SLOT}"


class Page(NamedTuple):
    """What one viewer sees. A group holds the parts that an audience has in common, always of the same names."""

    frame: str
    groups: tuple[tuple[Part, ...], ...] = ()

    def __str__(self) -> str:
        if not self.groups:
            return self.frame
        parts = {part.name: part.html for group in self.groups for part in group}
        return "".join(parts.get(text, "") if at % 2 else text for at, text in enumerate(self.frame.split(SLOT)))

    def since(self, before: Page) -> bytes | None:
        """Return the parts that differ from another page; None where more does, so that the whole page is needed."""
        if self.frame != before.frame or len(self.groups) != len(before.groups):
            return None
        found = []
        for old, new in zip(before.groups, self.groups, strict=True):
            if old is not new:
                if [part.name for part in old] != [part.name for part in new]:
                    return None
                found += [
                    part.change for was, part in zip(old, new, strict=True) if was is not part and was.html != part.html
                ]
        return b"".join(found)
