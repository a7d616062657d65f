"""What the tests of the extras add to tests that walk all pages: the files pages.toml and states.py beside them."""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.paths import ROOT

from tracker import extras

EXTRA_BY_PRESET = {
    **dict.fromkeys(("score-sheet", "hearts", "ten-phases", "rummy-500", "contract-rummy"), "points"),
    "eight-round-rummy": "rounds",
    "michigan-rummy-snake": "rum",
    "yaniv": "yaniv",
}
"""The games that an extra brings and that tests of the table use as an example."""


def of_extras(what: str) -> list[str]:
    """Return what the files of the extras say of one thing: addresses of pages, forms, functions that change a role."""
    return [one for told in _pages_of_extras() for one in told.get(what, ())]


def moments_of_extras() -> list[dict[str, Any]]:
    """Return the moments of nights that the extras add to those of `page_states.MOMENTS`, each with its name."""
    found = [one for told in _pages_of_extras() for one in told.get("moments", ())]
    return [{**one, "recorded": tuple(map(tuple, one.get("recorded", ())))} for one in found]


@cache
def _pages_of_extras() -> list[dict[str, Any]]:
    """Return what stands in all files, which are asked for by each of ten thousand tests when it is collected."""
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in _files("pages.toml")]


def _files(name: str) -> list[Path]:
    """Return the files of such a name beside the tests of the extras that are there."""
    there = {"_shared", *extras.names()}
    return [path for path in sorted(ROOT.glob(f"tests/extras/*/{name}")) if path.parent.name in there]


def modules_of_extras(name: str) -> list[str]:
    """Return the modules of such a name beside the tests of the extras that are there."""
    return [f"extras.{path.parent.name}.{path.stem}" for path in _files(f"{name}.py")]


def needs(name: str) -> None:
    """Skip a test of something that an extra brings, where it is not there."""
    if name not in extras.names():
        pytest.skip(f"there is no {name}")


def has_pages(preset_id: str) -> bool:
    """Return whether the table has the pages of a game, or an extra that is there."""
    return EXTRA_BY_PRESET.get(preset_id, "") in ("", *extras.names())


def needs_preset(preset_id: str) -> None:
    """Skip a test of a game that an extra brings, where it is not there."""
    if not has_pages(preset_id):
        needs(EXTRA_BY_PRESET[preset_id])


def needs_all_extras() -> None:
    """Skip a test of what is there for extras, such as texts or styles, where one was deleted.

    The catalogues say whose texts they have.
    """
    catalogue = (ROOT / "tracker/translations/de/LC_MESSAGES/messages.po").read_text("utf-8")
    for name in re.findall(r'"X-Extras: (.*)\\n"', catalogue)[0].split():
        needs(name)


def functions_of_extras(name: str) -> list[Callable[..., Any]]:
    """Return the functions of a name that the extras have in the file states.py of their tests.

    `add_past_nights(states)`: fills the list of all nights. `add_states(states)`: adds to nights, addresses and
    visitors of all states what the extra has. `prepared_forms(states)`: as `FormWalk.prepared`.
    `pages_with_forms(states)`: returns pages of the house that are there once something was made, which it makes.
    `kept_by_forms(site)`: returns what forms may have changed that is in no table of the store.
    `ways_in(site, host)`: returns the pages from which somebody gets a role there. `tokens(site, host)`: returns by a
    view that strangers see the token in its address.
    `given()`, `seats_stream(here)`: what the extra gives to somebody at a night (tests/support/taken_away.py).
    `step_after_an_evening(evening)`: what is tapped after the evening of tests/browser/engines in each engine.
    `erase_night(here)`, `erase_night_and_bring_it_back(here)`, `make_all_codes_new(here)`: take things away there.
    `damages()`: returns by a name what damages what the extra keeps of a night in a data file (its code).
    `check_places(table, places)`: what the extra keeps of a night that has ended has these places, by seat.
    `check_damaged_night(site, host, code)`: what the extra has to do with a night whose rows are damaged.
    `at_an_evening(night, ben, tick)`: does at a running server what lasts minutes, and returns the phone that
    leads the night by then.
    `secrets_of(night, ben)`: returns what the extra gives at a running server that must not be printed.
    """
    return [getattr(module, name) for module in _states() if hasattr(module, name)]


def options_of_extras() -> dict[str, object]:
    """Return what an app has to be given that has all pages of the extras: their OPTIONS in the file states.py."""
    return {name: value for module in _states() for name, value in getattr(module, "OPTIONS", {}).items()}


def _states() -> list[ModuleType]:
    return [*map(import_module, modules_of_extras("states"))]


def run_modules(ending: str) -> None:
    """Run the modules beside the tests of the extras whose names end so: what they register is known then."""
    for path in sorted(ROOT.glob(f"tests/extras/*/*{ending}.py")):
        import_module(f"extras.{path.parent.name}.{path.stem}")
