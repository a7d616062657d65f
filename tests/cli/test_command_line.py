"""How the command is typed: options before its name, completion, and what people are told to type."""

import os
import pty
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest
from support.night_commands import PLAYABLE, filled_folder, run
from support.of_extras import needs
from support.paths import ROOT
from support.ports import free_port
from support.server_process import command

from tracker.cli import commands, main, place_options
from tracker.web.own_command import own_command


def test_the_folder_may_stand_before_the_commands_name(tmp_path: Path) -> None:
    needs("commands")
    folder = filled_folder(tmp_path)
    listed = run("nights", "--data", folder).stdout
    assert len(listed.splitlines()) == len(PLAYABLE)
    assert run("--data", folder, "nights").stdout == listed
    assert run(f"--data={folder}", "nights").stdout == listed


def test_a_folder_of_a_commands_name_is_a_folder() -> None:
    needs("commands")
    refused = run("--data", "token", "nights")
    assert refused.stderr == "there are no nights in token yet\n"
    assert {name for name in ("--data", *place_options()) if name in commands()} == set()


def test_a_folder_without_nights_says_so_and_times_are_this_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("commands")
    refused = run("nights", "--data", tmp_path)
    assert (refused.exit_code, refused.stderr) == (1, f"there are no nights in {tmp_path} yet\n")
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


def test_tab_completes_the_names_of_the_commands() -> None:
    typed = "re"
    completed = subprocess.run(
        [sys.executable, "-c", "from tracker.cli import main; main(prog_name='board-tracker')"],
        cwd=ROOT,
        env=os.environ
        | {"_BOARD_TRACKER_COMPLETE": "bash_complete", "COMP_WORDS": f"board-tracker {typed}", "COMP_CWORD": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    offered = {line.partition(",")[2] for line in completed.stdout.splitlines()}
    assert offered - {""} == {name for name in commands() if name.startswith(typed)}


def test_people_are_told_the_command_that_works_where_they_are() -> None:
    assert own_command("/usr/bin/board-tracker", "/usr/bin/python3", is_windows=False) == "board-tracker"
    assert own_command("board-tracker.pyz", "x", is_windows=False) == "python3 board-tracker.pyz"
    assert own_command("/a b/board-tracker.pyz", "x", is_windows=False) == 'python3 "/a b/board-tracker.pyz"'
    assert own_command(r"C:\a\board-tracker.pyz", "x", is_windows=True) == r"py C:\a\board-tracker.pyz"
    program = r"C:\Programs\Board Tracker"
    assert (
        own_command(rf"{program}\start.py", rf"{program}\python\python.exe", is_windows=True)
        == rf'"{program}\python\python.exe" "{program}\start.py"'
    )


def test_the_version_is_said_by_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--version"], prog_name="python3 board-tracker.pyz", standalone_mode=False)
    assert capsys.readouterr().out.startswith("board-tracker, version ")


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colours_gets_the_code_without_escape_codes(plain: dict[str, str], tmp_path: Path) -> None:
    terminal, side = pty.openpty()
    address = "--public-address=http://cards.example"
    arguments = ("serve", "--port", str(free_port()), address, "--data", tmp_path, "--no-browser")
    with os.fdopen(terminal, "r", encoding="utf-8", newline="") as shown:
        program = subprocess.Popen(
            command(*arguments), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=side, env=os.environ | plain
        )
        os.close(side)
        printed = ""
        while "Ctrl-C" not in printed:
            printed += shown.readline()
        program.terminate()
        program.wait(60)
    assert "▀" in printed
    assert "\x1b" not in printed
