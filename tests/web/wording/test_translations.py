"""Every text is translated, as its languages write it."""

import re
import string
from collections.abc import Iterator
from typing import Any

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import needs_all_extras, of_extras
from support.translatable_texts import (
    AMERICAN,
    FILLED_IN,
    TRANSLATED,
    catalogue,
    compile_texts,
    renewed,
    shown_texts,
    source_of,
    untranslated,
    us_english,
)

from tracker.web.wording.texts import gettext, in_language

GERMAN = "de-DE,de;q=0.9,en;q=0.5"
WIDE, THIRD = 24, 12
# What stands on the buttons of the dock, by the room there is for it.
WIDE_BUTTONS = (
    "Ante", "Buy chips", "Carry on: %(night)s", "Count the chips", "Everyone is here", "I am out of cards!",
    "Join the table", "New game night", "One more hand, the last one", "Open the table",
    "Pick for us", "Settle up", "Sit down", "Someone is out",
    "Finish the night", "Stock used up", "This is the last hand", "Use the count",
)  # fmt: skip
THIRD_BUTTONS = ("Menu", "Not now", "Share it…", "Sold…", "Undo")


@pytest.fixture(name="lang", params=TRANSLATED)
def _lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def messages(lang: str) -> Iterator[Message]:
    return (message for message in catalogue(lang) if message.id)


def forms(text: Any) -> list[str]:
    return list(text) if isinstance(text, (list, tuple)) else [text]


def holes(text: str) -> set[str]:
    """What is filled in at run time, as %(name)s or as {name}."""
    braces = {f"{{{name}}}" for _, name, _, _ in string.Formatter().parse(text) if name}
    return braces | set(re.findall(r"%\(\w+\)[sd]|%[sd]", text))


def test_every_text_is_translated(lang: str) -> None:
    """Run `python tests/support/translatable_texts.py`, then fill in what is empty in messages.po."""
    assert untranslated(renewed(lang)) == []


def test_the_catalogue_holds_no_text_that_is_gone(lang: str) -> None:
    needs_all_extras()
    known = {message.id if isinstance(message.id, str) else tuple(message.id) for message in messages(lang)}
    assert sorted(map(str, known - shown_texts())) == []


def test_nothing_is_filled_in_that_the_english_does_not_have(lang: str) -> None:
    def differs(message: Message) -> bool:
        theirs = set().union(*map(holes, forms(message.id)))
        return any(holes(form) != theirs for form in forms(message.string))

    assert [message.id for message in messages(lang) if differs(message)] == []


def test_every_apostrophe_is_a_curly_one(lang: str) -> None:
    """In the English texts too, those of refusals included; what is filled in is anybody's."""
    texts = {form for one in messages(lang) for form in (*forms(one.id), *forms(one.string))}
    assert len(texts) > 2 * len(shown_texts())
    assert [text for text in texts if "'" in re.sub(r"\{[^}]*\}", "", text)] == []


def test_no_sentence_ends_otherwise_than_in_english(lang: str) -> None:
    """A full stop is added to a refusal, and a colon is followed by a list."""
    texts = [(forms(one.id)[0], forms(one.string)[0]) for one in messages(lang)]
    assert [(english, other) for english, other in texts if english.endswith(":") != other.endswith(":")] == []
    refusals = [(english, other) for english, other in texts if english[:1].islower() or english[:1] == "{"]
    assert [pair for pair in refusals if pair[1].endswith(".") and not pair[0].endswith(".")] == []


@pytest.mark.parametrize(("buttons", "room"), [(WIDE_BUTTONS, WIDE), (THIRD_BUTTONS, THIRD)])
def test_buttons_have_room(lang: str, buttons: tuple[str, ...], room: int) -> None:
    said = {one.id: str(one.string) for one in messages(lang)}
    assert [said[text] for text in buttons if len(re.sub(r"%\(\w+\)s", "", said[text])) > room] == []


def test_a_german_browser_gets_german_pages_with_games_and_house_rules_in_german(site: Site, host: ClientPhone) -> None:
    night = f"/n/{site.open_night(host, preset='nine-pots')}"
    for path, said, unsaid in (
        ("/", ("Neuer Spieleabend", '<html lang="de"'), "New game night"),
        (f"{night}/lobby", ("Alle sind da",), "Everyone is here"),
        *((night + path, ("Neun Töpfe",), "Nine pots") for path in ("/lobby", "/settings", *of_extras("night"))),
        ("/new/michigan-rummy", ("ein Pokertopf und der Jackpot", "Das blinde Blatt", "Geber"), "Dealer"),
    ):
        page = host.get(path, Accept_Language=GERMAN).text
        assert [words in page for words in (*said, unsaid)] == [True] * len(said) + [False], path


def test_no_verb_belongs_to_a_list_of_names_that_may_be_one_name_or_several() -> None:
    """`{names}` is one name or more with commas between, and one sentence is said of both."""
    verb = "hat|haben|ist|sind|hält|zahlt|braucht|has|have|is|are|holds|pays|needs|a|ont|est|sont|ha|han|tiene|tienen"
    agrees = re.compile(rf"\b({verb}) {{names}}|{{(names|pots)}} ({verb})\b")
    said = [
        form for lang in TRANSLATED for one in messages(lang) for text in (one.id, one.string) for form in forms(text)
    ]
    assert sum("{names}" in text for text in said) >= 4
    assert [text for text in said if agrees.search(text)] == []


def test_a_number_of_points_has_a_singular() -> None:
    """A text that says how many points has a form of its own for one point."""
    counted = re.compile(r"%\(\w+\)s points\b")
    said = [one.id for one in messages("de") if counted.search(forms(one.id)[-1])]
    assert len(said) >= 10
    assert [text for text in said if isinstance(text, str)] == []


# American spelling, for browsers that ask for it


def test_without_a_compiled_catalogue_texts_are_those_in_the_code() -> None:
    with in_language("xx"):
        assert gettext("Save") == "Save"


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
    for asked, lang, word in (
        ("en-US,en;q=0.9", "en-US", "center"),
        ("en-GB,en;q=0.9", "en", "centre"),
        ("", "en", "centre"),
    ):
        page = HtmlPage(host.get("/new/nine-pots", Accept_Language=asked).text)
        assert page.values("html", "lang") == [lang]
        assert f"a chip to the {word} from whoever" in page.text()
