"""The files of the checkout, and what pyproject.toml says of the project."""

import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT


def tree_files() -> list[Path]:
    """Return what is in git or would be with the next `git add`; skip the test where there is no checkout."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    """Return the table `project`: name, dependencies and extras."""
    table: dict[str, Any] = tomllib.loads(text_of("pyproject.toml"))["project"]
    return table
