"""Who hosts a night: the devices that do, and the phones that the table is offered to."""

from __future__ import annotations

from tracker.app.open_night import OpenNight
from tracker.app.seating import name_of, sit_event_number
from tracker.app.settings import TableOffer
from tracker.storage import DeviceRow
from tracker.web.access.devices import SCRIPT, Identity
from tracker.web.access.permissions import get_access

OFFER_SECONDS = 10 * 60


def hosts_of(code: str) -> list[DeviceRow]:
    """Return the devices that host a night."""
    return [row for row in get_access().devices.devices_of(code) if row.role == "host"]


def has_host_browser(code: str) -> bool:
    """Return whether a browser hosts this night: not one that only a script's token hosts, or that nobody does."""
    return any(row.label != SCRIPT for row in hosts_of(code))


def host_name(table: OpenNight) -> str:
    """Return the name of the person who hosts the night; empty when it is a device without a seat."""
    return next((name_of(table, row.seat) for row in hosts_of(table.code) if row.seat), "")


def offer_table(table: OpenNight, seat: str) -> bool:
    """Offer the table to the phones that hold a seat now, for ten minutes; False where no phone holds it."""
    devices = get_access().devices
    rows = [row for row in devices.at_seat(table.code, seat) if row.role == "seat" and row.label != SCRIPT]
    phones = tuple(row.id for row in rows if devices.has_arrived(row))
    if phones:
        until = int(devices.clock() + OFFER_SECONDS)
        table.settings.table_offer = TableOffer(seat, until, sit_event_number(table, seat), phones)
    return bool(phones)


def table_offer(table: OpenNight) -> TableOffer | None:
    """Return to whom the table is offered now: not after ten minutes, and not once that person has left."""
    offer = table.settings.table_offer
    if offer is None or offer.until <= get_access().devices.clock() or offer.seat not in table.night.seats:
        return None
    return offer if offer.sit == sit_event_number(table, offer.seat) else None


def offered_by(table: OpenNight, identity: Identity) -> str | None:
    """Return the name of the host who offers the table to this phone ("" for one without a seat), or None."""
    offer = table_offer(table) if identity.role == "seat" else None
    return host_name(table) if offer and identity.device in offer.devices else None
