"""Nights move between machines as files: out of one data folder, into another, and on they go."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.night_commands import run
from support.paths import NIGHTS

from tracker.app.nights import Nights
from tracker.core.events import Undo
from tracker.core.queries.summary import summary
from tracker.extras._night_files.importing import import_night
from tracker.extras._night_files.reading import night_from, states
from tracker.formats.built_in import built_in
from tracker.formats.codec import event_from
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

FOUR_HANDS = NIGHTS / "rummy-four-hands.json"
DATA_FILE = "nights.db"


def opened(folder: Path) -> Nights:
    """Return the tables of a folder; `closing(tables.store)` lets go of it."""
    return Nights(Store(folder / DATA_FILE), StreamHub())


def put_in(folder: Path, file: Path = FOUR_HANDS) -> str:
    """Bring a file in and return the night's code."""
    with closing(opened(folder).store) as store:
        return import_night(Nights(store, StreamHub()), file.read_text("utf-8")).code


def test_a_nights_name_survives_export_and_import(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "here").store) as store:
        code = Nights(store, StreamHub()).open("michigan-rummy", name="Sylvester 2026 – bei Oma").code
    file = tmp_path / "x.json"
    assert run("export", code, "--data", tmp_path / "here", "-o", file).exit_code == 0
    code = put_in(tmp_path / "there", file)
    assert "Sylvester 2026 – bei Oma" in run("nights", "--data", tmp_path / "there").stdout
    assert json.loads(run("export", code, "--data", tmp_path / "there").stdout)["name"] == "Sylvester 2026 – bei Oma"


def test_an_imported_night_is_listed_and_exported(tmp_path: Path) -> None:
    code = put_in(tmp_path)
    assert run("nights", "--data", tmp_path).stdout.endswith(" 44 events  Michigan Rummy\n")
    assert run("nights", "--data", tmp_path).stdout.startswith(code)
    exported = run("export", code, "--data", tmp_path)
    assert exported.exit_code == 0
    *_, played = states(night_from(exported.stdout, built_in))
    *_, wanted = states(night_from(FOUR_HANDS.read_text("utf-8"), built_in))
    assert summary(played) == summary(wanted)


def test_a_night_goes_on_in_another_folder_under_its_own_ids(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "here").store) as store:
        table = Nights(store, StreamHub()).open("michigan-kitty", {"ante.each": 2, "ante.dealer": 2})
        for seat in ("ann", "bob", "cara"):
            table.record(event_from({"kind": "sit", "seat": seat, "name": seat}), id=f"sit-{seat}", by=seat)
        table.record(event_from({"kind": "hand", "dealer": "ann"}), id="deal", by="ann")
        table.record(event_from({"kind": "undo", "event": "deal"}), id="oops", by="host")
        expected, code = summary(table.night), table.code
    file = tmp_path / "night.json"
    assert run("export", code.upper(), "--data", tmp_path / "here", "-o", file).exit_code == 0
    moved = put_in(tmp_path / "there", file)
    with closing(opened(tmp_path / "there").store) as store:
        table = Nights(store, StreamHub()).get(moved)
        assert summary(table.night) == expected
        assert [(entry.id, entry.by) for entry in table.entries][-2:] == [("deal", "ann"), ("oops", "host")]
        assert table.record(event_from({"kind": "undo", "event": "oops"}), id="again", by="host").night.hand == 1
        assert not table.record(event_from({"kind": "hand", "dealer": "ann"}), id="deal", by="ann").is_fresh


def test_a_preset_of_ones_own_travels_with_the_night(tmp_path: Path) -> None:
    own = replace(built_in("michigan-kitty"), id="ours", name="Ours")
    with closing(opened(tmp_path / "here").store) as store:
        code = Nights(store, StreamHub()).open(own).code
    file = tmp_path / "night.json"
    run("export", code, "--data", tmp_path / "here", "-o", file)
    assert json.loads(file.read_text("utf-8"))["preset"]["id"] == "ours"
    code = put_in(tmp_path / "there", file)
    with closing(opened(tmp_path / "there").store) as store:
        assert Nights(store, StreamHub()).get(code).preset.name == "Ours"


# While a server is running on the folder


def test_a_night_is_exported_while_a_server_uses_the_folder(tmp_path: Path) -> None:
    code = put_in(tmp_path)
    with closing(opened(tmp_path).store) as store:
        table = Nights(store, StreamHub()).get(code)
        table.record(Undo(table.head), id="reopened", by="host")
        exported = run("export", code, "--data", tmp_path)
        assert exported.exit_code == 0
        assert exported.stdout == table.export()
        assert run("nights", "--data", tmp_path).stdout.split()[3] == "45"


# What can go wrong


def test_a_night_that_is_not_there_is_not_exported_nor_one_into_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    code = put_in(tmp_path)
    for night in ("nope", "", "../x", "a" * 5000, "\n"):
        answer = run("export", night, "--data", tmp_path)
        assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (1, "", 1), night[:20]
    answer = run("export", code, "--data", tmp_path, "-o", tmp_path / "no" / "such" / "folder.json")
    assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)


def test_an_empty_folder_has_nothing_to_export_and_stays_empty(tmp_path: Path) -> None:
    for arguments in (("export", "abc"), ("nights",)):
        answer = run(*arguments, "--data", tmp_path / "new")
        assert answer.exit_code == 1
        assert "there are no nights in" in answer.stderr
    assert not (tmp_path / "new").exists()


def test_a_damaged_data_file_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / DATA_FILE).write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    for arguments in (("export", "abc"), ("nights",)):
        answer = run(*arguments, "--data", tmp_path)
        assert (answer.exit_code, answer.stdout, answer.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("arguments", [(), ("abc", "--all", "x")])
def test_an_export_of_nothing_or_of_two_things_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert run("export", *arguments, "--data", tmp_path).exit_code == 2
