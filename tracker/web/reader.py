"""Who reads a page, as values: rendering needs nothing else of the request."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g

from tracker.app.open_night import OpenNight
from tracker.web.access.devices import Identity
from tracker.web.scene import Viewer
from tracker.web.wording.language import language


@dataclass(frozen=True)
class Reader:
    """A device at one night, and the language it reads."""

    who: Identity
    language: str


def get_reader() -> Reader:
    """Return who sent this request."""
    return Reader(g.who, language())


def viewer_of(table: OpenNight, who: Identity) -> Viewer:
    """Return what a device is at a table's page."""
    return Viewer(who.role or "", who.seat, is_open=table.settings.is_open_to_all)
