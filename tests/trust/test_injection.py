"""Markup, formulas and unseen signs in every text that people can give: shown as text, on every page, in every role."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.routes import app_rules, path_of

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.core.events import Chips, Collect, Hand, Move, Out, Sit
from tracker.formats.codec import preset_from
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.resources import templates_dir

HOSTILE = ("\"'></title><b>{{7}}", "%s%(name)s<u o=a><!--")
"""Each breaks out of several places where a text may stand: elements, attributes in either quotes, formats."""
FORMULAS = ("=1+1", "+1", "-2+3", "@SUM(1)", "\uff1d1+1", "\uff20SUM(1)", '=HYPERLINK("x")')
WIDE = ("\uff1d", "\uff0b", "\uff0d", "\uff20")
BEGINS = ("=", "+", "-", "@", "\t", "\r")
HARMLESS = "Rosalindeandfriendsxy"


def bones(text: str) -> list[tuple[str, ...]]:
    """Return the elements of a page with the names of their attributes, without any text or value."""
    return [(tag.name, *sorted(tag.attributes)) for tag in HtmlPage(text).select("*")]


def board(word: str) -> dict[str, Any]:
    """Return a board that says the word wherever a board can say something."""
    named = {"name": word, "label": word[:20], "won_by": "card"}
    places = [{"id": f"p{at}", "cards": [card], **named} for at, card in enumerate(("KH", "QS"))]
    out = {"id": "out", "name": word, "label": word[:20], "won_by": "out"}
    return {
        "id": "hostile",
        "name": word,
        "about": word,
        "source": word,
        "game": "pots",
        "seats": {"min": 2, "max": 8},
        "stack": 100,
        "pots": [*places, out],
        "chips": [{"name": word, "value": 1, "colour": "#ffffff"}],
        "rules": {"dummy": "unused"},
    }


class Party:
    """A night full of one word: the board, its name, everybody's name, the reasons of moves, a join request."""

    def __init__(self, site: Site, word: str) -> None:
        self.site, self.word = site, word
        self.table = site.tables.open(preset_from(board(word), is_new=True), name=word)
        self.code = self.table.code
        site.access.invites.open(self.code)
        names = [word[:21] + end for end in (" 1", " 2", " 3")]
        self.phones: dict[str, ClientPhone] = {"seat": site.request_join(self.code, name=names[0])}
        self.seats = list(self.table.night.seats)
        for at, name in enumerate(names[1:], start=2):
            self.record(Sit(f"s{at}", name))  # type: ignore[arg-type]
            self.seats.append(f"s{at}")
        self.phones["watcher"] = site.request_join(self.code, watch="1")
        first, second, third = self.seats
        self.record(Move("bank", first, Chips(7), word), Hand(first), Collect(second, "p0"))  # type: ignore[arg-type]
        self.record(Out(second, {first: Chips(1), third: Chips(2)}), Hand(second))
        self.record(Move("bank", third, Chips(7), word))  # type: ignore[arg-type]
        site.request_join(self.code, name=f"{word[:20]} 9")
        host = site.host()
        cookie = site.script_token(self.code, "host")
        host.client.set_cookie(f"{site.access.devices.cookie_name}_{self.code}", cookie, domain="192.168.1.23")
        self.phones["host"] = host

    def record(self, *events: Any) -> None:
        for event in events:
            self.table.record(event, id=new_id(), by="host")

    def pages(self) -> Iterator[tuple[str, str, str]]:
        """Yield role, rule and text of every page as everybody in."""
        for rule in app_rules(self.site.app):
            if "GET" not in (rule.methods or ()) or rule.endpoint.endswith("stream"):
                continue
            path = path_of(rule, self.code, self.site.join_link(self.code)[3:]).replace("/ben", f"/{self.seats[0]}")
            for role, phone in self.phones.items():
                answer = phone.get(path)
                if answer.mimetype == "text/html":
                    yield role, rule.rule, answer.text

    def refusals(self) -> Iterator[tuple[str, str, str]]:
        """Yield what pages answer that say a refused word back."""
        word, seat, base = self.word, self.seats[0], f"/n/{self.code}"
        forms: list[tuple[str, str, dict[str, str | list[str]]]] = [
            ("host", f"{base}/seats", {"name": word + "x" * 30}),
            ("host", f"{base}/seat/{seat}/name", {"name": word + "x" * 30}),
            ("host", "/join", {"typed": word[:12], "name": word}),
            ("host", "/new", {"preset": "michigan-rummy", "host": word + "x" * 30}),
            ("host", f"{base}/record", {"do": f"collect:{word}", "seat": word, "pot": word, "key": "k"}),
            ("host", f"{base}/record", {"do": word, "seat": word, "key": "k"}),
            ("host", f"{base}/settings", {"title": word, "stack": word}),
            ("host", "/boards/blank/preview", {"name": word, "about": word, "place-0-name": word}),
            ("host", "/boards/blank/form", {"name": word, "about": word, "do": word}),
            ("host", "/boards/import", {"code": word}),
            ("seat", f"/n/{word[:9].replace('/', '')}/lobby", {}),
        ]
        for at, (role, path, form) in enumerate(forms):
            answer = self.phones[role].post(path, form)
            assert answer.status_code < 500, (path, answer.text)
            if answer.mimetype == "text/html":
                yield role, f"refusal {at}", answer.text


