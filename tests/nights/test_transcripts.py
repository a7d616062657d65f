"""Every transcript replays to exactly what it expects; some of them through the command, and through a file."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.paths import NIGHTS
from support.transcripts import TRANSCRIPTS, VARIETIES, expected_state, transcript_id

from tracker.app.nights import Nights
from tracker.cli import main
from tracker.core.errors import Refused
from tracker.core.night import Night
from tracker.core.queries.summary import summary
from tracker.formats.built_in import built_in
from tracker.formats.codec import entry_to, preset_to
from tracker.formats.night_file import night_from, states

KEYS = {
    *("preset", "name", "names", "direction", "phase", "hand", "dealer", "seats", "barred"),
    *("stacks", "bought", "pots", "notes"),
    *("scores", "worth", "net", "winners", "payments"),
}

# One night that ends and one that is refused: the command adds nothing to the replay but words.
PRINTED = [NIGHTS / "rummy-four-hands.json", NIGHTS / "rummy-barred-collect.json"]


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


@pytest.mark.parametrize("file", PRINTED, ids=transcript_id)
def test_the_command_prints_a_transcripts_end(file: Path) -> None:
    answer = CliRunner().invoke(main, ["replay", str(file), "--json"])
    if "refused" in expected_state(file):
        assert answer.exit_code == 1
        assert answer.stdout == ""
        assert answer.stderr.startswith(f"event {expected_state(file)['refused']} (")
        return
    assert answer.exit_code == 0
    assert answer.stderr == ""
    state = json.loads(answer.stdout)
    assert set(state) == KEYS
    assert {key: state[key] for key in expected_state(file)} == expected_state(file)


@pytest.mark.parametrize("file", PRINTED, ids=transcript_id)
def test_a_trace_has_a_line_for_every_event_up_to_a_refused_one(file: Path) -> None:
    answer = CliRunner().invoke(main, ["replay", str(file), "--json", "--trace"])
    events = json.loads(file.read_text("utf-8"))["events"]
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert len(lines) == expected_state(file).get("refused", len(events) + 1) - 1
    assert all(set(line) == KEYS for line in lines)
    if answer.exit_code == 0:
        assert json.loads(CliRunner().invoke(main, ["replay", str(file), "--json"]).stdout) == lines[-1]


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
