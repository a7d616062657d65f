"""Codes by which one device gives another one a role, and what is kept of roles that have been given on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from flask import abort

from tracker.app.settings import NightSettings, SettingGroup, record
from tracker.formats.records import Record
from tracker.storage import DeviceRow
from tracker.web.access.devices import Identity, hash_token
from tracker.web.access.join_link import JoinLink, link_to, own_addresses
from tracker.web.access.links import HostLinks
from tracker.web.access.permissions import get_access
from tracker.web.wording.texts import gettext as _


class PhoneTransfer(NamedTuple):
    """A phone that gives what it is to another one: the night, and the device that shows the code."""

    code: str
    device: int
    role: str
    """What the phone was when it made the code: a host's role is only moved by a code that its host made."""


class TransferLinks(HostLinks):
    """The links by which a seat moves to another phone: each good once, for ten minutes, the newest of a phone only."""

    kind, record = "phone-link", Record(PhoneTransfer)

    def mint_for(self, moving: PhoneTransfer) -> str:
        """Return a new token; those this phone showed before are worth nothing from now on."""
        value = self.record.text(moving)
        self._rows.remove_value(self.kind, value)
        return self.mint(value)

    def moving(self, token: str) -> PhoneTransfer | None:
        """Return what this token would move now, or None."""
        value = self._rows.value(self.kind, hash_token(token).hex())
        return self.record.read(value) if value else None

    @contextmanager
    def take(self, token: str) -> Iterator[PhoneTransfer | None]:
        """Use the token up and yield what it moves, as `redeem` does."""
        with self.redeem(token) as value:
            yield self.record.read(value) if value else None


def error_words() -> dict[str, tuple[str, str]]:
    """Return what is said of a code that is used up."""
    return {"move": (_("This code is used up"), _("Show a new one on the other phone, then scan that."))}


def link_of_phone(phone: Identity, links: TransferLinks, path: str) -> JoinLink:
    """Return a new link below a path that stands for the phone that asks; 404 where no other device reaches it."""
    addresses = own_addresses()
    if phone.device is None or not addresses:
        abort(404)
    token = links.mint_for(PhoneTransfer(phone.code or "", phone.device, phone.role or ""))
    return JoinLink(link_to(addresses[0], f"{path}/{token}"), addresses[0])


def transferring_device(moving: PhoneTransfer | None) -> DeviceRow:
    """Return the phone that shows the code; answers 410 when it was sent away, or is not any more what it was then."""
    rows = get_access().devices.devices_of(moving.code) if moving else []
    found = (row for row in rows if moving and (row.id, row.role) == (moving.device, moving.role))
    return next(found, None) or abort(410, description="move")


class TableOffer(NamedTuple):
    """The seat that the host has offered the table to, as it was then."""

    seat: str
    until: int
    """When the offer ends, in seconds since 1970."""
    sit: int
    """The number of the event by which the seat's person had sat down."""
    devices: tuple[int, ...]
    """The phones of the seat."""


class RoleSettings(NightSettings):
    """The settings of a night, with what is kept of roles that are given on."""

    table_offer = record("table-offered-to", TableOffer, None, ":")
    """To whom the host has offered the table."""
    old_tokens = SettingGroup("old-token.", bytes.fromhex, bytes.hex)
    """By the id of a device: the hash of the token that it had before its newest one, which has not come back yet."""
