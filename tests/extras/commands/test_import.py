"""`board-tracker import`: files, folders and codes in, and nothing of what is refused."""

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from support.data_files import file_of
from support.night_commands import PLAYABLE, listed, run
from support.paths import NIGHTS

from tracker.app.nights import Nights
from tracker.archive.summarize import VERSION
from tracker.cli.data_folder import DATA_FILE
from tracker.core.queries.summary import summary
from tracker.formats.built_in import built_in
from tracker.formats.night_file import night_from, states
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

FOUR_HANDS = NIGHTS / "rummy-four-hands.json"


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


def night_file(folder: Path, stem: str, **changes: object) -> Path:
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
        lambda folder: [night_file(folder, "a", events=at_day(5)), night_file(folder, "b", events=at_day(12))],
        lambda folder: [night_file(folder, "a", name="At Ann’s"), night_file(folder, "b", name="At Bob’s")],
        lambda folder: [night_file(folder, "a"), night_file(folder, "b")],
        lambda folder: [night_file(folder, "a", options={"money.cents": 5}), night_file(folder, "b")],
        lambda folder: [
            night_file(folder, "a", events=[{**one, "id": f"a{at}"} for at, one in enumerate(at_day(5))]),
            night_file(folder, "b", events=[{**one, "id": f"b{at}"} for at, one in enumerate(at_day(5))]),
        ],
        lambda folder: [night_file(folder, "a"), night_file(folder, "b", events=at_day(5)[:-1])],
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
        code = Nights(store, StreamHub()).import_night(FOUR_HANDS.read_text("utf-8"), "Saturday").code_text()
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


def test_a_file_that_is_no_night_is_not_imported(tmp_path: Path) -> None:
    for text in ("", "[]", "[" * 10_000, '{"format": "board-tracker-night", "version": 2}'):
        answer = run("import", "-", "--data", tmp_path, text=text)
        assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (2, "", 1), text[:40]
    assert run("import", "nowhere.json", "--data", tmp_path).exit_code == 2


def test_a_damaged_data_file_takes_nothing_in_and_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / DATA_FILE).write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    answer = run("import", FOUR_HANDS, "--data", tmp_path)
    assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (1, "", 1)
