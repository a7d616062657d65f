"""What nobody at a table would send: wrong types, huge numbers, unseen signs, commands, broken JSON."""

import json
from random import Random
from typing import Any

NUMBERS = ("", " ", "0", "-1", "7", " 7 ", "1_000", "1e3", "0x10", "1.5", "999999999999", "9" * 400, "NaN", "true")
OTHER_DIGITS = ("\u0661\u0662", "\uff17", "\u00b2", "\u2167", "\U0001d7d7")
LINES = ("Ann\n\nevent: host\ndata: x", "Ann\r\nSet-Cookie: a=b", "a\x00b", "\x1b[2J", "\u0085", "\u2028", "\ufeff")
UNSEEN = (
    "\u202egro.live",
    "\u2066Ann\u2069",
    "A\u200bnn",
    "\u3164",
    "Z" + "\u0323" * 30,
    "\U000e0041",
    "\ud800",
    "\ufffe",
)
MARKUP = ("<script>a()</script>", '"><img src=x onerror=a()>', "' onclick='alert(1)", "</title><h1>", "{{7*7}}")
SQL = ("'; DROP TABLE event;--", '" OR 1=1 --', "%27%20OR", "*", "ann' UNION SELECT token_hash FROM device--")
FORMULAS = ('=HYPERLINK("http://evil.example")', "+1+cmd|' /C calc'!A0", "@SUM(1)", "-2+3", "\t=1", "%s%n%(name)s")
PATHS = (
    "../../etc/passwd",
    "..\\..\\x",
    "/etc/passwd",
    "%2e%2e%2f",
    "CON",
    "file:///etc/passwd",
    "//evil.example",
    "a/b",
)
LONG = ("x" * 300, "x" * 4000, "ü" * 1500, "👩\u200d🍳" * 40)
WORDS = ("bank", "ann", "nobody", "no-sale", "constructor", "__proto__", "kind")
TEXTS = NUMBERS + OTHER_DIGITS + LINES + UNSEEN + MARKUP + SQL + FORMULAS + PATHS + LONG + WORDS


def as_bytes(value: Any, chance: Random) -> bytes:
    """Return a value as JSON, now and then as what only looks like it."""
    raw = json.dumps(value).encode()
    how = chance.random()
    if how < 0.88 or not isinstance(value, dict):
        return raw
    if how < 0.91:  # a key twice
        return raw[:-1] + b', "kind": "end"}' if value else raw
    spoiled = (
        *(raw[:-1] + more for more in (b', "chips": NaN}', b', "chips": -Infinity}', b', "chips": 1e999}')),
        *(raw[: len(raw) // 2], b"\xff\xfe" + raw, b"\xef\xbb\xbf" + raw, raw + b"x", b"\x00" + raw),
        *(b"[" * 3000, b"[" * 3000 + b"]" * 3000, b'{"a":' * 2000, b"", b"null", b'"end"', b"[]"),
        *(raw.replace(b"1", b"9" * 3000), raw[:-1] + b', "x": "' + b"y" * 17_000 + b'"}'),
        raw[:-1] + b', "x": "\\ud800"}',
    )
    return chance.choice(spoiled)


def odd_form(names: list[str], known: dict[str, list[str]], chance: Random) -> dict[str, list[str]]:
    """Return a form: each field as a page would send it, or odd, missing, twice; and one that no page has."""
    made: dict[str, list[str]] = {}
    for name in names:
        how = chance.random()
        if how < 0.55 and known.get(name):
            made[name] = [chance.choice(known[name])]
        elif how < 0.85:
            made[name] = [odd_text(chance)]
        elif how < 0.92:
            made[name] = [odd_text(chance), *([chance.choice(known[name])] if known.get(name) else [])]
    if chance.random() < 0.15:
        made[odd_text(chance)[:50] or "x"] = [odd_text(chance)]
    return made


def odd_text(chance: Random) -> str:
    """Return a text as a browser can send it: with no half of a pair of surrogates."""
    return chance.choice(TEXTS).encode(errors="replace").decode()
