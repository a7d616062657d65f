"""What one extra brings: its pages, what it puts into pages of others, what it does when an app starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # an extra's options, or the rules of its game, are loaded without pages and without a store
    from click import Option
    from flask import Blueprint, Flask

    from tracker.app.nights import Nights
    from tracker.app.open_night import OpenNight
    from tracker.core.preset import Preset


LISTS = (
    "clocks", "due", "error_answers", "error_words", "guards", "jobs", "links", "notices", "old_devices",
    "questions",
    "wished_colours",
)  # fmt: skip


class Offered(NamedTuple):
    """Somebody who is offered a seat."""

    name: str
    take: Callable[[str], int]
    """Keeps that this is who sits at a seat, and returns the colour that is wished; 0 for any."""


@dataclass(frozen=True)
class Extra:
    """A subject that the table can do without."""

    pages: Sequence[Blueprint] = ()
    """Its pages; each says by `may` who may use it."""
    places: Mapping[str, str] = field(default_factory=dict)
    """The name of a place in a page -> the template that stands there, with what the page gives to its own."""
    ways_in: Sequence[str] = ()
    """How the keys of its settings begin that let somebody in or have something sent: a copy that is put back has none
    that was taken away since."""
    commands: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The name of a subcommand of `board-tracker` -> its module and the name of the click command in it. One of a name
    that is there already stands in its place."""
    options: Sequence[Option] = ()
    """What more can be given to `board-tracker serve`; `begin` finds it, by its name, in the app's configuration as
    `OPTIONS`, with the `data_folder` that is served."""
    modules: Sequence[str] = ()
    """Modules that are imported with it, by their names: they add the words and pages of a game, some as their `bp`, or
    what several extras ask for, some by a function `begin`. Each is taken once.
    """
    opened: Callable[[Nights], None] = lambda _nights: None
    """Called with the nights of each data folder that is opened, by the server or by a command."""
    begin: Callable[[Flask], None] = lambda _app: None
    """Called with each app that serves nights."""
    new_night: Callable[[Mapping[str, str], Preset], Callable[[OpenNight], None]] = lambda _form, _game: keep_nothing
    """Read what the form of a new night says, at the place `new_night.choices`; the function that it returns keeps it
    with the night once that is open. Raises TableError for what can't be."""
    next_night: Callable[[OpenNight, OpenNight], None] = lambda _old, _new: None
    """Called with a night and the one that the same people play after it."""
    same_people: Callable[[OpenNight, OpenNight], None] = lambda _old, _new: None
    """Called with a night and another one at which its people have sat down by one tap."""
    offered: Callable[[OpenNight, Mapping[str, str]], Offered | None] = lambda _night, _form: None
    """Return who was chosen for a new seat, by a button at the place `add_person.offers`; None for nobody."""
    night_form: Callable[[Mapping[str, str], str], None] = lambda _form, _code: None
    """Keep what the form of a night's options says of the place `night_options.fields`. Raises BadName."""
    settings_form: Callable[[Mapping[str, str], str], None] = lambda _form, _code: None
    """Keep what the form of a night's settings says of the place `settings.fields`; refuses nothing."""
    person_links: Callable[[OpenNight], Mapping[str, str]] = lambda _night: {}
    """Return by seat where the result of a night leads whoever asks."""


def keep_nothing(_night: OpenNight) -> None:
    """Keep nothing of the form that opened a night."""


def modules_of(extras: Iterable[Extra]) -> list[ModuleType]:
    return [import_module(name) for name in dict.fromkeys(name for extra in extras for name in extra.modules)]


def install(app: Flask, extras: Sequence[Extra]) -> None:
    """Add the pages of the extras, and what they put into pages of others: `extras(place)` in a template."""
    places: dict[str, list[str]] = {}
    for module in modules_of(extras):
        if hasattr(module, "bp"):
            app.register_blueprint(module.bp)
    for extra in extras:
        for blueprint in extra.pages:
            app.register_blueprint(blueprint)
        for place, template in extra.places.items():
            places.setdefault(place, []).append(template)
    app.add_template_global(lambda place: places.get(place, ()), "extras")


def begin(app: Flask, extras: Sequence[Extra]) -> None:
    """Let the extras begin with an app that serves nights. What they may add to is empty before.

    clocks: returns the attributes of the clock of a night, with its end by `server_seconds`; None without one.
    displays: browsers that watch on pages of their own. due: what is to be done about nights. error_answers,
    error_words: see `error_pages`. guards: what is asked of each request. hint: returns what to tap next. jobs: returns
    what runs beside the server, as a context manager. kept_about: by its heading in the file of what is kept about
    somebody, what returns it for a name, seats and ids of persons. links: what the command prints. nights_page: the
    page that lists all nights. notices: what stands on the pages of a night. old_devices: what ends devices before a
    night begins. questions: returns what a phone at a night is
    asked, or None. starts: the page where a role begins. story: returns what is told of a `NightResult`. troubles: by a
    reason of the store, what returns why nothing can be recorded.
    """
    app.extensions |= {
        "extras": extras,
        "displays": {},
        "hint": lambda _table: "",
        "kept_about": {},
        "nights_page": "home.index",
        "starts": {},
        "story": None,
        "troubles": {},
        **{name: [] for name in LISTS},
    }
    for module in modules_of(extras):
        if hasattr(module, "begin"):
            module.begin(app)
    for extra in extras:
        extra.opened(app.extensions["nights"])
        extra.begin(app)
