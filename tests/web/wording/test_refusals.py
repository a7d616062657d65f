"""Whatever is refused is said in the reader's language, with its causes: no English on a German page."""

import ast
import json

import pytest
from support.client_phones import Site
from support.translatable_texts import TRANSLATED, catalogue, in_refusals, modules

from tracker.core.errors import Fault, Faults, NoLongerFits, NotEnoughChips, TableError, TranslatableText, WordedError
from tracker.formats.codec import event_from, preset_from, preset_from_toml
from tracker.web.wording.texts import refusal

GERMAN = "de-DE,de;q=0.9,en;q=0.5"
PLAIN = {"{faults}", "{what}", "{who}", "{why}", "{field}: {what}", "{place}: {what}", "{key}: {error}", "{error}"}
"""Templates that only hold their facts, so read the same in every language."""


def kinds(kind: type[WordedError]) -> set[str]:
    return {kind.__name__} | {name for one in kind.__subclasses__() for name in kinds(one)}


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_template_of_a_refusal_is_translated(lang: str) -> None:
    said = {one.id: one.string for one in catalogue(lang) if one.id}
    templates = in_refusals() - {""}
    assert len(templates) > 150
    assert [text for text in sorted(map(str, templates)) if not said.get(text)] == []
    same = [text for text in templates if said[text] == text and text not in PLAIN]
    assert same == []


def test_every_refusal_is_made_from_a_template_that_can_be_found() -> None:
    """A template put together at run time would never be translated: each stands in the code as one text."""
    made = []
    makers = kinds(WordedError) - {"Worded"}
    for path in modules():
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_refusal = isinstance(call, ast.Call) and ast.unparse(call.func) in makers
            if is_refusal and isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.JoinedStr):
                made.append(f"{path.name}:{call.lineno}")
    assert made == []


def in_german(site: Site, error: WordedError) -> str:
    with site.app.test_request_context("/", headers={"Accept-Language": GERMAN}):
        return refusal(error)


MALFORMED = (
    {"kind": "sit", "seat": "A B", "name": 5, "chips": -1, "more": 2},
    {"kind": "sit", "seat": "A B", "name": 5, "chips": -1},
    {"kind": "out", "seat": "a", "cards": [1]},
    {"kind": "order", "seats": "ab"},
    {"kind": "nothing"},
    {"kind": "collect", "seat": "ann"},
)


@pytest.mark.parametrize("raw", MALFORMED, ids=lambda raw: raw["kind"] + str(len(raw)))
def test_faults_of_an_event_and_their_causes_are_german(site: Site, raw: object) -> None:
    with pytest.raises(TableError) as refused:
        event_from(raw)
    said = in_german(site, refused.value)
    assert not {"must", "unknown", "missing", "there"} & set(said.replace(",", " ").split()), said


def test_causes_inside_causes_are_german(site: Site) -> None:
    cause = NotEnoughChips({"ann": 3, "jackpot": 2}, {"ann": "Poker pool", "jackpot": TranslatableText("Poker pool")})
    said = in_german(site, NoLongerFits(7, "hand", cause))
    assert "Poker pool fehlen 3" in said  # somebody may be called like a place: that name is theirs
    assert "Pokertopf fehlen 2" in said
    both = Fault("{faults}", faults=Faults([Fault("is missing"), Fault("must not be empty")]))
    assert in_german(site, both) == "Fehlt; darf nicht leer sein."


def test_faults_of_a_preset_are_german(site: Site) -> None:
    raw = {
        "id": "X",
        "name": " ",
        "game": "pots",
        "seats": {"min": 9, "max": 1},
        "stack": 9_999_999,
        "pots": [{"id": "bank", "name": "B", "label": "B", "won_by": "luck", "cards": ["1X"], "colour": "red"}] * 2,
        "rules": {"claim": "stolen", "ante.each": 5000, "no.rule": 1, "stop.fine": 1},
    }
    with pytest.raises(TableError) as refused:
        preset_from({**raw, "stack": 100})
    said = in_german(site, refused.value)
    assert said.count("; ") >= 9
    for english in (" must ", " stands ", " is ", " has ", " needs ", "there "):
        assert english not in said
    with pytest.raises(TableError) as unread:
        preset_from_toml('name = "x\n')
    assert in_german(site, unread.value).startswith("Das ist keine Brettdatei: Zeile 1, Spalte ")


def test_a_refusal_in_english_reads_as_before() -> None:
    with pytest.raises(TableError) as refused:
        event_from(json.loads('{"kind": "buy", "seat": "ann", "chips": "5"}'))
    assert str(refused.value) == 'chips: must be a whole number from 1 to 1,000,000, not "5"'
