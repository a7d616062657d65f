"""The reader's language, typed: what `_` and `ngettext` return, lists of names, and signs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import flask_babel
from babel.lists import format_list

MINUS = "\N{MINUS SIGN}"


def gettext(text: str, **facts: Any) -> str:
    """Return a sentence in the reader's language with its %(facts)s filled in."""
    return str(flask_babel.gettext(text, **facts))


def ngettext(one: str, many: str, num: int, **facts: Any) -> str:
    """Return the sentence for so many; the number is its %(num)s."""
    return str(flask_babel.ngettext(one, many, num, **facts))


def listed(items: Iterable[str]) -> str:
    """Return `Ann, Ben and Cleo` in the reader's language."""
    return str(format_list(list(items), locale=flask_babel.get_locale() or "en"))


def signed(number: int) -> str:
    """Return a number that always carries its sign, as `+19` or with a real minus."""
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number < 0 else "±0"
