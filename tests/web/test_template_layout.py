import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jinja2 import DictLoader, Environment, TemplateRuntimeError, nodes
from support.paths import ROOT

from tracker.web.template_layout import CompiledTemplates, TemplateLayout, without_layout

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
TAG = re.compile(r"<[a-zA-Z/](?:\"[^\"]*\"|'[^']*'|[^'\">])*>")


def rendered(source: str, **values: object) -> str:
    return Environment(extensions=[TemplateLayout], autoescape=True).from_string(source).render(values)


def test_indentation_and_line_breaks_beside_tags_and_statements_are_nothing() -> None:
    source = """
<ul>
  {% for one in people %}
    {# Who sits here. #}
    <li>
      {{ one }}
    </li>
  {% endfor %}
</ul>
"""
    assert rendered(source, people=["Ann", "Ben"]) == "<ul><li>Ann</li><li>Ben</li></ul>"


def test_between_two_words_a_line_break_is_a_space() -> None:
    assert rendered("<p>\n  one\n  two {{ 3 }}\n  four\n  {{ 5 }}\n</p>") == "<p>one two 3 four 5</p>"


def test_between_two_attributes_a_line_break_is_a_space_and_what_an_if_holds_brings_its_own() -> None:
    source = '<a class="b"\n    href="/"\n    {% if open %} open{% endif %}\n    {{ more }}\n    >x</a>'
    assert rendered(source, open=True, more="lang=de") == '<a class="b" href="/" open lang=de>x</a>'
    assert rendered(source, open=False, more="lang=de") == '<a class="b" href="/" lang=de>x</a>'


def test_a_space_on_one_line_stays() -> None:
    assert rendered("<p><b>1</b> <small>{{ 2 }}</small></p>") == "<p><b>1</b> <small>2</small></p>"


@pytest.mark.parametrize("element", ["script", "style", "pre", "textarea"])
def test_what_is_read_as_written_keeps_its_lines(element: str) -> None:
    source = f"<{element} id='x'\n>\n one\n <b>two\n</{element}>\n<p>\n</p>"
    assert rendered(source) == f"<{element} id='x'>\n one\n <b>two\n</{element}><p></p>"


def test_an_error_in_a_template_names_its_line() -> None:
    template = Environment(extensions=[TemplateLayout]).from_string("<p>\n\n  <b\n   a>\n  {{ 1 / none }}\n</p>")
    with pytest.raises((TemplateRuntimeError, TypeError)) as caught:
        template.render()
    assert caught.traceback[-1].lineno + 1 == 5


@given(st.text(alphabet="<>/ab=\"' \n{}%#"))
def test_of_any_text_only_space_is_taken(text: str) -> None:
    kept = without_layout(text)
    assert "".join(kept.split()).replace("{##}", "") == "".join(text.split()).replace("{##}", "")


def test_no_template_has_a_line_break_in_an_attribute_or_trims_white_space_by_hand() -> None:
    wrong = []
    for path in TEMPLATES:
        source = path.read_text(encoding="utf-8")
        wrong += [f"{path.name}: {mark}" for mark in re.findall(r"\{[{%]-|-[%}]\}", source)]
        words = JINJA.sub(lambda found: "x" * (found[0].count("\n") == 0) or "x\n", source)
        for tag in TAG.findall(words):
            values = re.findall(r"=(\"[^\"]*\"|'[^']*')", tag)
            wrong += [f"{path.name}: {value}" for value in values if "\n" in value]
    assert TEMPLATES
    assert wrong == []


def test_a_statement_of_a_template_ends_at_the_indentation_at_which_it_begins() -> None:
    """A statement that begins a line is closed on that line, or on a later one with the same indentation."""
    wrong = []
    for path in TEMPLATES:
        stack: list[tuple[str, int]] = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            indent = len(line) - len(line.lstrip())
            begun = re.match(r"\s*\{% (if|for|macro|block|call|filter)\b", line)
            for word in re.findall(r"\{% (if|for|macro|block|call|filter|end\w+)\b", line):
                if not word.startswith("end"):
                    stack.append((word, indent if begun and word == begun[1] else -1))
                elif stack[-1][0] == word.removeprefix("end"):
                    opened = stack.pop()[1]
                    if re.match(r"\s*\{% " + word, line) and opened not in (-1, indent):
                        wrong.append(f"{path.name}:{number}")
    assert wrong == []


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of the user's own, without compiled templates."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def started(source: str) -> tuple[str, bool]:
    """Return what a newly started program makes of the template, and whether it had to compile it."""
    compiled = []

    class Watched(Environment):
        def compile(self, *arguments: Any, **options: Any) -> Any:
            compiled.append(arguments)
            return super().compile(*arguments, **options)

    cache = CompiledTemplates.in_temporary_folder()
    jinja = Watched(extensions=[TemplateLayout], loader=DictLoader({"page": source}), bytecode_cache=cache)
    return jinja.get_template("page").render(), bool(compiled)


@pytest.mark.usefixtures("temporary")
def test_the_next_start_compiles_only_templates_that_have_changed() -> None:
    assert started("<p>\n1\n</p>") == ("<p>1</p>", True)
    assert started("<p>\n1\n</p>") == ("<p>1</p>", False)
    assert started("<p>\n2\n</p>") == ("<p>2</p>", True)
    assert started("<p>\n2\n</p>") == ("<p>2</p>", False)


def test_a_compiled_template_that_was_cut_short_is_made_anew(temporary: Path) -> None:
    started("<p>1</p>")
    (file,) = temporary.rglob("*.cache")
    whole = file.read_bytes()
    for size in range(0, len(whole), 7):
        file.write_bytes(whole[:size])
        assert started("<p>1</p>") == ("<p>1</p>", True)
        assert file.read_bytes() == whole


def test_without_a_place_to_keep_them_templates_are_compiled_at_each_start(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = CompiledTemplates.in_temporary_folder()
    assert cache is not None
    folder = Path(cache.directory)
    folder.rmdir()
    folder.write_bytes(b"")
    assert CompiledTemplates.in_temporary_folder() is None
    assert started("<p>1</p>") == ("<p>1</p>", True)
    monkeypatch.setattr(CompiledTemplates, "_get_default_cache_dir", lambda _: str(temporary / "removed"))
    assert started("<p>1</p>") == ("<p>1</p>", True)
    assert started("<p>1</p>") == ("<p>1</p>", True)


MOST_ARGUMENTS = 6


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_macro_has_more_arguments_than_a_designer_can_keep_in_mind(template: Path) -> None:
    tree = Environment(extensions=["jinja2.ext.i18n"]).parse(template.read_text(encoding="utf-8"))
    assert {one.name: len(one.args) for one in tree.find_all(nodes.Macro) if len(one.args) > MOST_ARGUMENTS} == {}
