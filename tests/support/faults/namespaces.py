"""Run a script of this folder in namespaces of its own: with a disk that nobody else sees."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT

MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")


def on_own_disk(script: str, mode: str, folder: Path, count: int = 1) -> dict[str, Any]:
    """Run a script with these arguments and return what it prints; skip where the system allows no namespaces."""
    allowed = shutil.which("unshare") and subprocess.run([*MOUNTS, "true"], capture_output=True, check=False)
    if not allowed or allowed.returncode:
        if os.environ.get("CI") == "true":
            pytest.fail("no mount namespaces here: the test of a full disk can't be left out")
        pytest.skip("this system allows no mount namespaces")
    command = [*MOUNTS, sys.executable, str(ROOT / "tests/support/faults" / script), mode, str(folder), str(count)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    result = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=280, check=False, env=environment)
    assert result.returncode == 0, result.stderr
    came: dict[str, Any] = json.loads(result.stdout)
    return came
