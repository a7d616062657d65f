"""The command `board-tracker` in processes of its own: run to its end, or serving."""

import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from support.paths import ROOT
from support.polling import START_SECONDS, read_until


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
    """A running `board-tracker serve`, and what it printed until its page could be opened."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self.program = program
        self.said = read_until(program, "Ctrl-C")
        self.host_link = re.findall(r"https?://\S+/host/\S+", self.said)[0]
        self.port = urlsplit(self.host_link).port or 80
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, body: str | None = None, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers.setdefault("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if body is not None:
            headers.setdefault("Origin", f"http://127.0.0.1:{self.port}")
            headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        sent = {"Connection": "close", **{name: value for name, value in headers.items() if value}}
        connection.request("GET" if body is None else "POST", path, body, sent)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def status(self, path: str, body: str | None = None, **headers: str) -> int:
        with closing(self.ask(path, body, **headers)) as answer:
            answer.read()
            return answer.status

    def stop(self, number: int = signal.SIGINT) -> int:
        self.program.send_signal(number)
        return self.program.wait(60)


@contextmanager
def serve_command(folder: Path | None, *arguments: str, **environment: str) -> Iterator[ServedCommand]:
    """Serve the nights of a folder, or those that the environment names, until the end of the block."""
    data: list[str | Path] = ["--data", folder] if folder else []
    with serve_program(command("serve", "--no-browser", *data, *arguments), environment) as served:
        yield served


@contextmanager
def serve_program(program_and_arguments: Sequence[str], environment: Mapping[str, str]) -> Iterator[ServedCommand]:
    """Run a program that serves nights until the end of the block, with more in its environment."""
    with subprocess.Popen(
        program_and_arguments,
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as program:
        try:
            yield ServedCommand(program)
        finally:
            program.kill()
            program.communicate()
