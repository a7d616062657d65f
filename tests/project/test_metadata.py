"""What the project says of itself is true: versions, Pythons, licence, and the checks that hooks and hosts run."""

import re
import tomllib
from typing import Any

from packaging.version import Version
from support.night_commands import run
from support.paths import ROOT
from support.tree_files import tree_files

import tracker


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads(text("pyproject.toml"))["project"]
    return table


def test_the_version_stands_in_one_place_and_in_the_changelog() -> None:
    assert "version" in project()["dynamic"]
    assert run("--version").stdout == f"board-tracker, version {tracker.__version__}\n"
    headings = re.findall(r"(?m)^## \[(.+?)\]", text("CHANGELOG.md"))
    assert headings[0] == "Unreleased"
    if Version(tracker.__version__).is_devrelease:
        assert Version(tracker.__version__) > Version(headings[1]), "between releases: newer than the last one"
    else:
        assert tracker.__version__ == headings[1]


def test_every_python_that_is_named_is_checked_on_every_system() -> None:
    pythons = [line.rsplit(" ", 1)[1] for line in project()["classifiers"] if re.search(r"Python :: 3\.\d+$", line)]
    assert project()["requires-python"] == f">={pythons[0]}"
    matrices = re.findall(r"python: \[(.+)\]", text(".github/workflows/check.yml"))
    assert len(matrices) == 2
    assert all(re.findall(r'"(.+?)"', matrix) == pythons for matrix in matrices)


def test_the_licence_is_named_as_its_text_says() -> None:
    assert project()["license"] == "MIT AND OFL-1.1 AND 0BSD"
    assert project()["license-files"] == ["LICENSE"]
    assert text("LICENSE").startswith("MIT License")
    assert project()["authors"][0]["name"] in text("LICENSE")


def test_the_hooks_run_what_the_hosted_check_runs() -> None:
    entries = re.findall(r"entry: (.+)", text(".pre-commit-config.yaml"))
    checked = next(line for line in text("README.md").splitlines() if "/pytest -n auto" in line).split(" && ")
    checks = [command for command in checked if re.match(r"\.venv/bin/(ruff|mypy|pytest)", command)]
    audit = next(line for line in text(".ci/run").splitlines() if line.startswith(".venv/bin/python"))
    assert entries == [*checks, audit]


def test_workflows_say_that_they_are_not_run_here() -> None:
    for file in (ROOT / ".github/workflows").iterdir():
        assert file.read_text("utf-8").startswith("# Not run here"), file


def test_every_action_is_pinned_by_its_commit() -> None:
    """One action has one commit in all workflows; the tag that it had stands beside it."""
    used = {
        line
        for file in (ROOT / ".github/workflows").iterdir()
        for line in re.findall(r"uses: (.+)", file.read_text("utf-8"))
    }
    found = [re.fullmatch(r"([\w/-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+", line) for line in used]
    assert all(found), used
    assert len({one[1] for one in found if one}) == len(used) > 4


def test_no_file_holds_the_marks_of_an_unfinished_merge() -> None:
    marks = re.compile(rb"(?m)^(?:<{7} |={7}$|>{7} )")
    assert [str(path.relative_to(ROOT)) for path in tree_files() if marks.search(path.read_bytes())] == []
