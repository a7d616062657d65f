"""The wheel in an empty environment, as a player gets it. Takes some 20 seconds: it builds, installs and starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.html_page import HtmlPage
from support.paths import ROOT
from support.ports import free_port

COMPILED = {".so", ".pyd", ".dylib", ".dll"}
# MarkupSafe builds without its compiled speed-up too; a compiler that always fails stands for a phone with none.
NO_COMPILER = os.environ | {"CC": "false", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
START_SECONDS = 60


def pip(python: Path | str, *arguments: str) -> None:
    command = [str(python), "-m", "pip", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=NO_COMPILER, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip(sys.executable, "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment with the wheel and its locked dependencies, MarkupSafe built from source."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip(python, "install", "-q", "--no-binary", "markupsafe", "--no-cache-dir", "-r", "requirements.lock")
    pip(python, "install", "-q", "--no-deps", str(wheel))
    pip(python, "check")
    return folder


def fetch(url: str) -> bytes:
    with urlopen(url, timeout=START_SECONDS) as answer:
        body: bytes = answer.read()
        return body


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Returns once the port takes calls; gives up when the process ends or START_SECONDS have passed."""
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.1)


@contextmanager
def served(environment: Path, data: Path, printed: Path) -> Iterator[str]:
    """The address of a running tracker that prints to a file."""
    port = free_port()
    options = ["--port", str(port), "--host", "127.0.0.1", "--data", str(data), "--no-browser"]
    command = [str(environment / "bin" / "board-tracker"), *options]
    with printed.open("wb") as output:
        process = subprocess.Popen(command, cwd=data, stdout=output, stderr=output)
        try:
            wait_for(port, process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(START_SECONDS)
            sys.stdout.write(printed.read_text(encoding="utf-8"))


def test_the_wheel_carries_pages_presets_and_the_browsers_files(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, pattern in (("templates", "*.html"), ("static", "*.css"), ("tracker/presets", "*.toml")):
        ours = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob(pattern)}
        assert ours
        assert {name if name.startswith("tracker/") else f"tracker/{name}" for name in ours} <= names
    vendored = {"htmx.min.js", "hx-sse.min.js", "besley.woff2", "atkinson.woff2"}
    assert {f"tracker/static/vendor/{name}" for name in vendored} <= names


def test_the_wheel_is_pure_python_and_brings_the_licences(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if Path(name).suffix in COMPILED] == []
    for part in ("htmx", "besley", "atkinson"):
        assert f"tracker/static/vendor/{part}-LICENSE.txt" in names


def test_nothing_it_needs_is_compiled(installed: Path) -> None:
    assert [path.name for path in (installed / "lib").rglob("*") if path.suffix in COMPILED] == []


def test_the_installed_command_serves_its_pages_and_htmx(installed: Path, tmp_path: Path) -> None:
    data, printed = tmp_path / "data", tmp_path / "printed"
    data.mkdir()
    with served(installed, data, printed) as address:
        script = HtmlPage(fetch(address + "/").decode()).value('script[src*="htmx.min.js"]', "src")
        assert fetch(address + script) == (ROOT / "static/vendor/htmx.min.js").read_bytes()
    assert address in printed.read_text(encoding="utf-8")
