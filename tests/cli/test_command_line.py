"""How the command is typed: completion, what people are told to type; a code without colours."""

import os
import pty
import subprocess
from pathlib import Path

import pytest
from support.of_extras import needs
from support.paths import ROOT
from support.ports import free_port
from support.server_process import command

from tracker.cli import commands, main
from tracker.web.own_command import own_command


def test_tab_completes_the_names_of_the_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "se"
    for name, value in (
        ("_BOARD_TRACKER_COMPLETE", "bash_complete"),
        ("COMP_WORDS", f"board-tracker {typed}"),
        ("COMP_CWORD", "1"),
    ):
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        main(prog_name="board-tracker")
    offered = {line.partition(",")[2] for line in capsys.readouterr().out.splitlines()}
    assert offered - {""} == {name for name in commands() if name.startswith(typed)} != set()


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


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colours_gets_the_code_without_escape_codes(plain: dict[str, str], tmp_path: Path) -> None:
    needs("internet")  # or in no network there is no address, and no code
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
