"""What the tests of the extras add to tests that walk all pages: the file pages.toml beside them."""

import tomllib
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from support.paths import ROOT

from tracker import extras


def of_extras(what: str) -> list[str]:
    """Return what the files of the extras say of one thing: addresses of pages, forms, functions that change a role."""
    files = sorted(ROOT.glob("tests/extras/*/pages.toml"))
    return [one for path in files for one in tomllib.loads(path.read_text(encoding="utf-8")).get(what, ())]


def needs(name: str) -> None:
    """Skip a test of something that an extra brings, where it is not there."""
    if name not in extras.names():
        pytest.skip(f"there is no {name}")


def functions_of_extras(name: str) -> list[Callable[..., Any]]:
    """Return the functions of a name that the extras have in the file states.py of their tests."""
    files = sorted(ROOT.glob("tests/extras/*/states.py"))
    modules = [import_module(f"extras.{path.parent.name}.states") for path in files]
    return [getattr(module, name) for module in modules if hasattr(module, name)]


def run_modules(ending: str) -> None:
    """Run the modules beside the tests of the extras whose names end so: what they register is known then."""
    for path in sorted(ROOT.glob(f"tests/extras/*/*{ending}.py")):
        import_module(f"extras.{path.parent.name}.{path.stem}")
