"""A browser as a bare client that finds an address at a port of this machine, by TLS or without it."""

import socket
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlencode, urlsplit

from support.certificates import Issued


class HttpsBrowser:
    """It trusts a certificate, and keeps its cookies; `told` has each as it was set."""

    def __init__(self, address: str, port: int, certificate: Issued | None = None) -> None:
        self.address, self.port, self.certificate = address, port, certificate
        self.cookies: dict[str, str] = {}
        self.told: list[str] = []

    def ask(self, path: str, form: dict[str, str] | None = None, origin: str = "") -> tuple[HTTPResponse, str]:
        """Send a request, with a form as a page of the address or of another origin does; return answer and text."""
        place = urlsplit(self.address)
        link = HTTPConnection(place.netloc, timeout=60)
        link.sock = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        if self.certificate:
            link.sock = self.certificate.trusting.wrap_socket(link.sock, server_hostname=place.hostname)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin or self.address}
        with closing(link):
            link.request("POST" if form else "GET", path, urlencode(form) if form else None, headers)
            answer = link.getresponse()
            text = answer.read().decode()
        for cookie in answer.msg.get_all("Set-Cookie", []):
            self.told.append(cookie)
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer, text
