"""`board-tracker presets` lists, shows, checks and prints boards."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.client_phones import Site

from tracker.app.preset_library import PresetLibrary
from tracker.cli import main
from tracker.formats.built_in import all_built_in, built_in
from tracker.formats.codec import preset_from_toml, preset_to_toml
from tracker.storage import Store

BROKEN = """
id = "x"
name = ""
game = "pots"
seats = { min = 9, max = 2 }
pots = [{ id = "bank", name = "=1+1", label = "x" }, { id = "bank", name = "b", label = "x", cards = ["3X"] }]
"""


def run(folder: Path, *words: object, text: str | None = None) -> Result:
    return CliRunner().invoke(
        main, ["presets", *map(str, words)], input=text, env={"BOARD_TRACKER_DATA": str(folder / "data")}
    )


def own_preset(folder: Path, **changes: Any) -> None:
    with closing(Store(folder / "data" / "nights.db")) as store:
        PresetLibrary(store).save(
            replace(built_in("michigan-rummy"), id="ours", name="Our board", base="michigan-rummy", **changes)
        )


def test_presets_are_listed_with_the_tables_own_first(tmp_path: Path) -> None:
    own_preset(tmp_path)
    ids = [line.split()[0] for line in run(tmp_path).stdout.splitlines()]
    assert ids == ["ours", *(preset.id for preset in all_built_in())]
    assert run(tmp_path, "list").stdout == run(tmp_path).stdout


@pytest.mark.parametrize("preset", ["michigan-rummy", "hearts-played", "ours"])
def test_a_preset_is_shown_as_a_file_that_checks(tmp_path: Path, preset: str) -> None:
    own_preset(tmp_path)
    text = run(tmp_path, preset).stdout
    assert preset_to_toml(preset_from_toml(text)) == text == run(tmp_path, "show", preset).stdout
    assert run(tmp_path, "check", "-", text=text).exit_code == 0


def test_every_fault_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    answer = run(tmp_path, "check", "-", text=BROKEN)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert "needs a name" in answer.stderr
    assert "seats" in answer.stderr
    assert "stands twice" in answer.stderr
    assert "'3X' is not a card" in answer.stderr


def test_a_file_that_is_no_preset_is_refused_in_one_line(tmp_path: Path) -> None:
    for text in ("", "[", "x" * 20_000, "a=1"):
        answer = run(tmp_path, "check", "-", text=text)
        assert answer.exit_code == 2
        assert "Traceback" not in answer.stderr
    assert run(tmp_path, "check", tmp_path / "nothing.toml").exit_code == 2


def test_a_rule_card_is_printed_with_the_rules_that_differ_from_the_printed_game(tmp_path: Path) -> None:
    own_preset(tmp_path, rules={"ante.dealer": 3})
    said = run(tmp_path, "print", "ours").stdout
    assert "* Everybody puts 1 chip in each place, the dealer 3. (printed: Everybody puts 1 chip in each place" in said
    file = tmp_path / "board.toml"
    file.write_text(run(tmp_path, "ours").stdout, "utf-8")
    assert run(tmp_path, "print", file).stdout == said


def test_a_preset_file_is_imported_under_its_own_id_once(tmp_path: Path) -> None:
    own_preset(tmp_path)
    text = run(tmp_path, "ours").stdout.replace('id = "ours"', 'id = "theirs"').replace("Our board", "Their board")
    assert run(tmp_path, "import", "-", text=text).stdout == "theirs  Their board\n"
    assert run(tmp_path, "import", "-", text=text).stdout == "theirs  Their board\n"
    assert [line.split()[0] for line in run(tmp_path).stdout.splitlines()][:2] == ["ours", "theirs"]
    assert run(tmp_path, "import", "-", text=BROKEN).exit_code == 2


def test_a_built_in_id_is_not_taken_over_by_an_imported_file(tmp_path: Path) -> None:
    own_preset(tmp_path)
    text = run(tmp_path, "michigan-rummy").stdout.replace("stack = 100", "stack = 50")
    assert run(tmp_path, "import", "-", text=text).stdout.split()[0] == "michigan-rummy-2"


def test_an_unknown_preset_is_refused_in_one_line(tmp_path: Path) -> None:
    for command in ("show", "print"):
        answer = run(tmp_path, command, "chess")
        assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)
    assert run(tmp_path, "chess").exit_code == 1


def test_every_id_that_is_listed_works_in_every_command_and_opens_a_night(tmp_path: Path, site: Site) -> None:
    own_preset(tmp_path)
    site.tables.library.save(replace(built_in("michigan-rummy"), id="ours", name="Our board", base="michigan-rummy"))
    host = site.host()
    for preset in [line.split()[0] for line in run(tmp_path).stdout.splitlines()]:
        text = run(tmp_path, "show", preset).stdout
        assert run(tmp_path, "check", "-", text=text).exit_code == 0
        assert run(tmp_path, "print", preset).exit_code == 0
        night = {"format": "board-tracker-night", "version": 1, "preset": preset, "events": []}
        env = {"BOARD_TRACKER_DATA": str(tmp_path / "data")}
        for command in ("replay", "import"):
            answer = CliRunner().invoke(main, [command, "-"], input=json.dumps(night), env=env)
            assert (preset, answer.exit_code, answer.stderr) == (preset, 0, "")
        for page in (f"/boards/{preset}", f"/boards/{preset}/card", f"/new/{preset}"):
            assert host.get(page).status_code == 200
        code = site.open_night(host, preset=preset)
        assert site.tables.get(code).preset.id == preset
