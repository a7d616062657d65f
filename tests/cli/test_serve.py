"""The command as people start it: real processes, real sockets, real signals."""

import os
import re
import shlex
import signal
import socket
import stat
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.of_extras import needs
from support.paths import ROOT
from support.polling import wait_until
from support.ports import free_port
from support.remote_phone import open_night
from support.server_process import ServedCommand, command, run, run_command, serve_command

from tracker.cli import commands
from tracker.storage import Store


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(name="served", scope="module")
def _served(folder: Path) -> Iterator[ServedCommand]:
    """A server for all tests that stop none."""
    with serve_command(folder) as served:
        yield served


def test_the_first_page_is_served_and_localhost_is_never_shown_to_phones(served: ServedCommand) -> None:
    assert served.phone.get("/join").status == 200
    for_phones = served.said.partition("The host's page")[0]
    assert "127.0.0.1" not in for_phones
    assert "localhost" not in for_phones


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_stops_at_once_with_phones_connected(tmp_path: Path, number: int) -> None:
    with serve_command(tmp_path) as served, ExitStack() as stack:
        night = open_night(served.port, served.host_link)
        streams = [night.host.open(stack, f"{night.base}/stream?tab={tab}") for tab in range(5)]
        for stream in streams:
            assert stream.status == 200
            assert stream.readline()
        assert served.stop(number) == 0
        assert served.process.stdout is not None
        assert "Everything that was recorded is saved" in served.process.stdout.read()


def browser_that_keeps(file: Path) -> dict[str, str]:
    """Return the environment in which the address of an opened page is written into `file`, in a line."""
    program = file.with_suffix(".browser")
    program.write_text(f'#!/bin/sh\necho "$1" > {shlex.quote(str(file))}\n', encoding="utf-8")
    program.chmod(0o755)
    return {"BROWSER": f"{shlex.quote(str(program))} %s &"}


def test_a_second_server_names_the_first_one_and_shows_it_to_the_user(
    served: ServedCommand, folder: Path, tmp_path: Path
) -> None:
    opened = tmp_path / "opened"
    second = run_command("serve", "--data", folder, **browser_that_keeps(opened))
    assert second.returncode == 1
    assert second.stderr == f"Error: a server is already running on {folder}: http://127.0.0.1:{served.port}\n"
    wait_until(opened.exists)
    wait_until(lambda: opened.read_text(encoding="utf-8") == f"http://127.0.0.1:{served.port}\n")


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


def test_a_busy_port_is_reported_and_the_next_one_taken(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("0.0.0.0", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with serve_command(tmp_path, "--port", str(port)) as served:
            assert served.port != port
            assert f"Port {port} is in use" in served.said
            assert served.phone.get("/join").status == 200


def test_a_damaged_file_is_refused_in_one_line_by_the_default_command_which_is_serve(tmp_path: Path) -> None:
    (tmp_path / "nights.db").write_bytes(b"junk" * 1000)
    result = run("--no-browser", "--data", tmp_path)
    assert result.exit_code == 1
    said = r"Error: [^\n]+can't be opened: file is not a database"
    assert re.fullmatch(rf"{said}\n", result.stderr), "there are no copies"
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups/asked-20261126.db").write_bytes(b"junk")
    again = run("--no-browser", "--data", tmp_path)
    needs("copies")
    assert re.fullmatch(rf"{said}; board-tracker restore lists the copies [^\n]+\n", again.stderr)


def test_only_this_user_can_read_the_nights(tmp_path: Path) -> None:
    Store(tmp_path / "nights.db").close()
    assert stat.S_IMODE((tmp_path / "nights.db").stat().st_mode) == 0o600


def test_every_command_is_listed_with_a_sentence() -> None:
    listed = run("--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in listed] == list(commands())
    assert all(len(line.split()) > 3 for line in listed)


def test_the_data_folder_can_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARD_TRACKER_DATA", str(tmp_path / "here"))
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "nights.db").write_bytes(b"junk" * 1000)
    assert f"{tmp_path / 'here' / 'nights.db'} can't be opened" in run("serve", "--no-browser").stderr
