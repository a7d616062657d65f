"""docs/club.md, followed to the letter on a Debian with its own nginx and PostgreSQL, gives a club that can be joined.

Its commands and the file of nginx are run as they stand, but for ports, folders and accounts. Lines that install
packages are left out: they are here.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from extras._shared.certificates import issued
from extras.processes import postgres_server as postgres
from extras.processes.club import PATHS, accepts
from support.html_page import HtmlPage
from support.of_extras import needs
from support.paths import ROOT
from support.polling import wait_until
from support.ports import free_port
from support.remote_phone import RemotePhone
from support.server_process import run

NAME = "cards.example"
DEBIAN = Path("/etc/nginx")
ACCOUNT = "cards"


def section(heading: str) -> str:
    """Return what docs/club.md says under a heading."""
    text = (ROOT / "docs/club.md").read_text(encoding="utf-8")
    return next(one for one in re.split(r"^## ", text, flags=re.MULTILINE) if one.startswith(heading))


def blocks(heading: str) -> list[str]:
    """Return the blocks of commands under a heading of docs/club.md."""
    return re.findall(r"```sh\n(.*?)```", section(heading), re.DOTALL)


class Debian:
    """A folder that stands for a fresh Debian: its nginx with the welcome page, and a PostgreSQL server."""

    def __init__(self, folder: Path, server: postgres.PostgresServer) -> None:
        needs("internet")  # which brings the options for a proxy
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None or not (DEBIAN / "sites-available/default").exists():
            pytest.skip("no nginx of Debian on this machine")
        self.http, self.https = free_port(), free_port()
        self.home, self._server, self.certificate = folder, server, issued(folder, NAME)
        self.etc, self._nginx = folder / "nginx", f"{program} -c {folder}/nginx/nginx.conf"
        self.ports = {"8001": str(free_port()), "8002": str(free_port())}
        self.output, self.moved_out = folder / "output", folder / "moved out"
        shutil.copytree(DEBIAN, self.etc)
        for path in (self.etc / "nginx.conf", *self.etc.glob("sites-enabled/*")):
            path.write_text(self.here(path.read_text(encoding="utf-8")), encoding="utf-8")
        paths = "\n".join(f"{name}_temp_path {folder}/{name};" for name in PATHS)
        (self.etc / "conf.d/paths.conf").write_text(paths, encoding="utf-8")

    def here(self, text: str) -> str:
        """Return a file of nginx or a command with the ports, folders and accounts of this test."""
        changes = {
            r"listen 80\b": f"listen 127.0.0.1:{self.http}",
            r"listen 443\b": f"listen 127.0.0.1:{self.https}",
            r"listen \[::\]:80 [^;]*;": "",
            r"/etc/letsencrypt/live/\S+/fullchain.pem": str(self.certificate.cert),
            r"/etc/letsencrypt/live/\S+/privkey.pem": str(self.certificate.key),
            r"/etc/nginx\b": str(self.etc),
            r"/(run|var/log/nginx)/": f"{self.home}/",
            r"^user .*;": "",
            **{rf"\b{usual}\b": port for usual, port in self.ports.items()},
            r"sudo (-u postgres )?": "",
            r"^apt install .*$": "",
            r"\btracker/bin/": f"{shlex.quote(sys.prefix)}/bin/",
            r"^board-tracker\b": f"{shlex.quote(sys.prefix)}/bin/board-tracker",
            r"\bUSER@HOST\b": f"{ACCOUNT}@",
            r"\bFOLDER\b": shlex.quote(str(self.moved_out)),
            r"\bnginx -t\b": f"{self._nginx} -t",
            r"\bsystemctl reload nginx\b": self._nginx,
        }
        for found, instead in changes.items():
            text = re.sub(found, instead, text, flags=re.MULTILINE)
        return text

    def database(self, account: str) -> dict[str, str]:
        """Return what has programs find the database server, as an account there."""
        return {"PGHOST": str(self._server.folder), "PGUSER": account}

    def run(self, block: str, account: str) -> subprocess.Popen[bytes]:
        """Start a block of commands as an account of the database server."""
        programs = f"{postgres.found_programs()}:{os.environ['PATH']}"
        with self.output.open("ab") as output:
            return subprocess.Popen(
                ["bash", "-e", "-c", f"{self.here(block)}\nwait"],
                cwd=ROOT if "release/" in block else self.home,
                env={**os.environ, **self.database(account), "PATH": programs, "USER": ACCOUNT, "HOME": str(self.home)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def finish(self, block: str, account: str) -> str:
        """Run a block of commands to its end, and return what it has printed."""
        before = len(self.said())
        status = self.run(block, account).wait(60)
        assert status == 0, self.said()
        return self.said()[before:]

    def said(self) -> str:
        """Return everything that was printed."""
        return self.output.read_text(encoding="utf-8") if self.output.exists() else ""

    def stop_nginx(self) -> None:
        subprocess.run([*self._nginx.split(), "-s", "stop"], check=False, stderr=subprocess.DEVNULL)


@pytest.fixture(name="debian")
def _debian(tmp_path: Path, postgres_server: postgres.PostgresServer) -> Iterator[Debian]:
    """Give the machine with a database for the account."""
    debian = Debian(tmp_path, postgres_server)
    made = next(block for block in blocks("The nights in PostgreSQL") if "createdb" in block)
    debian.finish(made, "tracker")
    yield debian
    debian.finish(f"dropdb --force nights; dropuser {ACCOUNT}", "tracker")


@contextmanager
def started(debian: Debian, block: str) -> Iterator[None]:
    """Run a block of commands that goes on until its programs are ended."""
    running = debian.run(block, ACCOUNT)
    try:
        yield
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        running.wait(60)


@pytest.fixture(name="club")
def _club(debian: Debian) -> Iterator[Debian]:
    """Give the machine with the processes and nginx."""
    with ExitStack() as ended:
        processes, proxy = blocks("Several processes")
        ended.enter_context(started(debian, processes))
        wait_until(lambda: all(accepts(int(port)) for port in debian.ports.values()))
        copied, checked = proxy.rsplit("sudo nginx", 1)
        debian.finish(copied, ACCOUNT)
        path = debian.etc / "conf.d/board-tracker.conf"
        path.write_text(debian.here(path.read_text(encoding="utf-8")), encoding="utf-8")
        ended.callback(debian.stop_nginx)
        debian.finish(f"nginx{checked}", ACCOUNT)
        wait_until(lambda: accepts(debian.https))
        yield debian


def test_a_club_made_by_the_document_opens_a_night_that_others_join(club: Debian) -> None:
    assert "leave --host out" not in club.said()
    links = re.findall(rf"https://{NAME}(/host/\S+)", club.said())
    assert len(links) == 2  # one of each process, both at the club's name

    plain = RemotePhone(club.http, host=NAME)  # Debian's welcome page is there too, and does not answer
    assert plain.get("/").location == f"https://{NAME}/"

    host, guest = (RemotePhone(club.https, host=NAME, trusting=club.certificate.trusting) for _ in range(2))
    assert host.get(links[0]).status == 200
    host.become_host(links[0])
    assert host.post("/house/tables", {"count": "1"}).status == 303
    printed = re.search(rf"https://{NAME}(/t/[\w-]+)", host.get("/house/codes").text)
    assert printed
    assert "Nobody plays here yet" in guest.get(printed[1]).text
    answer = host.post("/new", {"preset": "michigan-rummy", "host": "Ruth", "room-table": "1"})
    assert answer.status == 303
    lobby = host.get(answer.location).text
    page = HtmlPage(lobby)
    assert page.has("svg.qr, .qr svg")
    join = re.search(rf"https://{NAME}(/j/[^\"<\s]+)", lobby)
    assert join, page.text()
    assert guest.get(printed[1]).location == join[1]
    shown = guest.get(join[1])
    assert shown.status == 200
    assert "Ruth" in shown.text


def test_nights_move_in_come_back_from_a_copy_and_move_out(debian: Debian) -> None:
    folder = debian.home / ".local/share/board-tracker"
    assert run("demo", folder, "--nights", "3").exit_code == 0
    listed = run("nights", "--data", folder).stdout
    assert len(listed.splitlines()) == 3
    move_in, move_out = blocks("Moving in and out")[0].splitlines()
    debian.finish(move_in, ACCOUNT)

    dump, restore = blocks("Copies")[0].splitlines()
    debian.finish(dump, ACCOUNT)
    debian.finish("psql nights --command='DROP OWNED BY CURRENT_USER'", ACCOUNT)
    debian.finish(restore, ACCOUNT)
    assert run("nights", "--database", "postgresql:///nights", **debian.database(ACCOUNT)).stdout == listed

    alone = re.search(r"One process is then `([^`]+)`", section("The nights in PostgreSQL"))
    assert alone
    with started(debian, alone[1]):
        link = r"http://127\.0\.0\.1:(\d+)/host/(\S+)"
        wait_until(lambda: re.search(link, debian.said()) is not None)
        port, token = re.findall(link, debian.said())[0]
        host = RemotePhone(int(port))
        assert host.post("/host", {"token": token}).status == 303
        nights = host.get("/").text
        assert [
            line for line in listed.splitlines() if line.split()[0] not in nights
        ] == []  # a link, or the button of one that goes on

    debian.finish(move_out, ACCOUNT)
    assert run("nights", "--data", debian.moved_out).stdout == listed
