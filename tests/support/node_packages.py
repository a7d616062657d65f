"""Packages of npm that tests read, as package-lock.json pins them."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from support.paths import ROOT

INSTALL = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
LOCK_SECONDS = 300


def node_file(path: str) -> Path:
    """Return where a file of a package is; all packages are fetched when it is not there, by one process at a time."""
    found, finished = ROOT / "node_modules" / path, ROOT / "node_modules/.package-lock.json"
    # npm writes its own list last: a file that is there without it may be written just now.
    if not (finished.exists() and found.exists()):
        (ROOT / "build").mkdir(exist_ok=True)
        # SQLite's lock of a file is the same on every system.
        with closing(sqlite3.connect(ROOT / "build/npm-ci.lock", timeout=LOCK_SECONDS, isolation_level=None)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            if not (finished.exists() and found.exists()):
                subprocess.run(INSTALL, cwd=ROOT, check=True)
    return found
