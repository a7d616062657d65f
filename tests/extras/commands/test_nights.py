"""`board-tracker nights`: the folder before the command's name or after it, and times by this machine's clock."""

import time
from datetime import datetime
from pathlib import Path

import pytest
from extras._shared.night_folder import PLAYABLE, filled_folder
from support.night_commands import run

from tracker.cli import commands, place_options


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
