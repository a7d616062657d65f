"""What a table can do without: each folder here is one subject, whole. Nothing outside of it names it.

To remove one, delete tracker/extras/<name>, templates/<name>, static/<name> and tests/extras/<name>. To add one, write
`EXTRA` (tracker/web/base/extra.py) in its `__init__.py`. An extra imports no other one. Where it can keep the nights in
another place than the data folder, its module `options` has the command's options for that: `DATA_OPTIONS`, by name.
"""

from collections.abc import Collection
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from tracker.web.base.extra import Extra


@cache
def names() -> tuple[str, ...]:
    """Return the names of the extras that are there, in alphabetical order."""
    return tuple(sorted(one.name for one in iter_modules(__path__)))


@cache
def modules(name: str) -> tuple[ModuleType, ...]:
    """Return the modules of this name that extras have, without importing the pages of the others."""
    folders = {extra: [f"{path}/{extra}" for path in __path__] for extra in names()}
    having = (extra for extra, paths in folders.items() if name in (one.name for one in iter_modules(paths)))
    return tuple(import_module(f"{__name__}.{extra}.{name}") for extra in having)


def load(without: Collection[str] = ()) -> list[Extra]:
    """Return the extras that are there, by their names, but for those `without`."""
    return [import_module(f"{__name__}.{name}").EXTRA for name in names() if name not in without]
