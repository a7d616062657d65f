"""What the page of a night tells a screen reader, worked out from two states of it as static/shared/live.js does."""

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser
from support.html_page import HtmlPage, Tag

UNSAID = "[aria-hidden=true], [hidden]"
DONE, HAVE, MISSED = "Done", "You have {}.", "{} things have happened. The log has them."


@dataclass(frozen=True)
class Spoken:
    """What a page can tell: its newest entry, the reader's chips, and its lines by key and text."""

    head: int
    chips: str
    lines: dict[tuple[str, str], Tag]


def spoken(html: str) -> Spoken:
    """Return what a page can tell."""
    page = HtmlPage(html)
    heads = page.values("[data-head]", "data-head")
    found = page.root.select_one("#own-stack .pop-n")
    if not found and (me := "".join(page.values("#move[data-me]", "data-me"))):
        found = page.root.select_one(f"#s-{me} .pop-n")
    lines = {}
    for one in page.select("[data-tell]"):
        key, text = one.get("data-tell"), said(one)
        lines[key, "" if key.isdigit() else text] = one  # an entry is told once, whatever its line says later
    return Spoken(int(heads[0]) if heads else 0, found.get_text().strip() if found else "", lines)


def said(one: Tag) -> str:
    """Return the words of a line as they are told."""
    if one.get("data-says"):
        return one.get("data-says")
    inner = re.sub(r"^<[^>]*>", "", str(one))
    for before, after in (("</b>", "</b> "), ("</span>", "</span> "), ("<small", ", <small")):
        inner = inner.replace(before, after)
    parsed = LexborHTMLParser(f"<body>{inner}")
    for drawn in parsed.css(UNSAID):
        drawn.decompose()
    text = parsed.body.text() if parsed.body else ""
    return re.sub(r" (?=[.,;:!?])", "", " ".join(text.split()))


def told(before: str, after: str) -> list[str]:
    """Return the lines that a page adds to its log when it changes from one state to another."""
    last, now = spoken(before), spoken(after)
    missed = now.head - last.head
    found = [MISSED.format(missed)] if last.head and missed > 1 else []
    for (key, text), one in now.lines.items():
        if (key, text) in last.lines:
            continue
        have = key == str(now.head) and now.chips and now.chips != last.chips
        parts = [DONE if one.has_attr("data-own") else "", said(one), HAVE.format(now.chips) if have else ""]
        found.append(" ".join(sentence(part) for part in parts if part))
    return found


def sentence(text: str) -> str:
    return text[0].upper() + text[1:] + ("" if re.search(r"[.!?…]$", text) else ".")
