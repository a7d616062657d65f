"""Whether HTML is complete: every element closed, no id twice, nothing left of a template."""

from collections import Counter
from html.parser import HTMLParser

VOID = {"input", "br", "use", "path", "rect", "circle", "meta", "link", "img"}


class Page(HTMLParser):
    """Collects ids and attributes, and what is left open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes |= {name for name, _ in attrs}
        self.ids.update(value or "" for name, value in attrs if name == "id")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


def faults(html: str) -> list[str]:
    page = Page(html)
    found = [f"id {one} stands twice" for one, short_or_long in page.ids.items() if short_or_long > 1]
    found += [f"attribute {one}" for one in page.attributes if one == "style" or one.startswith("on")]
    found += [f"<{tag}> is left open" for tag in page.open]
    return found + [word for word in ("<script", "None", "Undefined", "{{", "%(", "&lt;") if word in html]
