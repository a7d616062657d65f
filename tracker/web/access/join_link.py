"""How phones come to a night: the link and its QR code, this machine's addresses, the code to type."""

from dataclasses import dataclass

from flask import request

from tracker.web.access.permissions import get_access, may_change_for_all
from tracker.web.base.context import get_nights
from tracker.web.drawing.qr_code import QrCode, qr_code

MOST_CHOICES = 8
"""Addresses that are kept of the host's choices: a machine comes into so many networks."""


@dataclass(frozen=True)
class JoinLink:
    """How phones come to a night: the link to scan, or the address and the code to type."""

    url: str
    address: str
    """`host:port`, as in the link."""
    other_addresses: tuple[str, ...] = ()
    typed_code: str = ""
    is_in_doubt: bool = False
    """Whether the host should say which of the addresses is the phones'."""

    @property
    def start(self) -> str:
        """Return what to type into a browser: the scheme and the address."""
        return self.url.removesuffix("/" + self.url.split("/", 3)[3])

    @property
    def qr(self) -> QrCode:
        return qr_code(self.url)


def join_link(code: str) -> JoinLink | None:
    """Return how phones come to this night; None while it has no code."""
    shown = get_access().invites.shown(code)
    addresses = own_addresses()
    if shown is None or not addresses:
        return None
    token, typed_code = shown
    others = addresses[1:] if may_change_for_all() else ()
    is_in_doubt = bool(others) and get_access().addresses.is_in_doubt(get_nights().settings.address.split())
    return JoinLink(link_to(addresses[0], f"/j/{token}"), addresses[0], tuple(others), typed_code, is_in_doubt)


def own_addresses() -> list[str]:
    """Return this machine's addresses as `host:port`, best first."""
    return get_access().addresses.choices(request, get_nights().settings.address.split())


def remember_choice(host: str) -> None:
    """Keep the address that the host has chosen, for whenever this machine has it again: one for each network."""
    settings = get_nights().settings
    settings.address = " ".join([host, *(other for other in settings.address.split() if other != host)][:MOST_CHOICES])


def link_to(address: str, path: str) -> str:
    """Return the link to a path of this server at one of its addresses."""
    addresses = get_access().addresses
    scheme = addresses.public.partition("://")[0] if address == addresses.public_host else request.scheme
    return f"{scheme}://{address}{path}"
