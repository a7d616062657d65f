"""Try setup.exe under wine: install it, start it, play a recorded hand by the API, start again, uninstall.

    .venv/bin/python -m release.windows.try_setup dist/board-tracker-setup.exe

Prints what was seen, and ends with an AssertionError where something is not as it should be.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parents[2]
HAND = ROOT / "tests/nights/all-hearts-hand.json"
UNINSTALL = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall"
PORT = 28765
URL = f"http://127.0.0.1:{PORT}"


def say(sentence: str) -> None:
    """Print what was seen."""
    print(sentence, flush=True)  # noqa: T201 - the transcript


class Wine:
    """A Windows folder tree of its own, and programs in it."""

    def __init__(self, folder: Path) -> None:
        self.program = shutil.which("wine64") or "/usr/lib/wine/wine64"
        # Neither of the two packages that wine offers to fetch, nor its messages.
        quiet = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
        self.environment = {**os.environ, "WINEPREFIX": str(folder / "wine"), **quiet}
        self.run("wineboot", "-i")
        (self.local,) = folder.glob("wine/drive_c/users/*/AppData/Local")
        (menu,) = folder.glob("wine/drive_c/users/*/AppData/Roaming/Microsoft/Windows/Start Menu")
        self.shortcut = menu / "Programs/Board Tracker.lnk"
        self.installed = self.local / "Programs/Board Tracker"

    def run(self, *command: str | Path) -> str:
        """Run a program to its end; return what it printed."""
        words = [self.program, *map(str, command)]
        done = subprocess.run(  # noqa: S603 - our own words
            words, env=self.environment, capture_output=True, encoding="utf-8", timeout=300, check=True
        )
        return done.stdout

    def tracker(self, *arguments: str) -> list[str]:
        """Return the command of the shortcut, with arguments."""
        return [self.program, str(self.installed / "python/python.exe"), str(self.installed / "start.py"), *arguments]

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Start the table and wait for its first answer; end it hard, as a window that is closed."""
        began = time.monotonic()
        command = self.tracker("--port", str(PORT), "--no-browser")
        with subprocess.Popen(  # noqa: S603 - our own words
            command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # wine lends no file as one
            encoding="utf-8",
        ) as program:
            assert program.stdout is not None
            try:
                for line in iter(program.stdout.readline, ""):
                    say("  | " + line.rstrip())
                    if "Ctrl-C" in line:
                        break
                else:
                    raise AssertionError("it has ended")
                assert is_answered()
                say(f"first answer after {time.monotonic() - began:.1f} s")
                yield
            finally:
                program.terminate()


def is_answered() -> bool:
    """Return whether the first page comes."""
    with urlopen(f"{URL}/join", timeout=60) as answer:  # noqa: S310 - our own address
        return bool(answer.status == 200)


def ask(path: str, token: str, body: object = None) -> dict[str, Any]:
    """Return what the API answers."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{URL}/api/nights{path}", data, headers), timeout=30) as answer:  # noqa: S310
        told: dict[str, Any] = json.load(answer)
    return told


def play(token: str) -> tuple[str, str, dict[str, Any]]:
    """Open a night, record every event of the recorded hand, and return the night's code, its token and its state."""
    night = json.loads(HAND.read_text("utf-8"))
    opened = ask("", token, {"preset": night["preset"], "options": night.get("options", {})})
    code, host = opened["code"], opened["token"]
    for event in night["events"]:
        ask(f"/{code}/events", host, event)
    say(f"{len(night['events'])} events recorded")
    return code, host, ask(f"/{code}", host)


def replayed() -> dict[str, Any]:
    """Return where the recorded hand ends on this machine."""
    command = [sys.executable, "-m", "tracker", "replay", "--json", str(HAND)]
    told: dict[str, Any] = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)  # noqa: S603
    return told


def main() -> None:
    """Install, play and uninstall."""
    setup = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        wine = Wine(Path(folder))
        say(f"{setup.name}: {setup.stat().st_size / 1e6:.2f} MB")
        began = time.monotonic()
        wine.run(setup, "/S")
        size = sum(path.stat().st_size for path in wine.installed.rglob("*") if path.is_file())
        say(f"installed {size / 1e6:.0f} MB after {time.monotonic() - began:.1f} s")
        assert wine.shortcut.exists()
        token = wine.run(*wine.tracker("token")[1:]).strip()
        with wine.serving():
            code, host, state = play(token)
            expected = replayed() | {"name": state["name"]}  # a night of the API has one, the file none
            assert expected.items() <= state.items(), "the same hand ends otherwise"
        with wine.serving():
            assert ask(f"/{code}", host) == state
            say("the night is there again after a restart")
        assert "BoardTracker" in wine.run("reg", "query", UNINSTALL)
        wine.run(wine.installed / "uninstall.exe", "/S", f"_?=Z:{wine.installed}".replace("/", "\\"))
        assert not wine.installed.exists()
        assert not wine.shortcut.exists()
        assert "BoardTracker" not in wine.run("reg", "query", UNINSTALL)
        assert (wine.local / "board-tracker/nights.db").exists()
        say("uninstalled; the nights are still in " + str(wine.local.relative_to(folder) / "board-tracker"))
        with suppress(subprocess.CalledProcessError):
            wine.run("wineboot", "-k")


if __name__ == "__main__":
    main()
