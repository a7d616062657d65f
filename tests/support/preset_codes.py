"""Codes of boards made from any bytes, also those that are no board."""

import base64
import zlib

from tracker.formats.preset_code import _WORDS


def preset_code_of(text: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_WORDS)
    packed = packer.compress(text) + packer.flush() + zlib.crc32(text).to_bytes(4, "big")
    return "1" + base64.b32encode(packed).decode().rstrip("=")
