"""What one extra brings: its pages, what it puts into pages of others, what it does when an app starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the rules of an extra's game are loaded without Flask
    from flask import Blueprint, Flask


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
    """The name of a subcommand of `board-tracker` -> its module and the name of the click command in it."""
    modules: Sequence[str] = ()
    """Modules that are imported with it, by their names: they add the words and pages of a game."""
    begin: Callable[[Flask], None] = lambda _app: None
    """Called with each app that serves nights."""


def install(app: Flask, extras: Iterable[Extra]) -> None:
    """Add the pages of the extras, and what they put into pages of others: `extras(place)` in a template."""
    places: dict[str, list[str]] = {}
    for extra in extras:
        for blueprint in extra.pages:
            app.register_blueprint(blueprint)
        for place, template in extra.places.items():
            places.setdefault(place, []).append(template)
    app.add_template_global(lambda place: places.get(place, ()), "extras")
