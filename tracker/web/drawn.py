"""What makes a page quick to draw: places and seats drawn once for what they show, and sentences looked up once.

After an event most of the table looks as before, so most of its HTML is known already.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import flask_babel
from flask import current_app, url_for
from flask.sansio.app import App
from jinja2 import Environment, pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from tracker.web.language import language
from tracker.web.places import PlaceView
from tracker.web.seats import SeatView
from tracker.web.strip import Item
from tracker.web.texts import gettext
from tracker.web.views import Scene, TableView

_MARK = secrets.token_hex(4)
_HOLE = re.compile(rf"\x02(\w+){_MARK}\x02")
OWN = ("me", "key", "seat", "top", "strip", "seats", "dock")
HOLES = {name: Markup(f"\x02{name}{_MARK}\x02") for name in OWN}  # noqa: S704 - our own
"""Where a page that is drawn for many has what is one phone's alone. Nobody can know the mark, so nobody types one."""

MOST_KEPT = 256  # a night of eight draws about forty different ones at a time
RECURRING = 64
Drawn = TypeVar("Drawn")


class Drawer:
    """Draws places and seats in one language."""

    def __init__(self, env: Environment, heaps: str, lang: str) -> None:
        self.lang = lang
        macros: Any = env.get_template("partials/_place.html").module
        self.ui, self.words = (env.get_template(f"partials/{name}.html").module for name in ("_parts", "_words"))
        self.heaps = heaps
        self._place = lru_cache(RECURRING)(macros.place)  # hand after hand the same few chips lie in the same places
        self._seat, self._top, self._strip = macros.seat, macros.top, macros.strip
        self.blocks: dict[Hashable, Markup] = {}
        self._cells: dict[Hashable, tuple[object, Markup]] = {}

    def _cell(self, name: Hashable, draw: Callable[..., Markup], *shows: Any) -> Markup:
        """Return a part as it was drawn the last time, unless it shows something else now.

        Most parts do not change, and to compare one costs less than to look it up by all that it shows.
        """
        known = self._cells.get(name)
        if known is None or known[0] != shows:
            if len(self._cells) >= MOST_KEPT:
                self._cells.clear()
            known = self._cells[name] = shows, draw(*shows)
        return known[1]

    def place(self, place: PlaceView, is_button: bool) -> Markup:
        """Return one place of the board."""
        return self._cell((place.id, is_button), self._place, place, is_button, self.heaps)

    def seat(self, seat: SeatView, is_button: bool) -> Markup:
        """Return one person's seat."""
        return self._cell((seat.face.seat, seat.is_me, is_button), self._seat, seat, is_button)

    def top(self, me: SeatView, *shows: Any) -> Markup:
        """Return the top bar of a seat's own phone."""
        return self._cell(("top", me.face.seat), self._top, me, *shows)

    def strip(self, seat: str, items: tuple[Item, ...]) -> Markup:
        """Return what this hand has brought a seat."""
        return self._cell(("strip", seat), self._strip, items)

    @pass_eval_context
    def say(self, context: EvalContext, message: str, **facts: Any) -> str:
        """Return a sentence in this language, without asking which one the reader wants."""
        return _said(self.lang, context, message, facts)


