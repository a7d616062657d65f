"""The files of the checkout."""

import subprocess
from pathlib import Path

import pytest
from support.paths import ROOT


def tree_files() -> list[Path]:
    """Return what is in git or would be with the next `git add`; skip the test where there is no checkout."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]
