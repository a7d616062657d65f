"""Nights as codes: all of one in a QR code or at the end of a link, so that nothing has to be looked up.

A text is deflated with a dictionary and written in capital letters and digits, which a QR code packs best, with a
checksum. Of a night its ids, times and who recorded what are left out, but the moment of the first event. The preset is
whole, as it was played: the dictionary has every printed game, so that one of them costs some twenty bytes.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from importlib.resources import files
from itertools import product
from string import ascii_lowercase
from typing import Any

from tracker.app.open_night import OpenNight
from tracker.core.events import KINDS, SEAT_ID, Amend, Event, Sit, Undo
from tracker.core.log import CorrectionIndex, Entry
from tracker.extras._night_files.json_text import UnreadableError, decoded, json_value
from tracker.formats.codec import event_to, preset_to
from tracker.formats.night_file import FORMAT, VERSION
from tracker.formats.text import UNREADABLE

NIGHT_MARK, NIGHT_VERSION, NIGHT_WORDS = "N", "1", "night_words_1.txt"
"""What every code begins with, and its dictionary, which never changes: codes that are kept somewhere would be lost.
Another dictionary needs another version. That of nights is every game as it was printed then, and what nights of each
looked like."""
LONGEST_NIGHT_CODE, MOST_NIGHT_BYTES = 400_000, 1_000_000
"""Letters of a code, and bytes of its text before it is deflated; a night of ten thousand events has a third."""
NIGHT_FIELDS = {"preset", "name", "options", "at", "seats", "events"}
SMALL_BYTES, MOST_RATIO = 40_000, 30
"""What a text may be unpacked to without regard to its length; and how many times its length in bytes at most."""
CHECKSUM_BYTES = 4
BASE32 = r"[A-Z2-7]{8,}"


@cache
def words(name: str, package: str = __package__) -> bytes:
    """Return the dictionary in a file."""
    return files(package).joinpath(name).read_bytes()


def pack(text: bytes, words: bytes) -> str:
    """Return a text deflated with the dictionary `words`, as letters A to Z and digits 2 to 7."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=words)
    packed = packer.compress(text) + packer.flush()
    return base64.b32encode(packed + zlib.crc32(text).to_bytes(CHECKSUM_BYTES, "big")).decode().rstrip("=")


def unpack(code: str, words: bytes, most_bytes: int) -> bytes:
    """Return the text of a code. Raises ValueError for a damaged one, and for a text of more than `most_bytes`."""
    try:
        sealed = base64.b32decode(code + "=" * (-len(code) % 8))
    except binascii.Error as error:
        raise ValueError(str(error)) from None
    text = inflate(sealed[:-CHECKSUM_BYTES], most_bytes, words)
    if zlib.crc32(text).to_bytes(CHECKSUM_BYTES, "big") != sealed[-CHECKSUM_BYTES:]:
        raise ValueError("the checksum is another one")
    return text


def inflate(packed: bytes, most_bytes: int, words: bytes = b"") -> bytes:
    """Return what deflated bytes hold. Raises ValueError for damage, or more than `most_bytes` or MOST_RATIO allow."""
    try:
        opener = zlib.decompressobj(-15, zdict=words)
        text = opener.decompress(packed, min(most_bytes, max(SMALL_BYTES, MOST_RATIO * len(packed))))
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not opener.eof:
        raise ValueError("the text is too long, or not whole")
    return text


def code_in(text: str, longest: int) -> str:
    """Return the code in a text that was pasted: the code itself, or a link that ends in one."""
    return last_part(text[: 2 * longest]).upper()


def last_part(text: str) -> str:
    """Return what stands at the end of a link, or the text itself, without white space."""
    return re.sub(r"\s", "", text).rstrip("/").rpartition("/")[2].rpartition("#")[2]


def night_to_code(
    preset: Mapping[str, Any], options: Mapping[str, Any], entries: Iterable[Entry], name: str = ""
) -> str:
    listed = list(entries)
    events = [event_to(event) for event in _by_numbers(listed)]
    seats = list(dict.fromkeys(str(entry.event.seat) for entry in listed if isinstance(entry.event, Sit)))
    letters = dict(zip(seats, _free_letters(events, seats), strict=False))
    value = {
        "preset": preset,
        "options": options,
        "at": (listed[0].at if listed else "") or "",
        "name": name,
        "seats": {letter: seat for seat, letter in letters.items()},
        "events": [_row(event, letters) for event in events],
    }
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return NIGHT_MARK + NIGHT_VERSION + pack(text.encode(), words(NIGHT_WORDS))


