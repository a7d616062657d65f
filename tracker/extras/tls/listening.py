"""The address of a server with a certificate: what phones use, the addresses that it covers first, and the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from tracker.cli.listen_address import ListenAddress
from tracker.extras.tls.encryption import BadCertificate, Certificate, TlsSocket, load, only_https
from tracker.server.network_addresses import UNLIKELY, Address
from tracker.server.server import Server

if TYPE_CHECKING:
    import socket

    from _typeshed.wsgi import WSGIApplication


class TlsServer(Server):
    """Serves an application by TLS only."""

    scheme = "https"

    def __init__(self, certificate: Certificate, app: WSGIApplication, sock: socket.socket, **options: Any) -> None:
        self.certificate = certificate
        super().__init__(only_https(app, certificate), sock, **options)

    def accept(self) -> Any:
        """Return a new connection and where it comes from; None when there is none after all."""
        taken = super().accept()
        return taken and (TlsSocket(taken[0], self.certificate.context), taken[1])


@dataclass(frozen=True, kw_only=True)
class EncryptedAddress(ListenAddress):
    """The address that a server with a certificate listens on."""

    certificate: Certificate

    @property
    def scheme(self) -> str:
        return "https"

    def server(self, app: WSGIApplication, sock: socket.socket, **options: Any) -> Server:
        return TlsServer(self.certificate, app, sock, **options)

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
        return EncryptedAddress(**vars(address), certificate=load(cert, key))
    except BadCertificate as error:
        raise click.ClickException(str(error)) from None
