"""Refusals in the reader's language, made from their template and facts."""

from tracker.core.errors import Faults, TranslatableText, WordedError
from tracker.web.wording.texts import gettext as _

# Facts of a refusal that are words of ours; the others are what people typed.
OUR_WORDS = ("pot", "how")


def refusal(error: WordedError) -> str:
    """Return why something was refused, as a whole sentence in the reader's language."""
    said = reason(error)
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "?", "!")) else ".")


def reason(error: WordedError) -> str:
    """Return what is wrong in the reader's language, as it can stand inside a sentence; causes within it, too."""
    return _(error.template).format_map({key: _fact(key, value) for key, value in error.facts.items()})


def _fact(key: str, value: object) -> object:
    if isinstance(value, Faults):
        return value.between.join(map(reason, value))
    if isinstance(value, WordedError):
        return reason(value)
    is_ours = isinstance(value, TranslatableText) or key in OUR_WORDS
    return _(value) if is_ours and isinstance(value, str) and value else value
