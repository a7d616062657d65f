"""The files beside the code: locks and pins, nothing from elsewhere in git, and what the project says and names."""

import hashlib
import io
import ipaddress
import json
import os
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from support.of_extras import needs_all_extras
from support.paths import ROOT
from support.tree_files import project, text_of, tree_files

import tracker
from tracker import extras
from tracker.cli import main

LOCKS = (
    *(f"requirements{use}.lock" for use in ("", "-test", "-build", "-node", "-docs")),
    "release/requirements.lock",
    "release/windows/python.lock",
)


def locked(name: str) -> dict[str, str]:
    lines = text_of(name).splitlines()
    pins = (re.match(r"([a-z0-9-]+)==([^ ;]+)", line) for line in lines)
    return {pin[1]: pin[2] for pin in pins if pin}


def npm_packages() -> dict[str, dict[str, Any]]:
    lock = json.loads(text_of("package-lock.json"))
    packages: dict[str, dict[str, Any]] = lock["packages"]
    return packages


def test_no_lock_carries_an_address() -> None:
    for name in LOCKS:
        assert "://" not in text_of(name)
    for package in npm_packages().values():
        # npm also notes where to thank the authors; nothing is fetched from there.
        assert "resolved" not in package
        assert "://" not in json.dumps({key: value for key, value in package.items() if key != "funding"})


def test_every_locked_package_has_a_hash() -> None:
    for name in LOCKS:
        entries = re.split(r"\n(?=[a-z0-9])", text_of(name).partition("\n\n")[0])[1:]
        assert entries
        assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert all(package.get("integrity", "").startswith("sha512-") for path, package in npm_packages().items() if path)


def test_the_locks_fit_the_projects_requirements() -> None:
    run, test = locked("requirements.lock"), locked("requirements-test.lock")
    assert run.items() <= test.items()
    for pins, lines in ((run, project()["dependencies"]), (test, project()["optional-dependencies"]["test"])):
        for line in lines:
            asked = Requirement(line)
            assert pins[canonicalize_name(asked.name)] in asked.specifier, line


def test_the_build_fetches_nothing_but_what_is_locked_by_hash() -> None:
    system = tomllib.loads(text_of("pyproject.toml"))["build-system"]
    pins = re.findall(r"^([a-z0-9-]+)==([^ ;]+)", text_of("requirements-build.lock"), re.MULTILINE)
    for line in system["requires"]:
        asked = Requirement(line)
        versions = [version for name, version in pins if name == canonicalize_name(asked.name)]
        assert versions, line
        assert all(version in asked.specifier for version in versions), line
    installs = [line for line in text_of("README.md").splitlines() if "pip install" in line]
    assert installs
    for line in installs:
        assert "-r requirements-build.lock && .venv/bin/pip install -q --no-deps --no-build-isolation -e ." in line
        assert all("--no-deps" in part or ".lock" in part for part in line.split(" && ") if "pip install" in part)


def test_the_browser_parts_are_pinned_exactly() -> None:
    asked = json.loads(text_of("package.json"))["dependencies"]
    assert npm_packages()[""]["dependencies"] == asked
    assert {name: npm_packages()[f"node_modules/{name}"]["version"] for name in asked} == asked


def test_nothing_from_elsewhere_is_in_git() -> None:
    sums = (ROOT / "static/vendor/SHA256SUMS").read_text(encoding="ascii").splitlines()
    vendored = {line.split()[0] for line in sums if "../../" not in line}
    assert vendored
    for path in tree_files():
        assert path.suffix not in {".woff", ".woff2", ".ttf", ".otf", ".so", ".whl", ".map"}, path
        assert ".min." not in path.name, path
        assert hashlib.sha256(path.read_bytes()).hexdigest() not in vendored, path


def test_nothing_names_a_registry_or_a_place_on_one_machine_or_holds_the_marks_of_an_unfinished_merge() -> None:
    registry = rb"pypi\.org|pythonhosted\.org|registry\.npmjs|npmjs\.com/package|deb\.debian\.org"
    on_one_machine = rb"(?<![\w.])/(?:(?:work|farm|tmp|root|home|Users)/[\w.]|opt/[\w.])"
    wrong = re.compile(rb"%b|%b|(?m:^(?:<{7} |={7}$|>{7} ))" % (registry, on_one_machine))
    hits = [(path.relative_to(ROOT), hit[0]) for path in tree_files() for hit in wrong.finditer(path.read_bytes())]
    assert hits == []


