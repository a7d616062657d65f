"""The kinds of score games, as records of their pages."""

from __future__ import annotations

from tracker.web.game_kinds import GAME_KINDS, GameKind
from tracker.web.score import moves, pages

GAME_KINDS["rounds"] = GameKind(
    pages.page, pages.fragments, pages.sheet, pages.tv_page, pages.tv_fragment, moves.handle_move
)
GAME_KINDS["rum"] = GAME_KINDS["points"] = GameKind(
    pages.page, pages.fragments, pages.sheet, pages.tv_page, pages.tv_fragment, moves.handle_counted_move
)
