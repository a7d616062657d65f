"""What a film in one file consists of: it plays without a network."""

from __future__ import annotations

from functools import cache

from tracker.web.drawing import board
from tracker.web.resources import Inlined, inlined

STYLES = ("shared/site.css", "shared/board-surface.css", "film/film.css")
SCRIPT = "film/film.js"


@cache
def film_parts(board_size: int) -> Inlined:
    """Return what a film's file needs for a board of so many places; 0 for none."""
    return inlined(STYLES, SCRIPT, board.css(board_size, board_size) if board_size else "")
