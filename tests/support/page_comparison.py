"""What two pages of a night, or two offers, have in common, and the words beside an undo."""

import re
from collections.abc import Mapping

from support.html_page import HtmlPage, text_of
from support.page_offers import Offer


def is_counting(page: HtmlPage) -> bool:
    """Return whether hands are being counted on a score game's page."""
    return " m-count" in page.html


def role_of(phone: str) -> str:
    return "host" if phone == "host" else "seat"


def same_tap(one: Offer, other: Offer) -> bool:
    """Return whether two offers are the same tap; the numbers that their buttons name may have changed."""

    def tap(offer: Offer) -> Mapping[str, str]:
        form = {name: value for name, value in offer.form.items() if name not in ("key", "head", "claim", "hands")}
        return {**form, "do": re.sub(r"\d+$", "", offer.do)} if offer.do.startswith("undo") else form

    return tap(one) == tap(other)


def question(html: str) -> HtmlPage:
    """Return the question that a page shows, without parsing the rest of it; an empty page where it asks nothing."""
    asked = re.search(r'data-ask="(\w+)"', html)
    found = (
        re.search(rf'<div class="ask a-{asked[1]}".*?(?=<div class="ask |</footer>)', html, re.DOTALL)
        if asked
        else None
    )
    return HtmlPage(found[0] if found else "")


def undo_of(page: HtmlPage) -> Offer | None:
    """Return the undo of the question that shows, with the words beside it; None where there is none."""
    now = question(page.html)
    if '<button class="undo' not in now.html or not now.has("button.undo[name=do]"):
        return None
    button = now.one("button.undo[name=do]")
    form = {name: hidden_value(page.html, name) for name in ("key", "head", "claim", "hand", "seat")}
    return Offer(f"{last_words(page)} [{text_of(button)}]", {**form, "do": button.get("value")})


def hidden_value(html: str, name: str) -> str:
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', html)
    return found[1] if found else ""


def last_words(page: HtmlPage) -> str:
    return question(page.html).text("p[role=status]", inline=())


PASSING = re.compile(
    r'<p role="status"[^>]*id="last">.*?</p>'  # what happened last
    r'|<div id="requests".*?(?=<form id="move")'  # what was asked for is not asked for again
    r'|<small class="muted">(?:(?!</small>).)*</small>(?=</p>)'
    r'|<button class="undo[" ].*?</button>'
    r'|<span class="muted">[^<]*</span>(?=</p>)'  # how to answer, where the newest event does not stand instead
    r'|/change/\d+|data-(?:at|head|claim|moves)="[^"]*"|(?<=id=")[a-z-]+-\d+(?=")'
    r'|<input type="hidden" name="(?:key|head|claim)" value="[^"]*">',
    re.DOTALL,
)


def facts(html: str) -> str:
    """Return a page without the line about the newest event, and without what follows from the log's length."""
    return " ".join(PASSING.sub("", html).split())


def first_difference(then: str, now: str) -> str:
    at = next(
        (at for at, (old, new) in enumerate(zip(then, now, strict=False)) if old != new), min(len(then), len(now))
    )
    start = max(0, at - 60)
    return f"{then[start : at + 120]!r} became {now[start : at + 120]!r}"
