"""What the running command prints while everybody opens everything: nothing that stands for a phone or gives access."""

import re
import socket
from collections.abc import Iterable, Sequence
from pathlib import Path

from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import functions_of_extras
from support.remote_phone import RemotePhone, open_night
from support.routes import app_rules, path_of
from support.server_process import Command


def ask_everything(site: Site, phones: Sequence[RemotePhone], code: str, way_in: str) -> None:
    """Ask for every address but the streams, with the phones in turn."""
    for number, rule in enumerate(app_rules(site.app)):
        if not rule.endpoint.endswith("stream"):
            phone, path = phones[number % len(phones)], path_of(rule, code, way_in)
            for method in {"GET", "POST"} & (rule.methods or set()):
                (phone.get if method == "GET" else phone.post)(path)


def send_broken_requests(port: int, secrets: Iterable[str]) -> None:
    """Send broken requests with secrets in every place where a server may repeat them."""
    for secret in secrets:
        for line in (f"GET /{secret} HTTP/9.9", f"BREW /j/{secret} HTTP/1.1", f"GET http://[{secret} HTTP/1.1"):
            with socket.create_connection(("127.0.0.1", port), timeout=30) as sock:
                sock.sendall(f"{line}\r\nHost: {secret}\r\nCookie: x={secret}\r\n\r\n".encode())
                sock.shutdown(socket.SHUT_WR)
                while sock.recv(1 << 16):
                    pass


def test_the_command_prints_no_secret_but_the_hosts_link_that_is_meant_for_its_reader(
    site: Site, tmp_path: Path
) -> None:
    command = Command(tmp_path / "data")
    try:
        night = open_night(command.port, command.host_link)
        host, code = night.host, night.code
        ben, watcher = night.join("127.0.0.20", name="Ben"), night.join("127.0.0.21", watch="1")
        of_extras = [secret for secrets_of in functions_of_extras("secrets_of") for secret in secrets_of(night, ben)]
        assert host.post(f"{night.base}/dealer", {"seat": "ruth"}).status == 303
        token = command.own_token
        host.ask("GET", f"/api/nights/{code}", None, {"Authorization": f"Bearer {token}"})
        find_join_request = RemotePhone(command.port, "127.0.0.22")
        shared = host.get(f"{night.base}/share").text
        way_in, typed = re.findall(r"/j/(\w+)", shared)[0], HtmlPage(shared).text("b.code")
        find_join_request.post("/join", {"token": way_in, "name": "Zoe"})
        everybody = {"host": host, "ben": ben, "watcher": watcher, "knocking": find_join_request}
        secrets = {value for phone in everybody.values() for value in phone.cookies.values()}
        assert len(secrets) >= len(everybody)
        secrets |= {token, night.token, way_in, typed, *(one for one in of_extras if len(one) > 4)}
        ask_everything(site, [ben, host, watcher, host, find_join_request], code, way_in)
        send_broken_requests(command.port, sorted(secrets))
        command.process.terminate()
        said = command.process.communicate(timeout=60)[0]
    finally:
        command.kill()
    assert said.splitlines()[-1] == "Stopped. Everything that was recorded is saved."
    assert [secret for secret in secrets if secret in command.said + said] == []
    assert [secret for secret in of_extras if secret in said] == []
    assert command.host_link in command.said
