"""A page as tests read it: parsed, its elements selected by CSS, its text and the fields of its forms."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser, LexborNode

INLINE = ("b", "bdi", "s", "i", "time")
"""Elements that stand within a word or number; any other ends it."""
ID = re.compile(r' id="(.+?)"')
UNREAD = ("svg", "script", "style", "template")


def data_of(sent: bytes) -> str:
    """Return what a message of a stream carries."""
    return sent.removesuffix(b"\n\n").partition(b"data: ")[2].replace(b"\ndata: ", b"\n").decode()


def with_parts(page: str, sent: str) -> str:
    """Return what a phone shows that has shown `page` and is sent a message of its stream: parts, or all anew."""
    _, *found = sent.split("\x1f")
    for html in found:
        name = next(one[1] for one in ID.finditer(html))
        begin, depth = page.rindex("<", 0, page.index(f' id="{name}"')), 0
        tag = page[begin + 1 :].split(maxsplit=1)[0]
        if tag == "input":  # it has no end tag
            own = re.compile(r'(?:[^>"]|"[^"]*")*>').match(page, begin)
            page = page[:begin] + html + page[own.end() if own else begin :]
            continue
        for one in re.finditer(rf"<(/?){tag}\b", page[begin:]):
            depth += -1 if one[1] else 1
            if not depth:
                page = page[:begin] + html + page[begin + one.end() + 1 :]
                break
    return page if found else sent


class Tag:
    """An element of a parsed page, parsed as browsers do."""

    __slots__ = ("_node",)

    def __init__(self, node: LexborNode) -> None:
        self._node = node

    @property
    def name(self) -> str:
        return self._node.tag or ""

    def select(self, selector: str) -> list[Tag]:
        """Return the elements in it, without itself, in the order of the page."""
        return [Tag(node) for node in self._node.css(selector) if node.mem_id != self._node.mem_id]

    def select_one(self, selector: str) -> Tag | None:
        return next(iter(self.select(selector)), None)

    @property
    def attributes(self) -> Collection[str]:
        """The names of its attributes."""
        return self._node.attributes.keys()

    def has_attr(self, name: str) -> bool:
        return name in self.attributes

    def get(self, name: str) -> str:
        """Return an attribute, or "" where the element has none of this name."""
        return self._node.attributes.get(name) or ""

    def get_text(self) -> str:
        """Return all text in it as it is written."""
        return self._node.text()

    def find_parent(self, selector: str) -> Tag | None:
        """Return the nearest element around it that a selector finds."""
        root = self._node.parser.root
        found = {node.mem_id for node in root.css(selector)} if root else set()
        node = self._node.parent
        while node is not None and node.mem_id not in found:
            node = node.parent
        return Tag(node) if node is not None else None

    def __str__(self) -> str:
        return self._node.html or ""


class HtmlPage:
    """A page or fragment of one."""

    def __init__(self, html: str) -> None:
        self.html = html

    @cached_property
    def root(self) -> Tag:
        element = LexborHTMLParser(self.html).root
        assert element is not None
        document = element.parent  # above <html>, which can be selected, too
        assert document is not None
        return Tag(document)

    def select(self, selector: str) -> list[Tag]:
        return self.root.select(selector)

    def one(self, selector: str) -> Tag:
        """Return the first element; AssertionError when there is none."""
        found = self.root.select_one(selector)
        assert found is not None, f"no {selector} in {self.text()[:500]}"
        return found

    def has(self, selector: str) -> bool:
        return self.root.select_one(selector) is not None

    def values(self, selector: str, name: str) -> list[str]:
        """Return an attribute of all elements that have it, in the order of the page."""
        return [tag.get(name) for tag in self.select(selector) if tag.has_attr(name)]

    def value(self, selector: str, name: str = "value") -> str:
        """Return an attribute of the first element; AssertionError when there is none."""
        tag = self.one(selector)
        assert tag.has_attr(name), tag
        return tag.get(name)

    def text(self, selector: str = "", inline: Collection[str] = INLINE) -> str:
        """Return the words of the page or of the first element, with single spaces between them."""
        return text_of(self.one(selector) if selector else self.root, inline)

    def text_lines(self) -> list[str]:
        """Return the words of the page, those of each block element that holds no other block in a line of its own."""
        pieces = (
            piece if piece == "\n" else " ".join(f".{piece}.".split())[1:-1]
            for piece in _pieces(self.root, INLINE, "\n")
        )
        return [line.strip() for line in "".join(pieces).split("\n") if line.strip()]

    def texts(self, selector: str) -> list[str]:
        return [text_of(tag) for tag in self.select(selector)]

    def form(self, selector: str = "form") -> dict[str, str]:
        """Return what the first such form sends untouched: each field's value, the last of those with one name."""
        return {tag.get("name"): value for tag, value in sent(self.one(selector))}

    def hidden_fields(self, selector: str = "form") -> dict[str, str]:
        """Return the hidden fields of the first such form."""
        return {tag.get("name"): tag.get("value") for tag in hidden(self.one(selector))}


def hidden(form: Tag) -> list[Tag]:
    return form.select("input[type=hidden][name]")


def sent(form: Tag) -> Iterator[tuple[Tag, str]]:
    """Yield the fields of a form that a browser would send, each with its value."""
    for tag in form.select("input[name], select[name], textarea[name]"):
        if tag.name == "select":
            options = tag.select("option[selected]") or tag.select("option")[:1]
            yield from ((tag, option.get("value")) for option in options)
        elif tag.name == "textarea":
            yield tag, tag.get_text()
        elif tag.get("type") not in ("checkbox", "radio"):
            yield tag, tag.get("value")
        elif tag.has_attr("checked"):
            yield tag, tag.get("value") if tag.has_attr("value") else "on"


def text_of(tag: Tag, inline: Collection[str] = INLINE) -> str:
    return " ".join("".join(_pieces(tag, inline)).split())


def _pieces(tag: Tag, inline: Collection[str], between: str = " ") -> list[str]:
    """Return the texts in an element, with `between` around each element that ends a word."""
    found: list[str] = []
    _add_pieces(found, tag._node, inline, between)
    return found


def _add_pieces(found: list[str], node: LexborNode, inline: Collection[str], between: str) -> None:
    for child in node.iter(include_text=True):
        if child.is_text_node:
            found.append(child.text(deep=False))
        elif child.is_element_node and (name := child.tag or "") not in UNREAD:
            space = "" if name in inline else between
            found.append(space)
            _add_pieces(found, child, inline, between)
            found.append(space)


def form_of(page: str) -> dict[str, str | list[str]]:
    """Return what a browser would send from a page that is one form."""
    return {**HtmlPage(page).form("body")}
