"""Flask's request is read by pages; views, forms and wording are called with values, so they run without an app."""

import ast
import re
from pathlib import Path

import pytest
from support.paths import ROOT

WEB, EXTRAS = ROOT / "tracker/web", ROOT / "tracker/extras"
REQUEST_BOUND = {"request", "g", "session", "current_app", "url_for", "has_request_context"}
"""Names of Flask that stand for the request, the app or something that needs one of them."""
AROUND_PAGES = {
    "compression.py", "base/context.py", "error_pages.py", "responses.py", "wording/texts.py",
}  # fmt: skip
"""What answers every page, or finds out for all of them who asks, in which language and by which address."""


def in_web(path: Path) -> str:
    return path.relative_to(WEB).as_posix()


def is_page(tree: ast.Module) -> bool:
    """Return whether a module defines pages: it makes a Blueprint."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Name) and called.id == "Blueprint" for called in calls)


def request_names(tree: ast.Module) -> set[str]:
    """Return the request-bound names that a module takes from Flask, however it imports them."""
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "flask"
        for alias in node.names
    }
    attributes = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "flask"
    }
    return (imported | attributes) & REQUEST_BOUND


def reads_request_outside_pages(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return bool(request_names(tree)) and not is_page(tree)


def test_only_pages_read_the_request() -> None:
    readers = {in_web(path) for path in WEB.rglob("*.py") if reads_request_outside_pages(path)}
    assert {name for name in readers if not name.startswith("access/")} == AROUND_PAGES
    assert [path for path in EXTRAS.rglob("*.py") if reads_request_outside_pages(path)] == []


@pytest.mark.parametrize("name", sorted(AROUND_PAGES))
def test_modules_that_may_read_the_request_exist_and_read_it(name: str) -> None:
    assert (WEB / name).is_file()
    assert reads_request_outside_pages(WEB / name)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from flask import Flask, request", {"request"}),
        ("import flask\nflask.g.identity", {"g"}),
        ("from flask.globals import current_app", {"current_app"}),
        ("from flask import Response", set()),
    ],
)
def test_each_way_to_import_the_request_is_seen(source: str, names: set[str]) -> None:
    assert request_names(ast.parse(source)) == names


def test_an_address_is_read_in_one_place_so_that_every_limit_counts_senders() -> None:
    """Also the server's loop counts what `sender_of` makes of an address."""
    readers = {in_web(path) for path in WEB.rglob("*.py") if "remote_addr" in path.read_text(encoding="utf-8")}
    assert readers == {"access/request_guards.py", "access/public_address.py"}, "the second asks for no limit"
    for path in (ROOT / "tracker/server").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        read_by = re.findall(r"(\w+)\(\w+(?:\[0\])?\.addr\[0\]\)", text)
        assert {*read_by} <= {"sender_of", "str"}, path.name  # as a text: what a proxy's address is compared with
        assert len(read_by) == text.count(".addr[0]"), path.name
