"""Texts packed for a link or a QR code: capital letters and digits, which such a code packs best, with a checksum."""

import base64
import binascii
import re
import zlib

CHECKSUM_BYTES = 4
BASE32 = r"[A-Z2-7]{8,}"


def pack(text: bytes, words: bytes) -> str:
    """Return a text deflated with the preset dictionary `words`, as letters A to Z and digits 2 to 7."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=words)
    packed = packer.compress(text) + packer.flush()
    return base64.b32encode(packed + zlib.crc32(text).to_bytes(CHECKSUM_BYTES, "big")).decode().rstrip("=")


def unpack(code: str, words: bytes, most_bytes: int) -> bytes:
    """Return the text of a code. Raises ValueError for a damaged one, and for a text of more than `most_bytes`."""
    try:
        sealed = base64.b32decode(code + "=" * (-len(code) % 8))
        opener = zlib.decompressobj(-15, zdict=words)
        text = opener.decompress(sealed[:-CHECKSUM_BYTES], most_bytes)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from None
    if not opener.eof or zlib.crc32(text).to_bytes(CHECKSUM_BYTES, "big") != sealed[-CHECKSUM_BYTES:]:
        raise ValueError("the text is too long, or the checksum is another one")
    return text


def code_in(text: str, longest: int) -> str:
    """Return the code in a text that was pasted: the code itself, or a link that ends in one."""
    return last_part(text[: 2 * longest]).upper()


def last_part(text: str) -> str:
    """Return what stands at the end of a link, or the text itself, without white space."""
    return re.sub(r"\s", "", text).rstrip("/").rpartition("/")[2].rpartition("#")[2]
