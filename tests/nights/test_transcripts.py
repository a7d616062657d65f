"""Every transcript replays to exactly what it expects; some of them through a file."""

import json
from pathlib import Path

import pytest
from support.paths import NIGHTS
from support.transcripts import TRANSCRIPTS, VARIETIES, expected_state, transcript_id

from tracker.app.nights import Nights
from tracker.core.errors import Refused
from tracker.core.night import Night
from tracker.core.queries.summary import summary
from tracker.formats.built_in import built_in
from tracker.formats.codec import entry_to, preset_to
from tracker.formats.night_file import night_from, states


def test_the_transcripts_are_there() -> None:
    assert len(list(NIGHTS.glob("*.json"))) >= 14


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=transcript_id)
def test_a_transcript_ends_as_it_says(file: Path) -> None:
    read = night_from(file.read_text("utf-8"), built_in)
    night, refused = Night(read.preset), None
    try:
        for night in states(read):
            assert sum(night.ledger.balances.values()) == 0
    except Refused as error:
        refused = error.number
    state = summary(night) | ({"refused": refused} if refused else {})
    assert {key: state.get(key) for key in expected_state(file)} == expected_state(file)


@pytest.mark.parametrize(
    "file", [file for file in VARIETIES if "refused" not in expected_state(file)], ids=transcript_id
)
def test_an_imported_transcript_is_exported_as_it_was_with_its_preset_whole(file: Path, tables: Nights) -> None:
    table = tables.import_night(file.read_text("utf-8"))
    exported, original = json.loads(table.export()), json.loads(file.read_text("utf-8"))
    read = night_from(file.read_text("utf-8"), built_in)
    assert exported["preset"] == preset_to(read.preset)
    assert exported.get("options", {}) == original.get("options", {})
    ids = [event.pop("id") for event in exported["events"]]
    assert len(set(ids)) == len(ids)
    assert exported["events"] == [entry_to(entry) for entry in read.entries]