@pytest.fixture(name="plain", scope="module")
def _plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[tuple[str, str], Any]]:
    with party(tmp_path_factory, HARMLESS) as found:
        yield {(role, rule): bones(text) for role, rule, text in (*found.pages(), *found.refusals())}


@contextmanager
def party(folders: pytest.TempPathFactory, word: str) -> Iterator[Party]:
    store, live = Store(folders.mktemp("party") / "nights.db"), StreamHub()
    try:
        yield Party(Site(Nights(store, live)), word)
    finally:
        live.stop()
        store.close()


@pytest.mark.parametrize("word", HOSTILE)
def test_no_word_adds_an_element_or_an_attribute_to_any_page(
    plain: Mapping[tuple[str, str], Any], tmp_path_factory: pytest.TempPathFactory, word: str
) -> None:
    with party(tmp_path_factory, word) as found:
        shown = 0
        for role, rule, text in found.pages():
            assert bones(text) == plain[role, rule], (role, rule, word)
            shown += word.split(maxsplit=1)[0][:5] in text or "&" in text
        assert shown > 20
        for role, path, text in found.refusals():
            assert bones(text) == plain[role, path], (role, path, word)


@pytest.mark.parametrize("word", FORMULAS)
def test_no_cell_and_no_line_of_a_file_begins_like_a_formula(
    tmp_path_factory: pytest.TempPathFactory, word: str
) -> None:
    with party(tmp_path_factory, word) as found:
        host, base = found.phones["host"], f"/n/{found.code}"
        for page in of_extras("files_of_night"):
            text = host.get(base + page).text.removeprefix("\ufeff")
            cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
            assert any(word in cell for cell in cells)
            assert not [cell for cell in cells if cell.startswith((*BEGINS, *WIDE)) and not is_number(cell)], page
        for page in of_extras("result_text"):
            lines = host.get(base + page).text.splitlines()
            assert not [line for line in lines if line.startswith(BEGINS)], lines


def is_number(cell: str) -> bool:
    return cell.removeprefix("-").isdigit()


def test_only_our_own_sentences_are_taken_for_markup() -> None:
    """In a template `_` trusts its text: what people wrote goes through `|translated`."""
    wrong = [
        (path.name, found)
        for path in templates_dir().rglob("*.html")
        for found in re.findall(r"\b(?:_|n?gettext)\((?!['\"])[^)]*", path.read_text("utf-8"))
    ]
    assert not wrong
