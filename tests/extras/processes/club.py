"""Several processes over one database, behind Debian's nginx with the configuration that comes with the tracker."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from socket import create_connection

import pytest
from support.of_extras import needs
from support.paths import ROOT
from support.polling import wait_until
from support.ports import free_port

NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
    log_format where '$uri $upstream_addr';
    access_log {folder}/access.log where;
    {paths}
    include {folder}/site.conf;
}}
"""
PATHS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def accepts(port: int) -> bool:
    """Return whether something listens at a port of this machine."""
    with suppress(OSError), create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


class ClubProcess:
    """One process of the club, on a port of its own."""

    def __init__(self, folder: Path, database: str, public_port: int) -> None:
        needs("internet")  # which brings the options for a proxy
        self.port = free_port()
        self._folder, self._database, self._public_port = folder, database, public_port
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it; `accepts(port)` tells when it listens."""
        command = [sys.executable, "-m", "tracker", "serve", "--no-browser", "--host", "127.0.0.1"]
        proxy = ["--behind-proxy", "127.0.0.1", "--public-address", f"http://127.0.0.1:{self._public_port}"]
        self._process = subprocess.Popen(
            [*command, *proxy, "--port", str(self.port), "--data", str(self._folder)],
            cwd=ROOT,
            env={**os.environ, "BOARD_TRACKER_DATABASE": self._database},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self._process:
            self._process.kill()
            self._process.wait(60)
            self._process = None


class Proxy:
    """nginx in front of processes, without the TLS of its file."""

    def __init__(self, folder: Path, port: int, ports: list[int]) -> None:
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None and os.environ.get("CI") == "true":
            pytest.fail("no nginx on this machine: its tests can't be left out here")
        if program is None:
            pytest.skip("no nginx on this machine")
        folder.mkdir()
        self._folder, self.port = folder, port
        site = (ROOT / "release/nginx.conf").read_text(encoding="utf-8")
        settings = re.search(r"server 127\.0\.0\.1:8001( [^;]*);", site)
        assert settings
        servers = "".join(f"server 127.0.0.1:{port}{settings[1]};" for port in ports)
        site = re.sub(r"(server 127\.0\.0\.1:800\d [^;]*;\s*)+", servers, site, count=1)
        site = re.sub(r"server \{\s*listen 80;.*?\}\s*|ssl_certificate[^;]*;", "", site, flags=re.DOTALL)
        site = site.replace("listen 443 ssl;", f"listen 127.0.0.1:{self.port};")
        (folder / "site.conf").write_text(site, encoding="utf-8")
        paths = " ".join(f"{name}_temp_path {folder}/{name};" for name in PATHS)
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, paths=paths), encoding="utf-8")
        self._process = subprocess.Popen([program, "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)
        self.pid = self._process.pid
        wait_until(lambda: accepts(self.port))

    def port_of(self, code: str) -> int:
        """Return the port of the process that has answered last for a night; nginx logs an answer after it was sent."""
        wait_until(lambda: bool(self._ports_of(code)))
        return self._ports_of(code)[-1]

    def _ports_of(self, code: str) -> list[int]:
        log = (self._folder / "access.log").read_text(encoding="utf-8")
        return [int(port) for port in re.findall(rf"^/n/{code}\S* .*:(\d+)$", log, re.MULTILINE)]

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(60)


@contextmanager
def club(folder: Path, database: str, *, processes: int = 2) -> Iterator[tuple[Proxy, list[ClubProcess]]]:
    """Yield nginx and the processes behind it; ends all of them."""
    with ExitStack() as ended:
        running, public_port = [], free_port()
        for _ in range(processes):
            running.append(ClubProcess(folder, database, public_port))
            ended.callback(running[-1].kill)
        for process in running:
            wait_until(lambda process=process: accepts(process.port))  # type: ignore[misc]
        proxy = Proxy(folder / "nginx", public_port, [process.port for process in running])
        ended.callback(proxy.stop)
        yield proxy, running
