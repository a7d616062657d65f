"""Style sheets as they are sent: without `@layer` and without rules in rules, which browsers of 2021 drop.

In the sources a rule of a later layer wins over each of an earlier one, however heavy its selector. In what is sent it
wins because its selectors carry one `:not(#_)`, as heavy as an id, for each layer that it stands above.

A rule that stands in another, after its declarations, selects what is below it, or has `&` where the other's selector
belongs. A screen has a name: `@media (--wide)`. A rule for some words is written once: `.at-:each(1 2) ~ .s-:it`.
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
SIDEWAYS = "(max-height: 480px) and (min-width: 30em) and (orientation: landscape)"
SCREENS = {
    "--sideways": SIDEWAYS,
    "--wide": f"(min-width: 760px) and (orientation: landscape), {SIDEWAYS}",
    "--lower": "(max-height: 700px) and (max-width: 599px)",
    "--low": "(max-height: 790px) and (max-width: 599px)",
    "--narrow": "(max-width: 359px)",
}
"""A phone on its side; what shows the board at the left, and everything else at the right; low and narrow phones."""
SCREEN = re.compile(r"\((--[a-z]+)\)")
EACH = re.compile(r":each\(([^)]*)\)")
YOUNG = (r":has\(", ":focus-visible", r":not\([^()]*,")
"""A browser that lacks one of them drops the whole list of selectors in which it stands; the youngest first."""
SIDES = {"inline": ("left", "right"), "block": ("top", "bottom"), "inset": ("top", "right", "bottom", "left")}
"""What stands in what is sent for `padding-inline` and the like, and for `inset`."""
SEVERAL_SIDES = re.compile(r"(?<![\w-])(?:(padding-|margin-)(inline|block)|(inset)):([^;}]*)")
GAP = re.compile(r"(?<![\w-])((?:row-|column-)?gap:)")
"""Of a grid it had another name at first, by which all browsers know it, of a flexible box, too."""


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
            yield f"{SCREEN.sub(lambda name: SCREENS[name[1]], head)}{{\n{''.join(_flat(body, weight))}}}\n"
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
    body = GAP.sub(r"grid-\1", SEVERAL_SIDES.sub(_each_side, body))
    for one in (each for selector in _split(head) for each in _alternatives(selector)):
        kinds.setdefault(next((young for young in YOUNG if re.search(young, one)), ""), []).append(one)
    for selectors in kinds.values():
        yield f"{','.join(_weighed(one, weight) for one in selectors)} {{{body}}}\n"


def _alternatives(selector: str) -> Iterator[str]:
    """Yield a selector without `:is` and `:each`: one for each of those within their brackets."""
    if each := EACH.search(selector):
        for word in each[1].split():
            yield from _alternatives(EACH.sub(word, selector, count=1).replace(":it", word))
        return
    before, found, rest = selector.partition(":is(")
    if not found:
        yield selector
        return
    end = next(at for at in range(len(rest)) if rest[: at + 1].count(")") > rest[: at + 1].count("("))
    for one in _split(rest[:end]):
        yield from _alternatives(f"{before}{one}{rest[end + 1 :]}")


def _each_side(found: re.Match[str]) -> str:
    """Return the declarations for each side of one for several; the second of two values is that of the far sides."""
    kind, which, inset, value = found.groups()
    sides, values = SIDES[which or inset], [*_split(value.strip(), " ")]
    while len(values) < len(sides):
        values.append(values[max(0, len(values) - 2)])
    return "; ".join(f"{kind or ''}{side}: {one}" for side, one in zip(sides, values, strict=True))


def _weight(layer: str) -> int:
    return 0 if layer in LIGHTEST else LAYERS.index(layer)


def _weighed(selector: str, weight: int) -> str:
    before, colons, pseudo_element = selector.partition("::")
    return f"{before}{WEIGHT * weight}{colons}{pseudo_element}"


def _split(head: str, mark: str = ",") -> Iterator[str]:
    """Yield the selectors of a list, or the values of one; marks within brackets part none."""
    depth, start = 0, 0
    for at, char in enumerate(head):
        depth += (char in "([") - (char in ")]")
        if char == mark and not depth:
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
