"""Names that people type: how they are cleaned, and which are refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 24

# Control, format (bidi marks, zero-width), private, unassigned and line separators: none can be seen, and some
# reorder or hide the rest of a line. The rest are letters and symbols that draw nothing.
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
BLANK = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
JOINER = "\u200d"
MARKS_IN_A_ROW = 3
# Small letters of other scripts that look like a Latin one, small or as a capital.
LOOK_ALIKES = str.maketrans("авеікмнорстухѕјԁһαβεικμνορτυχ", "abeikmhopctyxsjdhabeikmnoptyx")
PICTURE_STYLE = re.compile("[\ufe00-\ufe0f\u200d]")


class BadName(ValueError):
    """A name that is refused; `reason` is `empty`, `long`, `unseen` or `taken`."""

    def __init__(self, reason: str, name: str) -> None:
        super().__init__(f"{reason}: {name!r}")
        self.reason = reason
        self.name = name


def clean_name(typed: str, taken: Iterable[str] = ()) -> str:
    """Returns the name in NFC with single spaces, or raises BadName."""
    name = unicodedata.normalize("NFC", typed).strip()
    if any(is_unseen(name, at) for at in range(len(name))):
        raise BadName("unseen", name)
    name = " ".join(name.split())
    if not any(unicodedata.category(sign)[0] in "LNSP" for sign in name):
        raise BadName("empty", name)
    if len(name) > LONGEST:
        raise BadName("long", name)
    if likeness(name) in {likeness(other) for other in taken}:
        raise BadName("taken", name)
    return name


def is_unseen(name: str, at: int) -> bool:
    """Says whether the sign at this place is invisible, or one accent too many on a letter."""
    sign = name[at]
    if sign in BLANK:
        return True
    if unicodedata.category(sign) in UNSEEN:
        return not joins(name, at)
    marks = name[max(0, at - MARKS_IN_A_ROW) : at + 1]
    return len(marks) > MARKS_IN_A_ROW and all(unicodedata.category(mark) in ("Mn", "Me") for mark in marks)


def joins(name: str, at: int) -> bool:
    """Says whether the sign at this place is a joiner between two symbols, as in a family emoji."""
    if name[at] != JOINER or not 0 < at < len(name) - 1:
        return False
    before, after = name[at - 1], name[at + 1]
    return unicodedata.category(before) in ("So", "Sk", "Mn") and unicodedata.category(after) == "So"


def likeness(name: str) -> str:
    """Returns what two names share when people would read them as the same."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(PICTURE_STYLE.sub("", folded).translate(LOOK_ALIKES).split())
