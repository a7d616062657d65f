"""The whole night as one QR code: a link to the site that opens it, or the bare code where no such site is named."""

from dataclasses import dataclass

from tracker.app.open_night import OpenNight
from tracker.web.context import site_link
from tracker.web.drawing.qr_code import QrCode, dense_qr_code
from tracker.web.snapshot import snapshot_of

LONGEST_IN_QR = 2500
"""Signs: a code of 137 squares a side, which a phone still reads from another phone."""


@dataclass(frozen=True)
class NightCode:
    """A night as a code."""

    text: str
    """What to copy and to paste: the link, or the code."""
    qr: QrCode | None
    """None for a night that is too long for one still code."""


def night_code(table: OpenNight) -> NightCode:
    """Return a night as a code, made once for each state of it. Needs the app's context, and no request."""

    def make() -> NightCode:
        code = table.code_text()
        text = site_link(code) or code
        return NightCode(text, dense_qr_code(text) if len(text) <= LONGEST_IN_QR else None)

    return snapshot_of(table).cached("night-code", make)


def code_at_end(table: OpenNight) -> NightCode | None:
    """Return a night as a code once it is over, else None."""
    return night_code(table) if table.night.is_over else None
