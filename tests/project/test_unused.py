"""Nothing in styles, templates and scripts that nothing uses: classes, custom properties, macros, functions."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.of_extras import needs_all_extras
from support.paths import ROOT

from tracker.web.flat_styles import without_layers


@pytest.fixture(autouse=True)
def _whole() -> None:
    """Styles that several pages share serve those of extras, too."""
    needs_all_extras()


NUMBERED = re.compile(r"([a-z]+-?)\d+")
"""A class that a template completes with a number, as `s{{ seats }}`."""
PUT_TOGETHER = ("a-", "m-", "t-")
"""Beginnings of classes that a template completes with a word: what is asked, the moment of the night."""


def sources(folder: str, pattern: str) -> dict[Path, str]:
    paths = sorted((ROOT / folder).rglob(pattern))
    return {path: path.read_text(encoding="utf-8") for path in paths if "vendor" not in path.parts}


STYLES = {path: without_layers(text) for path, text in sources("static", "*.css").items()}
SCRIPTS, TEMPLATES = sources("static", "*.js"), sources("templates", "*.html")
PAGES = sources("tracker/web", "*.py") | sources("tracker/extras", "*.py")
MARKUP = "\n".join([*TEMPLATES.values(), *SCRIPTS.values(), *PAGES.values()])


def classes(style: str) -> Iterator[str]:
    """Yield each class that a style sheet selects."""
    bare = re.sub(r'/\*.*?\*/|"[^"]*"|url\([^)]*\)', "", style, flags=re.DOTALL)
    for selector in re.findall(r"([^{};]+)\{", bare):
        yield from re.findall(r"\.([a-zA-Z][\w-]*)", selector)


def is_made(name: str, words: set[str]) -> bool:
    """Return whether a class is written somewhere, or put together by a template."""
    numbered = NUMBERED.fullmatch(name)
    return name in words or name.startswith(PUT_TOGETHER) or bool(numbered and f"{numbered[1]}{{" in MARKUP)


def test_every_class_of_a_template_is_selected_by_a_style_a_script_or_a_test() -> None:
    used = "\n".join([*STYLES.values(), *SCRIPTS.values(), *sources("tests", "*.py").values()])
    selected = set(re.findall(r"\.([a-zA-Z][\w-]*)", used)) | set(re.findall(r"[\w-]+", "".join(SCRIPTS.values())))
    for path, template in TEMPLATES.items():
        written = {name for names in re.findall(r'class="([^"{]*)"', template) for name in names.split()}
        assert sorted(written - selected) == [], path


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_every_class_that_a_style_sheet_selects_is_on_some_page(path: Path) -> None:
    words = set(re.findall(r"[A-Za-z][\w-]*", MARKUP))
    assert [name for name in sorted(set(classes(STYLES[path]))) if not is_made(name, words)] == []


def test_every_custom_property_of_the_styles_is_used() -> None:
    text = "\n".join(STYLES.values())
    used = set(re.findall(r"var\((--[\w-]+)", text + MARKUP))
    assert [name for name in sorted(set(re.findall(r"(--[\w-]+)\s*:", text))) if name not in used] == []


def test_every_macro_is_called() -> None:
    text = "\n".join(TEMPLATES.values())
    made = re.findall(r"\{%-?\s*macro (\w+)\(", text)
    called = re.findall(r"(?<!macro )\b(\w+)\(", text)
    by_python = re.findall(r"""\.(\w+)\b|["'][\w/*]+:(\w+)["']""", "\n".join(PAGES.values()))
    assert made
    assert sorted(set(made) - set(called) - {name for names in by_python for name in names}) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_name_that_a_script_defines_is_used_in_it(path: Path) -> None:
    code = re.sub(r"//.*", "", SCRIPTS[path])
    names = set(re.findall(r"\b(?:const|let|function) ([A-Za-z_]\w*)", code))
    assert [name for name in sorted(names) if len(re.findall(rf"(?<![\w$]){name}(?![\w$])", code)) < 2] == []
