"""Nights of earlier versions end, and look, as they did then: what a later version does otherwise is a decision."""

from collections.abc import Callable
from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest
from support.paths import night_files
from support.released_nights import Recording, look_numbers, played_again, read

from tracker import extras
from tracker.storage import Store

RELEASED_NIGHTS = night_files("released")
ON_THEIR_PAGES = {"exports", "film", "hand_by_hand", "tv"}
"""The extras that the pages of these nights show. Where one was deleted, the states are compared and no pages."""


@pytest.mark.parametrize("file", RELEASED_NIGHTS, ids=lambda file: file.stem)
def test_a_released_night_has_the_same_states_and_pages_as_when_it_was_released(
    file: Path, store: Store, short_or_long: Callable[[int, int], int]
) -> None:
    """The short run reads the pages at every third moment, the last one among them."""
    released = read(file)
    looks = look_numbers(len(released.events))
    looked_at = looks[:: -short_or_long(3, 1)]
    today = played_again(store, released, looked_at)
    released.pages = [page for look, page in zip(looks, released.pages, strict=True) if look in looked_at]
    for number, (then, now) in enumerate(zip(released.states, today.states, strict=True), 1):
        assert now == then, f"the state after event {number}: {released.events[number - 1]}"
    if not set(extras.names()) >= ON_THEIR_PAGES:
        return
    differences = page_differences(released, today)
    assert not differences, "\n".join(islice(differences, 90))


def page_differences(then: Recording, now: Recording) -> list[str]:
    """Return the lines of the pages that are missing now and those that are new, each page under its name."""
    assert [[*look] for look in now.pages] == [[*look] for look in then.pages]
    return [
        line
        for look, (old, new) in enumerate(zip(then.pages, now.pages, strict=True), 1)
        for name in old
        for line in unified_diff(
            then.page(old[name]), now.page(new[name]), f"then: {name}, look {look}", "now", "", "", 0
        )
    ]
