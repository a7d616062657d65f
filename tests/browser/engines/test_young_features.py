"""What our files use that the oldest browsers lack: docs/browsers.md says what happens without it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.node_packages import node_file
from support.of_extras import needs_all_extras
from support.paths import ROOT

from tracker.web.flat_styles import without_layers

OLDEST = {"chrome": 85.0, "safari_ios": 15.0, "firefox": 91.0}
LIST = ROOT / "docs/browsers.md"

# Members that are ours, or of htmx; a browser has others of these names, and an index of names can't tell them apart.
OURS = """
address bytes capture changed config details draw entry first hand icon image last layers lines lost memory move node
now number of open opened own pad respond run seek share show side silent sourceElement take to turn use vh wait when
"""
SYNTAX = {
    "a class's static block": r"\bstatic\s*\{",
    "lookbehind in a pattern": r"\(\?<[=!]",
    "`#x in`": r"#\w+ in ",
    "a top-level `await`": r"^await ",
}
PASSED_OVER = frozenset({"start", "end", "cursor", "size"})
"""In grids `start` and `end` are old; a phone has no cursor; MDN's `size` is not that of @page."""
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.DOTALL)
DECLARATION = re.compile(r"(?<=[;{\s])([a-z-]+)\s*:\s*([^;{}]+)(?=[;}])")
TAG = re.compile(r"<([a-z]+\d?)((?:[^<>{]|\{\{.*?\}\}|\{%.*?%\}|\{)*)>", re.DOTALL)

Support = dict[str, Any]


@pytest.fixture(name="data", scope="module")
def _data() -> Support:
    """What MDN knows of every feature: since which version each browser has it."""
    found: Support = json.loads(node_file("@mdn/browser-compat-data/data.json").read_text("utf-8"))
    return found


def since(told: Any) -> float:
    """Return the version in which a browser got a feature as it is written; infinity when it has not."""
    versions = [
        re.match(r"≤?(\d+(?:\.\d+)?)", str(one.get("version_added")))
        for one in (told if isinstance(told, list) else [told])
        if one and not {"flags", "prefix", "alternative_name", "version_removed"} & one.keys()
    ]
    return min((float(one[1]) for one in versions if one), default=float("inf"))


def is_young(feature: Support | None) -> bool:
    """Return whether one of the oldest browsers lacks a feature; what MDN does not list is no feature."""
    if not feature or "__compat" not in feature:
        return False
    support = feature["__compat"]["support"]
    return any(since(support.get(browser)) > oldest for browser, oldest in OLDEST.items())


def own_files(ending: str) -> Iterator[tuple[Path, str]]:
    for path in sorted((ROOT / "static").glob(f"*/*.{ending}")):
        if path.parent.name != "vendor":
            yield path, COMMENT.sub("", path.read_text("utf-8"))


def members(data: Support) -> dict[str, list[Support]]:
    """Return by their names all interfaces, functions, methods and properties that scripts can use."""
    found: dict[str, list[Support]] = {}
    for owners in (data["api"], data["javascript"]["builtins"]):
        for owner, parts in owners.items():
            found.setdefault(owner, []).append(parts)
            for name, part in parts.items():
                if name != "__compat":
                    found.setdefault(name.removesuffix("_static"), []).append(part)
    return found


def young_in_scripts(data: Support) -> Iterator[str]:
    known = members(data)
    for _, text in own_files("js"):
        for name in set(re.findall(r"(?<!\.)\.([a-zA-Z]\w*)|\bnew ([A-Z]\w*)", text)):
            word = name[0] or name[1]
            if word not in OURS.split() and word in known and all(is_young(one) for one in known[word]):
                yield word
        yield from (name for name, pattern in SYNTAX.items() if re.search(pattern, text, re.MULTILINE))


def young_in_sheets(data: Support) -> Iterator[str]:
    css = data["css"]
    for _, text in own_files("css"):
        sent = without_layers(text)
        yield from (f"@{rule}" for rule in re.findall(r"@([\w-]+)", sent) if is_young(css["at-rules"].get(rule)))
        yield from (
            f":{name}" for name in re.findall(r"(?<!:):([a-z-]+)", sent) if is_young(css["selectors"].get(name))
        )
        for name, value in DECLARATION.findall(sent):
            known = css["properties"].get(name)
            if not known or name in PASSED_OVER or name.startswith("-") or f"-webkit-{name}:" in sent:
                continue
            words = set(re.findall(r"[a-z][a-z-]+", value)) - PASSED_OVER
            if is_young(known):
                yield name
            else:
                yield from (f"{name}: {word}" for word in words if is_young(known.get(word)))
        yield from re.findall(r"\d(dvh|svh|lvh|dvw|cqw|cqi|rlh)\b", sent)
        yield from re.findall(r"\b((?:color-mix|oklch|light-dark|round|sin|cos)\(\))", sent)


def young_in_templates(data: Support) -> Iterator[str]:
    elements, everywhere = data["html"]["elements"], data["html"]["global_attributes"]
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for tag, attributes in TAG.findall(path.read_text("utf-8")):
            known = elements.get(tag)
            if is_young(known):
                yield f"<{tag}>"
            plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\"[^\"]*\"", "", attributes, flags=re.DOTALL)
            for name in re.findall(r"(?<=\s)([a-z-]+)(?==|\s|$)", plain):
                if known and is_young(known.get(name) or everywhere.get(name)):
                    yield name


def listed() -> set[str]:
    """Return the features in the first column of the tables of docs/browsers.md."""
    rows = re.findall(r"^\| (`.*?) \|", LIST.read_text("utf-8"), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


@pytest.fixture(name="young", scope="module")
def _young(data: Support) -> set[str]:
    return {*young_in_scripts(data), *young_in_sheets(data), *young_in_templates(data)}


def test_of_what_an_old_browser_lacks_the_list_says_what_happens_without_it(young: set[str]) -> None:
    assert young - listed() == set()


def test_the_list_names_nothing_that_is_no_longer_used(young: set[str]) -> None:
    needs_all_extras()
    assert listed() - young == set()
