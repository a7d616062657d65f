"""The command `board-tracker`: in this process, or in others: run to its end, or serving, killed and started again."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from click.testing import CliRunner, Result
from support.of_extras import needs
from support.paths import ROOT
from support.polling import START_SECONDS, read_until
from support.ports import free_port
from support.remote_phone import RemotePhone, api
from support.served_app import address_for_phones

from tracker.cli import main


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "tracker", *map(str, arguments)]


def run_command(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return how the command ended and what it printed, as in a terminal of 80 columns."""
    return subprocess.run(
        command(*arguments),
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "80"} | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=START_SECONDS,
        check=False,
    )


class ServedCommand:
    """A program that serves nights, what it printed until its page could be opened, and the browser beside it."""

    port = 0
    process: subprocess.Popen[str]

    def __init__(self, program_and_arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self._program_and_arguments, self._environment = program_and_arguments, environment or {}
        self.start()

    def start(self) -> None:
        """Start it, after it was killed at the same port; return when it says that it serves."""
        self.process = subprocess.Popen(
            self._program_and_arguments,
            cwd=ROOT,
            env=os.environ | self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self.said = read_until(self.process, "Ctrl-C")
        self.host_link = re.findall(r"https?://\S+/host/\S+", self.said)[0]
        port = urlsplit(self.host_link).port or 80
        assert self.port in (0, port), self.said
        self.port, self.phone = port, RemotePhone(port, "127.0.0.1")

    def kill(self) -> None:
        """End it as a power cut does: nothing is asked, nothing is finished."""
        self.process.kill()
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextmanager
def serve_command(folder: Path | None, *arguments: str, **environment: str) -> Iterator[ServedCommand]:
    """Serve the nights of a folder, or those that the environment names, until the end of the block."""
    data: list[str | Path] = ["--data", folder] if folder else []
    with serve_program(command("serve", "--no-browser", *data, *arguments), environment) as served:
        yield served


@contextmanager
def serve_program(program_and_arguments: Sequence[str], environment: Mapping[str, str]) -> Iterator[ServedCommand]:
    """Run a program that serves nights until the end of the block, with more in its environment."""
    served = ServedCommand(program_and_arguments, environment)
    try:
        yield served
    finally:
        served.kill()


class Command(ServedCommand):
    """`board-tracker` as people start it, on a folder of its own; it may have `most_files` open at once."""

    def __init__(self, folder: Path, *, most_files: int = 0) -> None:
        self.folder, self.port = folder, free_port()
        self.host_cookies: list[Any] = []
        """Of the browser that has opened the link."""
        serve = command("serve", "--port", str(self.port), "--data", folder, "--no-browser")
        limited = ["sh", "-c", f'ulimit -n {most_files}; exec "$@"', "sh"] if most_files else []
        super().__init__([*limited, *serve])

    @property
    def here(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def phones_url(self) -> str:
        return address_for_phones(self.here)

    @property
    def own_token(self) -> str:
        """The token of scripts, as the server has made it."""
        needs("api")
        return (self.folder / "api-token").read_text(encoding="ascii").strip()

    def state(self, code: str) -> dict[str, Any]:
        return self.ask(code, self.own_token)

    def record(self, code: str, kind: str, **fields: Any) -> None:
        self.ask(f"{code}/events", self.own_token, {"kind": kind, **fields})

    def ask(self, path: str, token: str, event: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what the API says at a path below /api/nights/, or a whole one; with an event, after recording it."""
        return api(self.port, token, path if path.startswith("/") else f"/api/nights/{path}", event)


def run(*arguments: str | Path, text: str | None = None, **environment: str) -> Result:
    """Run a subcommand, with `text` typed into it, and return what it printed and its exit status."""
    return CliRunner(env=environment).invoke(main, [str(one) for one in arguments], input=text)
