"""Codes of boards made from any bytes, also those that are no board."""

import base64
import zlib

from extras._shared.dear_texts import filled

from tracker.extras._night_files.codes import pack
from tracker.extras.editor.codes import preset_words


def preset_code_of(text: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=preset_words())
    packed = packer.compress(text) + packer.flush() + zlib.crc32(text).to_bytes(4, "big")
    return "1" + base64.b32encode(packed).decode().rstrip("=")


def dear_board() -> str:
    """Return the code of a board that unpacks to as much as one may."""
    return "1" + pack(filled("[],", 39_000).encode(), preset_words())
