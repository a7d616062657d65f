"""Codes of boards made from any bytes, also those that are no board."""

import base64
import zlib

from tracker.formats.codes import PRESET_WORDS, words


def preset_code_of(text: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=words(PRESET_WORDS))
    packed = packer.compress(text) + packer.flush() + zlib.crc32(text).to_bytes(4, "big")
    return "1" + base64.b32encode(packed).decode().rstrip("=")
