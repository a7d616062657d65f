"""What a file to keep has in itself of our styles, fonts and scripts, so that it works without a network. No extra."""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tracker.web.flat_styles import without_layers
from tracker.web.resources import static_dir

COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*\n", re.DOTALL | re.MULTILINE)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
FONT = re.compile(r"url\(\.\./(vendor/[\w.-]+\.woff2)\)")


@dataclass(frozen=True)
class Inlined:
    """The style and the script of a file to keep, and the policy that lets nothing else in."""

    style: str
    script: str

    @property
    def policy(self) -> str:
        """The content of the file's Content-Security-Policy."""
        script = f"script-src '{source_hash(self.script)}'; " if self.script else ""
        return (
            f"default-src 'none'; style-src '{source_hash(self.style)}'; {script}"
            "font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
        )


def inlined(styles: Sequence[str], script: str = "", more_css: str = "") -> Inlined:
    """Return style sheets with their fonts in them, for both themes, and a script, as a file to keep has them."""
    dark = f"@media (prefers-color-scheme: dark) {{\n{_source('shared/dark.css')}}}\n"
    sources = "".join(_source(name) for name in ("shared/tokens.css", *styles))
    style = sources + dark + COMMENT.sub("", without_layers(more_css))
    return Inlined(FONT.sub(_font, style), _source(script) if script else "")


def source_hash(text: str) -> str:
    """Return what a Content-Security-Policy calls an inline style or script of this text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _source(name: str) -> str:
    text = without_layers((static_dir() / name).read_text(encoding="utf-8"))
    return INDENT.sub("", COMMENT.sub("", text))


def _font(found: re.Match[str]) -> str:
    path: Path = static_dir() / found[1]
    return f"url(data:font/woff2;base64,{b64encode(path.read_bytes()).decode()})"
