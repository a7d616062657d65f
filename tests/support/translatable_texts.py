"""Every English text that a page can show, found in the templates, the code and the presets.

Run it to bring the catalogues up to date: `python tests/support/translatable_texts.py` adds new texts with an
empty translation, drops those that are gone, and says how many are left to translate in each language.
`tests/web/wording/test_translations.py` fails until then. The American catalogue is made by it from AMERICAN.
"""

import ast
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from support.paths import ROOT

from tracker import extras
from tracker.app import person_names  # noqa: F401 - its refusals count too
from tracker.core.errors import WordedError
from tracker.core.house_rules import HOUSE_RULES
from tracker.formats.built_in import all_built_in
from tracker.web.drawing.player_token import label_of
from tracker.web.wording.texts import LANGUAGES, OUR_WORDS

TRANSLATED = tuple(lang for lang in LANGUAGES if not lang.startswith("en"))
"""The languages that every text is translated to by hand."""
AMERICAN = {"olour": "olor", "entre": "enter", "eighbour": "eighbor", "avour": "avor", "onour": "onor"}
"""Parts of British words, as our texts have them, and how Americans spell these."""
AMERICAN_TEXTS = {"%(several)s and %(last)s": "%(several)s, and %(last)s"}
"""Whole texts that Americans write in another way."""
FILLED_IN = re.compile(r"(%\(\w+\)[sd]|\{[^}]*\})")
# N_ marks what is translated later, where it is shown.
KEYWORDS = {"_": None, "gettext": None, "N_": None, "ngettext": (1, 2)}
# Answers to scripts are in English only, whoever asks.
FOR_SCRIPTS = ("tracker/extras/api/",)
HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=({plural});\\n"
"X-Extras: {extras}\\n"

"""

Text = str | tuple[str, str]
"""One sentence, or its singular and plural."""


@cache
def shown_texts() -> frozenset[Text]:
    """Return every text that is looked up in the catalogue at run time."""
    return frozenset({*in_templates(), *in_code(), *in_refusals(), *in_house_rules(), *in_presets()})


def in_templates() -> Iterator[Text]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        options = {"silent": "false"}
        with path.open("rb") as file:
            for _line, text, _comments, _context in extract("jinja2", file, KEYWORDS, options=options):
                yield text if isinstance(text, str) else (text[0], text[1])


def in_code() -> Iterator[Text]:
    for path in modules():
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = ast.unparse(call.func) if isinstance(call, ast.Call) and call.args else ""
            if isinstance(call, ast.Call) and name in KEYWORDS:
                texts = [[*_texts(node)] for node in call.args[:2]]
                if name == "ngettext":
                    yield from zip(*texts, strict=True)
                else:
                    yield from texts[0]


@cache
def in_refusals() -> frozenset[Text]:
    """Return the templates of all refusals, and those of their facts that are words of ours."""
    return frozenset(_in_refusals())


def _in_refusals() -> Iterator[Text]:
    makers = {"super().__init__", *_refusals(WordedError)}
    for path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and call.args and ast.unparse(call.func) in makers:
                ours = [word.value for word in call.keywords if word.arg in OUR_WORDS]
                for node in (call.args[0], *ours):
                    yield from _said(node, tree)


def in_house_rules() -> Iterator[Text]:
    for rules in HOUSE_RULES.values():
        yield from (rule.source for rule in rules.values() if rule.source)


def in_presets() -> Iterator[Text]:
    for preset in all_built_in():
        yield from (preset.name, preset.about, preset.source)
        for part in (preset.pots, preset.chips, preset.dues):
            yield from (one.name for one in part)
        yield from (card.goal for card in preset.round_cards)
        yield from (pot.label for pot in preset.pots if label_of(pot).is_word)


def modules() -> list[Path]:
    return [
        path
        for path in sorted((ROOT / "tracker").rglob("*.py"))
        if not path.relative_to(ROOT).as_posix().startswith(FOR_SCRIPTS)
    ]


def _refusals(kind: type[WordedError]) -> Iterator[str]:
    for one in kind.__subclasses__():
        yield one.__name__
        yield from _refusals(one)


def _said(node: ast.expr, tree: ast.Module) -> Iterator[str]:
    """Return the text that a node stands for, or all texts that the variable it names may hold."""
    named = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    yield from _texts(node)
    for one in ast.walk(tree):
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
        if named and isinstance(one, (ast.Assign, ast.AnnAssign)) and one.value and _names(targets) & named:
            yield from _texts(one.value)


def _names(targets: Sequence[ast.expr]) -> set[str]:
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _texts(value: ast.expr) -> Iterator[str]:
    """Return the texts a value may be: itself, either side of a choice, or the values of a mapping."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    parts = value.values if isinstance(value, ast.Dict) else []
    if isinstance(value, ast.IfExp):
        parts = [value.body, value.orelse]
    for part in parts:
        yield from _texts(part)


