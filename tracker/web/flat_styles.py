"""Style sheets as they are sent: without `@layer` and without rules in rules, which browsers of 2021 drop.

In the sources a rule of a later layer wins over each of an earlier one, however heavy its selector. In what is sent it
wins because its selectors carry one `:not(#_)`, as heavy as an id, for each layer that it stands above.

A rule that stands in another, after its declarations, selects what is below it, or has `&` where the other's selector
belongs.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

LAYERS = ("base", "parts", "screens", "util", "large")
"""The layers whose rules are told apart by weight; rules in none win over all."""
LIGHTEST = ("reset", "tokens", "base")
"""In site.css they stand in this order, before all others."""
WEIGHT = ":not(#_)"
COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
BLANKS = re.compile(r"\s+")
LAYER_ORDER = re.compile(r"@layer [^{;]*;")
GROUPS = ("@media", "@supports")
YOUNG = (":has(", ":focus-visible", ":is(", ":where(")
"""A browser that lacks one of them drops the whole list of selectors in which it stands; the youngest first."""


@lru_cache(maxsize=64)
def without_layers(text: str) -> str:
    """Return a sheet with the same effect of which no rule stands in a layer or a rule; without layers the same."""
    if "@layer" not in text:
        return text
    return "".join(_flat(LAYER_ORDER.sub("", COMMENT.sub("", text)), len(LAYERS)))


def _flat(text: str, weight: int) -> Iterator[str]:
    """Yield the rules of a sheet or a group, each selector with its layer's weight."""
    for head, body in _blocks(text):
        if head.startswith("@layer"):
            yield from _flat(body, _weight(head.removeprefix("@layer").strip()))
        elif head.startswith(GROUPS):
            yield f"{head}{{\n{''.join(_flat(body, weight))}}}\n"
        elif head.startswith("@"):
            yield f"{head} {{{body}}}\n"
        else:
            yield from _nested(head, body, weight)


def _nested(head: str, body: str, weight: int) -> Iterator[str]:
    """Yield a rule without those that stand in it, then each of these with its whole selectors."""
    end = body.rfind(";", 0, body.find("{")) + 1 if "{" in body else len(body)
    if body[:end].strip():
        yield from _rules(head, body[:end], weight)
    for below, inner in _blocks(body[end:]):
        both = ((above, one) for above in _split(head) for one in _split(below))
        whole = [one.replace("&", above) if "&" in one else f"{above} {one}" for above, one in both]
        yield from _nested(", ".join(whole), inner, weight)


def _rules(head: str, body: str, weight: int) -> Iterator[str]:
    """Yield a rule, and apart from it the same one for those of its selectors that many browsers cannot read."""
    kinds: dict[str, list[str]] = {}
    for one in _split(head):
        kinds.setdefault(next((young for young in YOUNG if young in one), ""), []).append(one)
    for selectors in kinds.values():
        yield f"{','.join(_weighed(one, weight) for one in selectors)} {{{body}}}\n"


def _weight(layer: str) -> int:
    return 0 if layer in LIGHTEST else LAYERS.index(layer)


def _weighed(selector: str, weight: int) -> str:
    before, colons, pseudo_element = selector.partition("::")
    return f"{before}{WEIGHT * weight}{colons}{pseudo_element}"


def _split(head: str) -> Iterator[str]:
    """Yield the selectors of a list; commas within brackets part none."""
    depth, start = 0, 0
    for at, char in enumerate(head):
        depth += (char in "([") - (char in ")]")
        if char == "," and not depth:
            yield head[start:at].strip()
            start = at + 1
    yield head[start:].strip()


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before each outermost pair of braces, and what stands within."""
    depth, start, opened = 0, 0, 0
    for found in re.finditer(r"[{}]", text):
        depth += 1 if found[0] == "{" else -1
        if found[0] == "{" and depth == 1:
            opened = found.start()
        elif not depth:
            yield BLANKS.sub(" ", text[start:opened]).strip(), text[opened + 1 : found.start()]
            start = found.end()
