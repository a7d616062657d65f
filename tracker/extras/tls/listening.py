"""The address of a server with a certificate: what phones use, which addresses it covers first, its connections."""

from __future__ import annotations

import errno
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from tracker.cli.listen_address import ListenAddress
from tracker.server.network_addresses import UNLIKELY, Address
from tracker.server.server import Server

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

T = TypeVar("T")

HANDSHAKE = b"\x16"  # how every TLS connection begins, and no other request
RECORD = 16 * 1024  # bytes of a whole TLS record: poll() can't see OpenSSL's buffer, so nothing may be left in it
HOST = re.compile(r"[0-9a-z.-]+(:[0-9]+)?|\[[0-9a-f:]+\](:[0-9]+)?", re.ASCII | re.IGNORECASE)
NOT_YET = BlockingIOError(errno.EWOULDBLOCK, "nothing yet")


class BadCertificate(Exception):
    """The certificate or its key can't be used; the text says why, for people."""


@dataclass(frozen=True)
class Certificate:
    """A certificate with its key, ready to serve with, and the addresses and names it is for."""

    context: ssl.SSLContext
    names: tuple[str, ...]

    def covers(self, host: str) -> bool:
        """Return whether a browser takes the certificate for this address or name."""
        return host in self.names or f"*.{host.partition('.')[2]}" in self.names

    def ordered(self, hosts: Iterable[str]) -> list[str]:
        """Return the addresses that the certificate is for, then its names, then those that browsers warn of."""
        found = list(hosts)
        names = [name for name in self.names if not name.startswith("*") and name != "localhost" and not _is_ip(name)]
        return [*filter(self.covers, found), *names, *(host for host in found if not self.covers(host))]


def load(cert: Path, key: Path) -> Certificate:
    """Return the certificate in these files (PEM); raises BadCertificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(cert, key, password="")
        names = _names(context, cert)
    except ssl.SSLError as error:
        raise BadCertificate(f"{cert} and {key} are not a certificate and its key: {error.reason}") from None
    except OSError as error:
        raise BadCertificate(f"the certificate can't be read: {error.strerror}") from None
    return Certificate(context, names)


def _names(context: ssl.SSLContext, cert: Path) -> tuple[str, ...]:
    """Return what the certificate is for, as a client reads it that trusts this very certificate."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    client.load_verify_locations(cert)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = (client.wrap_bio(to_client, to_server), context.wrap_bio(to_server, to_client, server_side=True))
    for _ in range(3):
        for side in sides:
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    told: Any = sides[0].getpeercert() or {}
    return tuple(name for _, name in told.get("subjectAltName", ()))


def _is_ip(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


class TlsSocket:
    """An accepted connection, encrypted if its client begins so; used as a socket that never blocks.

    What TLS still waits for is "nothing yet" (BlockingIOError), whichever way it has to go; what breaks is a connection
    that is lost. Reading and writing may happen in two threads.
    """

    def __init__(self, raw: socket.socket, context: ssl.SSLContext) -> None:
        self._socket, self._context = raw, context
        self._lock = threading.Lock()
        self._is_known = False  # whether the client has shown how it speaks

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)

    @property
    def is_plain(self) -> bool:
        """Whether the client has begun without TLS."""
        return self._is_known and not isinstance(self._socket, ssl.SSLSocket)

    @property
    def is_ready(self) -> bool:
        """Whether the two have agreed and a request may come."""
        return self.is_plain or (isinstance(self._socket, ssl.SSLSocket) and self._socket.version() is not None)

    def recv(self, size: int) -> bytes:
        """Return what has come, b"" at the end; BlockingIOError when there is nothing yet."""
        with self._lock:
            if not self._is_known:
                self._look()
            return self._tried(lambda: self._socket.recv(max(size, RECORD)))

    def send(self, data: bytes) -> int:
        """Return how much was taken of the data; BlockingIOError when nothing was, then the same has to come again."""
        with self._lock:
            return self._tried(lambda: self._socket.send(data[:RECORD]))

    def close(self) -> None:
        with self._lock:
            self._socket.close()

    def _look(self) -> None:
        first = self._socket.recv(1, socket.MSG_PEEK)
        if first == HANDSHAKE:
            self._socket = self._context.wrap_socket(self._socket, server_side=True, do_handshake_on_connect=False)
        self._is_known = True

    @staticmethod
    def _tried(step: Callable[[], T]) -> T:
        try:
            return step()
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise NOT_YET from None
        except ssl.SSLError as error:
            raise ConnectionResetError(errno.ECONNRESET, str(error)) from None