def source_of(locale: str) -> Path:
    """Return the file with the texts of a locale, such as `de` or `en_US`."""
    return ROOT / "tracker/translations" / locale / "LC_MESSAGES/messages.po"


def catalogue(locale: str) -> Catalog:
    """Return the texts of a locale; a new one has none."""
    if not source_of(locale).exists():
        return Catalog(locale=locale)
    with source_of(locale).open("rb") as file:
        return read_po(file, locale=locale)


def renewed(locale: str) -> Catalog:
    """Return the catalogue with every text shown and no other, new ones without a translation."""
    old = catalogue(locale)
    new = Catalog(locale=locale)
    for text in sorted(shown_texts(), key=lambda one: (_forms(one)[0].casefold(), _forms(one))):
        known = old.get(text[0] if isinstance(text, tuple) else text)
        is_same = known is not None and known.pluralizable == isinstance(text, tuple)
        new.add(text, known.string if known and is_same else ("", "") if isinstance(text, tuple) else "")
    return new


def american(text: str) -> str:
    """Return an English text as Americans spell it; what is filled in keeps its name."""
    parts = FILLED_IN.split(AMERICAN_TEXTS.get(text, text))
    for british, ours in AMERICAN.items():
        parts[::2] = [re.sub(rf"\b(\w*){british}", rf"\1{ours}", part) for part in parts[::2]]
    return "".join(parts)


def us_english() -> Catalog:
    """Return the catalogue of the texts that Americans spell in another way."""
    new = Catalog(locale="en_US")
    for message in renewed(TRANSLATED[0]):
        spelt = [american(form) for form in _forms(message.id)]
        if message.id and spelt != [*_forms(message.id)]:
            new.add(message.id, spelt if message.pluralizable else spelt[0])
    return new


def compile_texts() -> None:
    """Write what the pages read, as the build does, of each catalogue that was changed since."""
    for locale in ("en_US", *TRANSLATED):
        source = source_of(locale)
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            continue
        unfinished = compiled.with_suffix(f".{os.getpid()}.mo")
        with unfinished.open("wb") as read:
            write_mo(read, catalogue(locale))
        unfinished.replace(compiled)  # another worker of the tests may be reading it


def untranslated(catalog: Catalog) -> list[str]:
    """Return the texts, by their singular, that have no translation or only some of its forms."""
    return [_forms(one.id)[0] for one in catalog if one.id and (one.fuzzy or not all(_forms(one.string)))]


def main() -> None:
    new = {locale: renewed(locale) for locale in TRANSLATED}
    for locale, texts in {"en_US": us_english(), **new}.items():
        source_of(locale).parent.mkdir(parents=True, exist_ok=True)
        with source_of(locale).open("wb") as file:
            # Neither dates nor line numbers: only what was translated is a difference.
            plural = "n > 1" if locale == "fr" else "n != 1"
            header = HEADER.replace("{language}", locale).replace("{plural}", plural)
            file.write(header.replace("{extras}", " ".join(extras.names())).encode())
            write_po(file, texts, width=120, no_location=True, omit_header=True)
    compile_texts()
    for locale, texts in new.items():
        print(f"{locale}: {len(texts)} texts, {len(untranslated(texts))} without a translation")  # noqa: T201


def _forms(string: Any) -> tuple[str, ...]:
    return tuple(string) if isinstance(string, (list, tuple)) else (string,)


if __name__ == "__main__":
    extras.load()
    main()
