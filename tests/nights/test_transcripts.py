"""Every transcript replays to exactly what it expects; some of them as a night that is opened with their events."""

import json
from pathlib import Path

import pytest
from support.paths import NIGHTS
from support.transcripts import TRANSCRIPTS, VARIETIES, expected_state, opened, played, recorded, transcript_id

from tracker.app.nights import Nights
from tracker.core.errors import TableError
from tracker.core.night import Night
from tracker.core.queries.summary import summary
from tracker.formats.codec import entry_to, preset_to


def test_the_transcripts_are_there() -> None:
    assert len(list(NIGHTS.glob("*.json"))) >= 14


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
