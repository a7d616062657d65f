"""Text is read and written in UTF-8 on every machine, never in the encoding of the machine's language."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.paths import ROOT

FOLDERS = ("tracker", "tests", "release", "docs")
OPENERS = {"open", "fdopen", "NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile", "TextIOWrapper"}
POSITION = {"read_text": 0, "write_text": 1}
"""Where the encoding stands among the arguments of pathlib's methods when it is not named."""


def is_text_mode(node: ast.expr) -> bool:
    mode = node.value if isinstance(node, ast.Constant) else None
    return isinstance(mode, str) and mode != "" and set(mode) <= set("rwaxt+")


def lacks_encoding(call: ast.Call) -> bool:
    """Whether a call opens a file or a pipe for text and leaves its encoding to the machine.

    `anything.open()` without a mode may be no file at all; there the EncodingWarning of the run says it.
    """
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    is_help = ast.unparse(call.func).startswith("formatter.")  # click's HelpFormatter has a write_text, too
    if "encoding" in named or is_help:
        return False
    if name in POSITION:
        return len(call.args) <= POSITION[name]
    if name in OPENERS:
        is_builtin = name == "open" and isinstance(call.func, ast.Name)
        modes = [*call.args[:2], *(named[key] for key in ("mode",) if key in named)]
        return any(map(is_text_mode, modes)) or (is_builtin and len(call.args) == 1 and "mode" not in named)
    pipes = [named[key] for key in ("text", "universal_newlines") if key in named]
    return any(isinstance(value, ast.Constant) and value.value is True for value in pipes)


def sources() -> Iterator[Path]:
    yield ROOT / "hatch_build.py"
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.py"))


def test_every_file_and_pipe_of_text_names_its_encoding() -> None:
    hits = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and lacks_encoding(node)
    ]
    assert hits == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("path.read_text()", True),
        ("path.read_text('utf-8')", False),
        ("path.write_text(text)", True),
        ("path.write_text(text, encoding='utf-8')", False),
        ("open(path)", True),
        ("open(path, 'rb')", False),
        ("path.open('w')", True),
        ("path.open('wb')", False),
        ("nights.open(preset)", False),
        ("os.fdopen(number, 'w')", True),
        ("subprocess.run(command, text=True)", True),
        ("subprocess.run(command, text=True, encoding='utf-8')", False),
        ("run('import', '-', text=text)", False),
    ],
)
def test_the_walk_tells_text_from_bytes(source: str, expected: bool) -> None:
    call = ast.parse(source, mode="eval").body
    assert isinstance(call, ast.Call)
    assert lacks_encoding(call) is expected
