"""How this program is started on a command line: what messages and pages tell people to type."""

import sys
from pathlib import Path

NAME = "board-tracker"


def own_command(started: str = "", python: str = "", *, is_windows: bool = sys.platform == "win32") -> str:
    """Return `board-tracker`, or what stands for it where no such command is installed.

    `started` is the file that Python was started with, `python` the interpreter; without them those of this process.
    The one-file program is run by the system's Python, the one that setup.exe installed by the Python beside it.
    """
    started, python = started or sys.argv[0], python or sys.executable
    file = started.replace("\\", "/").rpartition("/")[2]
    if file.endswith(".pyz"):
        return f"{'py' if is_windows else 'python3'} {quoted(started)}"
    if is_windows and file == "start.py":
        return f"{quoted(python)} {quoted(started)}"
    return NAME


def quoted(path: str | Path) -> str:
    """Return a path as a command line takes it."""
    return f'"{path}"' if " " in str(path) else str(path)
