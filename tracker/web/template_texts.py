"""`_`, `ngettext` and the filter `translated` of templates: texts in the language of tracker.web.wording.language."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Flask
from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup

from tracker.web.wording import texts
from tracker.web.wording.language import language


def install(app: Flask) -> None:
    """Give an app's templates their texts."""
    app.jinja_env.globals.update(_=sentence, gettext=sentence, ngettext=counted)
    # For a board's own words: unlike our sentences in _(), they are escaped.
    app.add_template_filter(texts.gettext, "translated")
    app.add_template_filter(texts.plain, "plain")


@lru_cache(maxsize=4096)
def _translated(lang: str, message: str) -> Markup:
    return Markup(texts.catalogue(lang).ugettext(message))  # noqa: S704 - our own


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
    text = texts.catalogue(language()).ungettext(one, many, num)
    return (Markup(text) if context.autoescape else str(text)) % {"num": num, **facts}  # noqa: S704 - our own
