"""The reader's language and our texts in it: names, sums, signs, refusals; and the numbers that people type."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from gettext import NullTranslations, translation
from importlib.resources import files
from typing import Any

from flask import Flask, g, has_request_context, request
from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup

from tracker.core.errors import Faults, TranslatableText, WordedError
from tracker.core.house_rules import MOST_CHIPS

LANGUAGES = {"en": "English", "en-US": "English (US)", "de": "Deutsch", "fr": "Français", "es": "Español"}
"""What each language calls itself; English first, which the texts in the code are in."""
YEAR_SECONDS = 365 * 24 * 3600
MINUS = "\N{MINUS SIGN}"
_chosen: ContextVar[str] = ContextVar("language")


def language() -> str:
    """Return the language of texts now: that of `in_language`, else the device's, its browser's, or English."""
    chosen = _chosen.get("")
    if chosen or not has_request_context():
        return chosen or "en"
    if "language" not in g:
        kept = request.cookies.get("lang", "")
        g.language = kept if kept in LANGUAGES else request.accept_languages.best_match([*LANGUAGES], "en")
    return str(g.language)


@contextmanager
def in_language(lang: str) -> Iterator[None]:
    """Have texts in this language until the block ends, whoever's request is being answered."""
    before = _chosen.set(lang)
    try:
        yield
    finally:
        _chosen.reset(before)


@cache
def catalogue(lang: str) -> NullTranslations:
    """Return the translated texts of a language; none for English, and where the catalogues were not compiled: then the
    texts are those in the code."""
    if lang == "en":
        return NullTranslations()  # gettext would look for American English, too
    return translation("messages", str(files("tracker") / "translations"), [lang.replace("-", "_")], fallback=True)


def gettext(text: str, **facts: Any) -> str:
    said: str = catalogue(language()).gettext(text)
    return said % facts if facts else said


def ngettext(one: str, many: str, num: int, **facts: Any) -> str:
    """Return the sentence for so many; the number is its %(num)s."""
    said: str = catalogue(language()).ngettext(one, many, num)
    return said % {"num": plain(num), **facts}


def listed(items: Iterable[str]) -> str:
    """Return `Ann, Ben and Cleo` in the reader's language."""
    *others, last = [*items] or [""]
    if not others:
        return str(last)
    if len(others) == 1:
        return gettext("%(one)s and %(other)s", one=others[0], other=last)
    return gettext("%(several)s and %(last)s", several=", ".join(others), last=last)


def amount(cents: int, decimals: int = 2) -> str:
    """Return `1,234.50` as the reader's language writes it; `cents` are the currency's smallest unit."""
    sample = gettext("1,234.50")
    signs = str.maketrans({",": sample[1], ".": sample[5], "-": MINUS})
    whole, rest = divmod(abs(cents), 10**decimals)
    shown = f"{whole:,}.{rest:0{decimals}}" if decimals else f"{whole:,}"
    return f"{'-' if cents < 0 else ''}{shown}".translate(signs)


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


def install(app: Flask) -> None:
    """Give an app's templates their texts."""
    app.jinja_env.globals.update(_=sentence, gettext=sentence, ngettext=counted, own_names_of_languages=LANGUAGES)
    # For a board's own words: unlike our sentences in _(), they are escaped.
    app.add_template_filter(gettext, "translated")
    app.add_template_filter(plain, "plain")


@lru_cache(maxsize=4096)
def _translated(lang: str, message: str) -> Markup:
    return Markup(catalogue(lang).gettext(message))  # noqa: S704 - our own


@pass_eval_context
def sentence(context: EvalContext, message: str, **facts: Any) -> str:
    """Return a sentence of ours with its %(facts)s filled in, each escaped where the template escapes."""
    text = _translated(language(), message)
    if not context.autoescape:
        return str(text) % facts
    return text % facts if facts or "%" in text else text


@pass_eval_context
def counted(context: EvalContext, one: str, many: str, num: int, **facts: Any) -> str:
    """Return the sentence for so many; the number is its %(num)s."""
    text = catalogue(language()).ngettext(one, many, num)
    return (Markup(text) if context.autoescape else str(text)) % {"num": plain(num), **facts}  # noqa: S704 - our own


# Facts of a refusal that are words of ours; the others are what people typed.
OUR_WORDS = ("pot", "how")


def refusal(error: WordedError) -> str:
    """Return why something was refused, as a whole sentence in the reader's language."""
    said = reason(error)
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "?", "!")) else ".")


def reason(error: WordedError) -> str:
    """Return what is wrong in the reader's language, as it can stand inside a sentence; causes within it, too."""
    return gettext(error.template).format_map({key: _fact(key, value) for key, value in error.facts.items()})


def _fact(key: str, value: object) -> object:
    if isinstance(value, Faults):
        return value.between.join(map(reason, value))
    if isinstance(value, WordedError):
        return reason(value)
    is_ours = isinstance(value, TranslatableText) or key in OUR_WORDS
    return gettext(value) if is_ours and isinstance(value, str) and value else value


MOST_DIGITS = len(str(MOST_CHIPS))


def whole_number(text: str, most_digits: int = MOST_DIGITS) -> int | None:
    """Return the whole number that `text` spells in ASCII digits, spaces around it aside; None for anything else."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None


def chips_typed(text: str, least: int = 0) -> int | None:
    """Return the chips that `text` spells, from `least` to as many as one event may have; None for anything else."""
    chips = whole_number(text)
    return chips if chips is not None and least <= chips <= MOST_CHIPS else None
