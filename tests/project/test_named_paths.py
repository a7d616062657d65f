"""Every file that a document, a comment or a docstring names is there."""

import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.of_extras import needs_all_extras
from support.paths import ROOT
from support.tree_files import tree_files

from tracker import extras

NAMED = re.compile(
    r"(?<![\w/.:{}%*<>~-])(?:[\w-]+/)*[\w-]+(?:\.[\w-]+)*\.(?:py|html|js|css|md|toml|lock|svg|po)\b(?!\()"
)
FOLDERS = ("", "tracker/", "templates/", "static/")
"""Where a path begins that is not written from the top of the checkout."""


@cache
def files() -> frozenset[str]:
    return frozenset(path.relative_to(ROOT).as_posix() for path in tree_files())


def is_of_what_is_there(name: str) -> bool:
    """Return whether a path is not that of an extra which was deleted."""
    extra = re.match(r"(?:tests|tracker)/extras/(\w+)/", name)
    return extra is None or extra[1] in extras.names()


def is_there(name: str, file: str) -> bool:
    """Whether a path stands for a file; without a folder, for one of that name anywhere."""
    if "/" not in name:
        return any(f"/{known}".endswith(f"/{name}") for known in files())
    if not is_of_what_is_there(name):
        return True
    starts = (*FOLDERS, f"{Path(file).parent.as_posix()}/")
    return any(f"{start}{name}" in files() for start in starts)


def remarks(path: Path) -> Iterator[str]:
    """Yield what a file says to its readers: a document's text, or the comments and docstrings of code."""
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        yield re.sub(r"(?<!\w)T/", "tests/trust/", text)  # as docs/trust.md says
    elif ".ci" in path.parts:
        yield text
    elif path.suffix == ".html":
        yield from re.findall(r"\{#.*?#\}|<!--.*?-->", text, re.DOTALL)
    elif path.suffix in (".js", ".css"):
        yield from re.findall(r"/\*.*?\*/|(?<![:\w])//[^\n]*", text, re.DOTALL)
    elif path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and '"""' in token.string):
                yield token.string


@pytest.mark.parametrize("suffix", [".md", ".html", ".js", ".css", ".py", ""])
def test_every_file_that_is_named_is_there(suffix: str) -> None:
    needs_all_extras()
    missing = [
        (path.relative_to(ROOT).as_posix(), name)
        for path in tree_files()
        if path.suffix == suffix
        for remark in remarks(path)
        for name in NAMED.findall(remark)
        if not is_there(name, path.relative_to(ROOT).as_posix())
    ]
    assert missing == []


def test_every_row_of_the_trust_page_names_tests_that_are_there() -> None:
    text = (ROOT / "docs/trust.md").read_text("utf-8").replace("T/", "tests/trust/")
    rows = [(line, line.rsplit("|", 2)[1]) for line in text.splitlines() if line.startswith("| ")]
    missing = []
    for line, again in rows:
        tests = [
            name
            for path in filter(is_of_what_is_there, re.findall(r"tests/[\w/]+/test_\w+\.py", again))
            for name in re.findall(r"^(?:async )?def (test_\w+)", (ROOT / path).read_text("utf-8"), re.MULTILINE)
        ]
        words = next((a or b for a, b in re.findall(r"-k (?:\"([^\"]+)\"|(\w+))", again)), "")
        if tests and not all(any(word in test for test in tests) for word in words.split(" or ") if words):
            missing.append(line)
    assert len(rows) > 50
    assert missing == []
