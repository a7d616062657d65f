"""The command `board-tracker`, also as `python -m tracker`; refuses a Python or SQLite that is too old in one sentence.

Without `from __future__ import annotations`, so that Python 3.6 reads it, too.
"""

import sys

OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 37)  # the first that reads the tables of the data file, which are STRICT


def main() -> None:
    """Run the command; nothing else of the package is imported before the version is known."""
    if sys.version_info < OLDEST_PYTHON:
        wanted, found = (".".join(map(str, version[:2])) for version in (OLDEST_PYTHON, sys.version_info))
        sys.exit(f"Error: Board Tracker needs Python {wanted} or newer, this is {found}: start it with a newer one")
    try:
        from sqlite3 import sqlite_version_info  # noqa: PLC0415 - the newer Python first
    except ImportError:
        sys.exit("Error: Board Tracker needs SQLite, and this Python was built without it: start it with another one")
    if sqlite_version_info < OLDEST_SQLITE:
        wanted, found = (".".join(map(str, version)) for version in (OLDEST_SQLITE, sqlite_version_info))
        sys.exit(
            f"Error: Board Tracker needs SQLite {wanted} or newer, this Python has {found}: start it with a Python "
            "that brings a newer one, such as that of python.org"
        )
    from tracker.cli import main as run  # noqa: PLC0415 - needs the newer Python
    from tracker.web.own_command import own_command  # noqa: PLC0415 - the same

    run(prog_name=own_command())


if __name__ == "__main__":
    main()
