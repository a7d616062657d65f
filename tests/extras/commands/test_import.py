"""`board-tracker import`, `replay` and `nights`: files, folders and codes in, what they print, and what is refused."""

import json
import os
import shutil
import subprocess
import sys
import time
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
from support.transcripts import expected_state, transcript_id

from tracker.app.nights import Nights
from tracker.archive.summarize import VERSION
from tracker.cli import commands, main, place_options
from tracker.cli.data_folder import DATA_FILE
from tracker.core.queries.summary import summary
from tracker.extras._night_files.codes import code_text
from tracker.extras._night_files.importing import import_night
from tracker.extras._night_files.reading import night_from, states
from tracker.formats.built_in import built_in
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

FOUR_HANDS = NIGHTS / "rummy-four-hands.json"
Raw = dict[str, Any]
ANN: Raw = {"kind": "sit", "seat": "ann", "name": "Ann"}
BOB: Raw = {"kind": "sit", "seat": "bob", "name": "Bob"}
HAND: Raw = {"kind": "hand", "dealer": "ann"}
BUY: Raw = {"kind": "buy", "seat": "ann", "chips": 10}


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


def refusal(*events: Any, **more: Any) -> str:
    """Return the one line that says which event is refused, and why."""
    answer = replay(night(*events, **more), "--json")
    assert answer.exit_code == 1, answer.output
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    return answer.stderr.rstrip("\n")


def unread(content: Raw | str | bytes) -> str:
    """Return the one line that says why something is no night file."""
    answer = replay(content, "--json")
    assert answer.exit_code == 2, answer.output
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    assert len(answer.stderr) <= 501
    return answer.stderr.rstrip("\n")


@pytest.fixture(name="filled", scope="module")
def _filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    answer = run("import", *PLAYABLE, "--data", folder)
    assert answer.exit_code == 0, answer.output
    return folder


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


def test_an_import_leaves_nothing_to_be_computed_by_the_first_page(filled: Path) -> None:
    with closing(Store(filled / DATA_FILE, read_only=True)) as store:
        codes = [row.code for row in store.nights()]
        assert sorted(code for code, _ in store.summaries.read(codes, VERSION)) == sorted(codes)


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


def changed_file(folder: Path, stem: str, **changes: object) -> Path:
    """Write a night that went as every other of these did, but for what is changed."""
    raw = json.loads(PLAYABLE[0].read_text(encoding="utf-8"))
    file = folder / f"{stem}.json"
    file.write_text(json.dumps({**raw, **changes}), encoding="utf-8")
    return file


def at_day(day: int, **labels: str) -> list[dict[str, object]]:
    events = json.loads(PLAYABLE[0].read_text(encoding="utf-8"))["events"]
    return [{**event, "at": f"2026-01-{day:02}T20:00:00Z", **labels} for event in events]


@pytest.mark.parametrize(
    "differ",
    [
        lambda folder: [changed_file(folder, "a", events=at_day(5)), changed_file(folder, "b", events=at_day(12))],
        lambda folder: [changed_file(folder, "a", name="At Ann’s"), changed_file(folder, "b", name="At Bob’s")],
        lambda folder: [changed_file(folder, "a"), changed_file(folder, "b")],
        lambda folder: [changed_file(folder, "a", options={"money.cents": 5}), changed_file(folder, "b")],
        lambda folder: [
            changed_file(folder, "a", events=[{**one, "id": f"a{at}"} for at, one in enumerate(at_day(5))]),
            changed_file(folder, "b", events=[{**one, "id": f"b{at}"} for at, one in enumerate(at_day(5))]),
        ],
        lambda folder: [changed_file(folder, "a"), changed_file(folder, "b", events=at_day(5)[:-1])],
    ],
    ids=["when", "name", "only the file", "rules", "ids", "shorter"],
)
def test_evenings_that_went_alike_are_two_and_stay_two(
    tmp_path: Path, differ: Callable[[Path], Sequence[Path]]
) -> None:
    files = differ(tmp_path)
    for known in (0, 2):
        said = run("import", *files, "--data", tmp_path / "data")
        assert said.exit_code == 0, said.output
        assert said.stdout.count("already here") == known
        assert len(listed(tmp_path / "data")) == 2