def test_the_readme_says_both_commands_in_one_line_each() -> None:
    lines = text_of("README.md").splitlines()
    ends = {"/board-tracker": "requirements.lock", "/pytest -n auto --dist loadfile": "requirements-test.lock"}
    for end, lock in ends.items():
        commands = [line for line in lines if line.endswith(end)]
        assert len(commands) == 1
        assert commands[0].startswith("python3 -m venv .venv && ")
        assert f"-r {lock} " in commands[0]


def test_the_hosted_check_runs_the_readmes_test_command() -> None:
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert "grep -m 1 '/pytest -n auto' README.md" in script.read_text(encoding="utf-8")


# Versions, Pythons, licence, and the checks that hooks and hosts run


def test_the_version_stands_in_one_place_and_is_said_by_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert "version" in project()["dynamic"]
    main(["--version"], prog_name="python3 board-tracker.pyz", standalone_mode=False)
    assert capsys.readouterr().out == f"board-tracker, version {tracker.__version__}\n"
    headings = re.findall(r"(?m)^## \[(.+?)\]", text_of("CHANGELOG.md"))
    assert headings[0] == "Unreleased"
    if Version(tracker.__version__).is_devrelease:
        assert Version(tracker.__version__) > Version(headings[1]), "between releases: newer than the last one"
    else:
        assert tracker.__version__ == headings[1]


def test_every_python_that_is_named_is_checked_on_every_system() -> None:
    pythons = [line.rsplit(" ", 1)[1] for line in project()["classifiers"] if re.search(r"Python :: 3\.\d+$", line)]
    assert project()["requires-python"] == f">={pythons[0]}"
    matrices = re.findall(r"python: \[(.+)\]", text_of(".github/workflows/check.yml"))
    assert len(matrices) == 2
    assert all(re.findall(r'"(.+?)"', matrix) == pythons for matrix in matrices)


def test_the_licence_is_named_as_its_text_says() -> None:
    assert project()["license"] == "MIT AND OFL-1.1 AND 0BSD"
    assert project()["license-files"] == ["LICENSE"]
    assert text_of("LICENSE").startswith("MIT License")
    assert project()["authors"][0]["name"] in text_of("LICENSE")


def test_the_hooks_run_what_the_hosted_check_runs() -> None:
    entries = re.findall(r"entry: (.+)", text_of(".pre-commit-config.yaml"))
    checked = next(line for line in text_of("README.md").splitlines() if "/pytest -n auto" in line).split(" && ")
    checks = [command for command in checked if re.match(r"\.venv/bin/(ruff|mypy|pytest)", command)]
    audit = next(line for line in text_of(".ci/run").splitlines() if line.startswith(".venv/bin/python"))
    assert entries == [*checks, audit]


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


# The project's own addresses: in `[project.urls]` and on the page of downloads, and nowhere else


PAGE = "docs/download.md"
ADDRESS = re.compile(r"https?://([\w.-]+|\[[\w:]+\])(?=[:/?#)\s\"'`<>,;]|$)[^\s\"'`<>)\]]*")
KNOWN = {"localhost", "www.w3.org", "semver.org", "keepachangelog.com", "www.python.org"}
"""Hosts besides examples and numbers that documents and packages may name."""


def is_example(host: str) -> bool:
    """Whether a host is a number, or one of the names that belong to nobody."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host.endswith((".example", ".home", ".local")) or "." not in host or host.startswith("192.")
    return True


def addresses(name: str) -> list[tuple[str, str]]:
    """Return each address of a file with its host."""
    return [(found[0], found[1]) for found in ADDRESS.finditer(text_of(name))]


def test_the_page_of_downloads_has_the_addresses_of_the_metadata() -> None:
    urls = list(project()["urls"].values())
    page = [address for address, _ in addresses(PAGE)]
    assert set(urls) <= set(page)
    assert [address for address in page if not address.startswith(tuple(urls))] == []


def test_no_other_file_has_an_address_of_the_project_or_a_host_that_is_not_known() -> None:
    own = {host for _, host in addresses(PAGE)}
    suffixes = {".md", ".toml", ".yml", ".html", ".nsi", ".desktop", ".service", ".cff", ".po", ""}
    names = [path.relative_to(ROOT).as_posix() for path in tree_files() if path.suffix in suffixes]
    wrong = [
        (name, address)
        for name in names
        if name not in (PAGE, "pyproject.toml")
        for address, host in addresses(name)
        if host in own or not (host in KNOWN or is_example(host))
    ]
    assert len(names) > 100
    assert wrong == []


# Every file that a document, a comment or a docstring names is there


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
