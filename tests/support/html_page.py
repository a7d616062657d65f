"""A page as tests read it: parsed, its elements selected by CSS, its text and the fields of its forms."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from bs4 import BeautifulSoup
from bs4.element import Comment, NavigableString, Tag

INLINE = ("b", "bdi", "s", "i", "time")
"""Elements that stand within a word or number; any other ends it."""
UNREAD = ("svg", "script", "style", "template")


class HtmlPage:
    """A page or fragment of one."""

    def __init__(self, html: str) -> None:
        self.html = html

    @cached_property
    def root(self) -> Tag:
        return BeautifulSoup(self.html, "html.parser")

    def select(self, selector: str) -> list[Tag]:
        return list(self.root.select(selector))

    def one(self, selector: str) -> Tag:
        """Return the first element; AssertionError when there is none."""
        found = self.root.select_one(selector)
        assert found is not None, f"no {selector} in {self.text()[:500]}"
        return found

    def has(self, selector: str) -> bool:
        return self.root.select_one(selector) is not None

    def values(self, selector: str, name: str) -> list[str]:
        """Return an attribute of all elements that have it, in the order of the page."""
        return [attribute(tag, name) for tag in self.select(selector) if tag.has_attr(name)]

    def value(self, selector: str, name: str = "value") -> str:
        """Return an attribute of the first element; AssertionError when there is none."""
        tag = self.one(selector)
        assert tag.has_attr(name), tag
        return attribute(tag, name)

    def text(self, selector: str = "", inline: Collection[str] = INLINE) -> str:
        """Return the words of the page or of the first element, with single spaces between them."""
        return text_of(self.one(selector) if selector else self.root, inline)

    def texts(self, selector: str) -> list[str]:
        return [text_of(tag) for tag in self.select(selector)]

    def form(self, selector: str = "form") -> dict[str, str]:
        """Return what the first such form sends untouched: each field's value, the last of those with one name."""
        return {attribute(tag, "name"): value for tag, value in sent(self.one(selector))}

    def hidden_fields(self, selector: str = "form") -> dict[str, str]:
        """Return the hidden fields of the first such form."""
        return {attribute(tag, "name"): attribute(tag, "value") for tag in hidden(self.one(selector))}


def hidden(form: Tag) -> list[Tag]:
    return list(form.select("input[type=hidden][name]"))


def sent(form: Tag) -> Iterator[tuple[Tag, str]]:
    """Yield the fields of a form that a browser would send, each with its value."""
    for tag in form.select("input[name], select[name], textarea[name]"):
        if tag.name == "select":
            options = tag.select("option[selected]") or tag.select("option")[:1]
            yield from ((tag, attribute(option, "value")) for option in options)
        elif tag.name == "textarea":
            yield tag, tag.get_text()
        elif attribute(tag, "type") not in ("checkbox", "radio"):
            yield tag, attribute(tag, "value")
        elif tag.has_attr("checked"):
            yield tag, attribute(tag, "value") if tag.has_attr("value") else "on"


def attribute(tag: Tag, name: str) -> str:
    """Return an attribute, or "" where the element has none of this name."""
    value = tag.get(name)
    return value if isinstance(value, str) else " ".join(value or ())


def text_of(tag: Tag, inline: Collection[str] = INLINE) -> str:
    return " ".join("".join(_pieces(tag, inline)).split())


def _pieces(tag: Tag, inline: Collection[str]) -> Iterator[str]:
    for child in tag.children:
        if isinstance(child, NavigableString):
            yield "" if isinstance(child, Comment) else str(child)
        elif isinstance(child, Tag) and child.name not in UNREAD:
            space = "" if child.name in inline else " "
            yield space
            yield from _pieces(child, inline)
            yield space


def form_of(page: str) -> dict[str, str | list[str]]:
    """Return what a browser would send from a page that is one form."""
    return {**HtmlPage(page).form("body")}