def test_all_nights_are_exported_and_come_back_the_same(tmp_path: Path, filled: Path) -> None:
    needs("exports")
    assert run("export", "--all", tmp_path / "out", "--data", filled).exit_code == 0
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == len(listed(filled)) > 20
    answer = run("import", tmp_path / "out", "--data", filled)
    assert answer.stdout.count("already here") == len(files)
    results, wanted = (
        [
            json.dumps(summary([*states(night_from(file.read_text(encoding="utf-8"), built_in))][-1]), sort_keys=True)
            for file in one
        ]
        for one in (files, PLAYABLE)
    )
    assert set(results) <= set(wanted)


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


def test_nothing_is_added_of_a_night_with_a_refused_event(tmp_path: Path) -> None:
    assert run("import", FOUR_HANDS, "--data", tmp_path).exit_code == 0
    answer = run("import", NIGHTS / "rummy-barred-collect.json", "--data", tmp_path)
    assert answer.exit_code == 1
    assert answer.stderr == "event 8 (collect): C is barred from money cards until this hand ends\n"
    malformed = '{"format": "board-tracker-night", "version": 1, "preset": "michigan-rummy", "events": [{"kind": "x"}]}'
    answer = run("import", "-", "--data", tmp_path, text=malformed)
    assert (answer.exit_code, answer.stderr) == (1, 'event 1 (?): there is no kind of event "x"\n')
    assert len(run("nights", "--data", tmp_path).stdout.splitlines()) == 1


def test_a_damaged_data_file_takes_nothing_in_and_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / DATA_FILE).write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    answer = run("import", FOUR_HANDS, "--data", tmp_path)
    assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (1, "", 1)


# Files that are no nights, and events that are none: each is refused in one line that names the place.


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


# `board-tracker replay`: what it prints, and that no file makes it fail in any other way than with one clear line.


KEYS = {
    *("preset", "name", "names", "direction", "phase", "hand", "dealer", "seats", "barred"),
    *("stacks", "bought", "pots", "notes"),
    *("scores", "worth", "net", "winners", "payments"),
}

# One night that ends and one that is refused: the command adds nothing to the replay but words.
PRINTED = [NIGHTS / "rummy-four-hands.json", NIGHTS / "rummy-barred-collect.json"]

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


# `board-tracker nights`: the folder before the command's name or after it, and times by this machine's clock.


def test_the_folder_may_stand_before_the_commands_name(tmp_path: Path) -> None:
    folder = filled_folder(tmp_path)
    listed = run("nights", "--data", folder).stdout
    assert len(listed.splitlines()) == len(PLAYABLE)
    assert run("--data", folder, "nights").stdout == listed
    assert run(f"--data={folder}", "nights").stdout == listed


def test_a_folder_of_a_commands_name_is_a_folder() -> None:
    refused = run("--data", "token", "nights")
    assert (refused.exit_code, refused.stderr) == (1, "there are no nights in token yet\n")
    assert {name for name in ("--data", *place_options()) if name in commands()} == set()


def test_times_are_this_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, shown = filled_folder(tmp_path), []
    try:
        for zone in ("Asia/Kolkata", "America/St_Johns"):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            line = run("nights", "--data", folder).stdout
            shown.append(datetime.strptime(" ".join(line.split()[1:3]), "%Y-%m-%d %H:%M"))  # noqa: DTZ007 - no zone is printed
    finally:
        monkeypatch.undo()
        time.tzset()
    assert (shown[0] - shown[1]).total_seconds() in (9 * 3600, 8 * 3600)
