"""Every test can fail: no assertion of a literal, no comparison whose result nobody reads, no test without either."""

import ast
from collections.abc import Callable, Iterator
from functools import cache

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


def vacuous_assertions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the assertions that hold whatever the program does, and the comparisons that nobody reads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and holds_always(node.test):
            yield node
        if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
            yield node


def holds_always(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        results = [holds_always(value) for value in test.values]
        return any(results) if isinstance(test.op, ast.Or) else all(results)
    if isinstance(test, ast.Compare):
        sides = [test.left, *test.comparators]
        return len({ast.dump(side) for side in sides}) < len(sides) and not any(has_call(side) for side in sides)
    return isinstance(test, ALWAYS_TRUE) or (isinstance(test, ast.Constant) and bool(test.value))


def has_call(node: ast.AST) -> bool:
    """Whether asking the same thing again may give another answer."""
    return any(isinstance(part, (ast.Call, ast.Attribute)) for part in ast.walk(node))


def expects_nothing(test: Function) -> bool:
    """Whether a test holds neither an assertion nor a call that fails by itself."""
    return not any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Call) and name_of(node.func).lstrip("_").startswith(EXPECTS))
        or (isinstance(node, ast.Call) and ast.unparse(node.func) in ("pytest.raises", "pytest.fail"))
        for node in ast.walk(test)
    )


def name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def imports_of_tests(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the imports of a test file by another one: what both need is a module of tests/support."""
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if any(part.startswith("test_") for name in names for part in name.split(".")):
            yield node


def unchecked_tests(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, Function) and node.name.startswith("test_") and expects_nothing(node):
            yield node


@cache
def trees() -> dict[str, ast.Module]:
    files = sorted((ROOT / "tests").rglob("*.py"))
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text("utf-8")) for file in files}


@pytest.mark.parametrize("find", [vacuous_assertions, unchecked_tests, imports_of_tests])
def test_no_test_file_has_any(find: Callable[[ast.AST], Iterator[ast.AST]]) -> None:
    found = [f"{name}:{getattr(node, 'lineno', 0)}" for name, tree in trees().items() for node in find(tree)]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "assert [word in page for word in words]",
        "assert (word in page, 'not there')",
        "assert (word in page for word in words)",
        "assert {}",
        "assert lambda: False",
        "assert 'text'",
        "assert f'{page}'",
        "assert page == page",
        "assert page.head or True",
        "page == other",
        "not page",
    ],
)
def test_an_assertion_that_can_not_fail_is_found(line: str) -> None:
    assert len(list(vacuous_assertions(ast.parse(line)))) == 1


@pytest.mark.parametrize(
    "line",
    ["assert all(word in page for word in words)", "assert page == other", "assert not [1]", "assert read() == read()"],
)
def test_an_assertion_that_can_fail_is_left_alone(line: str) -> None:
    assert list(vacuous_assertions(ast.parse(line))) == []


def test_a_test_that_only_calls_something_is_found() -> None:
    (test,) = ast.parse("def test_it(page):\n    page.open()").body
    assert isinstance(test, ast.FunctionDef)
    assert expects_nothing(test)


@pytest.mark.parametrize("line", ["from web.test_texts import page", "import trust.test_load"])
def test_an_import_of_a_test_file_is_found(line: str) -> None:
    assert len(list(imports_of_tests(ast.parse(line)))) == 1


def test_a_test_with_no_cases_fails_the_run(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getini("empty_parameter_set_mark") == "fail_at_collect"
