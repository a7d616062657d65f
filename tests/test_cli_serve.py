"""The command as people start it: real processes, real sockets, real signals."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tracker.cli import COMMANDS
from tracker.store import Store
from tracker.web.devices import hashed

ROOT = Path(__file__).resolve().parent.parent


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "tracker", *map(str, arguments)]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


class Served:
    """A running `board-tracker serve`, and what it printed until its page could be opened."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self.program = program
        self.said = ""
        assert program.stdout is not None
        while "Ctrl-C" not in self.said:
            line = program.stdout.readline()
            assert line, self.said
            self.said += line
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
        return self.program.wait(30)


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Served]:
    with subprocess.Popen(
        command("serve", "--no-browser", "--data", folder, *arguments),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as program:
        try:
            yield Served(program)
        finally:
            program.kill()
            program.communicate()


@pytest.fixture(name="served", scope="module")
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served


def test_the_first_page_is_served(served: Served) -> None:
    assert served.status("/join") == 200


def test_compiled_templates_are_kept_where_only_this_user_can_put_any(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        assert served.status("/join") == 200
    assert stat.S_IMODE((tmp_path / "templates").stat().st_mode) == 0o700
    assert list((tmp_path / "templates").iterdir())


def test_pages_are_shown_where_no_compiled_template_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "templates").write_text("a file in the way")
    with serving(tmp_path) as served:
        assert served.status("/join") == 200


def test_localhost_is_never_what_phones_are_told(served: Served) -> None:
    for_phones = served.said.partition("The host's page")[0]
    assert "127.0.0.1" not in for_phones
    assert "localhost" not in for_phones


def test_the_hosts_link_opens_once(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        path = urlsplit(served.host_link).path
        assert served.status(path) == 200
        token = path.rpartition("/")[2]
        assert served.status("/host", f"token={token}") == 303
        assert served.status("/new") == 200
        assert served.status(path) == 410
        assert served.status("/host", f"token={token}") == 410


def open_night(served: Served) -> str:
    """Become the host, open a night and return its address."""
    token = urlsplit(served.host_link).path.rpartition("/")[2]
    assert served.status("/host", f"token={token}") == 303
    with closing(served.ask("/new", "preset=michigan-rummy&host=Ann")) as answer:
        answer.read()
        assert answer.status == 303
        found = re.match(r"(/n/[^/]+)", urlsplit(answer.headers["Location"]).path)
    assert found
    return found[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_stops_at_once_with_phones_connected(tmp_path: Path, number: int) -> None:
    with serving(tmp_path) as served:
        night = open_night(served)
        streams = [served.ask(f"{night}/stream?tab={tab}") for tab in range(5)]
        for stream in streams:
            assert stream.status == 200
            assert stream.readline()
        assert served.stop(number) == 0
        for stream in streams:
            stream.close()
        assert served.program.stdout is not None
        assert "Everything that was recorded is saved" in served.program.stdout.read()


def test_a_night_is_there_again_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        night, cookies = open_night(served), served.cookies
        assert served.stop() == 0
    with serving(tmp_path) as served:
        served.cookies = cookies
        assert served.status(night) == 200


def test_a_second_server_names_the_first_one(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        second = run("serve", "--no-browser", "--data", tmp_path)
        assert second.returncode == 1
        assert second.stderr == f"Error: a server is already running on {tmp_path}: http://127.0.0.1:{served.port}\n"


def test_a_busy_port_is_said_and_the_next_one_taken(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("0.0.0.0", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with serving(tmp_path, "--port", str(port)) as served:
            assert served.port != port
            assert f"Port {port} is in use" in served.said
            assert served.status("/join") == 200


def test_it_can_be_kept_to_one_address(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "127.0.0.1") as served:
        assert served.status("/join") == 200
        with socket.socket() as probe:
            probe.bind(("127.0.0.2", served.port))


def test_an_address_of_another_machine_is_refused_in_one_line(tmp_path: Path) -> None:
    result = run("serve", "--no-browser", "--data", tmp_path, "--host", "203.0.113.7")
    assert result.returncode == 1
    assert re.fullmatch(r"Error: can't listen on 203\.0\.113\.7: [^\n]+\n", result.stderr)


def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "nights.db").write_bytes(b"junk" * 1000)
    result = run("serve", "--no-browser", "--data", tmp_path)
    assert result.returncode == 1
    said = r"Error: [^\n]+can't be opened: file is not a database; board-tracker restore lists the copies [^\n]+\n"
    assert re.fullmatch(said, result.stderr)


def test_serving_is_what_it_does_without_being_told(tmp_path: Path) -> None:
    (tmp_path / "nights.db").write_bytes(b"junk" * 1000)
    assert "can't be opened" in run("--no-browser", "--data", tmp_path).stderr


def test_the_scripts_token_is_the_same_every_time_and_for_this_user_only(tmp_path: Path) -> None:
    first, second = run("token", "--data", tmp_path / "new"), run("token", "--data", tmp_path / "new")
    assert first.stdout == second.stdout
    assert len(first.stdout.strip()) >= 43
    (file,) = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_only_this_user_can_read_the_nights(tmp_path: Path) -> None:
    Store(tmp_path / "nights.db").close()
    assert stat.S_IMODE((tmp_path / "nights.db").stat().st_mode) == 0o600


def test_the_server_knows_the_scripts_token_and_forgets_the_one_before(tmp_path: Path) -> None:
    old = run("token", "--data", tmp_path).stdout.strip()
    with serving(tmp_path) as served:
        assert run("token", "--data", tmp_path).stdout.strip() == old
        assert served.stop() == 0
    (tmp_path / "api-token").unlink()
    new = run("token", "--data", tmp_path).stdout.strip()
    with serving(tmp_path) as served:
        assert served.stop() == 0
    store = Store(tmp_path / "nights.db")
    device = store.device(hashed(new))
    assert device is not None
    assert (device.role, device.code) == ("host", None)
    assert store.device(hashed(old)) is None
    store.close()


def test_a_copy_can_be_made_while_the_table_is_in_use(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as served:
        open_night(served)
        result = run("backup", tmp_path / "copy.db", "--data", tmp_path / "data")
        assert (result.returncode, result.stdout) == (0, f"Copied all nights to {tmp_path / 'copy.db'}.\n")
    copy = Store(tmp_path / "copy.db", read_only=True)
    assert len(copy.nights()) == 1
    copy.close()


def test_a_copy_of_nothing_is_refused_in_one_line(tmp_path: Path) -> None:
    result = run("backup", tmp_path / "copy.db", "--data", tmp_path / "none")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "copy.db").exists()


def test_every_command_is_listed_with_a_sentence() -> None:
    listed = [line for line in run("--help").stdout.partition("Commands:\n")[2].splitlines() if line.strip()]
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert all(len(line.split()) > 3 for line in listed)


def test_the_data_folder_can_come_from_the_environment(tmp_path: Path) -> None:
    environment = {**os.environ, "BOARD_TRACKER_DATA": str(tmp_path / "here")}
    subprocess.run(command("token"), cwd=ROOT, env=environment, capture_output=True, timeout=60, check=True)
    assert (tmp_path / "here" / "api-token").exists()
