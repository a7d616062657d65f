"""A test that waits for ever fails, and the run says where all its threads stood."""

import subprocess
import sys
from pathlib import Path

from support.paths import ROOT

STUCK = """
import threading

def serve_for_ever():
    threading.Event().wait()

def test_that_never_ends():
    threading.Thread(target=serve_for_ever, daemon=True).start()
    threading.Event().wait()

def test_that_comes_after_it():
    pass
"""


def test_a_worker_prints_all_stacks_of_a_test_that_never_ends_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "test_stuck.py").write_text(STUCK, encoding="utf-8")
    asked = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [*asked, "-n", "1", "--timeout", "1", "test_stuck.py"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert "1 failed, 1 passed" in done.stdout
    assert "in serve_for_ever\n" in done.stdout
    assert ">       threading.Event().wait()\n" in done.stdout
