"""What each address of the API takes and answers, noted beside its function for the OpenAPI description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Description:
    """The types of one address."""

    answers: Mapping[int, Any]
    """Status -> type of the JSON; None where the answer has no body, `bytes` for a stream."""
    body: Any = None
    refusals: tuple[int, ...] = ()
    """Statuses besides those that every address has."""
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)


_DESCRIPTIONS: dict[Callable[..., Any], Description] = {}


def described(
    answers: Mapping[int, Any],
    *,
    body: Any = None,
    refusals: tuple[int, ...] = (),
    headers: Mapping[str, str] | None = None,
    query: Mapping[str, str] | None = None,
) -> Callable[[View], View]:
    """Return a decorator that notes what a function with a route takes and answers."""

    def note(view: View) -> View:
        _DESCRIPTIONS[view] = Description(answers, body, refusals, headers or {}, query or {})
        return view

    return note


def description_of(view: Callable[..., Any]) -> Description:
    """Return what was noted of a function with a route. Raises KeyError where nothing was."""
    return _DESCRIPTIONS[view]
