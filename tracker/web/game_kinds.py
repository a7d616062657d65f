"""What the pages of a night are made of, one record per kind of game; their addresses are the same for every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tracker.app.open_night import OpenNight, Outcome
from tracker.web.access.devices import Identity
from tracker.web.access.pending_requests import PhoneQuestions
from tracker.web.notices import Notice
from tracker.web.snapshot import Viewer


@dataclass(frozen=True)
class Messages:
    """What one viewer is told beside the game."""

    asked: PhoneQuestions
    trouble: Notice | None
    refusal: str = ""
    """Why the form was refused that this answers."""
    note: str = ""
    """What else is to be said about the form that this answers."""
    hint: str = ""
    """In a rehearsal: what to tap next (HTML)."""


@dataclass(frozen=True)
class GameKind:
    """The pages of one kind of game. Every function returns HTML, needs the app's context, and no request."""

    page: Callable[[OpenNight, Viewer, str, str], str]
    """The whole page around its fragments, with a sheet open on it (its HTML, or "")."""
    fragments: Callable[[OpenNight, Viewer, Messages], str]
    """What changes on the page: what is the viewer's own, and what everybody sees alike."""
    sheet: Callable[[OpenNight, Viewer, str | None], str]
    """What can happen to the person of a seat, or (None) what else the table offers; 404 for an unknown seat."""
    tv_page: Callable[..., str]
    """The page for a big screen: the table, and what its template needs besides."""
    tv_fragment: Callable[[OpenNight, Notice | None], str]
    """What changes on a big screen."""
    handle_move: Callable[[OpenNight, Identity, Mapping[str, str]], Outcome | None]
    """Records what a form says and returns the outcome, or keeps it until it is recorded (None).

    Raises TableError; answers 403 to a device that may not.
    """


GAME_KINDS: dict[str, GameKind] = {}
"""By the preset's kind of game; filled by `tracker.web.app`."""


def game_kind(table: OpenNight) -> GameKind:
    """Return the record of the kind of game that a night plays."""
    return GAME_KINDS[table.preset.game]
