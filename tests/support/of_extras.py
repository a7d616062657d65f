"""What the tests of the extras add to tests that walk all pages: the files pages.toml and states.py beside them."""

import tomllib
from importlib import import_module
from typing import Any

from support.paths import ROOT


def of_extras(what: str) -> list[str]:
    """Return what the files of the extras say of one thing: addresses of pages, forms, functions that change a role."""
    files = sorted(ROOT.glob("tests/extras/*/pages.toml"))
    return [one for path in files for one in tomllib.loads(path.read_text(encoding="utf-8")).get(what, ())]


def from_states(name: str) -> list[Any]:
    """Return what the modules states.py of the extras have under a name, of those that have it.

    OPTIONS: what the app has to be given. `fill(states)`: adds to nights, addresses and visitors of all states what the
    extra has. `prepared(states)`: as `FormWalk.prepared`. `ways_in(site, host)`: returns the pages from which somebody
    gets a role there. `tokens(site, host)`: returns by a view that strangers see the token in its address.
    """
    modules = [
        import_module(f"extras.{path.parent.name}.states") for path in sorted(ROOT.glob("tests/extras/*/states.py"))
    ]
    return [getattr(module, name) for module in modules if hasattr(module, name)]


def options_of_extras() -> dict[str, object]:
    """Return what an app has to be given that has all pages of the extras."""
    return {name: value for options in from_states("OPTIONS") for name, value in options.items()}
