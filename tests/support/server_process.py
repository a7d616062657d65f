"""The real command as a process on a folder of its own: started, killed as by an empty battery, started again."""

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from support.of_extras import needs
from support.paths import ROOT
from support.polling import read_until
from support.ports import free_port
from support.served_app import address_for_phones

from tracker.cli.data_folder import read_token


class Command:
    """`board-tracker` as people start it; after `kill` it starts again on the same port with the same nights.

    It may have `most_files` open at once.
    """

    def __init__(self, folder: Path, *, most_files: int = 0) -> None:
        self.folder, self.most_files = folder, most_files
        self.port = free_port()
        self.host_link, self.said = "", ""
        self.host_cookies: list[Any] = []
        """Of the browser that has opened the link."""
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        """Return when the command says that it serves."""
        options = ("--port", str(self.port), "--data", str(self.folder), "--no-browser")
        command = [sys.executable, "-m", "tracker", "serve", *options]
        if self.most_files:
            command = ["sh", "-c", f'ulimit -n {self.most_files}; exec "$@"', "sh", *command]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self.said = read_until(self.process, "Ctrl-C")
        found = re.search(r"http://\S+:(\d+)/host/\S+", self.said)
        assert found, self.said
        assert int(found[1]) == self.port, self.said
        self.host_link = found[0]

    def kill(self) -> None:
        """End it as a power cut does: nothing is asked, nothing is finished."""
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None

    @property
    def here(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def phones_url(self) -> str:
        return address_for_phones(self.here)

    def token(self) -> str:
        asked = [sys.executable, "-m", "tracker", "token", "--data", str(self.folder)]
        return subprocess.run(
            asked, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=True
        ).stdout.strip()

    def state(self, code: str) -> dict[str, Any]:
        return self.ask(code, read_token(self.folder))

    def record(self, code: str, kind: str, **fields: Any) -> None:
        self.ask(f"{code}/events", read_token(self.folder), {"kind": kind, **fields})

    def ask(self, path: str, token: str, event: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what the API says at a path below /api/nights/, or a whole one; with an event, after recording it."""
        needs("api")
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            body = json.dumps(event) if event else None
            address = path if path.startswith("/") else f"/api/nights/{path}"
            connection.request("POST" if event else "GET", address, body, headers)
            answer = connection.getresponse()
            told = json.loads(answer.read())
        assert answer.status in (200, 201), told
        assert isinstance(told, dict)
        return told
