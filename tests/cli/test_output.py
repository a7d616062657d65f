"""What the command prints arrives whatever standard output and input are: an old encoding, a full disk, closed."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.of_extras import needs
from support.opened_pages import browser_that_keeps
from support.paths import ROOT
from support.polling import wait_until
from support.ports import free_port
from support.server_process import command

from tracker.formats.built_in import all_built_in

OLD_ENCODINGS = ("cp1252", pytest.param("ascii", marks=pytest.mark.long))
EVERY_BOARD = """
import sys
from tracker.cli import main
for board in sys.argv[1:]:
    for verb in ("show", "print"):
        main(["presets", verb, board], standalone_mode=False)
"""


@pytest.mark.parametrize("encoding", OLD_ENCODINGS)
def test_every_board_goes_into_a_pipe_as_utf_8_whatever_the_machines_encoding(encoding: str, tmp_path: Path) -> None:
    needs("editor")
    boards = [preset.id for preset in all_built_in()]
    printed = subprocess.run(
        [sys.executable, "-c", EVERY_BOARD, *boards],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "BOARD_TRACKER_DATA": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=True,
    )
    said = printed.stdout.decode("utf-8")
    assert "\u2665" in said
    assert all(f'id = "{board}"' in said for board in boards)


def test_a_terminal_without_the_suits_shows_a_question_mark(tmp_path: Path) -> None:
    needs("editor")
    ours, theirs = pty.openpty()
    printed = subprocess.run(
        command("presets", "print", "michigan-rummy", "--data", tmp_path),
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        stdout=theirs,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(theirs)
    said = os.read(ours, 100_000)
    os.close(ours)
    assert (printed.returncode, printed.stderr) == (0, b"")
    assert b"10?" in said


@pytest.mark.parametrize(
    "redirected",
    [
        *(">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full"),
        *(pytest.param(both, marks=pytest.mark.long) for both in ("<&-", ">/dev/full 2>&1")),
    ],
)
def test_a_server_that_can_not_print_or_read_opens_the_hosts_page_and_stops_as_ever(
    redirected: str, tmp_path: Path
) -> None:
    opened, errors, port = tmp_path / "opened", tmp_path / "errors", free_port()
    served = command("--port", str(port), "--data", tmp_path / "data")
    with errors.open("wb") as stderr:
        server = subprocess.Popen(
            ["sh", "-c", f'exec "$@" {redirected}', "sh", *served],
            cwd=ROOT,
            env=os.environ | browser_that_keeps(opened),
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )
    try:
        wait_until(lambda: opened.exists() and f":{port}/host/" in opened.read_text(encoding="utf-8"))
        server.send_signal(signal.SIGINT)
        assert (server.wait(60), errors.read_bytes()) == (0, b"")
    finally:
        server.kill()
        server.wait()