def only_https(app: WSGIApplication, certificate: Certificate) -> WSGIApplication:
    """Return the app for TLS only: plain page requests redirect to the certificate's names and home addresses alone."""

    def redirecting_app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["wsgi.url_scheme"] == "https":
            return app(environ, start_response)
        host = environ.get("HTTP_HOST", "")
        text = b"This table is encrypted: open its address with https:// in front.\n"
        headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(text)))]
        if environ["REQUEST_METHOD"] == "GET" and HOST.fullmatch(host) and _is_ours(host, certificate):
            # For tonight only: a browser that kept it for good would not find the table when it is plain again.
            start_response("307 Temporary Redirect", [*headers, ("Location", f"https://{host}{_path(environ)}")])
        else:
            start_response("400 Bad Request", headers)
        return [text]

    return redirecting_app


def _is_ours(host: str, certificate: Certificate) -> bool:
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    return certificate.covers(name.lower()) or name == "localhost" or (_is_ip(name) and ip_address(name).is_private)


def _path(environ: WSGIEnvironment) -> str:
    path = str(environ.get("REQUEST_URI", "/"))
    return path if path.startswith("/") and path.isascii() and path.isprintable() else "/"


class TlsListener(socket.socket):
    """A listening socket whose connections are encrypted."""

    def __init__(self, plain: socket.socket, certificate: Certificate) -> None:
        super().__init__(fileno=plain.detach())
        self.certificate = certificate

    def accept(self) -> Any:
        """Return a new connection and where it comes from."""
        taken, address = super().accept()
        return TlsSocket(taken, self.certificate.context), address


@dataclass(frozen=True, kw_only=True)
class EncryptedAddress(ListenAddress):
    """The address that a server with a certificate listens on."""

    certificate: Certificate

    @property
    def scheme(self) -> str:
        return "https"

    def listen(self, port: int) -> socket.socket:
        return TlsListener(super().listen(port), self.certificate)

    def phone_addresses(self) -> list[Address]:
        """Return the addresses for phones, best first; those that the certificate does not cover come last."""
        known = {address.ip: address for address in super().phone_addresses()}
        hosts = [] if self.is_loopback else self.certificate.ordered(known)
        return [self._with_warning(known.get(host), host) for host in hosts]

    def _with_warning(self, address: Address | None, host: str) -> Address:
        if address is None:
            return Address(host, UNLIKELY, "the certificate's own name")
        if self.certificate.covers(host):
            return address
        return replace(address, why=", ".join(filter(None, [address.why, "not in the certificate: phones will warn"])))

    def own_url(self, port: int) -> str:
        """Return the server's URL for this machine's browser, if possible one that the certificate covers."""
        covered = filter(self.certificate.covers, (*self.own_hosts(), *self.hosts()))
        return f"https://{next(covered, self.own_hosts()[0])}:{port}"

    def fault(self) -> str:
        """Return a sentence when the certificate covers none of the addresses; empty otherwise."""
        if self.is_loopback or any(map(self.certificate.covers, self.hosts())):
            return ""
        return f"the certificate is for {', '.join(self.certificate.names) or 'nobody'}: every phone will warn"


def listening(address: ListenAddress, options: Mapping[str, object]) -> ListenAddress:
    """Return an address, with the certificate that the options name if they do. Raises ClickException."""
    cert, key = (cast("Path | None", options.get(name)) for name in ("cert", "key"))
    if cert is None and key is None:
        return address
    if cert is None or key is None:
        raise click.ClickException("--cert and --key go together: the certificate, and the key that belongs to it")
    try:
        certificate = load(cert, key)
    except BadCertificate as error:
        raise click.ClickException(str(error)) from None

    def new_server(app: WSGIApplication, sock: socket.socket, **options: Any) -> Server:
        return address.new_server(only_https(app, certificate), sock, **options)

    return EncryptedAddress(**vars(address) | {"new_server": new_server}, certificate=certificate)
