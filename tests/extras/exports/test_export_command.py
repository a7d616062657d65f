"""`board-tracker export --tables`: the tables over all nights as files."""

import csv
import json
from pathlib import Path

import pytest
from support.night_commands import filled_folder, listed, run

from tracker.extras.exports.all_nights import TABLES


@pytest.fixture(name="filled", scope="module")
def _filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled_folder(tmp_path_factory.mktemp("filled"))


def test_tables_hold_every_person_hand_and_pot_of_all_nights(tmp_path: Path, filled: Path) -> None:
    assert run("export", "--tables", tmp_path / "out", "--data", filled).exit_code == 0
    tables = {
        name: list(csv.DictReader((tmp_path / "out" / f"{name}.csv").read_text("utf-8-sig").splitlines()))
        for name in TABLES
    }
    codes = {line.split()[0] for line in listed(filled)}
    # a code that a spreadsheet would take for a number or a time has an apostrophe in front
    assert {row["code"].removeprefix("'") for row in tables["nights"]} == codes
    for name, rows in tables.items():
        assert rows, name
    assert all(int(row["chips"]) > 0 and row["person"] for row in tables.get("pots", ()))
    by_night: dict[str, int] = {}
    for row in tables["nights"]:
        if row["game"] in ("Michigan Rummy", "Michigan Kitty") and row["ended"] == "1":
            by_night[row["code"]] = by_night.get(row["code"], 0) + int(row["net"])
    assert by_night
    assert set(by_night.values()) == {0}


@pytest.mark.parametrize(("option", "delimiter"), [("comma", ","), ("semicolon", ";"), ("tab", "\t")])
def test_tables_are_written_for_the_spreadsheet_that_is_named(
    tmp_path: Path, filled: Path, option: str, delimiter: str
) -> None:
    run("export", "--tables", tmp_path, "--separator", option, "--data", filled)
    for name in TABLES:
        head = (tmp_path / f"{name}.csv").read_text("utf-8-sig").splitlines()[0]
        assert head.startswith(f'"code"{delimiter}"night"{delimiter}')


def test_nights_and_tables_are_written_together_and_one_night_as_ever(tmp_path: Path, filled: Path) -> None:
    both = run("export", "--all", tmp_path / "all", "--tables", tmp_path / "tables", "--data", filled)
    assert both.exit_code == 0, both.output
    assert len([*(tmp_path / "all").iterdir()]) == len(listed(filled))
    assert (tmp_path / "tables" / "nights.csv").is_file()
    code = listed(filled)[0].split()[0]
    assert json.loads(run("export", code, "--data", filled).stdout)["format"] == "board-tracker-night"
    assert run("export", code, "--tables", tmp_path / "x", "--data", filled).exit_code == 2
    assert "--tables" in run("export", "--help").stdout
