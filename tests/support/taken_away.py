"""What is given and taken away again: each use of it afterwards has to be refused."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import pytest

H = TypeVar("H")
Use = Callable[[], bool]
"""Uses what was given, and returns whether that was allowed."""


def pairs(given: Mapping[Callable[[H], Use], Sequence[Callable[[H], object]]]) -> list[object]:
    """Return a case for each way in which something that can be given is taken away, named by both."""
    return [
        pytest.param(give, take, id=f"{give.__name__}-{take.__name__}") for give, ways in given.items() for take in ways
    ]


def works_after(here: H, give: Callable[[H], Use], take: Callable[[H], object], *, is_used_up: bool) -> bool:
    """Return whether what is given can be used after it was taken away; first it is used where it `is_used_up` so."""
    use = give(here)
    if is_used_up:
        assert use()
    take(here)
    return use()
