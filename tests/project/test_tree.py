"""The files beside the code: locks and pins, nothing from elsewhere in git, the commands of the README."""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.paths import ROOT
from support.pyproject import project
from support.tree_files import tree_files

LOCKS = (
    *(f"requirements{use}.lock" for use in ("", "-test", "-build", "-node", "-docs")),
    "release/requirements.lock",
    "release/windows/python.lock",
)


def locked(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pins = (re.match(r"([a-z0-9-]+)==([^ ;]+)", line) for line in lines)
    return {pin[1]: pin[2] for pin in pins if pin}


def npm_packages() -> dict[str, dict[str, Any]]:
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    packages: dict[str, dict[str, Any]] = lock["packages"]
    return packages


def texts() -> Iterator[tuple[Path, str]]:
    for path in tree_files():
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def test_no_lock_carries_an_address() -> None:
    for name in LOCKS:
        assert "://" not in (ROOT / name).read_text(encoding="utf-8")
    for package in npm_packages().values():
        # npm also notes where to thank the authors; nothing is fetched from there.
        assert "resolved" not in package
        assert "://" not in json.dumps({key: value for key, value in package.items() if key != "funding"})


def test_every_locked_package_has_a_hash() -> None:
    for name in LOCKS:
        entries = re.split(r"\n(?=[a-z0-9])", (ROOT / name).read_text(encoding="utf-8").partition("\n\n")[0])[1:]
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
    system = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    pins = re.findall(r"^([a-z0-9-]+)==([^ ;]+)", (ROOT / "requirements-build.lock").read_text("utf-8"), re.MULTILINE)
    for line in system["requires"]:
        asked = Requirement(line)
        versions = [version for name, version in pins if name == canonicalize_name(asked.name)]
        assert versions, line
        assert all(version in asked.specifier for version in versions), line
    installs = [line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if "pip install" in line]
    assert installs
    for line in installs:
        assert "-r requirements-build.lock && .venv/bin/pip install -q --no-deps --no-build-isolation -e ." in line
        assert all("--no-deps" in part or ".lock" in part for part in line.split(" && ") if "pip install" in part)


def test_the_browser_parts_are_pinned_exactly() -> None:
    asked = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"]
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


def test_nothing_names_a_registry_or_a_place_on_one_machine() -> None:
    registry = r"pypi\.org|pythonhosted\.org|registry\.npmjs|npmjs\.com/package|deb\.debian\.org"
    on_one_machine = r"(?<![\w.])/(?:(?:work|farm|tmp|root|home|Users)/[\w.]|opt/[\w.])"
    wrong = re.compile(f"{registry}|{on_one_machine}")
    hits = [(path.relative_to(ROOT).as_posix(), hit[0]) for path, text in texts() for hit in wrong.finditer(text)]
    assert hits == []


def test_the_readme_says_both_commands_in_one_line_each() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
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
