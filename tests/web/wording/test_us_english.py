"""American spelling, for browsers that ask for it."""

import re

from babel.messages.pofile import read_po
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import needs_all_extras
from support.translatable_texts import AMERICAN, FILLED_IN, compile_texts, source_of, us_english


def test_the_catalogue_has_every_text_that_americans_spell_otherwise_and_no_other() -> None:
    """Run `python tests/support/translatable_texts.py`."""
    needs_all_extras()
    with source_of("en_US").open("rb") as file:
        written = read_po(file, locale="en_US")
    assert {one.id: one.string for one in written if one.id} == {one.id: one.string for one in us_english() if one.id}


def test_no_american_text_has_a_british_word() -> None:
    texts = [str(one.string) for one in us_english() if one.id]
    british = re.compile("|".join(rf"\w*{part}(?!\w*\))" for part in AMERICAN))
    assert len(texts) > 5
    assert [text for text in texts if british.search(FILLED_IN.sub("", text))] == []


def test_a_browser_that_asks_for_american_english_gets_it(site: Site) -> None:
    compile_texts()
    host = site.host()
    code = site.open_night(host, preset="eight-round-rummy")
    site.join(code, "Ben")
    for asked, lang, word in (
        ("en-US,en;q=0.9", "en-US", "color"),
        ("en-GB,en;q=0.9", "en", "colour"),
        ("", "en", "colour"),
    ):
        page = HtmlPage(host.get(f"/n/{code}", Accept_Language=asked).text)
        assert page.values("html", "lang") == [lang]
        assert f"All the same {word}" in page.text()
