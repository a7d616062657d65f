"""QR codes as SVG. The package's own SvgPathImage draws every module by itself: 6.9 kB for a link to a night (2.5 kB
compressed) instead of 2.9 (0.6). Its way to the best mask reads every module some fifty times in Python, which is nine
tenths of its time; here a code is one number, and the same mask is found by its bits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import qrcode
from qrcode.main import precomputed_qr_blanks
from qrcode.util import mask_func

FALSE_FINDERS = ("10111010000", "00001011101")
"""Stretches of a row or column that a reader may take for a corner of the code."""
MASKS = range(8)
MASK_PERIOD = 12
"""Rows and columns after which every mask begins again."""


@dataclass(frozen=True)
class QrCode:
    """A QR code as one SVG path."""

    size: int
    """Modules along a side, the white margin included."""
    path: str


@lru_cache(maxsize=32)
def qr_code(text: str, *, is_dense: bool = False) -> QrCode:
    """Return the QR code of a text, with the white margin that readers need.

    A dense one has as few squares as possible: it is for long texts, and read from a screen, not from paper.
    """
    level = qrcode.ERROR_CORRECT_L if is_dense else qrcode.ERROR_CORRECT_M
    code = _Code(error_correction=level, border=4)
    code.add_data(text)
    code.make(fit=True)
    rows = code.get_matrix()
    return QrCode(len(rows), "".join(segment for y, row in enumerate(rows) for segment in _dark_segments(row, y)))


class _Code(qrcode.QRCode):  # type: ignore[misc]
    """A code that finds its mask quickly."""

    def best_mask_pattern(self) -> int:
        """Return the mask with the smallest penalty, the first of several."""
        self.makeImpl(True, 0)
        size = self.modules_count
        unmasked = _bits(module for row in self.modules for module in row) ^ _masks(self.version)[0]
        return min(MASKS, key=lambda mask: _penalty(unmasked ^ _masks(self.version)[mask], size))


def _bits(modules: Iterable[bool | None]) -> int:
    """Return modules as the bits of a number, the first as its highest."""
    return int("".join("1" if module else "0" for module in modules), 2)


@cache
def _masks(version: int) -> list[int]:
    """Return the modules that each mask inverts, which hold data; a code of this version was made before."""
    code = qrcode.QRCode(version=version)
    code.modules, code.modules_count = [[*row] for row in precomputed_qr_blanks[version]], 4 * version + 17
    code.setup_type_info(True, 0)
    if version >= 7:
        code.setup_type_number(True)
    size, data = code.modules_count, _bits(module is None for row in code.modules for module in row)
    found = []
    for mask in map(mask_func, MASKS):
        tile = [[mask(row, column) for column in range(MASK_PERIOD)] for row in range(MASK_PERIOD)]
        rows = [(tile[row % MASK_PERIOD] * size)[:size] for row in range(size)]
        found.append(data & _bits(module for row in rows for module in row))
    return found


def _penalty(code: int, size: int) -> int:
    """Return the penalty points of a code of size x size bits by the standard, ISO/IEC 18004: less is read better."""
    square = (1 << size * size) - 1
    across = _without_last(size, 1, square) & ~(code ^ code >> 1)
    down = square >> size & ~(code ^ code >> size)
    points = 3 * (across & down & across >> size).bit_count()
    for alike, step in ((across, 1), (down, size)):
        fives = alike & alike >> step & alike >> 2 * step & alike >> 3 * step
        points += fives.bit_count() + 2 * (fives & ~(fives << step)).bit_count()
    for step, begins in ((1, _without_last(size, 10, square)), (size, square >> 10 * size)):
        for finder in FALSE_FINDERS:
            found = begins
            for place, module in enumerate(finder):
                found &= code >> place * step if module == "1" else ~(code >> place * step)
            points += 40 * found.bit_count()
    return points + 10 * int(abs(code.bit_count() / size**2 * 100 - 50) / 5)


@cache
def _without_last(size: int, columns: int, square: int) -> int:
    """Return every bit of a square but those of so many columns, from which a neighbour would be in another row."""
    row = (1 << size - columns) - 1
    return square // ((1 << size) - 1) * row


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
