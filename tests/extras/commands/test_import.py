"""`board-tracker import`, `replay` and `nights`: files, folders and codes in, what they print, and what is refused."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from extras._shared.night_folder import PLAYABLE, filled_folder, listed
from support.data_files import file_of
from support.of_extras import needs
from support.paths import NIGHTS, night_file
from support.server_process import run
from support.transcripts import expected_state

from tracker.app.nights import Nights
from tracker.cli import commands, main, place_options
from tracker.cli.data_folder import DATA_FILE
from tracker.extras._night_files.codes import code_text
from tracker.extras._night_files.importing import import_night
from tracker.extras._night_summaries.stored import SummaryTable
from tracker.extras._night_summaries.summarize import VERSION
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

FOUR_HANDS, BARRED = NIGHTS / "rummy-four-hands.json", NIGHTS / "rummy-barred-collect.json"
Raw = dict[str, Any]
ANN: Raw = {"kind": "sit", "seat": "ann", "name": "Ann"}
BOB: Raw = {"kind": "sit", "seat": "bob", "name": "Bob"}
HAND: Raw = {"kind": "hand", "dealer": "ann"}
BUY: Raw = {"kind": "buy", "seat": "ann", "chips": 10}
TWICE: list[Raw] = [{**ANN, "id": "a"}, {**ANN, "id": "a"}, {**BOB, "id": "b"}]
"""A file whose first event stands there twice."""


def night(*events: Any, preset: Any = "michigan-rummy", **more: Any) -> Raw:
    return {"format": "board-tracker-night", "version": 1, "preset": preset, "events": list(events), **more}


def replay(content: Raw | str | bytes, *options: str) -> Result:
    text = json.dumps(content) if isinstance(content, dict) else content
    return CliRunner().invoke(main, ["replay", "-", *options], input=text)


def final(*events: Any, **more: Any) -> Raw:
    answer = replay(night(*events, **more), "--json")
    assert (answer.exit_code, answer.stderr) == (0, "")
    state: Raw = json.loads(answer.stdout)
    return state


def refusal(content: Raw | str | bytes, status: int) -> str:
    """Return the one line that says which event is refused (status 1), or why something is no night file (2)."""
    answer = replay(content, "--json")
    assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (status, "", 1), answer.output
    assert len(answer.stderr) <= 501
    return answer.stderr.rstrip("\n")


def test_every_file_of_a_folder_is_imported_or_refused_with_a_sentence_each(tmp_path: Path) -> None:
    (tmp_path / "in" / "deeper").mkdir(parents=True)
    shutil.copy(PLAYABLE[0], tmp_path / "in" / "deeper" / "good.json")
    shutil.copy(NIGHTS / "rummy-barred-collect.json", tmp_path / "in" / "refused.json")
    (tmp_path / "in" / "other.json").write_text('{"a": 1}', encoding="utf-8")
    (tmp_path / "in" / "notes.txt").write_text("no night", encoding="utf-8")
    answer = run("import", tmp_path / "in", PLAYABLE[1], tmp_path / "none.json", "--data", tmp_path / "data")
    assert answer.exit_code == 2
    assert len(answer.stdout.splitlines()) == 2
    said = answer.stderr.splitlines()
    wanted = ("this is JSON of another kind", "refused.json: event ", "none.json")
    assert [part in line for part, line in zip(wanted, said, strict=True)] == [True] * 3
    assert len(listed(tmp_path / "data")) == 2, "nothing of the refused ones was recorded"


def test_all_nights_are_summed_up_are_exported_and_come_back_the_same(tmp_path: Path) -> None:
    filled = tmp_path / "filled"
    assert run("import", *PLAYABLE, "--data", filled).exit_code == 0
    with closing(Store(filled / DATA_FILE, read_only=True)) as store:
        codes = [row.code for row in store.nights()]
        assert sorted(code for code, _ in SummaryTable(store.connection).read(codes, VERSION)) == sorted(codes)
    needs("exports")
    assert run("export", "--all", tmp_path / "out", "--data", filled).exit_code == 0
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == len(listed(filled)) > 20
    answer = run("import", tmp_path / "out", "--data", filled)
    assert answer.stdout.count("already here") == len(files)
    results, wanted = ({run("replay", file).stdout for file in one} for one in (files, PLAYABLE))
    assert results <= wanted


def test_a_night_that_is_here_already_stays_one(tmp_path: Path) -> None:
    raw = json.loads(PLAYABLE[0].read_text(encoding="utf-8"))
    whole, start = tmp_path / "whole.json", tmp_path / "start.json"
    raw["events"] = [{**event, "at": f"2026-01-05T20:00:{at:02}Z"} for at, event in enumerate(raw["events"])]
    whole.write_text(json.dumps(raw), encoding="utf-8")
    start.write_text(json.dumps({**raw, "events": raw["events"][:3]}), encoding="utf-8")
    code = run("import", whole, "--data", tmp_path).stdout.split()[0]
    again = run("import", whole, whole, "--data", tmp_path)
    assert [line.split()[0] for line in again.stdout.splitlines()] == [code, code]
    assert again.stdout.count("already here\n") == 2
    more = len(raw["events"]) - 3
    assert (
        run("import", start, "--data", tmp_path).stdout.rstrip().endswith(f"3 events: already here, {more} more here")
    )
    assert len(listed(tmp_path)) == 1


def at_day(day: int, mark: str = "") -> list[Raw]:
    """Return the events of a night at that day, with ids of their own where a mark is given."""
    events = json.loads(PLAYABLE[0].read_text(encoding="utf-8"))["events"]
    ids = [{"id": f"{mark}{at}"} if mark else {} for at in range(len(events))]
    return [{**one, "at": f"2026-01-{day:02}T20:00:00Z", **id_} for one, id_ in zip(events, ids, strict=True)]


@pytest.mark.parametrize(
    "changes",
    [
        ({"events": at_day(5)}, {"events": at_day(12)}),
        ({"name": "At Ann’s"}, {"name": "At Bob’s"}),
        ({}, {}),
        ({"options": {"money.cents": 5}}, {}),
        ({"events": at_day(5, "a")}, {"events": at_day(5, "b")}),
        ({}, {"events": at_day(5)[:-1]}),
    ],
    ids=["when", "name", "only the file", "rules", "ids", "shorter"],
)
def test_evenings_that_went_alike_are_two_and_stay_two(tmp_path: Path, changes: Sequence[Raw]) -> None:
    raw = json.loads(PLAYABLE[0].read_text(encoding="utf-8"))
    files = [tmp_path / f"{at}.json" for at in range(2)]
    for file, change in zip(files, changes, strict=True):
        file.write_text(json.dumps({**raw, **change}), encoding="utf-8")
    for known in (0, 2):
        said = run("import", *files, "--data", tmp_path / "data")
        assert (said.exit_code, said.stdout.count("already here")) == (0, known), said.output
        assert len(listed(tmp_path / "data")) == 2
    for file, known in zip(files, (0, changes == ({}, {})), strict=True):  # by two commands
        assert run("import", file, "--data", tmp_path / "apart").stdout.count("already here") == known


def test_a_code_of_a_night_is_imported_and_played_like_its_file(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "here" / DATA_FILE)) as store:
        code = code_text(import_night(Nights(store, StreamHub()), FOUR_HANDS.read_text("utf-8"), "Saturday"))
    (tmp_path / "code.txt").write_text(f"https://cards.example/#{code}\n", encoding="utf-8")
    for name, text in ((code, None), (tmp_path / "code.txt", None), ("-", code)):
        answer = run("import", name, "--data", tmp_path / "there", text=text)
        assert answer.exit_code == 0, answer.output
        assert "Saturday" in answer.stdout
    assert len(run("nights", "--data", tmp_path / "there").stdout.splitlines()) == 1
    state = json.loads(run("replay", code, "--json").stdout)
    assert {**state, "name": None} == {**json.loads(run("replay", FOUR_HANDS, "--json").stdout), "name": None}
    broken = run("import", code[:-4], "--data", tmp_path / "there")
    assert broken.exit_code == 2
    assert broken.stderr == "the code: this code is damaged or not whole: copy it again\n"


def test_an_import_beside_a_server_says_where_to_do_it(tmp_path: Path) -> None:
    with closing(Store(tmp_path / DATA_FILE)) as store:
        file_of(store).publish_address("http://127.0.0.1:8000")
        answer = run("import", FOUR_HANDS, "--data", tmp_path)
        assert store.nights() == []
    assert answer.exit_code == 1
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    assert "bring the night in at http://127.0.0.1:8000/import" in answer.stderr


def test_nothing_is_added_of_a_night_with_a_refused_event_nor_to_a_damaged_data_file(tmp_path: Path) -> None:
    assert run("import", FOUR_HANDS, "--data", tmp_path).exit_code == 0
    answer = run("import", BARRED, "--data", tmp_path)
    assert answer.exit_code == 1
    assert answer.stderr == "event 8 (collect): C is barred from money cards until this hand ends\n"
    answer = run("import", "-", "--data", tmp_path, text=json.dumps(night({"kind": "x"})))
    assert (answer.exit_code, answer.stderr) == (1, 'event 1 (?): there is no kind of event "x"\n')
    assert len(listed(tmp_path)) == 1
    (tmp_path / DATA_FILE).write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    answer = run("import", FOUR_HANDS, "--data", tmp_path)
    assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (1, "", 1)


# Files that are no nights, and events that are none: each is refused in one line that names the place.


NO_CHIPS: list[Any] = [-1, 0, 1_000_001, 1.0, 1e300, "5", True, None, [], 10**30]
REFUSED: list[tuple[Sequence[Any], str]] = [
    *(
        ((ANN, event), f"event 2 {said}")
        for event, said in (
            ({"kind": "sti"}, '(?): there is no kind of event "sti"'),
            ({}, "(?): there is no kind of event null"),
            ("buy", '(?): an event is an object with a kind, not "buy"'),
            ({**BUY, "chip": 3}, '(buy): unknown field "chip"'),
            ({"kind": "buy", "seat": "ann"}, "(buy): chips: is missing"),
            ({**BUY, "seat": 5}, "(buy): seat: must be text, not 5"),
            ({**BUY, "id": ""}, '(buy): id: must be some text, not ""'),
            ({**BUY, "by": 7}, "(buy): by: must be text, not 7"),
            ({**HAND, "sits_out": "ab"}, '(hand): sits_out: must be a list, not "ab"'),
            ({**HAND, "cover": []}, "(hand): cover: must be an object, not []"),
            ({"kind": "undo", "event": True}, "(undo): event: must be a whole number or a text, not true"),
            ({"kind": "order", "seats": [1]}, "(order): seats[0]: must be text, not 1"),
        )
    ),
    *(
        ((ANN, {**BUY, "chips": chips}), "event 2 (buy): chips: must be a whole number from 1 to 1,000,000, not ")
        for chips in NO_CHIPS
    ),
    *(
        (({**ANN, "at": at},), "event 1 (sit): at: must be ")
        for at in ("", "yesterday", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00Z", 5)
    ),
    *(
        (({**ANN, "seat": seat},), "event 1 (sit): seat: must be 1 to 32 of a-z, 0-9 and -, not ")
        for seat in ("Ann", "", "a" * 33, "a b", "a\n", "../x", "ä")
    ),
    # an earlier refusal comes before a later malformed event
    ((ANN, HAND, {"kind": "sti"}), "event 2 (hand): a hand needs at least two people"),
    # no text of a file reaches the terminal as a command
    (
        (ANN, BOB, HAND, {"kind": "no-sale"}, {"kind": "out", "seat": "ann", "cards": {"\x1b[2J\n": 1}}),
        "event 5 (out): cards.\\x1b[2J\\n: must not hold control characters",
    ),
    # a correction names the first of the later events that rest on it
    (
        (ANN, BOB, HAND, {"kind": "undo", "event": 2}),
        "event 4 (undo): event 3 (hand) would no longer fit: a hand needs at least two people",
    ),
    (
        (ANN, BOB, HAND, {"kind": "amend", "event": 1, "change": {"chips": 0}}),
        "event 4 (amend): event 3 (hand) would no longer fit: Ann is 18 short",
    ),
    # where ids repeat, lines of the file are named
    ((*TWICE, BOB), "event 4 (sit): "),
    ((*TWICE, {"kind": "dance"}), "event 4 (?): "),
    ((*TWICE, {**BUY, "id": "b"}), "event 4 (buy): the id 'b' is event 3’s already"),
    ((*TWICE, HAND, {"kind": "undo", "event": 3}), "event 5 (undo): event 4 (hand) would no longer fit: "),
    ((*TWICE, *[{"kind": "undo", "event": 3}] * 2), "event 5 (undo): event 3 is taken back already"),
]


def test_the_first_event_that_is_refused_is_named_with_its_field_and_what_it_has_to_be() -> None:
    for events, said in REFUSED:
        assert refusal(night(*events), 1).startswith(said), events


WRONG_FRAMES: list[tuple[Raw, str]] = [
    *(({"version": version}, f"version {json.dumps(version)}") for version in (2, True, None)),
    ({"preset": "chess"}, "there is no preset 'chess'"),
    ({"preset": None}, "must be an object"),
    ({"preset": []}, "must be an object"),
    ({"preset": {"id": "x"}}, "name: is missing"),
    ({"events": {}}, "events must be a list"),
    ({"options": []}, "options an object"),
    ({"options": {"ante": 1}}, "there is no house rule 'ante'"),
    *(({"options": {"ante.each": each}}, "ante.each must be a whole number") for each in ("1", True)),
    ({"options": {"poker.when": "never\n"}}, "poker.when must be one of"),
    ({"seats": []}, 'unknown field "seats"'),
    ({"events": [{}] * 10_001}, "at most 10,000 events"),
]
NO_NIGHTS: list[tuple[Raw | str | bytes, str]] = [
    *((text, "this is not JSON") for text in ("", "{")),
    *((text, "this is no night") for text in ("[]", "null", '{"format": "other"}')),
    *((text, "nested too deeply") for text in ("[" * 10_000 + "]" * 10_000, '{"a": ' * 900 + "1" + "}" * 900)),
    ('{"format": -Infinity}', "-Infinity is no number"),
    ('{"format": 1, "format": 2}', 'the key "format" stands twice'),
    (b"\x80", "not UTF-8"),
    (" " * 4_000_001, "larger than"),
    *((night(ANN) | change, said) for change, said in WRONG_FRAMES),
]


def test_input_that_is_no_night_file_ends_with_status_two() -> None:
    for content, said in NO_NIGHTS:
        assert said in refusal(content, 2), str(content)[:50]
    digits = "9" * 100_000
    text = json.dumps(night(ANN, {**BUY, "chips": 123})).replace("123", digits)
    assert "chips: must be a whole number" in refusal(text, 1)
    assert "version 999" in refusal(text.replace('"version": 1', '"version": ' + digits), 2)


def test_a_file_that_cannot_be_opened_or_has_no_end_ends_with_status_two() -> None:
    for file in ("nowhere.json", ".", "a\0b", "x" * 5000, *(["/dev/zero"] if Path("/dev/zero").exists() else [])):
        answer = run("replay", file, "--json")
        assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (2, "", 1), file[:20]
    assert "/dev/zero" not in file or "larger than 4,000,000 characters" in answer.stderr


# `board-tracker replay`: what it prints


KEYS = {
    *("preset", "name", "names", "direction", "phase", "hand", "dealer", "seats", "barred"),
    *("stacks", "bought", "pots", "notes"),
    *("scores", "worth", "net", "winners", "payments"),
}


def test_a_file_and_standard_input_give_the_state_of_the_end_and_a_trace_that_of_every_event_up_to_a_refused_one() -> (
    None
):
    answer, raw = run("replay", FOUR_HANDS, "--json"), FOUR_HANDS.read_text("utf-8")
    assert (answer.exit_code, answer.stderr, answer.stdout.count("\n")) == (0, "", 1)
    assert replay(b"\xef\xbb\xbf" + raw.encode(), "--json").stdout == answer.stdout, "a byte order mark is read over"
    state, expected = json.loads(answer.stdout), expected_state(FOUR_HANDS)
    assert state.keys() == KEYS
    assert {key: state[key] for key in expected} == expected
    lines = [json.loads(line) for line in run("replay", FOUR_HANDS, "--json", "--trace").stdout.splitlines()]
    assert (len(lines), lines[-1]) == (len(json.loads(raw)["events"]), state)
    number = expected_state(BARRED)["refused"]
    for options, count in (((), 0), (("--trace",), number - 1)):
        answer = run("replay", BARRED, "--json", *options)
        assert (answer.exit_code, answer.stdout.count("\n")) == (1, count)
        assert answer.stderr.startswith(f"event {number} (")


def test_without_json_a_table_for_people_is_printed() -> None:
    shown = run("replay", NIGHTS / "kitty-iou-won-with-the-pot.json").stdout
    assert shown.startswith("Michigan Kitty, hand 2: showdown\n")
    assert "R holds 5 of P's IOUs" in shown
    assert "P      0      20     -5  -25" in shown
    ended = run("replay", FOUR_HANDS).stdout
    assert "won: C\n" in ended
    assert "B pays C 23" in ended
    of_scores = run("replay", night_file("snake-two-penalties")).stdout
    assert "score" in of_scores
    assert "stack" not in of_scores
    assert replay(night()).exit_code == 0, "a night without events has no rows"


def test_every_name_is_printed_into_a_pipe_whatever_the_machines_encoding() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tracker", "replay", "-"],
        check=True,
        capture_output=True,
        input=json.dumps(night({**ANN, "name": "Zoë 🂡"}, BOB)).encode(),
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )
    assert "Zoë 🂡" in done.stdout.decode("utf-8")


def test_the_state_names_the_night_its_people_and_the_direction_of_play() -> None:
    penalty = {"kind": "penalty", "seat": "bob", "offence": "wrong-lead"}
    state = final(ANN, BOB, HAND, {"kind": "no-sale"}, penalty, name="Saturday at Ruth's")
    assert (state["name"], state["names"]) == ("Saturday at Ruth's", {"ann": "Ann", "bob": "Bob"})
    assert (state["seats"], state["direction"], state["barred"]) == (["ann", "bob"], 1, ["bob"])
    left = final(ANN, BOB, {"kind": "leave", "seat": "bob"}, {"kind": "reverse"}, preset="eight-round-rummy")
    assert (left["name"], left["names"], left["seats"]) == ("", {"ann": "Ann", "bob": "Bob"}, ["ann"])
    assert left["direction"] == -1


def test_a_correction_names_a_line_of_the_file_also_where_ids_repeat() -> None:
    lines = (*TWICE, *[{**BUY, "id": "c"}] * 2)
    undone = {"kind": "undo", "event": 4}
    for more, chips in (
        ((), 110),
        ((undone,), 100),
        (({"kind": "undo", "event": 5},), 100),
        (({"kind": "amend", "event": 4, "change": {"chips": 7}},), 107),
        ((undone, {"kind": "undo", "event": 6}), 110),
    ):
        assert final(*lines, *more)["stacks"] == {"ann": chips, "bob": 100}


# `board-tracker nights`: the folder before the command's name or after it, and times by this machine's clock.


def test_the_folder_may_stand_before_the_commands_name_also_where_it_is_called_like_one(tmp_path: Path) -> None:
    folder = filled_folder(tmp_path)
    listed = run("nights", "--data", folder).stdout
    assert len(listed.splitlines()) == len(PLAYABLE)
    assert run("--data", folder, "nights").stdout == listed
    assert run(f"--data={folder}", "nights").stdout == listed
    refused = run("--data", "token", "nights")
    assert (refused.exit_code, refused.stderr) == (1, "there are no nights in token yet\n")
    assert {name for name in ("--data", *place_options()) if name in commands()} == set()


def test_times_are_this_machines(tmp_path: Path, in_zone: Callable[[str], None]) -> None:
    folder, shown = filled_folder(tmp_path), []
    for zone in ("Asia/Kolkata", "America/St_Johns"):
        in_zone(zone)
        line = run("nights", "--data", folder).stdout
        shown.append(datetime.strptime(" ".join(line.split()[1:3]), "%Y-%m-%d %H:%M"))  # noqa: DTZ007 - no zone is printed
    assert (shown[0] - shown[1]).total_seconds() in (9 * 3600, 8 * 3600)
