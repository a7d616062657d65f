"""What `mkdocs build` does besides: rule cards as the program prints them, and links to files beside docs/."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RULE_CARDS = re.compile(r"<!-- rule cards:.*?-->", re.DOTALL)
OUTSIDE = re.compile(r"\]\(((?:\.\./|examples/)[^)\s]+)\)")


def on_config(config: Any) -> Any:
    """Take the site's address and that of the source from the metadata."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    config.site_url, config.repo_url, config.repo_name = urls["Documentation"], urls["Source"], "Source"
    return config


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_more: Any) -> str:
    """Put in the rule cards, and lead links that leave the pages to the source. Raises FileNotFoundError."""
    if page.file.src_uri == "games.md":
        markdown = RULE_CARDS.sub(lambda _: rule_cards(), markdown)

    def in_source(found: re.Match[str]) -> str:
        path = (ROOT / "docs" / found[1]).resolve().relative_to(ROOT)
        if not (ROOT / path).exists():
            raise FileNotFoundError(f"{page.file.src_uri}: {found[1]}")
        return f"]({config.repo_url}blob/main/{path.as_posix()})"

    return OUTSIDE.sub(in_source, markdown)


def rule_cards() -> str:
    """Return the rule card of every board as `board-tracker presets print` prints it."""
    listed = printed("list").splitlines()
    return "\n\n".join(rule_card(*printed("print", line.split()[0]).partition("\n")[::2]) for line in listed if line)


def rule_card(name: str, card: str) -> str:
    return f"## {name}\n\n```text\n{card.strip()}\n```"


def printed(*words: str) -> str:
    """Return what the program prints."""
    command = [sys.executable, "-m", "tracker", "presets", *words, "--data", str(ROOT / "build" / "no-nights")]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8")  # noqa: S603 - our own
    return done.stdout
