"""The roles, and what each page says of itself beside its route: who may use it, and what else is true of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from werkzeug.wrappers import Response

Roles = frozenset[str | None]
View = TypeVar("View", bound=Callable[..., Any])

OWNER = "owner"
"""The role, outside of all nights, of somebody besides the house who opens nights, and has only those."""

ANYONE: Roles = frozenset({None})
"""What may be used without a role may be used with every role."""
HAS_ASKED: Roles = frozenset({"knock", "watcher", "seat", "host"})
ALLOWED_IN: Roles = frozenset({"watcher", "seat", "host"})
AT_TABLE: Roles = frozenset({"seat", "host"})
SEAT: Roles = frozenset({"seat"})
HOST: Roles = frozenset({"host"})
"""Where no night is in the address: the browser that opened the terminal's link."""

OPENS_NIGHTS: Roles = frozenset({"host", OWNER})
"""Outside of all nights: whoever runs the house, and the owners of other nights."""

BODY_LIMIT = 16 * 1024
"""Bytes of a form."""


@dataclass(frozen=True)
class PageRules:
    """What the guards ask of a page before they let a request through."""

    roles: Roles = frozenset()
    """Who may use it; with None among them everybody may."""
    needs_others: bool = False
    """Whether it needs another phone, a network or a folder of copies: an app that runs in one browser has none."""
    in_memory: bool = False
    """Whether it can be used at a night that is in memory only: no phone joins it, and nothing of it is kept."""
    of_the_house: bool = False
    """Whether it changes something for all nights, though a night is in its address: for whoever runs the house."""
    of_all_nights: bool = False
    """Whether it is about one night, and whoever runs the house has it for the nights of all hosts."""
    most_bytes: int = BODY_LIMIT
    """How many bytes of a body it takes."""
    follows: str = ""
    """Where it leads a browser whose night has a next one: to the `night`, or to where the display of that name is led;
    a `part` of a page is refused then, and loads its page again."""


OPEN_TO_NOBODY = PageRules()


@dataclass(frozen=True)
class Display:
    """A kind of browser that watches a night on pages of its own. A form or an address says it by the kind's name."""

    label: str
    """What lists of devices call it."""
    question: str
    """What the table is asked when it waits to be let in, in English."""
    code_page: str
    """The address of the page on which the code is typed there."""
    code_form: str
    """The template of that page."""
    lead: Callable[[str], Response]
    """Leads it to where a night is now."""


def rules_of(view: Any) -> PageRules:
    """Return what a view says of itself by `may`; one that says nothing is open to nobody."""
    return cast(PageRules, getattr(view, "page_rules", OPEN_TO_NOBODY))


def may(roles: Roles, **rules: Any) -> Callable[[View], View]:
    """Decorate a view with who may use it; the names of `rules` are those of `PageRules`. Stands below the route."""

    def decorate(view: View) -> View:
        view.page_rules = PageRules(roles, **rules)  # type: ignore[attr-defined]
        return view

    return decorate
