"""Files that are no nights, and events that are none: each is refused in one line that names the place."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from extras.commands.replay_command import ANN, BOB, BUY, HAND, Raw, night, refusal, replay, unread

from tracker.cli import main

# Malformed events: refused in their turn


MALFORMED: list[tuple[Any, str]] = [
    ({"kind": "sti"}, '(?): there is no kind of event "sti"'),
    ({}, "(?): there is no kind of event null"),
    ("buy", '(?): an event is an object with a kind, not "buy"'),
    ({**BUY, "chip": 3}, '(buy): unknown field "chip"'),
    ({"kind": "buy", "seat": "ann"}, "(buy): chips: is missing"),
    ({**BUY, "seat": None}, "(buy): seat: must be text, not null"),
    ({**BUY, "seat": 5}, "(buy): seat: must be text, not 5"),
    ({**BUY, "id": ""}, '(buy): id: must be some text, not ""'),
    ({**BUY, "by": 7}, "(buy): by: must be text, not 7"),
    ({**HAND, "sits_out": "ab"}, '(hand): sits_out: must be a list, not "ab"'),
    ({**HAND, "cover": []}, "(hand): cover: must be an object, not []"),
    ({"kind": "undo", "event": None}, "(undo): event: must be a whole number or a text, not null"),
    ({"kind": "undo", "event": True}, "(undo): event: must be a whole number or a text, not true"),
    ({"kind": "order", "seats": [1]}, "(order): seats[0]: must be text, not 1"),
]


def test_a_malformed_event_is_refused_by_number_and_field() -> None:
    for event, said in MALFORMED:
        assert refusal(ANN, event) == f"event 2 {said}"


def test_chips_moments_and_seats_are_refused_with_what_they_have_to_be() -> None:
    wrong: list[Any] = [-1, 0, 1_000_001, 1.0, 1e300, "5", True, None, [], 10**30]
    for chips in wrong:
        said = refusal(ANN, {**BUY, "chips": chips})
        assert said.startswith("event 2 (buy): chips: must be a whole number from 1 to 1,000,000, not "), chips
    for at in ("", "yesterday", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00Z", 5):
        assert refusal({**ANN, "at": at}).startswith("event 1 (sit): at: must be "), at
    for seat in ("Ann", "", "a" * 33, "a b", "a\n", "../x", "ä"):
        said = refusal({**ANN, "seat": seat})
        assert said.startswith("event 1 (sit): seat: must be 1 to 32 of a-z, 0-9 and -, not "), seat


def test_an_earlier_refusal_comes_before_a_later_malformed_event() -> None:
    assert refusal(ANN, HAND, {"kind": "sti"}) == "event 2 (hand): a hand needs at least two people"


def test_no_text_of_a_file_reaches_the_terminal_as_a_command() -> None:
    said = refusal(ANN, BOB, HAND, {"kind": "no-sale"}, {"kind": "out", "seat": "ann", "cards": {"\x1b[2J\n": 1}})
    assert said == "event 5 (out): cards.\\x1b[2J\\n: must not hold control characters"


# Files that are none


NO_NIGHTS: list[tuple[str | bytes, str]] = [
    *((text, "this is not JSON") for text in ("", "{")),
    *((text, "this is no night") for text in ("[]", "null", '{"format": "other"}')),
    *((text, "nested too deeply") for text in ("[" * 10_000 + "]" * 10_000, "[" * 1_000_000)),
    ('{"a": ' * 900 + "1" + "}" * 900, "nested too deeply"),
    ('{"format": NaN}', "NaN is no number"),
    ('{"format": -Infinity}', "-Infinity is no number"),
    ('{"format": 1, "format": 2}', 'the key "format" stands twice'),
    *((text, "not UTF-8") for text in (b"\xff\xfe{\x00}\x00", b"\x80")),
    (" " * 4_000_001, "larger than"),
]
WRONG_FRAMES: list[tuple[Raw, str]] = [
    *(({"version": version}, f"version {json.dumps(version)}") for version in (2, True, None)),
    ({"preset": "chess"}, "there is no preset 'chess'"),
    *(({"preset": preset}, "must be an object") for preset in (None, 5)),
    ({"preset": []}, "must be an object"),
    ({"preset": {"id": "x"}}, "name: is missing"),
    ({"events": {}}, "events must be a list"),
    ({"events": None}, "events must be a list"),
    ({"options": []}, "options an object"),
    ({"options": {"ante": 1}}, "there is no house rule 'ante'"),
    *(({"options": {"ante.each": each}}, "ante.each must be a whole number") for each in ("1", True)),
    ({"options": {"poker.when": "never\n"}}, "poker.when must be one of"),
    ({"seats": []}, 'unknown field "seats"'),
    ({"events": [{}] * 10_001}, "at most 10,000 events"),
]


def test_input_that_is_no_night_file_ends_with_status_two() -> None:
    for text, said in NO_NIGHTS:
        assert said in unread(text), text[:50]


def test_a_wrong_frame_ends_with_status_two() -> None:
    for change, said in WRONG_FRAMES:
        assert said in unread(night(ANN) | change)


def test_thousands_of_digits_are_a_wrong_number_and_no_more() -> None:
    digits = "9" * 100_000
    text = json.dumps(night(ANN, {**BUY, "chips": 123})).replace("123", digits)
    answer = replay(text)
    assert answer.exit_code == 1
    assert "chips: must be a whole number" in answer.stderr
    assert "version 999" in unread(json.dumps(night()).replace('"version": 1', '"version": ' + digits))


def test_a_byte_order_mark_is_read_over() -> None:
    assert replay(b"\xef\xbb\xbf" + json.dumps(night(ANN)).encode()).exit_code == 0


def test_a_file_that_cannot_be_opened_ends_with_status_two() -> None:
    for file in ("nowhere.json", ".", "a\0b", "x" * 5000):
        answer = CliRunner().invoke(main, ["replay", file, "--json"])
        assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (2, "", 1), file[:20]


def test_no_more_than_the_limit_is_read_of_a_file_without_end() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("this system has no such file")
    answer = CliRunner().invoke(main, ["replay", "/dev/zero"])
    assert answer.exit_code == 2
    assert "larger than 4,000,000 characters" in answer.stderr
