"""What a table can do without: each folder here is one subject, whole. Nothing outside of it names it.

To remove one, delete tracker/extras/<name>, templates/<name>, static/<name> and tests/extras/<name>. To add one, write
`EXTRA` (tracker/web/base/extra.py) in its `__init__.py`. An extra imports no other one.

An extra that brings a game has a module `rules` with `GAME` (tracker/core/game.py). It is loaded without the pages, so
neither it nor the `__init__.py` imports Flask.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from tracker.core.game import Game, add_game, remove_game

if TYPE_CHECKING:
    from tracker.web.base.extra import Extra


@cache
def names() -> tuple[str, ...]:
    """Return the names of the extras that are there, in alphabetical order."""
    return tuple(sorted(one.name for one in iter_modules(__path__)))


@cache
def _games() -> dict[str, Game]:
    """Return the games that extras bring by the name of the extra, in the order in which they are offered."""
    folders = [str(Path(path, name)) for path in __path__ for name in names()]
    found = [Path(folder).name for folder in folders if any(one.name == "rules" for one in iter_modules([folder]))]
    games: dict[str, Game] = {name: import_module(f"{__name__}.{name}.rules").GAME for name in found}
    return dict(sorted(games.items(), key=lambda one: one[1].order))


def load_games(without: Collection[str] = ()) -> None:
    """Make the games of the extras known to the rules and the readers of files, but for those `without`."""
    for name, game in _games().items():
        if name in without:
            remove_game(game.name)
        else:
            add_game(game)


def load(without: Collection[str] = ()) -> list[Extra]:
    """Return the extras that are there, by their names, but for those `without`; what their games say is known then."""
    for name, game in _games().items():
        if name not in without:
            add_game(game)
    found = [import_module(f"{__name__}.{name}").EXTRA for name in names() if name not in without]
    for extra in found:
        for module in extra.modules:
            import_module(module)
    return found
