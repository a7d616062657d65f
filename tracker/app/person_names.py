"""Names that people type: how they are cleaned, and which are refused."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from tracker.core.errors import Malformed

LONGEST = 24

# Control, format (bidi marks, zero-width), private, unassigned and line separators: none can be seen, and some
# reorder or hide the rest of a line. The rest are letters and symbols that draw nothing.
INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
BLANK_CHARACTERS = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
JOINER = "\u200d"
MARKS_IN_A_ROW = 3
# Small letters of other scripts that look like a Latin one, small or as a capital.
LOOK_ALIKES = str.maketrans("авеікмнорстухѕјԁһαβεικμνορτυχ", "abeikmhopctyxsjdhabeikmnoptyx")
PICTURE_STYLE = re.compile("[\ufe00-\ufe0f\u200d]")


class BadName(Malformed):
    """A name that is refused; `reason` is `empty`, `long`, `unseen`, `taken` or `full`."""

    def __init__(self, template: str, /, *, reason: str, name: str, **facts: Any) -> None:
        super().__init__(template, name=name, **facts)
        self.reason = reason
        self.name = name


def name_taken(name: str) -> BadName:
    """Return the refusal of a name that somebody at the table has already."""
    return BadName(
        "Somebody here is called {name}. Add a letter, so that nobody mixes you up.", reason="taken", name=name
    )


def clean_name(typed: str, taken: Iterable[str] = ()) -> str:
    """Return the name in NFC with single spaces. Raises BadName."""
    name = unicodedata.normalize("NFC", typed).strip()
    if any(is_invisible(name, index) for index in range(len(name))):
        raise BadName("That name has signs that cannot be seen. Please type it by hand.", reason="unseen", name=name)
    name = " ".join(name.split())
    if not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise BadName("Please type a name.", reason="empty", name=name)
    if len(name) > LONGEST:
        raise BadName("That name is too long: {longest} letters at most.", reason="long", name=name, longest=LONGEST)
    if comparison_key(name) in {comparison_key(other) for other in taken}:
        raise name_taken(name)
    return name


def is_invisible(name: str, index: int) -> bool:
    """Return whether the character at `index` is invisible, or one accent too many on a letter."""
    character = name[index]
    if character in BLANK_CHARACTERS:
        return True
    if unicodedata.category(character) in INVISIBLE_CATEGORIES:
        return not is_emoji_joiner(name, index)
    marks = name[max(0, index - MARKS_IN_A_ROW) : index + 1]
    return len(marks) > MARKS_IN_A_ROW and all(unicodedata.category(mark) in ("Mn", "Me") for mark in marks)


def is_emoji_joiner(name: str, index: int) -> bool:
    """Return whether the character at `index` joins two symbols, as in a family emoji."""
    if name[index] != JOINER or not 0 < index < len(name) - 1:
        return False
    before, after = name[index - 1], name[index + 1]
    return unicodedata.category(before) in ("So", "Sk", "Mn") and unicodedata.category(after) == "So"


def comparison_key(name: str) -> str:
    """Return the form that two names share when people would read them as the same."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(PICTURE_STYLE.sub("", folded).translate(LOOK_ALIKES).split())
