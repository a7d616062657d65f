"""The examples of a page of the documents: its blocks of commands and of answers, and the rows of its tables."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.paths import ROOT

ANYTHING = "…"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: the language it is in, and its text."""

    language: str
    text: str


def blocks_of(page: str) -> list[Block]:
    """Return the fenced blocks of a page below docs/, in their order."""
    return [Block(*found) for found in _BLOCK.findall((ROOT / "docs" / page).read_text("utf-8"))]


def rows_of(page: str) -> list[list[str]]:
    """Return the cells of every table row of a page below docs/."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]


def run_commands(blocks: list[Block], folder: Path, data: Path, address: str) -> list[str]:
    """Run blocks of commands one after another in one shell, and return what each printed.

    `board-tracker` is this checkout's, with the nights of `data`. Fails where a command does.
    """
    programs = folder / "programs"
    programs.mkdir()
    tracker = programs / "board-tracker"
    tracker.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tracker "$@" --data "{data}"\n', encoding="utf-8")
    tracker.chmod(0o755)
    (folder / ".curlrc").write_text("fail-with-body\n", encoding="utf-8")
    script = "set -eu\n" + "\necho; echo '=== block'\n".join(ends_by_itself(block.text) for block in blocks)
    places = {"CURL_HOME": str(folder), "PYTHONPATH": str(ROOT)}
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script.replace("http://127.0.0.1:8000", address)],
        cwd=folder,
        env={**os.environ, **places, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    return [said.strip() for said in done.stdout.split("=== block\n")]


def ends_by_itself(commands: str) -> str:
    """Return commands of which a curl that is cut off after some seconds counts as done."""
    return re.sub(r"^(curl [^\n]*--max-time[^\n]*)$", r"\1 || [ $? = 28 ]", commands, flags=re.MULTILINE)


def differences(shown: Any, real: Any, place: str = "") -> list[str]:
    """Return where a real answer is another one than the page shows; `…` stands for any text."""
    if shown == ANYTHING and isinstance(real, str):
        return []
    if isinstance(shown, Mapping) and isinstance(real, Mapping) and shown.keys() == real.keys():
        return [one for key in shown for one in differences(shown[key], real[key], f"{place}.{key}")]
    if isinstance(shown, list) and isinstance(real, list) and len(shown) == len(real):
        return [
            one for at, both in enumerate(zip(shown, real, strict=True)) for one in differences(*both, f"{place}[{at}]")
        ]
    return [] if shown == real else [f"{place}: {shown!r} is shown, {real!r} is answered"]
