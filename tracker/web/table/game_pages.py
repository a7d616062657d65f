"""The kinds of pages that tables have, one for each kind of game, and the forms that record nothing yet."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from tracker.app.open_night import OpenNight
from tracker.core.events import Event
from tracker.streaming.stream import Page
from tracker.web.access.answered_forms import Form
from tracker.web.access.devices import Identity
from tracker.web.base.snapshot import Viewer
from tracker.web.events.event_kind import AnyKind
from tracker.web.events.registry import add_kinds
from tracker.web.notices import Messages
from tracker.web.wording.game_words import GameWords, add_words

Keep = Callable[[OpenNight, Identity, str, Form], None]
"""Keeps what a form says, by its verb's argument, until an event says it."""
Counted = tuple[Mapping[str, int | str], Event]


class GamePages(Protocol):
    """What the pages of one kind of game are made of: HTML, for which the app's context is needed and no request."""

    def page(self, table: OpenNight, viewer: Viewer, live: str, open_sheet: str) -> str: ...
    def fragments(self, table: OpenNight, viewer: Viewer, messages: Messages) -> Page: ...
    def sheet(self, table: OpenNight, viewer: Viewer, seat: str | None) -> str: ...
    def counted(self, table: OpenNight, viewer: Viewer) -> Counted | None:
        """Return what is known of the deal that is being counted, and the event that pays it."""


PAGES: dict[str, GamePages] = {}
"""What makes the pages of each kind of game, by its name."""
KEPT: dict[str, Mapping[str, Keep]] = {}
"""The verbs of each game that record nothing yet: what is typed or planned until an event says it."""


def add_game(
    name: str, words: GameWords, kinds: Sequence[AnyKind], pages: GamePages, verbs: Mapping[str, Keep]
) -> None:
    """Make a kind of score game known to the pages: its words, its events beyond those of every game, its pages.

    `verbs` are those of forms that record nothing yet.
    """
    add_words(name, words)
    add_kinds(name, kinds)
    PAGES[name], KEPT[name] = pages, verbs
