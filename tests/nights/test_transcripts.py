"""Recorded nights end as they say: those worked out by hand, of every preset; and look as when they were released."""

import json
from collections.abc import Callable
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from support.paths import night_files
from support.released_nights import Recording, look_numbers, played_again, read
from support.transcripts import TRANSCRIPTS, VARIETIES, expected_state, opened, played, recorded, transcript_id

from tracker import extras
from tracker.app.nights import Nights
from tracker.core.errors import TableError
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries.summary import summary
from tracker.formats.built_in import all_built_in, built_in_ids
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


NIGHT_OF = {file.stem: json.loads(file.read_text("utf-8")) for file in night_files()}
# The worked examples of the rules collection for the wider family: chips at the seats, then what still lies there.
WORKED = {
    "hearts-three-stages-v18": ([38, 44, 55, 54], {"ace-hearts": 4, "ten-hearts": 4, "eight-nine-ten": 1}, 200),
    "nain-jaune-v19": ([32, 32, 68], {"jack-clubs": 6, "king-hearts": 12, "seven-diamonds": 30}, 180),
    "pope-joan-v20": ([12, 31, 28, 38], {"pope": 6, "matrimony": 2, "intrigue": 2, "ace": 1}, 120),
}


def whole_nights(preset: str) -> list[dict[str, Any]]:
    return [night for night in NIGHT_OF.values() if night["preset"] == preset and "refused" not in night["expect"]]


@pytest.mark.parametrize("preset", built_in_ids())
def test_every_preset_has_a_transcript_with_its_end(preset: str) -> None:
    ends = [set(night["expect"]) for night in whole_nights(preset)]
    assert any({"stacks", "pots"} <= end or "scores" in end or "net" in end for end in ends)


@pytest.mark.parametrize("name", WORKED)
def test_the_worked_examples_are_there_with_their_numbers(name: str) -> None:
    stacks, lying, total = WORKED[name]
    expected = NIGHT_OF[name]["expect"]
    assert list(expected["stacks"].values()) == stacks
    assert {pot: chips for pot, chips in expected["pots"].items() if chips} == lying
    assert sum(stacks) + sum(lying.values()) == total


@pytest.mark.parametrize("preset", [one for one in all_built_in() if one.game == "pots"], ids=lambda one: one.id)
def test_the_end_of_a_transcript_holds_every_chip_that_was_bought(preset: Preset) -> None:
    for night in whole_nights(preset.id):
        expected, bought = night["expect"], 0
        for event in night["events"]:
            bought += event.get("chips", preset.stack) if event["kind"] == "sit" else 0
            bought += event["chips"] if event["kind"] == "buy" else 0
        if {"stacks", "pots"} <= set(expected) and "bought" not in expected:
            assert sum(expected["stacks"].values()) + sum(expected["pots"].values()) == bought


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