def code_text(table: OpenNight) -> str:
    """Return an open night as a code."""
    entries, *_ = table.snapshot()
    return night_to_code(preset_to(table.preset), table.options, entries, table.name)


def night_from_code(text: str) -> str:
    """Return the text of the night file that a code holds, or a link that ends in one; UnreadableError says why not."""
    if len(text) > LONGEST_NIGHT_CODE:
        raise UnreadableError("this code is too long for a night")
    code = code_in(text, LONGEST_NIGHT_CODE)
    if not re.fullmatch(f"{NIGHT_MARK}[0-9]{BASE32}", code, re.ASCII):
        raise UnreadableError("this is no code of a night: copy all of it, from the first sign to the last")
    if code[1] != NIGHT_VERSION:
        raise UnreadableError("this code comes from a newer tracker: update this one")
    try:
        value = json_value(unpack(code[2:], words(NIGHT_WORDS), MOST_NIGHT_BYTES).decode(), MOST_NIGHT_BYTES)
        return json.dumps(_night_file(value), ensure_ascii=False)
    except UNREADABLE:
        raise UnreadableError("this code is damaged or not whole: copy it again") from None


def is_night_code(text: str) -> bool:
    """Return whether a text looks like the code of a night, or a link that ends in one, rather than a night file."""
    return bool(re.match(f"{NIGHT_MARK}[0-9][A-Z2-7]{{30}}", code_in(text[:LONGEST_NIGHT_CODE], LONGEST_NIGHT_CODE)))


def night_text(text: str) -> str:
    """Return the text of a night file: what came, or what the code in it holds. Raises UnreadableError for a code."""
    return night_from_code(text) if is_night_code(text) else text


def text_of_file(raw: bytes) -> str:
    """Return the text of a night file, or of the night whose code a file holds. Raises UnreadableError."""
    try:
        return night_text(decoded(raw).strip())
    except UnicodeDecodeError:
        raise UnreadableError("this night file is not UTF-8 text: names in it would be damaged") from None


def _by_numbers(entries: Sequence[Entry]) -> Iterator[Event]:
    """Yield the events; a correction names what it is about by its number, as there are no ids."""
    index = CorrectionIndex()
    for entry in entries:
        event = entry.event
        yield replace(event, event=index.number(event.event)) if isinstance(event, Undo | Amend) else event
        index.add(entry)


def _free_letters(events: Sequence[Mapping[str, Any]], seats: Collection[str]) -> Iterator[str]:
    """Yield letters, and pairs of letters, that stand for nothing else in the events than a seat."""
    taken = {*re.findall(r'"([a-z]{1,2})"', json.dumps(events))} - {*seats}
    every = (*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2)))
    return (letters for letters in every if letters not in taken)


def _row(event: Mapping[str, Any], letters: Mapping[str, str]) -> list[Any]:
    """Return an event as its kind and the values of its fields in their order, null for what is as by default."""
    names = [one.name for one in fields(KINDS[event["kind"]])]
    row = [event["kind"], *(_renamed(event.get(name), letters) for name in names)]
    while row[-1] is None:
        row.pop()
    return row


def _night_file(value: dict[str, Any]) -> dict[str, Any]:
    """Return the value of a night file. Raises any of UNREADABLE for what is no value of a code."""
    seats, rows = value["seats"], value["events"]
    if set(value) != NIGHT_FIELDS or not all(SEAT_ID.fullmatch(seat) for seat in seats.values()):
        raise ValueError
    events = [_event(row, seats) for row in rows]
    if events and value["at"]:
        events[0]["at"] = value["at"]
    head = {key: value[key] for key in ("preset", "name", "options")}
    return {"format": FORMAT, "version": VERSION, **head, "events": events}


def _event(row: list[Any], seats: Mapping[str, str]) -> dict[str, Any]:
    kind, *values = row
    names = [one.name for one in fields(KINDS[kind])]
    if len(values) > len(names):
        raise ValueError
    told = {name: _renamed(one, seats) for name, one in zip(names, values, strict=False) if one is not None}
    return {"kind": kind, **told}


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value with every text in it that `names` has replaced, keys too."""
    if isinstance(value, dict):
        return {_renamed(key, names): _renamed(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    return names.get(value, value) if isinstance(value, str) else value
