"""The reader's language, typed: what `_` and `ngettext` return, lists of names, sums and signs.

Lists, sums and days (`dates`) are worded by our own catalogue: babel's own data of a language take 5 MB of memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from babel.support import NullTranslations, Translations

from tracker.web.wording.language import language

MINUS = "\N{MINUS SIGN}"


@cache
def catalogue(lang: str) -> NullTranslations:
    """Return the translated texts of a language; English has none, its texts are those in the code."""
    if lang == "en":
        return NullTranslations()  # gettext would look for American English, too
    return Translations.load(str(files("tracker") / "translations"), [lang.replace("-", "_")])


def gettext(text: str, **facts: Any) -> str:
    """Return a sentence in the reader's language with its %(facts)s filled in."""
    said: str = catalogue(language()).ugettext(text)
    return said % facts if facts else said


def ngettext(one: str, many: str, num: int, **facts: Any) -> str:
    """Return the sentence for so many; the number is its %(num)s."""
    said: str = catalogue(language()).ungettext(one, many, num)
    return said % {"num": num, **facts}


def listed(items: Iterable[str]) -> str:
    """Return `Ann, Ben and Cleo` in the reader's language."""
    *others, last = [*items] or [""]
    if not others:
        return str(last)
    if len(others) == 1:
        return gettext("%(one)s and %(other)s", one=others[0], other=last)
    return gettext("%(several)s and %(last)s", several=", ".join(others), last=last)


def amount(cents: int) -> str:
    """Return `1,234.50` as the reader's language writes it, with a real minus."""
    sample = gettext("1,234.50")
    signs = str.maketrans({",": sample[1], ".": sample[5], "-": MINUS})
    return f"{cents / 100:,.2f}".translate(signs)


def whole_number_from(low: int, high: int) -> str:
    """Return what is wrong with a field that takes a whole number from `low` to `high`."""
    most = f"{high:,}".replace(",", gettext("1,234.50")[1])
    return gettext("A whole number from %(low)s to %(high)s, please.", low=low, high=most)


def plain(number: int) -> str:
    """Return a number with a sign only below zero, and there with a real minus."""
    return str(number).replace("-", MINUS)


def signed(number: int) -> str:
    """Return a number that always carries its sign, as `+19` or with a real minus."""
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number < 0 else "±0"
