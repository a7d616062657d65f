"""By which addresses people reach this server, with a certificate or without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from tracker.lan import Address, candidates
from tracker.tls import BadCertificate, Certificate, load

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - phones have to reach it
LOOPBACK = ("127.0.0.1", "localhost")


@dataclass(frozen=True)
class Where:
    """What the server listens on, and the certificate it shows there."""

    host: str = EVERY_ADDRESS
    certificate: Certificate | None = None

    @property
    def scheme(self) -> str:
        return "https" if self.certificate else "http"

    def phones(self) -> list[Address]:
        """Return where phones find the table, the best first; addresses that a browser would warn of come last."""
        found = candidates() if self.host == EVERY_ADDRESS else [Address(self.host, "", 0, "")]
        if self.certificate is None:
            return found
        known = {one.ip: one for one in found}
        return [self._told(known.get(host), host) for host in self.certificate.ordered(known)]

    def _told(self, one: Address | None, host: str) -> Address:
        if one is None:
            return Address(host, "", 0, "the certificate's own name")
        if self.certificate and not self.certificate.covers(host):
            return replace(one, why=", ".join(filter(None, [one.why, "not in the certificate: phones will warn"])))
        return one

    def hosts(self) -> Sequence[str]:
        """Return the addresses of `phones`, as they stand in a link."""
        return [one.ip for one in self.phones()]

    def here(self, port: int) -> str:
        """Return this machine's own address of the server, if possible one that its browser does not warn of."""
        own = LOOPBACK if self.host == EVERY_ADDRESS else (self.host,)
        good = [host for host in (*own, *self.hosts()) if self.certificate and self.certificate.covers(host)]
        return f"{self.scheme}://{(good or own)[0]}:{port}"

    def fault(self) -> str:
        """Return what is wrong with the certificate for tonight; nothing when some address is in it."""
        if self.certificate is None or any(map(self.certificate.covers, self.hosts())):
            return ""
        return f"the certificate is for {', '.join(self.certificate.names) or 'nobody'}: every phone will warn"


def certificate_of(cert: Path | None, key: Path | None) -> Certificate | None:
    """Return the certificate in the files that were named, None when none were; ends with one sentence otherwise."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise click.ClickException("--cert and --key go together: the certificate, and the key that belongs to it")
    try:
        return load(cert, key)
    except BadCertificate as error:
        raise click.ClickException(str(error)) from None


def option(name: str, text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return an option that names a file."""
    return click.option(name, type=click.Path(path_type=Path, dir_okay=False), help=text)
