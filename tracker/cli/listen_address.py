"""The addresses that the server listens on and that phones and this machine use."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from tracker.server.network_addresses import UNLIKELY, Address, candidates
from tracker.server.server import Server, listen

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - phones have to reach it
LOOPBACK = ("127.0.0.1", "localhost")
PAGES = re.compile(r"https?://[a-zA-Z0-9.\[\]:-]+(/[a-zA-Z0-9._~/-]*)?")
PUBLIC = re.compile(r"(https?://[a-z0-9.-]{1,253}(?::[0-9]{1,5})?)/?", re.ASCII)


@dataclass(frozen=True)
class ListenAddress:
    """The address that the server listens on."""

    host: str = EVERY_ADDRESS
    public: str = ""
    """Where people open it, as `https://name`; empty where they come by an address of this machine."""

    @property
    def scheme(self) -> str:
        return "http"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches the server."""
        return self.host == "localhost" or self.host.startswith("127.")

    def server(self, app: WSGIApplication, sock: socket.socket, **options: Any) -> Server:
        """Return the server of an app on a socket of `listen`; `options` are those of `Server`."""
        return Server(app, sock, **options)

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
        """Return the addresses for phones, best first."""
        if self.is_loopback:
            return []
        return candidates() if self.host == EVERY_ADDRESS else [Address(self.host, UNLIKELY, "")]

    def hosts(self) -> Sequence[str]:
        """Return `phone_addresses`, as host names of a URL."""
        return [address.ip for address in self.phone_addresses()]

    def likely_hosts(self) -> Sequence[str]:
        """Return those of `hosts` that are of a network with phones, as far as one can tell."""
        return [address.ip for address in self.phone_addresses() if not address.is_unlikely]

    def own_hosts(self) -> Sequence[str]:
        """Return the names of this machine in its own browser."""
        return LOOPBACK if self.host == EVERY_ADDRESS else (self.host,)

    def own_url(self, port: int) -> str:
        """Return the server's URL for this machine's browser."""
        return f"{self.scheme}://{self.own_hosts()[0]}:{port}"

    def fault(self) -> str:
        """Return a sentence where phones that open the address are warned of it; empty otherwise."""
        return ""


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
