"""What a table can do without: each folder here is one subject, whole. Nothing outside of it names it.

To remove one, delete tracker/extras/<name>, templates/<name>, static/<name> and tests/extras/<name>. To add one, write
`EXTRA` (tracker/web/base/extra.py) in its `__init__.py`. An extra imports no other one; what several have in common is
in the folders that begin with `_`, which are none: `_score` is for score games, `_night_files` for all that reads
nights. Where it can keep the nights in another place than the data folder, its module `options` has the command's
options for that: `DATA_OPTIONS`, by name.

One that brings a game has a module `rules` with `GAME` (tracker/core/game.py). Neither of these modules imports Flask,
nor does the `__init__.py` beside them.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from tracker.core.game import Game, add_game, remove_game

if TYPE_CHECKING:
    from tracker.web.base.extra import Extra


@cache
def names() -> tuple[str, ...]:
    """Return the names of the extras that are there, in alphabetical order."""
    return tuple(sorted(one.name for one in iter_modules(__path__) if not one.name.startswith("_")))


@cache
def modules(name: str, without: Collection[str] = frozenset()) -> tuple[ModuleType, ...]:
    """Return the modules of this name that extras have, but for those `without`; no pages of others are imported."""
    folders = {extra: [f"{path}/{extra}" for path in __path__] for extra in names() if extra not in without}
    having = (extra for extra, paths in folders.items() if name in (one.name for one in iter_modules(paths)))
    return tuple(import_module(f"{__name__}.{extra}.{name}") for extra in having)


def _games() -> dict[str, Game]:
    """Return the games that extras bring by the name of the extra, in the order in which they are offered."""
    games = {rules.__name__.split(".")[-2]: rules.GAME for rules in modules("rules")}
    return dict(sorted(games.items(), key=lambda one: int(one[1].order)))


def load_games(without: Collection[str] = ()) -> None:
    """Make the games of the extras known to the rules and the readers of files, but for those `without`."""
    for name, game in _games().items():
        if name not in without:
            add_game(game)


def forget_games(names_: Collection[str]) -> None:
    """Forget the games of these extras, for a process that is to do without them."""
    for name, game in _games().items():
        if name in names_:
            remove_game(game.name)


def load(without: Collection[str] = ()) -> list[Extra]:
    """Return the extras that are there, by their names, but for those `without`; what their games say is known then."""
    load_games(without)
    found = [import_module(f"{__name__}.{name}").EXTRA for name in names() if name not in without]
    for extra in found:
        for module in extra.modules:
            import_module(module)
    return found
