"""Every test can fail. Ruff finds comparisons that nobody reads; here are what holds always, and tests without any."""

import ast

import pytest
from support.paths import ROOT

Function = ast.FunctionDef | ast.AsyncFunctionDef

# True whatever is inside, or, for a comprehension, as soon as there is anything to compare.
ALWAYS_TRUE = (
    ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda,
    ast.JoinedStr,
)  # fmt: skip
EXPECTS = ("check", "expect", "have", "see", "until", "wait")
"""How the names of helpers begin that fail by themselves when something is not so, or does not come."""


def name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def can_fail(node: ast.AST) -> bool:
    """Return whether a part of a test is an assertion or a call that fails by itself."""
    if isinstance(node, ast.Call):
        is_helper = name_of(node.func).lstrip("_").startswith(EXPECTS)
        return is_helper or ast.unparse(node.func) in ("pytest.raises", "pytest.fail")
    return isinstance(node, ast.Assert)


def imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]


def fault(node: ast.AST) -> str:
    """Return what is wrong with a part of a test file; empty where nothing is."""
    if isinstance(node, ast.Assert):
        is_true = isinstance(node.test, ast.Constant) and bool(node.test.value)
        return "holds always" if is_true or isinstance(node.test, ALWAYS_TRUE) else ""
    if isinstance(node, ast.Import | ast.ImportFrom):
        parts = [part for name in imported(node) for part in name.split(".")]
        return "imports a test file" if any(part.startswith("test_") for part in parts) else ""
    if isinstance(node, Function) and node.name.startswith("test_") and not any(map(can_fail, ast.walk(node))):
        return "expects nothing"
    return ""


def faults(source: str) -> list[tuple[int, str]]:
    return [(getattr(node, "lineno", 0), found) for node in ast.walk(ast.parse(source)) if (found := fault(node))]


def test_every_test_can_fail_and_takes_nothing_from_another_test_file() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    found = {file.relative_to(ROOT).as_posix(): faults(file.read_text("utf-8")) for file in files}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("assert [word in page for word in words]", "holds always"),
        ("assert (word in page for word in words)", "holds always"),
        ("assert lambda: False", "holds always"),
        ("assert True", "holds always"),
        ("assert all(word in page for word in words)", ""),
        ("assert page == other", ""),
        ("def test_it(page):\n    page.open()", "expects nothing"),
        ("def test_it(page):\n    wait_until(page.open)", ""),
        ("from web.test_texts import page", "imports a test file"),
        ("import trust.test_load", "imports a test file"),
    ],
)
def test_each_fault_is_found(source: str, expected: str) -> None:
    assert [found for _line, found in faults(source)] == [expected] * bool(expected)


def test_a_test_with_no_cases_fails_the_run(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getini("empty_parameter_set_mark") == "fail_at_collect"
