"""The addresses that the server listens on and that phones and this machine use."""

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from tracker.server.network_addresses import UNLIKELY, Address, candidates
from tracker.server.server import listen
from tracker.server.tls import BadCertificate, Certificate, load

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - phones have to reach it
LOOPBACK = ("127.0.0.1", "localhost")
PAGES = re.compile(r"https?://[a-zA-Z0-9.\[\]:-]+(/[a-zA-Z0-9._~/-]*)?")
PUBLIC = re.compile(r"(https?://[a-z0-9.-]{1,253}(?::[0-9]{1,5})?)/?", re.ASCII)


@dataclass(frozen=True)
class ListenAddress:
    """The address that the server listens on, and its certificate."""

    host: str = EVERY_ADDRESS
    certificate: Certificate | None = None
    public: str = ""
    """Where people open it, as `https://name`; empty where they come by an address of this machine."""

    @property
    def scheme(self) -> str:
        return "https" if self.certificate else "http"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches the server."""
        return self.host == "localhost" or self.host.startswith("127.")

    def listen(self, port: int, *, is_fixed: bool = False) -> socket.socket:
        """Return a listening socket on the port, or unless `is_fixed` on the next free one. Raises ClickException."""
        if ":" in self.host:
            raise click.ClickException(
                f"{self.host} is an IPv6 address, and the tracker is reached by IPv4 only: leave --host out; "
                "where a proxy speaks IPv6 to people, see --behind-proxy"
            )
        try:
            sock = listen(self.host, port)
            if is_fixed and sock.getsockname()[1] != port:
                sock.close()
                raise click.ClickException(f"port {port} is in use, and the proxy expects the tracker there")
            return sock
        except PermissionError:
            raise click.ClickException(
                f"port {port} is not allowed for this user (the system keeps ports below 1024 for itself): "
                "choose another one, for example --port 8000"
            ) from None
        except OSError as error:
            own = ", ".join([*(address.ip for address in candidates()), LOOPBACK[0]])
            raise click.ClickException(
                f"can't listen on {self.host} ({error.strerror or error}): "
                f"leave --host out, or give it one of this machine's addresses, {own}"
            ) from None

    def phone_addresses(self) -> list[Address]:
        """Return the addresses for phones, best first; those that the certificate does not cover come last."""
        if self.is_loopback:
            return []
        addresses = candidates() if self.host == EVERY_ADDRESS else [Address(self.host, UNLIKELY, "")]
        if self.certificate is None:
            return addresses
        known = {address.ip: address for address in addresses}
        return [self._with_warning(known.get(host), host) for host in self.certificate.ordered(known)]

    def _with_warning(self, address: Address | None, host: str) -> Address:
        if address is None:
            return Address(host, UNLIKELY, "the certificate's own name")
        if self.certificate and not self.certificate.covers(host):
            return replace(
                address, why=", ".join(filter(None, [address.why, "not in the certificate: phones will warn"]))
            )
        return address

    def hosts(self) -> Sequence[str]:
        """Return `phone_addresses`, as host names of a URL."""
        return [address.ip for address in self.phone_addresses()]

    def likely_hosts(self) -> Sequence[str]:
        """Return those of `hosts` that are of a network with phones, as far as one can tell."""
        return [address.ip for address in self.phone_addresses() if not address.is_unlikely]

    def own_url(self, port: int) -> str:
        """Return the server's URL for this machine's browser, if possible one that the certificate covers."""
        local = LOOPBACK if self.host == EVERY_ADDRESS else (self.host,)
        covered = [host for host in (*local, *self.hosts()) if self.certificate and self.certificate.covers(host)]
        return f"{self.scheme}://{(covered or local)[0]}:{port}"

    def fault(self) -> str:
        """Return a sentence when the certificate covers none of the addresses; empty otherwise."""
        if self.certificate is None or self.is_loopback or any(map(self.certificate.covers, self.hosts())):
            return ""
        return f"the certificate is for {', '.join(self.certificate.names) or 'nobody'}: every phone will warn"


def load_certificate(cert: Path | None, key: Path | None) -> Certificate | None:
    """Return the certificate of two files, None when neither is given. Raises ClickException."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise click.ClickException("--cert and --key go together: the certificate, and the key that belongs to it")
    try:
        return load(cert, key)
    except BadCertificate as error:
        raise click.ClickException(str(error)) from None


def file_option(name: str, text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a click option for the path of a file."""
    return click.option(name, type=click.Path(path_type=Path, dir_okay=False), help=text)


def read_proxies(_context: click.Context, _option: click.Parameter, typed: str) -> tuple[str, ...]:
    """Return the addresses of a comma-separated list. Raises BadParameter for what is no address."""
    found = [one.strip() for one in typed.split(",") if one.strip()]
    if any("/" in one or one.startswith("unix:") for one in found):
        raise click.BadParameter(
            "the proxy has to connect to a port, not to a socket in the file system: "
            "give the address that it comes from, for example 127.0.0.1"
        )
    try:
        return tuple(str(ipaddress.ip_address(one)) for one in found)
    except ValueError as error:
        raise click.BadParameter(f"{error}: give the proxy's addresses, for example 127.0.0.1") from None


def read_public_address(_context: click.Context, _option: click.Parameter, typed: str) -> str:
    """Return an address as `https://name` or `https://name:port`. Raises BadParameter for anything else."""
    found = PUBLIC.fullmatch(typed.lower()) if typed else None
    if typed and not found:
        raise click.BadParameter(
            f"{typed!r} is no address: give a scheme and a name, for example https://cards.example"
        )
    return found[1] if found else ""


def read_pages(_context: click.Context, _option: click.Parameter, typed: str) -> str:
    """Return the address of a site, with a slash at its end. Raises BadParameter for what is no such address."""
    if typed and not PAGES.fullmatch(typed):
        raise click.BadParameter(f"{typed!r} is no address of a site: give one such as https://cards.example/")
    return f"{typed.rstrip('/')}/" if typed else ""


proxy_option = click.option(
    "--behind-proxy",
    metavar="ADDRESS[,ADDRESS]",
    default="",
    callback=read_proxies,
    help="Believe X-Forwarded-For and X-Forwarded-Proto from this address of a proxy.",
)
public_option = click.option(
    "--public-address",
    metavar="URL",
    default="",
    callback=read_public_address,
    help="Where people open it, such as https://cards.example: for links, codes and as a name that it answers to.",
)
pages_option = click.option(
    "--pages",
    metavar="URL",
    default="",
    envvar="BOARD_TRACKER_PAGES",
    callback=read_pages,
    help="The site made by `board-tracker pages`: codes and links of nights open there.",
)
