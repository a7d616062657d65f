"""Who hosts a night: the devices that do, and the seat that the table is offered to."""

from __future__ import annotations

from tracker.app.open_night import OpenNight
from tracker.app.seating import name_of
from tracker.storage import DeviceRow
from tracker.web.access.devices import SCRIPT, Identity
from tracker.web.access.permissions import get_access


def hosts_of(code: str) -> list[DeviceRow]:
    """Return the devices that host a night."""
    return [row for row in get_access().devices.devices_of(code) if row.role == "host"]


def has_host_browser(code: str) -> bool:
    """Return whether a browser hosts this night: not one that only a script's token hosts, or that nobody does."""
    return any(row.label != SCRIPT for row in hosts_of(code))


def host_name(table: OpenNight) -> str:
    """Return the name of the person who hosts the night; empty when it is a device without a seat."""
    return next((name_of(table, row.seat) for row in hosts_of(table.code) if row.seat), "")


def offered_by(table: OpenNight, identity: Identity) -> str | None:
    """Return the name of the host who offers the table to this seat ("" for one without a seat), or None."""
    if identity.role != "seat" or table.settings.offered_to != identity.seat:
        return None
    return host_name(table)
