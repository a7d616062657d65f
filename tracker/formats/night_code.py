"""A whole night as a code for one QR code or the end of a link: the preset, who played, and every event.

Ids, times and who recorded what are left out, but the moment of the first event. The preset is whole, as it was played:
the dictionary that the text is deflated with has every printed game, so that one of them costs some twenty bytes.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from importlib.resources import files
from itertools import product
from string import ascii_lowercase
from typing import Any

from tracker.core.events import KINDS, SEAT_ID, Amend, Event, Sit, Undo
from tracker.core.log import CorrectionIndex, Entry
from tracker.formats.codec import event_to
from tracker.formats.night_file import FORMAT, VERSION
from tracker.formats.packed_text import BASE32, code_in, pack, unpack
from tracker.formats.text import UNREADABLE, UnreadableError, json_value

MARK, CODE_VERSION = "N", "1"
"""What every code begins with."""
LONGEST_CODE = 400_000
MOST_BYTES = 1_000_000
"""Of a code's text before it is deflated; a night of ten thousand events has a third."""
HEAD = {"preset", "name", "options", "at", "seats", "events"}


@cache
def words() -> bytes:
    """Return the dictionary of version 1: every game as it was printed then, and what nights of each looked like.

    It never changes: codes that are kept somewhere would be lost. Another dictionary needs another version.
    """
    return files("tracker.formats").joinpath(f"night_words_{CODE_VERSION}.txt").read_bytes()


def to_code(preset: Mapping[str, Any], options: Mapping[str, Any], entries: Iterable[Entry], name: str = "") -> str:
    """Return the code of a night."""
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
    return MARK + CODE_VERSION + pack(text.encode(), words())


def from_code(text: str) -> str:
    """Return the text of the night file that a code holds, or a link that ends in one.

    UnreadableError says in a sentence what is wrong. Whether the events can be played is asked of the night file.
    """
    if len(text) > LONGEST_CODE:
        raise UnreadableError("this code is too long for a night")
    code = code_in(text, LONGEST_CODE)
    if not re.fullmatch(f"{MARK}[0-9]{BASE32}", code, re.ASCII):
        raise UnreadableError("this is no code of a night: copy all of it, from the first sign to the last")
    if code[1] != CODE_VERSION:
        raise UnreadableError("this code comes from a newer tracker: update this one")
    try:
        value = json_value(unpack(code[2:], words(), MOST_BYTES).decode())
        return json.dumps(_night_file(value), ensure_ascii=False)
    except UNREADABLE:
        raise UnreadableError("this code is damaged or not whole: copy it again") from None


def is_code(text: str) -> bool:
    """Return whether a text looks like the code of a night, or a link that ends in one, rather than a night file."""
    return bool(re.match(f"{MARK}[0-9][A-Z2-7]{{30}}", code_in(text[:LONGEST_CODE], LONGEST_CODE)))


def night_text(text: str) -> str:
    """Return the text of a night file: what came, or what the code in it holds. Raises UnreadableError for a code."""
    return from_code(text) if is_code(text) else text


def _by_numbers(entries: Sequence[Entry]) -> Iterator[Event]:
    """Yield the events; a correction names what it is about by its number, as there are no ids."""
    index = CorrectionIndex()
    for entry in entries:
        event = entry.event
        if isinstance(event, Undo | Amend) and not isinstance(event.event, int):
            event = replace(event, event=index.number(event.event))
        index.add(event, entry.id)
        yield event


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
    if set(value) != HEAD or not all(SEAT_ID.fullmatch(seat) for seat in seats.values()):
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
