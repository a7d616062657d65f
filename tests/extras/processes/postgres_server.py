"""A PostgreSQL server of the tests' own, on a socket in a folder that goes away with it; nothing listens on a port."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from support.polling import wait_until

PROGRAMS = "/usr/lib/postgresql"
IN_MEMORY = Path("/dev/shm")
AS_ANOTHER_USER = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
_SCHEMAS = count(1)


def found_programs() -> Path:
    """Return the folder with the programs of the newest server, or skip the test; where every test has to run, fail."""
    found = [path.parent for path in Path(PROGRAMS).glob("*/bin/postgres")]
    if newest := max(found, default=None, key=lambda path: int(path.parent.name)):
        return newest
    if on_path := shutil.which("postgres"):
        return Path(on_path).parent
    if os.environ.get("CI") == "true":
        pytest.fail("no PostgreSQL on this machine: its tests can't be left out here")
    pytest.skip("no PostgreSQL on this machine")


class PostgresServer:
    """A server that can be stopped and started again.

    It refuses to run as root, so root starts it as `nobody`; in a user namespace without others, in one of its own.
    """

    def __init__(self, folder: Path, *, settings: str = "", options: Sequence[str] = ()) -> None:
        """`options` are those of `initdb`."""
        import pwd  # noqa: PLC0415 - Windows has none, and every test imports this module

        self.folder = folder
        self._programs = found_programs()
        self._user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None
        self._prefix: tuple[str, ...] = ()
        if self._user:
            try:
                os.chown(folder, self._user.pw_uid, self._user.pw_gid)
            except OSError:
                self._user, self._prefix = None, AS_ANOTHER_USER
        usual = ["-U", "tracker", "-A", "trust", "-E", "UTF8", "--locale", "C", "-N"]
        self._run("initdb", "-D", str(self.data), *usual, *options)
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as conf:
            conf.write(
                f"listen_addresses = ''\nunix_socket_directories = '{folder}'\nmax_connections = 60\n"
                f"shared_buffers = '16MB'\nautovacuum = off\nmax_wal_size = '64MB'\n{settings}\n"
            )
        self.start()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def url(self) -> str:
        return f"postgresql://tracker@/postgres?host={quote(str(self.folder), safe='')}"

    def _as_user(self) -> dict[str, int]:
        return {"user": self._user.pw_uid, "group": self._user.pw_gid} if self._user else {}

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._prefix, str(self._programs / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd="/", **self._as_user())  # type: ignore[call-overload]

    def start(self) -> None:
        """Start the server, and return when it answers."""
        command = [*self._prefix, str(self._programs / "postgres"), "-D", str(self.data)]
        log = (self.folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **self._as_user())  # type: ignore[call-overload]
        wait_until(self.answers)

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether it has ended by itself."""
        return self._process is None or self._process.poll() is not None

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop_at_once(self) -> None:
        """Stop without a checkpoint, as a power cut does: the next start recovers from the log."""
        self._stop(signal.SIGQUIT)

    def stop(self) -> None:
        """Stop in good order, without waiting for clients."""
        self._stop(signal.SIGINT)

    def _stop(self, by: signal.Signals) -> None:
        if self._process:
            self._process.send_signal(by)
            self._process.wait(60)
            self._process = None

    def new_place(self) -> str:
        """Return the URL of a new, empty schema: as a database of its own, and made much faster."""
        name = f"place{next(_SCHEMAS)}"
        with psycopg.connect(self.url, autocommit=True) as link:
            link.execute(f"CREATE SCHEMA {name}")
        return f"{self.url}&options=-csearch_path%3D{name}"

    def drop(self, place: str) -> None:
        """Delete the schema of a URL, and with it the room it takes."""
        with psycopg.connect(self.url, autocommit=True) as link:
            link.execute(f"DROP SCHEMA {place.rpartition('%3D')[2]} CASCADE")


@contextmanager
def server() -> Iterator[PostgresServer]:
    """Yield a new server, in memory where the system has a folder for that, and remove it afterwards."""
    found_programs()
    folder = Path(tempfile.mkdtemp(prefix="board-tracker-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
    started: PostgresServer | None = None
    try:
        started = PostgresServer(folder)
        yield started
    finally:
        if started is not None:
            started.stop_at_once()
        shutil.rmtree(folder, ignore_errors=True)
