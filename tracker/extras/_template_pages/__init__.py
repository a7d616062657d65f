"""Pages for few who look at them, or for several at one screen: the template says which their parts are. No extra."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol

from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.streaming.stream import Page, Part, slot
from tracker.web.base.context import get_template, macro_of
from tracker.web.base.snapshot import NightSnapshot, Viewer, snapshot_of
from tracker.web.events.sentences import last_event
from tracker.web.table.told import told_entry, with_correction
from tracker.web.table.view import TableView
from tracker.web.wording.texts import language


class PagesForAll(Protocol):
    """What the pages of a score game are made of for somebody who has no seat."""

    tv: str
    """The template of a screen to be read from the sofa, where the game needs its own."""

    def page_for_all(self, table: OpenNight, template: str, **more: Any) -> Page:
        """Return what a template shows of a night."""
        ...


class PartsOfTemplate:
    """The parts of a page whose template says which they are: `{% call part('id') %}` around each."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}

    def __call__(self, name: str, caller: Callable[[], str]) -> Markup:
        self.found[name] = str(caller())
        return Markup(slot(name))  # noqa: S704  a name that our templates give


def page_of(snapshot: NightSnapshot, name: Hashable, template: str, facts: Mapping[str, Any]) -> Page:
    """Return the page that a template makes, all rendered; unchanged parts are the same objects. For pages of few."""
    parts, key = PartsOfTemplate(), (name, language())
    frame = get_template(template).render(part=parts, **facts)
    _, last = snapshot.made.get(key, ("", {}))
    now = {
        one: last[one] if one in last and last[one].html == html else Part(one, html)
        for one, html in parts.found.items()
    }
    snapshot.made[key] = "", now
    return Page(frame, (tuple(now.values()),))


def told_to_all(table: OpenNight) -> Part:
    """Return a part that tells the newest entry to nobody in particular, for a page that several people look at."""
    snapshot = snapshot_of(table)
    before = TableView(snapshot, Viewer()).board.before if table.preset.is_pot_game else None
    last = with_correction(table, last_event(snapshot, snapshot.night, before=before))
    return Part("newest", str(macro_of("shared/_macros:told_to_all")(told_entry(table, snapshot, Viewer(), last))))
