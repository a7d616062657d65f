"""One HTML file that plays a film without a network: styles, fonts and script are in it, under a policy of its own."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from tracker.web.drawing import board
from tracker.web.resources import static_dir

STYLES = ("shared/site.css", "shared/board-surface.css", "film/film.css")
SCRIPT = "film/film.js"
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*\n", re.DOTALL | re.MULTILINE)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
FONT = re.compile(r"url\(\.\./(vendor/[\w.-]+\.woff2)\)")


@dataclass(frozen=True)
class Inlined:
    """The style and the script of a file, and the policy that lets nothing else in."""

    style: str
    script: str

    @property
    def policy(self) -> str:
        """The content of the file's Content-Security-Policy."""
        return (
            f"default-src 'none'; style-src '{source_hash(self.style)}'; script-src '{source_hash(self.script)}'; "
            "font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
        )


@cache
def inlined(board_size: int) -> Inlined:
    """Return what a film's file needs for a board of so many places; 0 for none."""
    places = board.css(board_size, board_size) if board_size else ""
    dark = f"@media (prefers-color-scheme: dark) {{\n{_source('shared/dark.css')}}}\n"
    style = "".join(_source(name) for name in STYLES) + dark + COMMENT.sub("", places)
    return Inlined(FONT.sub(_font, style), _source(SCRIPT))


def source_hash(text: str) -> str:
    """Return what a Content-Security-Policy calls an inline style or script of this text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _source(name: str) -> str:
    text = (static_dir() / name).read_text(encoding="utf-8")
    return INDENT.sub("", COMMENT.sub("", text))


def _font(found: re.Match[str]) -> str:
    path: Path = static_dir() / found[1]
    return f"url(data:font/woff2;base64,{b64encode(path.read_bytes()).decode()})"
