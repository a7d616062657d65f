"""The addresses of all pages, for the tests that look at every page."""

from __future__ import annotations

SITE_PAGES = (
    "/",
    "/new",
    "/boards",
    "/join",
    "/tv",
    "/help",
    "/trust",
    "/backups",
    *("/people", "/people/names?name=Ruth", "/people/ben", "/people/ben/kept", "/people/ben/forget"),
    *("/statistics", "/statistics?game=michigan-rummy", "/statistics/people/ben", "/statistics/2026"),
    "/statistics/pair?with=ruth&with=ben",
    "/import",
    "/boards/import",
    "/no-such-page",
    "/?q=mich",
    "/?q=nobody",
    "/?gone={deleted}",
    "/?rehearsal=over",
    "/put-away",
    "/settle-up",
    "/settle-up/{list}",
    "/nights/{ended}",
    "/nights/{kept}",
    "/nights/{archived}",
    "/nights/{deleted}",
    "/b/{board}",
    *("/house", "/house/hosts/{owner}"),
)
"""With the codes of nights, and what else stands in addresses, in braces."""
STRANGER_PAGES = (
    "/j/{link}",
    "/join",
    "/help",
    "/n/{play}",
    "/b/{board}",
    "/club",
    "/club/link/{club}",
    "/club/move/{move}",
)
ANSWERS = {"/no-such-page": 404, "/n/{play}": 403}
"""The status of pages that say what is wrong; all others answer 200."""
PRESET_PAGES = ("/new/{}", "/boards/{}", "/boards/{}/card", "/boards/{}/share")
LOBBY_PAGES = ("/lobby", "/lobby?help=1", "/dealer", "/share", "/wifi", "/on-tv", "/settings", "/order", "/rules")
PRESETS = ("michigan-rummy", "royal-rummy", "eight-round-rummy", "michigan-rummy-snake", "score-sheet")
NIGHT_PAGES = (
    *("/lobby", "/log", "/share", "/count", "/settle", "/files", "/hand-over", "/seat/ben", "/seat/wil", "/phones"),
    *("/pin", "/change/9", "/take-back/9", "/change/13", "/take-back/13", "/rules", "/print"),
)
END_PAGES = ("/lobby", "/log", "/settle", "/film", "/files", "/print", "/rules")
SEAT_PAGES = ("/lobby", "/log", "/share", "/settle", "/files", "/rules")
TV_PAGES = ("/tv", "/lobby/tv")
HINTS = ("hello", "collect", "undo", "out", "pay", "ante", "dummy", "cards", "end")
"""What the rehearsal says in turn; an address names the hint that it has come to."""
