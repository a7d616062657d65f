"""Recorded nights end as they say: those worked out by hand, of every preset; and look as when they were released."""

import json
from collections.abc import Callable
from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest
from support.paths import night_files
from support.released_nights import Recording, look_numbers, played_again, read
from support.transcripts import TRANSCRIPTS, VARIETIES, expected_state, opened, played, recorded, transcript_id

from tracker import extras
from tracker.app.nights import Nights
from tracker.core.errors import TableError
from tracker.core.night import Night
from tracker.core.queries.summary import summary
from tracker.formats.built_in import built_in_ids
from tracker.formats.codec import entry_to, preset_to
from tracker.storage import Store


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=transcript_id)
def test_a_transcript_ends_as_it_says(file: Path) -> None:
    preset, entries = recorded(file)
    nights, refused = [Night(preset)], {}
    try:
        for night in played(preset, entries):
            assert sum(night.ledger.balances.values()) == 0
            nights.append(night)
    except TableError:
        refused = {"refused": len(nights)}
    state = summary(nights[-1]) | refused
    assert {key: state.get(key) for key in expected_state(file)} == expected_state(file)


@pytest.mark.parametrize(
    "file", [file for file in VARIETIES if "refused" not in expected_state(file)], ids=transcript_id
)
def test_a_night_with_the_events_of_a_transcript_is_exported_as_it_was_with_its_preset_whole(
    file: Path, tables: Nights
) -> None:
    original, exported = json.loads(file.read_text("utf-8")), json.loads(opened(tables, file).export())
    preset, entries = recorded(file)
    assert exported["preset"] == preset_to(preset)
    assert exported.get("options", {}) == original.get("options", {})
    ids = [event.pop("id") for event in exported["events"]]
    assert len(set(ids)) == len(ids)
    assert exported["events"] == [entry_to(entry) for entry in entries]


def test_every_preset_has_a_transcript_with_its_end() -> None:
    nights = [json.loads(file.read_text("utf-8")) for file in night_files()]
    ends = [(night["preset"], set(night["expect"])) for night in nights if "refused" not in night["expect"]]
    assert {preset for preset, end in ends if {"stacks", "pots"} <= end or {"scores", "net"} & end} >= {*built_in_ids()}


# Nights of earlier versions: what a later version does otherwise is a decision


RELEASED_NIGHTS = night_files("released")
ON_THEIR_PAGES = {"exports", "film", "hand_by_hand", "tv"}
"""The extras that the pages of these nights show. Where one was deleted, the states are compared and no pages."""


@pytest.mark.parametrize("file", RELEASED_NIGHTS, ids=lambda file: file.stem)
def test_a_released_night_has_the_same_states_and_pages_as_when_it_was_released(
    file: Path, store: Store, short_or_long: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The short run reads the pages at every third moment, the last one among them."""
    # How a code is drawn is no text of a page, and to find the best of eight drawings takes a tenth of the time.
    monkeypatch.setattr("qrcode.QRCode.best_mask_pattern", lambda _code: 0)
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
