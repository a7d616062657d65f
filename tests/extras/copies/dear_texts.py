"""Texts that a stranger may send, each made to cost as much as it can: time by replays, memory by what is unpacked."""

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from tracker.extras._night_files.codes import NIGHT_WORDS, pack, words
from tracker.extras.copies.line_seals import chain_hash

PEOPLE = [f"s{number}" for number in range(8)]
HEAD = {"code": "abcdef", "name": "Friday", "options": "{}", "created_at": "2026-11-20T20:00:00Z"}
BYTES = 1_000_000


def night_code(rows: Iterable[list[Any]]) -> str:
    """Return the code of a night of eight people with these rows after they sat down."""
    events = [*(["sit", one, one] for one in PEOPLE), *rows]
    value = {"preset": "michigan-rummy", "options": {}, "at": "", "name": "", "seats": {}, "events": events}
    return code_of(json.dumps(value, separators=(",", ":")))


def code_of(text: str) -> str:
    return "N1" + pack(text.encode(), words(NIGHT_WORDS))


def link(lines: Iterable[Mapping[str, Any]], preset: str, ids: Random | None = None) -> str:
    """Return a link to a night with these lines, each with an id (by chance, `ids`); its seal is right."""
    told = [{**line, "id": f"{ids.getrandbits(48):012x}" if ids else f"{number}"} for number, line in enumerate(lines)]
    return as_link({"night": {**HEAD, "preset": preset}, "lines": told})


def as_link(value: Any) -> str:
    """Return a link to a night whose seal is right, if it has what a seal is over."""
    try:
        seal = chain_hash(value["night"]["code"], value["night"]["created_at"])
        for line in value["lines"]:
            seal = chain_hash(seal, json.dumps(line, ensure_ascii=False))
        return link_of(json.dumps({**value, "seal": seal}))
    except (KeyError, TypeError, UnicodeEncodeError):
        return link_of(json.dumps(value))


def link_of(text: str | bytes) -> str:
    packer, raw = zlib.compressobj(9, zlib.DEFLATED, -15), text.encode() if isinstance(text, str) else text
    return "X1" + urlsafe_b64encode(packer.compress(raw) + packer.flush()).decode().rstrip("=")


def unpacked(link: str) -> Any:
    """Return the value that a link holds."""
    return json.loads(zlib.decompress(urlsafe_b64decode(link[2:] + "=="), -15))


def padded(piece: str, chance: Random) -> str:
    """Return a text of as many pieces as a link may hold, and as much that can't be packed as lets it hold them."""
    count = 160_000 // sum(map(piece.count, "[{,"))
    return f'{{"night":[{piece * count}0],"lines":[],"seal":"{chance.getrandbits(4 * 60_000):x}"}}'


def filled(piece: str, size: int) -> str:
    return "[" + piece * (size // len(piece)) + "0]"


def dear_texts(preset: str) -> dict[str, str]:
    """Return texts for POST /arrive, by what they do; `preset` is the text of a board."""
    sits = [{"kind": "sit", "seat": one, "name": one} for one in PEOPLE]
    buy, unfit = {"kind": "buy", "seat": "s0", "chips": 1}, {"kind": "end", "winners": ["s1"]}
    amend = {"kind": "amend", "event": 9, "change": {"chips": 2}}
    pieces = {"lists": "[],", "objects": "{},", "pairs": '{"a":1},', "texts": '"ab",', "numbers": "1,"}
    ids, corrections = Random(7), 400
    return {
        "corrections of a code": night_code(
            [*[["buy", "s0", 1]] * corrections, *[["amend", 9, {"chips": 2}]] * corrections]
        ),
        "undos of undos of a code": night_code(
            [["buy", "s0", 1], *(["undo", number] for number in range(9, 9 + 4 * corrections))]
        ),
        "many entries of a code": night_code([["buy", "s0", 1]] * 9000),
        "corrections of a link": link([*sits, *[buy] * 1000, *[amend] * 55], preset),
        "corrections of a link that ends in what does not fit": link(
            [*sits, *[buy] * 1000, *[amend] * 55, unfit], preset
        ),
        "many entries of a link": link([*sits, *[buy] * 9000], preset),
        "lists in lists of a link": link_of("[" * BYTES),
        "one long number of a link": link_of("1" * BYTES),
        "one long text of a link": link_of(json.dumps("x" * BYTES)),
        **{f"{name} of a link": link_of(filled(piece, 4 * BYTES - 9)) for name, piece in pieces.items()},
        **{f"{name} of a code": code_of(filled(piece, BYTES - 9)) for name, piece in pieces.items()},
        "as many entries of a link as it may have": link([*sits, *[buy] * 2900], preset, ids),
        "many corrections of a link": link([*sits, *[buy] * 100, *[amend] * 100], preset, ids),
        **{f"{name} of a link, padded": link_of(padded(piece, ids)) for name, piece in pieces.items()},
        "no code at all": "x" * 60_000,
    }