class Drawing:
    """Draws what is the same on many phones, once for all of them: one scene, in one language."""

    def __init__(self, scene: Scene, drawer: Drawer) -> None:
        self._scene, self._drawer = scene, drawer
        self._known: dict[Any, Any] = {}

    @property
    def macros(self) -> dict[str, Any]:
        """The macros and sentences that templates of the table use, looked up once."""
        return {"ui": self._drawer.ui, "words": self._drawer.words, "_": self._drawer.say}

    def places(self, is_button: bool) -> Markup:
        """Return the places of the board, as buttons or to look at."""
        draw, places = self._drawer.place, self._scene.places
        drawn = self.once(("places", is_button), lambda: "".join(draw(place, is_button) for place in places))
        return Markup(drawn)  # noqa: S704 - of macros, each escaped

    def seats(self, is_button: bool, me: SeatView | None, is_me_shown: bool) -> str:
        """Return everybody's seat in order, with the reader's own marked or left out."""
        cells = self.once(
            ("seats", is_button),
            lambda: {seat.face.seat: self._drawer.seat(seat, is_button) for seat in self._scene.seats},
        )
        if me is not None:
            cells = cells | {me.face.seat: self._drawer.seat(me, is_button) if is_me_shown else Markup()}
        return "".join(cells.values())

    def own(self, view: TableView, base: str) -> dict[str, str]:
        """Return what is one phone's alone, for the holes of its page."""
        viewer, me = view.viewer, view.me if view.is_own else None
        return {
            "me": escape(viewer.seat or ""),
            "key": escape(view.key),
            "seat": escape(me.face.seat) if me and not viewer.records_for_all else "",
            "top": self.top(view, me, base) if me else "",
            "strip": self._drawer.strip(me.face.seat, view.strip) if me else "",
            "seats": self.seats(view.may_act and viewer.records_for_all, view.me, not me or viewer.records_for_all),
        }

    def filled(self, group: Hashable, make: Callable[[], str], own: Mapping[str, str]) -> str:
        """Return a page that is drawn once for a group of phones, with one phone's own parts in its holes."""
        pieces: list[str] = self.once(("group", group), lambda: _HOLE.split(make()))
        pieces = pieces.copy()
        pieces[1::2] = [own[name] for name in pieces[1::2]]
        return "".join(pieces)

    def top(self, view: TableView, me: SeatView, base: str) -> Markup:
        """Return the top bar of a seat's own phone."""
        dealer, hand = view.dealer, view.night.hand + (view.moment.name == "ante")
        deals = dealer is not None and dealer.seat == view.viewer.seat
        return self._drawer.top(me, hand, dealer and dealer.name, deals, self._scene.is_last, base)

    def part(self, *name: Any, caller: Callable[[], Markup]) -> Markup:
        """Return the block of a template that is called with it; the name says all that the block depends on."""
        return self.once(name, caller)

    def kept(self, *name: Any, caller: Callable[[], Markup]) -> Markup:
        """Return the same for a block that depends on nothing else in any night, and is drawn once for all moments."""
        return remembered(self._drawer.blocks, name, caller)

    def once(self, name: Hashable, make: Callable[[], Drawn]) -> Drawn:
        """Return what is made once for all phones for which its name is the same."""
        found: Drawn | None = self._known.get(name)
        if found is None:
            found = self._known[name] = make()
        return found


def remembered(known: dict[Hashable, Drawn], name: Hashable, make: Callable[[], Drawn]) -> Drawn:
    """Return what is known under a name, made if it is not; what is known never grows large, in any thread."""
    found = known.get(name)
    if found is None:
        found = make()
        if len(known) >= MOST_KEPT:
            known.clear()
        known[name] = found
    return found


def drawing(scene: Scene) -> Drawing:
    """Return what draws this scene in the reader's language."""
    lang = language()
    found: Drawing = scene.drawn.get(lang) or scene.drawn.setdefault(lang, Drawing(scene, drawer()))
    return found


def drawer() -> Drawer:
    """Return the drawer for the reader's language."""
    lang, known = language(), current_app.extensions.setdefault("drawers", {})
    if lang not in known:
        known[lang] = Drawer(current_app.jinja_env, url_for("static", filename="heaps.svg"), lang)
    found: Drawer = known[lang]
    return found


def install(app: App) -> None:
    """Let templates look a sentence up once for each language, not at every use."""
    app.jinja_env.globals.update(_=_sentence, gettext=_sentence)
    app.jinja_env.filters["told"] = _told


_known: dict[tuple[str, str], Markup] = {}
_own_words: dict[Hashable, str] = {}


@pass_eval_context
def _sentence(context: EvalContext, message: str, **facts: Any) -> str:
    return _said(language(), context, message, facts)


def _told(words: str) -> str:
    """Return a board's own words in the reader's language; unlike our sentences in _(), they are escaped."""
    return remembered(_own_words, (language(), words), lambda: gettext(words))


def _said(lang: str, context: EvalContext, message: str, facts: dict[str, Any]) -> str:
    text = _known.get((lang, message))
    if text is None:
        text = _known[lang, message] = Markup(flask_babel.get_translations().gettext(message))  # noqa: S704 - our own
    if not context.autoescape:
        return str(text) % facts
    return text % facts if facts or "%" in text else text
