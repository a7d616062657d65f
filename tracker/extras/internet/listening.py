"""The options of `serve` that name a proxy and a public address, and which server it is by them."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

import click

if TYPE_CHECKING:
    from tracker.cli.listen_address import ListenAddress

PUBLIC = re.compile(r"(https?://[a-z0-9.-]{1,253}(?::[0-9]{1,5})?)/?", re.ASCII)


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


OPTIONS = [
    click.Option(
        ["--behind-proxy"],
        metavar="ADDRESS[,ADDRESS]",
        default="",
        callback=read_proxies,
        help="Believe X-Forwarded-For and X-Forwarded-Proto from this address of a proxy.",
    ),
    click.Option(
        ["--public-address"],
        metavar="URL",
        default="",
        callback=read_public_address,
        help="Where people open it, such as https://cards.example: for links, codes and as a name that it answers to.",
    ),
]


def listening(address: ListenAddress, options: Mapping[str, object]) -> ListenAddress:
    """Return an address that strangers may reach, by a name and a proxy that the options say. Raises UsageError."""
    proxies = cast("tuple[str, ...]", options.get("behind_proxy") or ())
    public = cast(str, options.get("public_address") or "")
    if proxies and not public:
        raise click.UsageError(
            "--behind-proxy needs to know where people open it through the proxy: "
            "add --public-address and that address, for example --public-address https://cards.example"
        )
    from tracker.extras.internet.server import Capacity, PublicServer  # noqa: PLC0415 - only where nights are served

    capacity = Capacity.of_system()
    return replace(
        address,
        public=public,
        expected_by="the proxy" if proxies else "",
        most_streams=capacity.streams,
        new_server=partial(PublicServer, proxies=proxies, most_open=capacity.others),
    )
