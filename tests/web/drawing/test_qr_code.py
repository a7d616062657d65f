"""QR codes: found quickly, the same as the package makes."""

from random import Random

import pytest
import qrcode

from tracker.web.drawing.qr_code import qr_code

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_/.ÄÖ"


@pytest.mark.parametrize("length", [1, 9, 40, 41, 42, 43, 200, 800])  # of codes without and with a version in them
def test_a_code_has_the_mask_that_the_package_finds(length: int) -> None:
    chance = Random(length)
    for _ in range(4):
        text = "".join(chance.choices(LETTERS, k=length))
        for is_dense, correction in ((False, qrcode.ERROR_CORRECT_M), (True, qrcode.ERROR_CORRECT_L)):
            code = qrcode.QRCode(error_correction=correction, border=4)
            code.add_data(text)
            wanted = code.get_matrix()
            assert modules(qr_code(text, is_dense=is_dense).path, len(wanted)) == wanted


def modules(path: str, size: int) -> list[list[bool]]:
    """Return the modules that a path fills."""
    found = [[False] * size for _ in range(size)]
    for stretch in path.removeprefix("M").split("M"):
        column, row, length = (int(number) for number in stretch.partition("v")[0].replace("h", " ").split())
        found[row][column : column + length] = [True] * length
    return found
