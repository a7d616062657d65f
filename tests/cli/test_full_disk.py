"""Every command on a full disk, and with standard output full or closed: one sentence, and nothing half written."""

import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TextIO

import click
import pytest
from support.data_files import file_of
from support.made_up_nights import add_demo_nights, demo_nights
from support.of_extras import of_extras
from support.paths import ROOT
from support.server_process import command, run

from tracker.app.nights import Nights
from tracker.cli import main
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_to_toml
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

MOST_BYTES = 40_000
"""What a file may have where the disk is called full: the index of SQLite's log, and less than what is written here."""

REASON = r"File too large|can't be opened: disk I/O error|: the disk reported an error|Not a directory"

PRINTING = dict(one.split(": ") for one in of_extras("printing"))
"""Of each command a use that prints something; `serve` goes on (test_serve.py)."""
WRITING = {
    **dict(one.split(": ") for one in of_extras("writing")),
    "serve": "serve --no-browser --data NEW",
}
"""Uses that write files, by a name that begins with the command's."""


def every_command(group: click.Group, before: str = "") -> Iterator[str]:
    with click.Context(group) as context:
        for name in group.list_commands(context):
            found = group.get_command(context, name)
            assert found
            yield from every_command(found, f"{name} ") if isinstance(found, click.Group) else [before + name]


@dataclass
class Place:
    """A folder with nights, a night's file, a board, and a file of an earlier export."""

    folder: Path
    code: str

    def arguments(self, text: str) -> list[str]:
        folder = self.folder
        named = {"DATA": folder / "data", "OUT": folder / "out", "NEW": folder / "made/new", "CODE": self.code}
        named |= {"NIGHT": folder / "night.json", "BOARD": folder / "board.toml"}
        return [re.sub(r"[A-Z]{3,}", lambda found: str(named[found[0]]), part) for part in text.split()]

    def files(self) -> dict[str, int]:
        """Return the size of every file but those that a running server locks and SQLite maps."""
        found = (path for path in self.folder.rglob("*") if not path.name.endswith((".lock", "-shm", "-wal")))
        return {str(path.relative_to(self.folder)): path.stat().st_size for path in found if path.is_file()}


@pytest.fixture(scope="module", name="filled")
def _filled(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("filled")
    (folder / "out").mkdir()
    (folder / "out/kept.json").write_text("an earlier export", encoding="utf-8")
    with closing(Store(folder / "data/nights.db")) as store:
        nights = Nights(store, StreamHub())
        add_demo_nights(nights, demo_nights(4, 1, date(2026, 11, 21), 700))
        code = max(nights.nights(), key=lambda row: row.events).code
        (folder / "night.json").write_text(nights.get(code).export(), encoding="utf-8")
        (folder / "data/backups").mkdir()
        file_of(store).backup(folder / "data/backups/asked-20261121-200000.db")
    board = preset_to_toml(built_in("michigan-rummy")).replace('"michigan-rummy"', '"ours"', 1)
    (folder / "board.toml").write_text(board, encoding="utf-8")
    return Place(folder, code)


@pytest.fixture(name="place")
def _place(filled: Place, tmp_path: Path) -> Place:
    """The same folder for each test, as it was."""
    return Place(shutil.copytree(filled.folder, tmp_path / "place"), filled.code)


def test_every_command_is_tried() -> None:
    every, untried = {*every_command(main)}, {*of_extras("not_on_a_full_disk")}
    assert {*PRINTING, "serve", *untried} == every
    writing = {name for name in every if any(f"{one} ".startswith(f"{name} ") for one in WRITING)}
    assert every - writing == {*of_extras("reading"), *untried}


def to_an_ended_program() -> TextIO:
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w", encoding="utf-8")


OUTPUTS: dict[str, Callable[[], TextIO | None]] = {
    ">/dev/full": lambda: os.fdopen(os.open("/dev/full", os.O_WRONLY), "w", encoding="utf-8"),
    ">&-": lambda: None,
    "| { exec <&-; sleep 0.01; }": to_an_ended_program,
}
"""How a shell redirects standard output so that it is full, closed, or read by a program that has ended by the time;
what Python makes of each."""
EVERY_OUTPUT = [
    pytest.param(name, how, marks=() if (at + way) % len(OUTPUTS) == 0 else pytest.mark.long, id=f"{name}-{way}")
    for at, name in enumerate([*PRINTING, "--help", "serve --help"])
    for way, how in enumerate(OUTPUTS)
]
"""Every run tries each command in one of these ways, and each way by some commands: all are handled in one place."""


def check_refused(status: object, errors: str) -> None:
    assert status == 1, errors
    assert re.fullmatch(r"(Error: )?standard output can't be written \([^\n]+\)\n", errors), errors


@pytest.mark.parametrize("redirected", OUTPUTS)
def test_a_program_whose_output_can_not_be_written_says_so_in_one_sentence(redirected: str, place: Place) -> None:
    for name in ("--version", "serve --help"):
        started = ["bash", "-c", f'set -o pipefail; "$@" {redirected}', "bash", *command(*place.arguments(name))]
        ended = subprocess.run(started, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=False)
        check_refused(ended.returncode, ended.stderr)


@pytest.mark.parametrize(("name", "redirected"), EVERY_OUTPUT)
def test_output_of_each_command_that_can_not_be_written_is_said_in_one_sentence(
    name: str, redirected: str, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, which has imported what each command needs."""
    output, errors = OUTPUTS[redirected](), tmp_path / "errors"
    with errors.open("w", encoding="utf-8") as written, monkeypatch.context() as patched:
        for stream, found in (("stdout", output), ("stderr", written)):
            patched.setattr(sys, stream, found)
            patched.setattr(sys, f"__{stream}__", found)
        with pytest.raises(SystemExit) as ended:
            main(place.arguments(PRINTING.get(name, name)), prog_name="board-tracker")
    if output:
        output.close()
    check_refused(ended.value.code, errors.read_text("utf-8"))


@contextmanager
def limited_files() -> Iterator[None]:
    """Let this process write no file beyond MOST_BYTES."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", WRITING)
def test_a_file_that_can_not_be_written_is_refused_in_one_sentence_and_leaves_nothing(name: str, place: Place) -> None:
    before = place.files()
    with limited_files():
        ended = run(*place.arguments(WRITING[name]))
    assert ended.exit_code == 1, (ended.stdout, ended.stderr, ended.exception)
    assert len(ended.stderr.splitlines()) == 1, (ended.stderr, ended.exception)
    assert re.search(REASON, ended.stderr), ended.stderr
    assert "lists the copies" not in ended.stderr
    after = place.files()
    assert {file: size for file, size in after.items() if file in before} == before
    added = {file for file, size in after.items() if size and file not in before}
    assert not {file for file in added if not file.startswith("out/")}
    assert all(is_whole(place.folder / file) for file in added), added
    assert not (place.folder / "made").exists()


def is_whole(path: Path) -> bool:
    """Return whether a night's file can be replayed, or a table ends with a whole line."""
    if path.suffix == ".json":
        return run("replay", path).exit_code == 0
    return path.read_bytes().endswith(b"\n")
