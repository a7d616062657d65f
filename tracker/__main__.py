"""`python -m tracker` does what `board-tracker` does."""

from __future__ import annotations

from tracker.cli import main

if __name__ == "__main__":
    main(prog_name="board-tracker")
