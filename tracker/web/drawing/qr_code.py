"""QR codes as SVG. The package's own SvgPathImage draws every module by itself: 6.9 kB for a link to a night (2.5 kB
compressed) instead of 2.9 (0.6)."""

from dataclasses import dataclass
from functools import lru_cache

import qrcode


@dataclass(frozen=True)
class QrCode:
    """A QR code as one SVG path."""

    size: int
    """Modules along a side, the white margin included."""
    path: str


@lru_cache(maxsize=32)
def qr_code(text: str, *, is_dense: bool = False) -> QrCode:
    """Return the QR code of a text, with its margin; a dense one, for long texts on a screen, has few squares."""
    level = qrcode.ERROR_CORRECT_L if is_dense else qrcode.ERROR_CORRECT_M
    code = qrcode.QRCode(error_correction=level, border=4)
    code.add_data(text)
    code.make(fit=True)
    rows = code.get_matrix()
    return QrCode(len(rows), "".join(segment for y, row in enumerate(rows) for segment in _dark_segments(row, y)))


def _dark_segments(row: list[bool], y: int) -> list[str]:
    """Return the dark stretches of one row as path commands: fewer shapes, no hairlines between them."""
    segments, x = [], 0
    while x < len(row):
        length = 1
        while x + length < len(row) and row[x + length] == row[x]:
            length += 1
        if row[x]:
            segments.append(f"M{x} {y}h{length}v1h-{length}z")
        x += length
    return segments
