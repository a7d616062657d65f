"""Many nights at once: files and folders in, and every night out."""

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from support.night_commands import PLAYABLE, filled_folder, listed, run
from support.paths import NIGHTS

from tracker.archive.summarize import VERSION
from tracker.cli.data_folder import DATA_FILE
from tracker.core.queries.summary import summary
from tracker.formats.built_in import built_in
from tracker.formats.night_file import night_from, states
from tracker.storage import Store


@pytest.fixture(name="filled", scope="module")
def _filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled_folder(tmp_path_factory.mktemp("filled"))


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


@pytest.mark.parametrize("arguments", [(), ("abc", "--all", "x")])
def test_an_export_of_nothing_or_of_two_things_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert run("export", *arguments, "--data", tmp_path).exit_code == 2
