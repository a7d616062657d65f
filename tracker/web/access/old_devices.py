"""Ends the devices of nights that were played long ago: a stolen cookie is worth one evening."""

from datetime import UTC, datetime, timedelta

from tracker.formats.evening import order_of
from tracker.web.access.permissions import get_access
from tracker.web.context import get_all_summaries, get_nights

KEPT_AFTER_END = timedelta(hours=12)


def revoke_old_devices() -> None:
    """End the devices of nights that have been over for half a day, also of deleted ones, whose pages still open."""
    since, summaries = datetime.now(UTC) - KEPT_AFTER_END, get_all_summaries()
    for code in get_access().devices.store.devices.codes():
        night = summaries.get(code)
        if night is None or not night.is_over or order_of(night.last_at or night.created_at) >= since:
            continue
        for device in get_access().devices.devices_of(code):
            get_access().devices.dismiss(device.id)
            get_nights().live.end_device(str(device.id))
