"""`board-tracker replay`: what it prints, and that no file makes it fail in any other way than with one clear line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from extras.commands.replay_command import ANN, BOB, BUY, HAND, final, night, refusal, replay
from support.paths import NIGHTS, night_file
from support.transcripts import expected_state, transcript_id

from tracker.cli import main

KEYS = {
    *("preset", "name", "names", "direction", "phase", "hand", "dealer", "seats", "barred"),
    *("stacks", "bought", "pots", "notes"),
    *("scores", "worth", "net", "winners", "payments"),
}

# One night that ends and one that is refused: the command adds nothing to the replay but words.
PRINTED = [NIGHTS / "rummy-four-hands.json", NIGHTS / "rummy-barred-collect.json"]

FOUR_HANDS = NIGHTS / "rummy-four-hands.json"


# What it prints


def test_a_file_and_standard_input_give_the_same_state() -> None:
    from_file = CliRunner().invoke(main, ["replay", str(FOUR_HANDS), "--json"])
    assert replay(FOUR_HANDS.read_text(encoding="utf-8"), "--json").stdout == from_file.stdout
    assert from_file.stdout.count("\n") == 1


def test_without_json_a_table_for_people_is_printed() -> None:
    shown = CliRunner().invoke(main, ["replay", str(NIGHTS / "kitty-iou-won-with-the-pot.json")]).stdout
    assert shown.startswith("Michigan Kitty, hand 2: showdown\n")
    assert "R holds 5 of P's IOUs" in shown
    assert "P      0      20     -5  -25" in shown
    ended = CliRunner().invoke(main, ["replay", str(FOUR_HANDS)]).stdout
    assert "won: C\n" in ended
    assert "B pays C 23" in ended


def test_score_games_are_printed_without_chips() -> None:
    shown = CliRunner().invoke(main, ["replay", str(night_file("snake-two-penalties"))]).stdout
    assert "score" in shown
    assert "stack" not in shown


def test_a_night_without_events_is_a_lobby() -> None:
    assert final()["phase"] == "lobby"
    assert replay(night()).exit_code == 0
    assert replay(night(), "--json", "--trace").stdout == ""


def test_a_refused_event_is_named_after_the_traced_ones() -> None:
    answer = replay(night(ANN, BOB, HAND, HAND), "--json", "--trace")
    assert [json.loads(line)["hand"] for line in answer.stdout.splitlines()] == [0, 0, 1]
    assert answer.exit_code == 1
    assert answer.stderr == "event 4 (hand): the dummy hand is not decided yet: exchange it, sell it or leave it\n"


def test_a_refusal_uses_the_names_of_the_night() -> None:
    offence = {"kind": "penalty", "seat": "ann", "offence": "wrong-lead"}
    late = {"kind": "collect", "seat": "ann", "pot": "king-clubs"}
    said = refusal(ANN, BOB, HAND, {"kind": "no-sale"}, offence, late)
    assert said == "event 6 (collect): Ann is barred from money cards until this hand ends"


def test_the_installed_command_ends_with_the_same_status() -> None:
    command = [sys.executable, "-m", "tracker", "replay", str(NIGHTS / "rummy-barred-collect.json"), "--json"]
    done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "event 8 (collect): C is barred from money cards until this hand ends\n"


def test_every_name_is_printed_into_a_pipe_whatever_the_machines_encoding() -> None:
    file = night({**ANN, "name": "Zoë 🂡"}, BOB)
    done = subprocess.run(
        [sys.executable, "-m", "tracker", "replay", "-"],
        check=False,
        capture_output=True,
        input=json.dumps(file).encode(),
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )
    assert done.returncode == 0
    assert "Zoë 🂡" in done.stdout.decode("utf-8")


def test_a_correction_that_later_events_rest_on_names_the_first_of_them() -> None:
    events = [ANN, BOB, BUY, HAND, {"kind": "no-sale"}]
    said = refusal(*events, {"kind": "undo", "event": 2})
    assert said == "event 6 (undo): event 4 (hand) would no longer fit: a hand needs at least two people"
    amend = {"kind": "amend", "event": 1, "change": {"chips": 0}}
    assert refusal(*events, amend).startswith("event 6 (amend): event 4 (hand) would no longer fit: Ann is 8 short")


# Ids


def test_the_same_id_twice_is_one_event() -> None:
    again = {**BUY, "id": "b1"}
    state = final(ANN, again, again, {**again, "at": "2026-11-20T20:15:00Z", "by": "ann"})
    assert state["bought"] == {"ann": 110}
    lines = replay(night(ANN, again, again, BOB), "--json", "--trace").stdout.splitlines()
    assert len(lines) == 3


def test_the_same_id_with_another_content_is_refused() -> None:
    said = refusal(ANN, {**BUY, "id": "b1"}, {**BUY, "id": "b1", "chips": 11})
    assert said == "event 3 (buy): the id 'b1' is event 2’s already"


def test_the_state_names_the_night_its_people_and_the_direction_of_play() -> None:
    state = final(ANN, BOB, name="Saturday at Ruth's")
    assert (state["name"], state["names"]) == ("Saturday at Ruth's", {"ann": "Ann", "bob": "Bob"})
    assert (state["seats"], state["direction"], state["barred"]) == (["ann", "bob"], 1, [])
    left = final(ANN, BOB, {"kind": "leave", "seat": "bob"})
    assert (left["name"], left["names"], left["seats"]) == ("", {"ann": "Ann", "bob": "Bob"}, ["ann"])
    turned = final(ANN, BOB, {"kind": "reverse"}, preset="eight-round-rummy")
    assert turned["direction"] == -1
    penalty = {"kind": "penalty", "seat": "bob", "offence": "wrong-lead"}
    assert final(ANN, BOB, HAND, {"kind": "no-sale"}, penalty)["barred"] == ["bob"]


def test_a_repeated_id_has_a_line_and_its_number_of_its_own() -> None:
    ann, bob, buy = {**ANN, "id": "a"}, {**BOB, "id": "b"}, {**BUY, "id": "c"}
    lines = (ann, ann, bob, buy, buy)
    assert final(*lines)["stacks"] == {"ann": 110, "bob": 100}
    assert final(*lines, {"kind": "undo", "event": 4})["stacks"] == {"ann": 100, "bob": 100}
    assert final(*lines, {"kind": "undo", "event": 5})["stacks"] == {"ann": 100, "bob": 100}
    assert final(*lines, {"kind": "amend", "event": 4, "change": {"chips": 7}})["stacks"]["ann"] == 107
    undone = {"kind": "undo", "event": 4}
    assert final(*lines, undone, {"kind": "undo", "event": 6})["stacks"]["ann"] == 110


def test_a_refusal_names_lines_of_the_file_where_ids_repeat() -> None:
    ann, bob = {**ANN, "id": "a"}, {**BOB, "id": "b"}
    assert refusal(ann, ann, bob, BOB).startswith("event 4 (sit): ")
    assert refusal(ann, ann, bob, {"kind": "dance"}).startswith("event 4 (?): ")
    assert refusal(ann, ann, bob, {**BUY, "id": "b"}).endswith("the id 'b' is event 3’s already")
    late = refusal(ann, ann, bob, HAND, {"kind": "undo", "event": 3})
    assert late.startswith("event 5 (undo): event 4 (hand) would no longer fit: ")
    twice = refusal(ann, ann, bob, {"kind": "undo", "event": 3}, {"kind": "undo", "event": 3})
    assert twice == "event 5 (undo): event 3 is taken back already"


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
