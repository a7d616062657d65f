"""What the tests of the extras add to tests that walk all pages: the file pages.toml beside them."""

import tomllib

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
