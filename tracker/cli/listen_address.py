"""The addresses that the server listens on and that phones and this machine use."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import click

from tracker.server.network_addresses import UNLIKELY, Address, candidates
from tracker.server.server import MOST_STREAMS, Server, listen

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - phones have to reach it
LOOPBACK = ("127.0.0.1", "localhost")


@dataclass(frozen=True)
class ListenAddress:
    """The address that the server listens on."""

    host: str = EVERY_ADDRESS
    public: str = ""
    """Where people open it, as `https://name`; empty where they come by an address of this machine."""
    expected_by: str = ""
    """Who expects it at the port that was asked for; empty where the next free one is as good."""
    most_streams: int = MOST_STREAMS
    new_server: Callable[..., Server] = Server
    """Returns the server of an app on a socket of `listen`; it has the options of `Server`."""

    @property
    def scheme(self) -> str:
        return "http"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches the server."""
        return self.host == "localhost" or self.host.startswith("127.")

    def listen(self, port: int) -> socket.socket:
        """Return a listening socket on the port, or where nobody expects it there the next. Raises ClickException."""
        if ":" in self.host:
            raise click.ClickException(
                f"{self.host} is an IPv6 address, and the tracker is reached by IPv4 only: leave --host out"
            )
        try:
            sock = listen(self.host, port)
            if self.expected_by and sock.getsockname()[1] != port:
                sock.close()
                raise click.ClickException(f"port {port} is in use, and {self.expected_by} expects the tracker there")
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
