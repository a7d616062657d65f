"""Boards as codes: all of one in a QR code or at the end of a link, as nights have them."""

import json
import re

from tracker.core.errors import PresetError
from tracker.core.preset import Preset
from tracker.extras._night_files.codes import BASE32, code_in, pack, unpack, words
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.formats.codec import preset_from, preset_to

PRESET_VERSION = "1"
"""What every code begins with. Its dictionary never changes: codes that are kept somewhere would be lost."""
LONGEST_PRESET_CODE, MOST_PRESET_BYTES = 8000, 40_000


def preset_words() -> bytes:
    """Return the dictionary of version 1."""
    return words("preset_words_1.txt", __package__)


def preset_to_code(preset: Preset) -> str:
    """Return a board as capital letters and digits, which a QR code packs best."""
    text = json.dumps(preset_to(preset), ensure_ascii=False, separators=(",", ":")).encode()
    return PRESET_VERSION + pack(text, preset_words())


def preset_from_code(text: str) -> Preset:
    """Return the board of a code, or of a link that ends in one; PresetError says what is wrong, with all faults."""
    code = code_in(text, LONGEST_PRESET_CODE)
    if len(text) > LONGEST_PRESET_CODE:
        raise PresetError("this code is too long for a board")
    if not re.fullmatch(f"[0-9]{BASE32}", code, re.ASCII):
        raise PresetError("this is no code of a board: copy all of it, from the first sign to the last")
    if code[0] != PRESET_VERSION:
        raise PresetError("this code comes from a newer tracker: update this one")
    try:
        raw = json_value(unpack(code[1:], preset_words(), MOST_PRESET_BYTES).decode(), MOST_PRESET_BYTES)
    except (UnreadableError, ValueError):
        raise PresetError("this code is damaged or not whole: copy it again") from None
    return preset_from(raw, is_new=True)
